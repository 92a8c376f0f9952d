"""The reference must return what the service returns, and what it writes must be complete."""

import socket
from typing import Any

import msgspec

from bench import requests
from bench.processes import Server
from bench.tenants import AvailabilityTenant, BookableTenant
from bench.turns import Call

_SIZE_TOLERANCE = 1.2  # PostgreSQL writes spaces into JSON
# These differ between two orders that are created one after the other.
_OWN_FIELDS = {
    *("id", "line_id", "order_number", "transaction_no", "reference"),
    *("staff_id", "customer", "start", "end", "created_at", "updated_at", "date"),
}


def assert_same_response(call: Call, service: Server, reference: Server) -> None:
    (request,) = call.requests(1)
    ours, bare = _exchange(service, request), _exchange(reference, request)
    _assert_equal(call.name, msgspec.json.decode(ours), msgspec.json.decode(bare))
    if not 1 / _SIZE_TOLERANCE < len(ours) / len(bare) < _SIZE_TOLERANCE:
        raise SystemExit(f"bench: {call.name}: {len(ours)} bytes, and {len(bare)} of the reference")


def assert_same_order(tenant: BookableTenant, orders: requests.Orders, service: Server, reference: Server) -> None:
    """Same response, same rows as the service reads them, and the slot is taken."""
    created = [_send(server, orders.without_key(1)[0]) for server in (service, reference)]
    _assert_equal("POST /orders", *map(_without_own_fields, created))
    details = [
        _send(service, requests.get(tenant.access, f"/orders/{order['data']['id']}"))["data"] for order in created
    ]
    _assert_equal("GET /orders/{uuid} of a created order", *map(_without_own_fields, details))
    for detail in details:
        _assert_taken(tenant, service, detail["bookings"][0])


def _assert_taken(tenant: BookableTenant, service: Server, booking: dict[str, Any]) -> None:
    day, start = booking["start"][:10], booking["start"][11:16]
    query = AvailabilityTenant(tenant.access, tenant.service_id, booking["staff_id"], day)
    slots = _send(service, requests.availability(query, booking["staff_id"], 1))["data"]["slots"][day]
    if start in slots or not slots:
        raise SystemExit(f"bench: the slot at {start} is free after it was booked")


def _assert_equal(name: str, ours: object, bare: object) -> None:
    if ours != bare:
        raise SystemExit(f"bench: {name}: the reference returns something else:\n{ours}\n{bare}")


def _send(server: Server, request: bytes) -> Any:
    return msgspec.json.decode(_exchange(server, request))


def _exchange(server: Server, request: bytes) -> bytes:
    """The body of the response."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=10) as connection:
        connection.sendall(request.replace(b"accept:", b"connection: close\r\naccept:"))
        response = b"".join(iter(lambda: connection.recv(65536), b""))
    return response.partition(b"\r\n\r\n")[2]


def _without_own_fields(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _without_own_fields(entry) for name, entry in value.items() if name not in _OWN_FIELDS}
    return [_without_own_fields(entry) for entry in value] if isinstance(value, list) else value
