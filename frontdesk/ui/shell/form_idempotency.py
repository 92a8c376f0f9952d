"""Each form that creates something has an id, so that a double click or a reload submits it once."""

import hashlib
import re
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from typing import Any
from uuid import UUID

import asyncpg

from frontdesk.http.problems import KeyProblem
from frontdesk.postgres.act import Act, Context, FunctionCall
from frontdesk.postgres.idempotency import find_response
from frontdesk.postgres.pool import Connection
from frontdesk.postgres.query import Query
from frontdesk.postgres.write import Guard, KeyClaim, KeyUsed, Outdated, run, waits_for_key
from frontdesk.problems import Problem
from frontdesk.ui.shell.context import PageContext

_PIN = re.compile(rb"(?<![^&])pin=[^&]*")  # so few digits could be found out from the hash that is stored


async def submit(
    context: PageContext,
    act: Act[Any],
    *,
    once: UUID,
    then: str,
    guard: Guard | None = None,
    also: Sequence[Act[Any]] = (),
) -> str:
    """Runs the act for the form with the id `once`, and the acts of `also` in the same transaction.

    Those of `also` must lock nothing that `act` has not locked, because it may hold a counter (docs/concurrency.md).
    Returns the path to redirect to; a repeated form is redirected to the path of its first submission.
    """
    body = _PIN.sub(b"", context.request.raw_body)
    content = context.request.path.encode("utf-8", "surrogatepass") + b"\0" + body
    claim = KeyClaim(context.user.id, f"form {once}", hashlib.sha256(content).digest(), 200)
    async with context.connection() as conn:
        stored = await _find_path(conn, context.tenant_id, claim)
        if stored is not None:
            return stored
        try:
            async with conn.transaction() if also else nullcontext():
                await run(conn, context.tenant, _Redirected(act, then), claim, actor=context.actor, guard=guard)
                for other in also:
                    await run(conn, context.tenant, other, actor=context.actor)
        except KeyUsed:
            stored = await _find_path(conn, context.tenant_id, claim)
        except Outdated as outdated:
            if _is_taken(outdated.__cause__):
                raise Problem(KeyProblem.REUSED) from outdated
            raise
        except asyncpg.LockNotAvailableError as waiting:
            if waits_for_key(waiting):
                raise Problem(KeyProblem.IN_USE, seconds=1) from waiting
            raise
    return stored or then


class _Redirected(Act[Any], frozen=True):
    """The act of a form: its Idempotency-Key stores the path to redirect to, not the response."""

    act: Act[Any]
    path: str

    def load(self) -> Query[Any]:
        return self.act.load()

    def decide(self, context: Context[Any]) -> FunctionCall:
        return self.act.decide(context)._replace(stored=self.path.encode())

    def failure(self) -> Callable[[], Exception] | None:
        return self.act.failure()


def _is_taken(failure: BaseException | None) -> bool:
    """Whether a record has the id that the form gives to its new one, such as a form that was submitted days ago."""
    return isinstance(failure, asyncpg.UniqueViolationError) and (failure.constraint_name or "").endswith("_pkey")


async def _find_path(conn: Connection, tenant_id: UUID, claim: KeyClaim) -> str | None:
    stored = await find_response(conn, tenant_id, claim.caller_id, claim.key)
    if stored is None:
        return None
    if stored.fingerprint != claim.fingerprint:
        raise Problem(KeyProblem.REUSED)
    return stored.body.decode()
