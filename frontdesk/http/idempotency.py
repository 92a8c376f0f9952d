"""Idempotency-Key: a request that is sent again gets the stored response."""

import hashlib
import re
from collections.abc import Awaitable, Callable
from functools import partial

from frontdesk.errors import Code, WireError, invalid
from frontdesk.http.decoding import canonical_json
from frontdesk.http.request import Request
from frontdesk.http.responses import Response
from frontdesk.postgres.held_connections import counted_as_held
from frontdesk.postgres.idempotency import IdempotencyKey, StoredResponse, claim_key, find_response, store_response
from frontdesk.security.encryption import DecryptionFailed

_HEADER = "Idempotency-Key"
_VISIBLE = re.compile(r"[\x21-\x7e]{1,255}")


async def run_idempotent(
    request: Request,
    handle: Callable[..., Awaitable[Response]],
    prepare: Callable[[], Awaitable[object]] | None = None,
    *,
    secret: bool = False,
) -> Response:
    """The claim, what the request writes and the stored response are one transaction; a refusal keeps nothing.

    A stored answer is looked up first, then `prepare` may wait for the network, and only then the key is claimed.
    An answer that tells a secret is kept under the secret_box's seal.
    """
    sent = request.header(b"idempotency-key")
    if sent is None:
        handle = await _prepared(handle, prepare)
        with counted_as_held():
            return await handle()
    ticket, tenant_id = _ticket(request, sent), request.caller.tenant_id
    async with request.connection() as conn:
        kept = await find_response(conn, tenant_id, ticket)
    if kept is not None:
        return _replayed(request, kept, secret=secret)
    handle = await _prepared(handle, prepare)
    async with request.pinned_connection() as conn:
        async with conn.transaction():
            if await claim_key(conn, tenant_id, ticket):
                response = await handle()
                body = request.resources.secret_box.encrypt(response.body) if secret else response.body
                await store_response(conn, tenant_id, ticket, StoredResponse(response.status, body))
                return response
        kept = await find_response(conn, tenant_id, ticket)
    if kept is None:
        raise WireError(
            Code.IDEMPOTENCY_KEY_IN_USE,
            "A request with this Idempotency-Key is still in progress. Try again shortly.",
            headers={"retry-after": "1"},
        )
    return _replayed(request, kept, secret=secret)


async def _prepared(
    handle: Callable[..., Awaitable[Response]], prepare: Callable[[], Awaitable[object]] | None
) -> Callable[..., Awaitable[Response]]:
    return handle if prepare is None else partial(handle, prepared=await prepare())


def _ticket(request: Request, sent: str) -> IdempotencyKey:
    """Bare or quoted."""
    key = sent.strip()
    if len(key) >= 2 and key[0] == key[-1] == '"':
        key = key[1:-1]
    if not _VISIBLE.fullmatch(key):
        raise invalid({_HEADER: ["must be 1 to 255 printable ASCII characters"]})
    return IdempotencyKey(request.caller.id, key, _fingerprint(request))


def _fingerprint(request: Request) -> bytes:
    """Of method, path, query and body. How the body is written does not count, only what it says."""
    query = b"&".join(sorted(request.scope["query_string"].split(b"&")))
    path = request.path.encode("utf-8", "surrogatepass")
    fingerprinted = b"\0".join([request.method.encode(), path, query, canonical_json(request.raw_body)])
    return hashlib.sha256(fingerprinted).digest()


def _replayed(request: Request, kept: StoredResponse, *, secret: bool) -> Response:
    try:
        body = request.resources.secret_box.decrypt(kept.body) if secret else kept.body
    except DecryptionFailed as lost:
        message = (
            "The stored response cannot be decrypted because the encryption key has changed. Use a new Idempotency-Key."
        )
        raise WireError(Code.IDEMPOTENCY_KEY_REUSED, message) from lost
    return Response(body, kept.status, {"idempotent-replayed": "true"})
