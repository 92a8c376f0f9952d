"""The published forms of what a sandbox has beyond other businesses: the types."""

from enum import StrEnum
from uuid import UUID

import msgspec

from frontdesk.tenants.fault_queries import FaultKind
from frontdesk.values.api_types import Timestamp


class SandboxClock(msgspec.Struct):
    now: Timestamp  # the time of the business, which goes on by itself
    seconds_ahead: int  # of the real time


class SandboxFault(msgspec.Struct):
    id: UUID
    kind: FaultKind
    status: int | None  # of an error
    code: str | None  # of an error
    route: str | None  # null: any
    seconds: int | None  # of what is slow or late
    times: int
    remaining: int
    created_at: Timestamp


class SandboxSnapshot(msgspec.Struct):
    id: UUID
    name: str
    orders_count: int
    created_at: Timestamp


class Outcome(StrEnum):
    PASSED = "passed"
    FAILED = "failed"
    SKIPPED = "skipped"


class ScenarioGroup(StrEnum):
    RECEIVER = "receiver"
    FLOW = "flow"


class ConformanceScenario(msgspec.Struct):
    id: str
    group: ScenarioGroup
    outcome: Outcome
    title: str
    expected: str
    message: str | None  # what happened, or why it was skipped


class ConformanceReport(msgspec.Struct):
    kit: str
    passed: int
    failed: int
    skipped: int
    scenarios: list[ConformanceScenario]
    created_at: Timestamp  # the real time
