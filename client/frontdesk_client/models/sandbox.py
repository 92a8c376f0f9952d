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


ConformanceOutcome = Literal["passed", "failed", "skipped"] | str
ConformanceGroup = Literal["receiver", "flow"] | str


class ConformanceScenarioCreate(msgspec.Struct, kw_only=True):
    """How one scenario ended."""

    id: str
    group: ConformanceGroup
    outcome: ConformanceOutcome
    title: str
    expected: str
    message: str | None = None  # what happened instead, or why it was skipped


class ConformanceScenario(msgspec.Struct):
    id: str
    group: ConformanceGroup
    outcome: ConformanceOutcome
    title: str
    expected: str
    message: str | None


class ConformanceReport(msgspec.Struct):
    """What `frontdesk conformance` found out."""

    kit: str
    passed: int
    failed: int
    skipped: int
    scenarios: list[ConformanceScenario]
    created_at: str


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
