"""Moves the clock of a sandbox ahead: what is due until then happens within seconds."""

import math
from datetime import datetime, timedelta

from frontdesk.postgres.act import Act, Context, FunctionCall, ResponseDocument
from frontdesk.postgres.query import Query
from frontdesk.problems import Problem
from frontdesk.sandbox.problems import ClockProblem, SandboxProblem
from frontdesk.sandbox.queries import SandboxState, sandbox_state
from frontdesk.values.clock import current_time

MAX_YEARS = 10
_MOST = timedelta(days=365 * MAX_YEARS)


def require_sandbox(state: SandboxState) -> None:
    if not state.is_sandbox:
        raise Problem(SandboxProblem.NOT_A_SANDBOX)


class MoveClock(Act[SandboxState], frozen=True):
    """By a length of time, or to a time. Never back: what has happened would not have happened yet."""

    advance: timedelta | None = None
    now: datetime | None = None  # without an offset: local time
    ahead: int | None = None  # seconds, of the real time: twice the same leads no further
    is_distributed: bool = False  # sessions on other nodes would not be at the time of the business

    def load(self) -> Query[SandboxState]:
        return sandbox_state()

    def decide(self, context: Context[SandboxState]) -> FunctionCall:
        state = context.loaded
        require_sandbox(state)
        if self.is_distributed:
            raise Problem(SandboxProblem.NOT_DISTRIBUTED)
        before = state.seconds_ahead or 0
        ahead = before + self._step(context, before)
        if ahead > _MOST.total_seconds():
            raise Problem(ClockProblem.TOO_FAR, self._field, years=MAX_YEARS)
        return FunctionCall(
            "move_clock",
            {"before": state.seconds_ahead, "ahead": ahead, "step": ahead - before},
            ResponseDocument("sandbox_clock_document", state.tenant_id),
        )

    @property
    def _field(self) -> str:
        return "advance" if self.now is None else "now"

    def _step(self, context: Context[SandboxState], before: int) -> int:
        """In seconds."""
        if self.ahead is not None:
            if self.ahead < before:
                raise Problem(ClockProblem.BACKWARD, self._field)
            return self.ahead - before
        if (self.advance is None) == (self.now is None):
            raise Problem(ClockProblem.ONE_OF_BOTH, "advance")
        if self.now is None:
            return math.ceil((self.advance or timedelta()).total_seconds())
        step = context.tenant.to_utc(self.now, "now") - current_time()
        if step < timedelta():
            raise Problem(ClockProblem.BACKWARD, "now")
        return math.ceil(step.total_seconds())
