"""The requests that are sent, as finished bytes: the same ones to the service and to the reference."""

from collections.abc import Iterator
from datetime import date, datetime, time, timedelta
from itertools import islice
from uuid import UUID

import msgspec

from bench.tenants import SLOT_MINUTES, AvailabilityTenant, OrderTenant, TenantAccess

PREFIX = "/open-api/v1"


def get(access: TenantAccess, path: str) -> bytes:
    return _request("GET", path, access, b"")


def post(access: TenantAccess, path: str, body: object) -> bytes:
    return _request("POST", path, access, msgspec.json.encode(body))


def _request(method: str, path: str, access: TenantAccess, body: bytes) -> bytes:
    head = [
        f"{method} {PREFIX}{path} HTTP/1.1",
        "host: 127.0.0.1",
        f"authorization: Bearer {access.token}",
        "accept: application/json",
        *([f"content-type: application/json\r\ncontent-length: {len(body)}"] if body else []),
    ]
    return "\r\n".join(head).encode() + b"\r\n\r\n" + body


def availability(availability_tenant: AvailabilityTenant, staff_id: UUID | None, days: int) -> bytes:
    question = {
        "service_id": availability_tenant.service_id,
        "staff_id": staff_id,
        "date": availability_tenant.first,
        "visible_days": days,
    }
    return post(availability_tenant.tenant, "/availability", question)


class Orders:
    """Each one takes a slot that nothing else takes, so that every request can succeed."""

    def __init__(self, order_tenant: OrderTenant) -> None:
        self._order_tenant = order_tenant
        self._slots = _slots(order_tenant.staff_ids, order_tenant.first)

    def take(self, count: int) -> list[bytes]:
        return [self._order(*slot) for slot in islice(self._slots, count)]

    def _order(self, staff_id: UUID, start: datetime) -> bytes:
        order_tenant = self._order_tenant
        body = {
            "team_id": order_tenant.branch_id,
            "customer_id": order_tenant.customer_id,
            "start": start.isoformat(),
            "items": [{"id": order_tenant.service_id, "type": "service", "quantity": 1, "staff_id": staff_id}],
            "payment": {"amount": 50, "payment_method_id": order_tenant.method_id},
        }
        return post(order_tenant.tenant, "/orders", body)


def _slots(staff_ids: list[UUID], first: date) -> Iterator[tuple[UUID, datetime]]:
    """Neighbouring requests go to different providers and days, as they would from different people."""
    for day in range(0, 20_000, 50):
        for minute in range(0, 24 * 60, SLOT_MINUTES):
            for near in range(50):
                start = datetime.combine(first, time()) + timedelta(days=day + near, minutes=minute)
                yield from ((staff_id, start) for staff_id in staff_ids)
