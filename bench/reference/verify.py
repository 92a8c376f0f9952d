"""The references must return what the service returns, and what they write must be complete."""

import socket
from collections.abc import Iterator, Sequence
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
    *("staff_id", "service_id", "customer", "start", "end", "created_at", "updated_at", "date"),
}
_CUSTOM_DATA = {"external_id", "metadata"}  # the references have no data of applications


def assert_same_response(call: Call, service: Server, *references: Server) -> None:
    (request,) = call.requests(1)
    ours = _exchange(service, request)
    for reference in references:
        theirs = _exchange(reference, request)
        _assert_equal(f"{call.name} of the {reference.name}", msgspec.json.decode(ours), msgspec.json.decode(theirs))
        if not 1 / _SIZE_TOLERANCE < len(ours) / len(theirs) < _SIZE_TOLERANCE:
            raise SystemExit(f"bench: {call.name}: {len(ours)} bytes, and {len(theirs)} of the {reference.name}")


def assert_same_order(
    tenants: Sequence[BookableTenant], orders: Sequence[requests.Orders], servers: Sequence[Server]
) -> None:
    """An order of each server looks the same, its rows too, as the service reads them, and its time is taken."""
    service, *_ = servers
    forms = []
    for tenant, requests_of, server in zip(tenants, orders, servers, strict=True):
        created = _send(server, requests_of.with_key(1)[0])
        detail = _send(service, requests.get(tenant.access, f"/orders/{created['data']['id']}"))["data"]
        _assert_taken(tenant, service, detail["bookings"][0])
        forms.append([_without_own_fields(form) for form in (created, detail)])
        _assert_equal(f"an order of the {server.name}", forms[0], forms[-1])


def _assert_taken(tenant: BookableTenant, service: Server, booking: dict[str, Any]) -> None:
    day, start = booking["start"][:10], booking["start"][11:16]
    query = AvailabilityTenant(tenant.access, tenant.service_id, booking["staff_id"], day)
    slots = _send(service, requests.availability(query, booking["staff_id"], 1))["data"]["slots"][day]
    if start in slots or not slots:
        raise SystemExit(f"bench: the slot at {start} is free after it was booked")


def _assert_equal(name: str, ours: object, theirs: object) -> None:
    """Names the first differences; both are long."""
    ours, theirs = _comparable(ours), _comparable(theirs)
    for line, other in zip(_leaves(ours), _leaves(theirs), strict=False):
        if line != other:
            raise SystemExit(f"bench: {name} is not that of the service: {other}, and not {line}")
    if ours != theirs:
        raise SystemExit(f"bench: {name} is not that of the service")


def _comparable(value: object) -> object:
    if isinstance(value, dict):
        return {name: _comparable(entry) for name, entry in value.items() if name not in _CUSTOM_DATA}
    return [_comparable(entry) for entry in value] if isinstance(value, list) else value


def _leaves(value: object, path: str = "") -> Iterator[str]:
    if isinstance(value, dict | list):
        entries = value.items() if isinstance(value, dict) else enumerate(value)
        for name, entry in entries:
            yield from _leaves(entry, f"{path}/{name}")
    else:
        yield f"{path} = {value!r}"


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
