"""The full reference: the least that does what the specification demands of these four calls.

It authenticates, counts an exact limit, checks plan and scope, validates, checks the time, writes the rows and an event
in one transaction, and stores the response of an Idempotency-Key. It can do less than the service: lists have no
filters, and an order is one service of a named provider, paid by a named method.
"""

import asyncio
import hashlib
import os
from base64 import urlsafe_b64decode
from datetime import date, datetime
from typing import Annotated, Any, NamedTuple
from urllib.parse import parse_qsl
from uuid import UUID, uuid4

import asyncpg
import msgspec

from bench.reference.full_sql import AUTHENTICATE, CHECK, CREATE_TABLE, FINISH, STORED
from bench.reference.server import ReferenceApp, Request, Response, serve
from bench.reference.sql import AVAILABILITY, CREATE, DETAIL, LIST

_TOKEN_PREFIX = b"fdt_"  # and then the tenant's id
_DEFAULT_RATE = 60
_MAX_KEY = 255


class _Item(msgspec.Struct):
    id: UUID
    type: Annotated[str, msgspec.Meta(pattern="^service$")]
    quantity: Annotated[int, msgspec.Meta(ge=1, le=1)]
    staff_id: UUID


class _Payment(msgspec.Struct):
    amount: Annotated[float, msgspec.Meta(gt=0)]
    payment_method_id: UUID


class _Order(msgspec.Struct):
    team_id: UUID
    customer_id: UUID
    start: datetime
    items: Annotated[list[_Item], msgspec.Meta(min_length=1, max_length=1)]
    payment: _Payment


class _CreatedOrder(msgspec.Struct):
    id: UUID


class _Created(msgspec.Struct):
    data: _CreatedOrder


class _Page(msgspec.Struct):
    page: Annotated[int, msgspec.Meta(ge=1)] = 1
    per_page: Annotated[int, msgspec.Meta(ge=1, le=100)] = 25


class _Availability(msgspec.Struct):
    service_id: UUID
    staff_id: UUID
    date: date
    visible_days: Annotated[int, msgspec.Meta(ge=1, le=30)] = 7


_order_decoder = msgspec.json.Decoder(_Order)
_availability_decoder = msgspec.json.Decoder(_Availability)


class _Caller(NamedTuple):
    tenant_id: UUID
    client_id: UUID
    scopes: set[str]


class _RefusedError(Exception):
    def __init__(self, status: int, error: str, message: str, *headers: tuple[bytes, bytes]) -> None:
        super().__init__(message)
        body = msgspec.json.encode({"error": error, "message": message})
        self.response = Response(status, body, headers)


def full_reference(dsn: str) -> ReferenceApp:
    return ReferenceApp(dsn, _respond)


async def create_table(dsn: str) -> None:
    raw = await asyncpg.connect(dsn)
    await raw.execute(CREATE_TABLE)
    await raw.close()


async def _respond(raw: "asyncpg.Connection[Any]", request: Request) -> Response:
    headers = [(b"x-request-id", request.headers.get(b"x-request-id") or uuid4().hex.encode())]
    try:
        caller = await _authenticate(raw, request, headers)
        status, body, more = await _route(raw, request, caller)
    except _RefusedError as refused:
        status, body, more = refused.response
    except msgspec.ValidationError as error:
        status, body, more = _RefusedError(422, "validation_error", str(error)).response
    return Response(status, body, [*headers, *more])


async def _authenticate(
    raw: "asyncpg.Connection[Any]", request: Request, headers: list[tuple[bytes, bytes]]
) -> _Caller:
    """Token, plan and rate limit, in this order. The limit is added to the headers of the response."""
    scheme, _, token = request.headers.get(b"authorization", b"").partition(b" ")
    try:
        tenant_id = UUID(bytes=urlsafe_b64decode(token.removeprefix(_TOKEN_PREFIX))[:16])
    except ValueError:
        scheme = b""
    row = None
    if scheme == b"Bearer":
        row = await raw.fetchrow(AUTHENTICATE, tenant_id, hashlib.sha256(token).digest(), _DEFAULT_RATE)
    if row is None:
        challenge = (b"www-authenticate", b"Bearer")
        raise _RefusedError(401, "authentication_failed", "The access token is unknown or expired.", challenge)
    if not row["is_open"]:
        raise _RefusedError(403, "feature_disabled", "The plan has no Open API.")
    limit, left, seconds = row["rate_limit"], max(row["rate_limit"] - row["requests"], 0), row["seconds"]
    headers += [
        (b"ratelimit-policy", b'"default";q=%d;w=60' % limit),
        (b"ratelimit", b'"default";r=%d;t=%d' % (left, seconds)),
        (b"x-ratelimit-limit", b"%d" % limit),
        (b"x-ratelimit-remaining", b"%d" % left),
        (b"x-ratelimit-reset", b"%d" % seconds),
    ]
    if row["requests"] > limit:
        raise _RefusedError(429, "rate_limit_exceeded", "Too many requests.", (b"retry-after", b"%d" % seconds))
    scopes, requested = set(row["approved"]), row["requested"]
    return _Caller(tenant_id, row["id"], scopes if requested is None else scopes & set(requested))


async def _route(raw: "asyncpg.Connection[Any]", request: Request, caller: _Caller) -> Response:
    match request.method, request.path:
        case "GET", "/orders":
            return await _list(raw, request, caller)
        case "POST", "/orders":
            return await _create(raw, request, caller)
        case "POST", "/availability":
            return await _availability(raw, request, caller)
        case "GET", path if path.startswith("/orders/"):
            return await _detail(raw, path.removeprefix("/orders/"), caller)
    raise _RefusedError(404, "not_found", "Nothing is at this address.")


def _require(caller: _Caller, scope: str) -> None:
    if scope not in caller.scopes and "*" not in caller.scopes:
        raise _RefusedError(403, "insufficient_scope", f"This needs the scope {scope}.")


async def _list(raw: "asyncpg.Connection[Any]", request: Request, caller: _Caller) -> Response:
    _require(caller, "orders:read")
    page = _Page()
    if request.query:
        page = msgspec.convert(dict(parse_qsl(request.query.decode())), _Page, strict=False)
    text = await raw.fetchval(LIST, caller.tenant_id, request.url, page.page, page.per_page)
    return Response(200, text.encode())


async def _detail(raw: "asyncpg.Connection[Any]", order_id: str, caller: _Caller) -> Response:
    _require(caller, "orders:read")
    try:
        text = await raw.fetchval(DETAIL, caller.tenant_id, UUID(order_id))
    except ValueError:
        text = None
    if text is None:
        raise _RefusedError(404, "not_found", "There is no such order.")
    return Response(200, text.encode())


async def _availability(raw: "asyncpg.Connection[Any]", request: Request, caller: _Caller) -> Response:
    _require(caller, "orders:write")
    asked = _availability_decoder.decode(request.body)
    text = await raw.fetchval(
        AVAILABILITY, caller.tenant_id, asked.service_id, asked.staff_id, asked.date, asked.visible_days
    )
    return Response(200, text.encode())


async def _create(raw: "asyncpg.Connection[Any]", request: Request, caller: _Caller) -> Response:
    """A second request with the same key waits for the first at the taken time, and then finds its response."""
    _require(caller, "orders:write")
    _require(caller, "transactions:write")
    order = _order_decoder.decode(request.body)
    key, fingerprint = _idempotency_key(request), hashlib.sha256(request.path.encode() + request.body).digest()
    stored = await _stored(raw, caller, key, fingerprint)
    if stored is not None:
        return stored
    values = await _check(raw, caller, order)
    try:
        async with raw.transaction():
            text = await raw.fetchval(CREATE, *values, str(order.payment.amount), caller.client_id)
            order_id = msgspec.json.decode(text, type=_Created).data.id
            document = await raw.fetchval(DETAIL, caller.tenant_id, order_id)
            event, body = document.replace('"data"', '"order"', 1), text.encode()
            await raw.execute(FINISH, caller.tenant_id, caller.client_id, event, key, fingerprint, body)
    except (asyncpg.ExclusionViolationError, asyncpg.UniqueViolationError):
        stored = await _stored(raw, caller, key, fingerprint)
        if stored is None:
            raise _RefusedError(422, "timeslot_unavailable", "This time is taken.") from None
        return stored
    return Response(201, body)


async def _check(raw: "asyncpg.Connection[Any]", caller: _Caller, order: _Order) -> list[object]:
    """Returns the values of the order that both the check and the write take."""
    item, payment = order.items[0], order.payment
    values = [
        caller.tenant_id,
        order.team_id,
        order.customer_id,
        item.id,
        item.staff_id,
        order.start.isoformat(),
        payment.payment_method_id,
    ]
    found = await raw.fetchrow(CHECK, *values)
    if found is None or not found["has_customer"]:
        raise _RefusedError(422, "validation_error", "The customer, the service or the provider is unknown.")
    if not found["is_free"]:
        raise _RefusedError(422, "timeslot_unavailable", "Nobody works at this time.")
    if not found["has_method"]:
        raise _RefusedError(422, "payment_method_not_found", "The payment method is unknown.")
    if payment.amount > found["price"]:
        raise _RefusedError(422, "validation_error", "The payment exceeds the total.")
    return values


def _idempotency_key(request: Request) -> str | None:
    key = request.headers.get(b"idempotency-key")
    if key is not None and not 1 <= len(key) <= _MAX_KEY:
        raise _RefusedError(422, "validation_error", "The Idempotency-Key must have 1 to 255 characters.")
    return None if key is None else key.decode("latin-1")


async def _stored(
    raw: "asyncpg.Connection[Any]", caller: _Caller, key: str | None, fingerprint: bytes
) -> Response | None:
    row = key and await raw.fetchrow(STORED, caller.tenant_id, caller.client_id, key)
    if not row:
        return None
    if row["fingerprint"] != fingerprint:
        raise _RefusedError(422, "idempotency_key_reused", "The key was used for another request.")
    return Response(row["status"], row["body"], [(b"idempotent-replayed", b"true")])


if __name__ == "__main__":
    asyncio.run(create_table(os.environ["BENCH_DSN"]))
    serve(full_reference)
