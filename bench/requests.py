"""The requests that are sent, as finished bytes."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime, time, timedelta
from itertools import cycle, islice
from urllib.parse import urlencode
from uuid import UUID, uuid4

import msgspec

from bench.tenants import SLOT_MINUTES, AvailabilityTenant, BookableTenant, TenantAccess

OPEN_API, POS_API = "/open-api/v1", "/api/v1"
_ROUND_DAYS = 50
_DAYS = 20_000
_BOUNDARY = "frontdesk-bench"


def get(access: TenantAccess, path: str) -> bytes:
    return _request("GET", OPEN_API + path, _bearer(access))


def post(access: TenantAccess, path: str, body: object, *, key: bool = False) -> bytes:
    """`key`: with a new Idempotency-Key, as frontdesk-client sends one with every write."""
    return _request(
        "POST", OPEN_API + path, [*_bearer(access), *([_idempotency_key()] if key else [])], msgspec.json.encode(body)
    )


def pos_post(access: TenantAccess, path: str, body: object) -> bytes:
    headers = [f"x-api-key: {access.api_key}", _idempotency_key()]
    return _request("POST", POS_API + path, headers, msgspec.json.encode(body))


def page(path: str, cookie: str, accept: str = "text/html") -> bytes:
    """A page of the dashboard, for a user who is signed in."""
    return _request("GET", path, [f"cookie: {cookie}"], accept=accept)


def visit(path: str, address: str) -> bytes:
    """A public page, for a visitor behind a proxy."""
    return _request("GET", path, [f"x-forwarded-for: {address}"], accept="text/html")


def form(path: str, cookie: str, fields: Mapping[str, str]) -> bytes:
    """A form of the dashboard."""
    body = urlencode(fields).encode()
    headers = [f"cookie: {cookie}", "origin: http://127.0.0.1"]
    return _request("POST", path, headers, body, accept="text/html", content_type="application/x-www-form-urlencoded")


def visitor_form(path: str, address: str, fields: Mapping[str, str]) -> bytes:
    """A form of a public page."""
    body = urlencode(fields).encode()
    headers = [f"x-forwarded-for: {address}", "origin: http://127.0.0.1"]
    return _request("POST", path, headers, body, accept="text/html", content_type="application/x-www-form-urlencoded")


def pos_get(access: TenantAccess, path: str) -> bytes:
    return _request("GET", POS_API + path, [f"x-api-key: {access.api_key}"])


def upload(path: str, cookie: str, fields: Mapping[str, str], file: bytes) -> bytes:
    """A form of the dashboard with a file."""
    parts = [
        f'--{_BOUNDARY}\r\ncontent-disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'
        for name, value in fields.items()
    ]
    head = f'--{_BOUNDARY}\r\ncontent-disposition: form-data; name="file"; filename="table.xlsx"\r\n\r\n'
    body = "".join(parts).encode() + head.encode() + file + f"\r\n--{_BOUNDARY}--\r\n".encode()
    headers = [f"cookie: {cookie}", "origin: http://127.0.0.1"]
    return _request(
        "POST", path, headers, body, accept="text/html", content_type=f"multipart/form-data; boundary={_BOUNDARY}"
    )


def _bearer(access: TenantAccess) -> list[str]:
    return [f"authorization: Bearer {access.token}"]


def _idempotency_key() -> str:
    return f"idempotency-key: {uuid4()}"


def _request(
    method: str,
    path: str,
    headers: Sequence[str],
    body: bytes = b"",
    *,
    accept: str = "application/json",
    content_type: str = "application/json",
) -> bytes:
    head = [f"{method} {path} HTTP/1.1", "host: 127.0.0.1", *headers, f"accept: {accept}"]
    if body:
        head += [f"content-type: {content_type}", f"content-length: {len(body)}"]
    return "\r\n".join(head).encode() + b"\r\n\r\n" + body


def availability(tenant: AvailabilityTenant, staff_id: UUID | None, days: int) -> bytes:
    query = {
        "service_id": tenant.service_id,
        "staff_id": staff_id,
        "date": tenant.first_day,
        "visible_days": days,
    }
    return post(tenant.access, "/availability", query)


class Orders:
    """Requests for orders that each take a slot of their own, so that every one succeeds.

    With several tenants consecutive requests go to different tenants.
    """

    def __init__(self, tenants: Sequence[BookableTenant]) -> None:
        self._next = cycle([(tenant, free_slots(tenant)) for tenant in tenants])

    def with_key(self, count: int) -> list[bytes]:
        return self._take(count, key=True)

    def without_key(self, count: int) -> list[bytes]:
        return self._take(count, key=False)

    def unpaid(self, count: int) -> list[bytes]:
        return self._take(count, key=True, paid=False)

    def _take(self, count: int, *, key: bool, paid: bool = True) -> list[bytes]:
        return [
            post(tenant.access, "/orders", order_body(tenant, *next(slots), paid=paid), key=key)
            for tenant, slots in islice(self._next, count)
        ]


def order_body(
    tenant: BookableTenant, number: int, staff_id: UUID, start: datetime, *, paid: bool
) -> dict[str, object]:
    body: dict[str, object] = {
        "team_id": tenant.branch_id,
        "customer_id": tenant.customer_ids[number % len(tenant.customer_ids)],
        "start": start.isoformat(),
        "items": [{"id": tenant.service_id, "type": "service", "quantity": 1, "staff_id": staff_id}],
    }
    return {**body, "payment": {"amount": 50, "payment_method_id": tenant.method_id}} if paid else body


def free_slots(tenant: BookableTenant) -> Iterator[tuple[int, UUID, datetime]]:
    """A number, a provider and a start. Consecutive ones differ in provider and day, as those of different people."""
    number = 0
    for first in range(0, _DAYS, _ROUND_DAYS):
        for minute in range(0, 24 * 60, SLOT_MINUTES):
            for day in range(first, first + _ROUND_DAYS):
                start = _at(tenant.first_day, day, minute)
                for staff_id in tenant.staff_ids:
                    yield number, staff_id, start
                    number += 1


def _at(first_day: date, days: int, minutes: int) -> datetime:
    return datetime.combine(first_day, time()) + timedelta(days=days, minutes=minutes)
