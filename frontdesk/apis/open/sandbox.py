"""What only sandboxes have: a clock that can be moved."""

from typing import Annotated

import msgspec
from msgspec import Meta
from msgspec.structs import replace

from frontdesk.http.endpoints import Endpoints
from frontdesk.http.errors import Code
from frontdesk.http.field_types import DateTimeInput
from frontdesk.http.pagination import DataResponse
from frontdesk.http.request import Request
from frontdesk.http.responses import Response, data_response
from frontdesk.problems import Problem
from frontdesk.sandbox.clock import MoveClock
from frontdesk.sandbox.documents import SandboxClock
from frontdesk.sandbox.problems import ClockProblem
from frontdesk.sandbox.queries import get_clock as clock_query
from frontdesk.values.durations import parse_duration

operations = Endpoints()

Duration = Annotated[str, Meta(min_length=2, max_length=40)]


class SandboxClockMove(msgspec.Struct):
    advance: Duration | None = None
    now: DateTimeInput | None = None


@operations.get("/sandbox/clock", response=DataResponse[SandboxClock], errors=[Code.SANDBOX_ONLY])
async def get_clock(request: Request) -> Response:
    """Retrieve the time of a sandbox."""
    return data_response(await request.fetch(clock_query()))


async def _know_installation(request: Request, act: MoveClock) -> MoveClock:
    return replace(act, is_distributed=request.resources.settings.is_distributed)


@operations.post(
    "/sandbox/clock",
    response=DataResponse[SandboxClock],
    prepare=_know_installation,
    errors=[Code.SANDBOX_ONLY, Code.VALIDATION_ERROR],
)
def move_clock(body: SandboxClockMove) -> MoveClock:
    """Move the clock of a sandbox ahead, by a duration or to a time.

    What is due until then happens within seconds: reminders are sent, failed webhooks are tried again, holds and
    idempotency keys expire, a day can be closed. The clock goes on from there; only a reset takes it back.
    """
    advance = None
    if body.advance is not None:
        advance = parse_duration(body.advance)
        if advance is None:
            raise Problem(ClockProblem.NOT_A_DURATION, "advance")
    return MoveClock(advance, body.now.written if body.now else None)
