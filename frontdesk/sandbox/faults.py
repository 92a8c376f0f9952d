"""Faults that a sandbox has on purpose, each a number of times: set and cleared by acts."""

from collections.abc import Mapping
from uuid import UUID

import msgspec

from frontdesk.postgres.act import Act, Context, FunctionCall, ResponseDocument
from frontdesk.postgres.query import Query
from frontdesk.problems import Problem
from frontdesk.sandbox.clock import require_sandbox
from frontdesk.sandbox.problems import FaultProblem
from frontdesk.sandbox.queries import SandboxState, sandbox_state
from frontdesk.tenants.fault_queries import FaultKind
from frontdesk.values.ids import uuid7

MOST = 20  # that are left, of one sandbox
LONGEST_ANSWER = 12  # seconds: no request may take much longer
# Seconds, unless others are asked for.
_USUAL: Mapping[FaultKind, int] = {
    FaultKind.SLOW: 5,
    FaultKind.WEBHOOK_LATE: 60,
    FaultKind.WEBHOOK_OUT_OF_ORDER: 10,
}


class AddSandboxFault(Act[SandboxState], frozen=True):
    """An error has a code, and the status that this code always has."""

    kind: FaultKind
    code: str | None = None
    status: int | None = None
    route: str | None = None  # None: any
    seconds: int | None = None  # None: what is usual for the kind
    times: int = 1
    fault_id: UUID = msgspec.field(default_factory=uuid7)

    def load(self) -> Query[SandboxState]:
        return sandbox_state()

    def decide(self, context: Context[SandboxState]) -> FunctionCall:
        require_sandbox(context.loaded)
        self._check_seconds()
        if context.loaded.faults_left >= MOST:
            raise Problem(FaultProblem.TOO_MANY, "kind", most=MOST)
        argument = {
            "id": self.fault_id,
            "kind": self.kind,
            "code": self.code,
            "status": self.status,
            "route": self.route,
            "seconds": self.seconds if self.seconds is not None else _USUAL.get(self.kind),
            "times": self.times,
        }
        return FunctionCall("add_sandbox_fault", argument, ResponseDocument("sandbox_fault_document", self.fault_id))

    def _check_seconds(self) -> None:
        if self.seconds is None:
            return
        if self.kind not in _USUAL:
            raise Problem(FaultProblem.HAS_NO_SECONDS, "seconds")
        if self.kind is FaultKind.SLOW and self.seconds > LONGEST_ANSWER:
            raise Problem(FaultProblem.TOO_SLOW, "seconds", most=LONGEST_ANSWER)


class ClearSandboxFaults(Act[SandboxState], frozen=True):
    def load(self) -> Query[SandboxState]:
        return sandbox_state()

    def decide(self, context: Context[SandboxState]) -> FunctionCall:
        require_sandbox(context.loaded)
        return FunctionCall("clear_sandbox_faults", None)
