"""The requests that are sent, as finished bytes: the same ones to the service and to the reference."""

from collections.abc import Iterator
from datetime import date, datetime, time, timedelta
from itertools import islice
from uuid import UUID

import msgspec

from bench.business import SLOT_MINUTES, Business, Counter, Fair

PREFIX = "/open-api/v1"


def get(business: Business, path: str) -> bytes:
    return _request("GET", path, business, b"")


def post(business: Business, path: str, body: object) -> bytes:
    return _request("POST", path, business, msgspec.json.encode(body))


def _request(method: str, path: str, business: Business, body: bytes) -> bytes:
    head = [
        f"{method} {PREFIX}{path} HTTP/1.1",
        "host: 127.0.0.1",
        f"authorization: Bearer {business.token}",
        "accept: application/json",
        *([f"content-type: application/json\r\ncontent-length: {len(body)}"] if body else []),
    ]
    return "\r\n".join(head).encode() + b"\r\n\r\n" + body


def availability(fair: Fair, staff_id: UUID | None, days: int) -> bytes:
    question = {"service_id": fair.service_id, "staff_id": staff_id, "date": fair.first, "visible_days": days}
    return post(fair.tenant, "/availability", question)


class Orders:
    """Each one takes a slot that nothing else takes, so that every request can succeed."""

    def __init__(self, counter: Counter) -> None:
        self._counter = counter
        self._slots = _slots(counter.staff_ids, counter.first)

    def take(self, count: int) -> list[bytes]:
        return [self._order(*slot) for slot in islice(self._slots, count)]

    def _order(self, staff_id: UUID, start: datetime) -> bytes:
        counter = self._counter
        body = {
            "team_id": counter.branch_id,
            "customer_id": counter.customer_id,
            "start": start.isoformat(),
            "items": [{"id": counter.service_id, "type": "service", "quantity": 1, "staff_id": staff_id}],
            "payment": {"amount": 50, "payment_method_id": counter.method_id},
        }
        return post(counter.tenant, "/orders", body)


def _slots(staff_ids: list[UUID], first: date) -> Iterator[tuple[UUID, datetime]]:
    """Neighbouring requests go to different providers and days, as they would from different people."""
    for day in range(0, 20_000, 50):
        for minute in range(0, 24 * 60, SLOT_MINUTES):
            for near in range(50):
                start = datetime.combine(first, time()) + timedelta(days=day + near, minutes=minute)
                yield from ((staff_id, start) for staff_id in staff_ids)
