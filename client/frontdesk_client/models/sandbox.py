"""What only sandboxes have."""

from typing import Literal
from uuid import UUID

import msgspec

SandboxFaultKind = (
    Literal[
        "error",
        "slow",
        "lost_answer",
        "token_revoked",
        "webhook_lost",
        "webhook_doubled",
        "webhook_late",
        "webhook_out_of_order",
    ]
    | str
)


class SandboxClock(msgspec.Struct):
    now: str
    seconds_ahead: int


class SandboxFault(msgspec.Struct):
    id: UUID
    kind: SandboxFaultKind
    status: int | None
    code: str | None
    route: str | None  # None: any
    seconds: int | None
    times: int
    remaining: int
    created_at: str


class SandboxSnapshot(msgspec.Struct):
    id: UUID
    name: str
    orders_count: int
    created_at: str
