"""Idempotency-Key: the same request sent again is answered from the books."""

import hashlib
import re
from collections.abc import Awaitable, Callable
from functools import partial

from frontdesk.errors import Code, WireError, invalid
from frontdesk.http.decoding import canonical_json
from frontdesk.http.request import Call
from frontdesk.http.responses import Answer
from frontdesk.postgres.held_connections import counted_as_held
from frontdesk.postgres.idempotency import KeptAnswer, Ticket, claim_key, find_answer, keep_answer
from frontdesk.security.encryption import SealBroken

_HEADER = "Idempotency-Key"
_VISIBLE = re.compile(r"[\x21-\x7e]{1,255}")


async def answer_once(
    call: Call,
    handle: Callable[..., Awaitable[Answer]],
    prepare: Callable[[], Awaitable[object]] | None = None,
    *,
    secret: bool = False,
) -> Answer:
    """The claim, what the request makes and the kept answer are one transaction; a refusal keeps nothing.

    A stored answer is looked up first, then `prepare` may wait for the network, and only then the key is claimed.
    An answer that tells a secret is kept under the vault's seal.
    """
    sent = call.header(b"idempotency-key")
    if sent is None:
        handle = await _prepared(handle, prepare)
        with counted_as_held():
            return await handle()
    ticket, tenant_id = _ticket(call, sent), call.caller.tenant_id
    async with call.connection() as conn:
        kept = await find_answer(conn, tenant_id, ticket)
    if kept is not None:
        return _replayed(call, kept, secret=secret)
    handle = await _prepared(handle, prepare)
    async with call.held_connection() as conn:
        async with conn.transaction():
            if await claim_key(conn, tenant_id, ticket):
                answer = await handle()
                body = call.resources.vault.seal(answer.body) if secret else answer.body
                await keep_answer(conn, tenant_id, ticket, KeptAnswer(answer.status, body))
                return answer
        kept = await find_answer(conn, tenant_id, ticket)
    if kept is None:
        raise WireError(Code.IDEMPOTENCY_KEY_IN_USE, "Ask again shortly.", headers={"retry-after": "1"})
    return _replayed(call, kept, secret=secret)


async def _prepared(
    handle: Callable[..., Awaitable[Answer]], prepare: Callable[[], Awaitable[object]] | None
) -> Callable[..., Awaitable[Answer]]:
    return handle if prepare is None else partial(handle, prepared=await prepare())


def _ticket(call: Call, sent: str) -> Ticket:
    """Bare or quoted."""
    key = sent.strip()
    if len(key) >= 2 and key[0] == key[-1] == '"':
        key = key[1:-1]
    if not _VISIBLE.fullmatch(key):
        raise invalid({_HEADER: ["must have 1 to 255 visible characters"]})
    return Ticket(call.caller.id, key, _fingerprint(call))


def _fingerprint(call: Call) -> bytes:
    """Of method, path, query and body. How the body is written does not count, only what it says."""
    query = b"&".join(sorted(call.scope["query_string"].split(b"&")))
    path = call.path.encode("utf-8", "surrogatepass")
    request = b"\0".join([call.method.encode(), path, query, canonical_json(call.raw_body)])
    return hashlib.sha256(request).digest()


def _replayed(call: Call, kept: KeptAnswer, *, secret: bool) -> Answer:
    try:
        body = call.resources.vault.open(kept.body) if secret else kept.body
    except SealBroken as lost:
        message = "The stored answer cannot be read any more, because the service's key has changed. Use a new key."
        raise WireError(Code.IDEMPOTENCY_KEY_REUSED, message) from lost
    return Answer(body, kept.status, {"idempotent-replayed": "true"})
