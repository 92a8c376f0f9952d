"""The faults that a sandbox has on purpose, as the requests and deliveries take them that they befall."""

from collections.abc import Sequence
from enum import StrEnum
from typing import NamedTuple
from uuid import UUID

from frontdesk.postgres.pool import Connection


class FaultKind(StrEnum):
    ERROR = "error"
    SLOW = "slow"
    LOST_ANSWER = "lost_answer"
    TOKEN_REVOKED = "token_revoked"  # noqa: S105 - a kind, no secret
    WEBHOOK_LOST = "webhook_lost"
    WEBHOOK_DOUBLED = "webhook_doubled"
    WEBHOOK_LATE = "webhook_late"
    WEBHOOK_OUT_OF_ORDER = "webhook_out_of_order"


OF_WEBHOOKS = tuple(kind for kind in FaultKind if kind.startswith("webhook_"))
OF_REQUESTS = tuple(kind for kind in FaultKind if kind not in OF_WEBHOOKS)


class Fault(NamedTuple):
    kind: FaultKind
    code: str | None  # of an error
    seconds: int | None  # of what is slow or late


async def take_fault(conn: Connection, tenant_id: UUID, kinds: Sequence[FaultKind], route: str) -> Fault | None:
    """One use of the first fault of these kinds for this operation, or for this type of event."""
    row = await conn.fetchrow("SELECT * FROM take_sandbox_fault($1, $2, $3)", tenant_id, list(kinds), route)
    return None if row is None else Fault(FaultKind(row["kind"]), row["code"], row["seconds"])
