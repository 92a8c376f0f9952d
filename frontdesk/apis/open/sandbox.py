"""What only sandboxes have: a clock that can be moved, faults, a reset, snapshots, and reports of conformance."""

from typing import Annotated
from uuid import UUID

import msgspec
from msgspec import Meta
from msgspec.structs import replace

from frontdesk.http.endpoints import Endpoints
from frontdesk.http.errors import STATUS, Code
from frontdesk.http.field_types import DateTimeInput, ShortText
from frontdesk.http.pagination import DataResponse
from frontdesk.http.request import Request
from frontdesk.http.responses import Response, data_response
from frontdesk.postgres.query import fetch
from frontdesk.problems import Problem
from frontdesk.sandbox.clock import MoveClock
from frontdesk.sandbox.conformance import StoreConformanceReport
from frontdesk.sandbox.documents import (
    ConformanceReport,
    ConformanceScenario,
    Outcome,
    SandboxClock,
    SandboxFault,
    SandboxSnapshot,
    ScenarioGroup,
)
from frontdesk.sandbox.fault_routes import possible_fault
from frontdesk.sandbox.faults import AddSandboxFault, ClearSandboxFaults
from frontdesk.sandbox.problems import ClockProblem
from frontdesk.sandbox.queries import (
    get_clock as clock_query,
    get_conformance_report as report_query,
    list_faults as faults_query,
    list_snapshots as snapshots_query,
)
from frontdesk.sandbox.reset import reset_sandbox
from frontdesk.sandbox.snapshots import DeleteSandboxSnapshot, KeepSandboxSnapshot, RestoreSandboxSnapshot
from frontdesk.tenants.fault_queries import FaultKind
from frontdesk.values.clock import follow_clock
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


class SandboxFaultCreate(msgspec.Struct):
    kind: FaultKind
    status: Annotated[int, Meta(ge=400, le=599)] | None = None
    code: ShortText | None = None
    route: ShortText | None = None
    seconds: Annotated[int, Meta(ge=0, le=86_400)] | None = None
    times: Annotated[int, Meta(ge=1, le=1000)] = 1


@operations.get("/sandbox/faults", response=DataResponse[list[SandboxFault]], errors=[Code.SANDBOX_ONLY])
async def list_faults(request: Request) -> Response:
    """List the faults of a sandbox, oldest first, with those that are used up."""
    return data_response(await request.fetch(faults_query()))


async def _check_that_it_can_happen(request: Request, act: AddSandboxFault) -> AddSandboxFault:
    return possible_fault(act, request.resources.operations, {code.value: STATUS[code] for code in Code})


@operations.post(
    "/sandbox/faults",
    response=DataResponse[SandboxFault],
    status=201,
    creates="sandbox_fault",
    prepare=_check_that_it_can_happen,
    errors=[Code.SANDBOX_ONLY, Code.VALIDATION_ERROR],
)
def add_fault(body: SandboxFaultCreate) -> AddSandboxFault:
    """Let the next requests or deliveries of a sandbox fail on purpose.

    `error` answers the error of a `code`, or of a `status`, and does nothing. `slow` answers later. `lost_answer` does
    what is asked, and cuts the connection before the answer. `token_revoked` revokes the token of the request. The
    kinds that begin with `webhook_` befall deliveries. A fault that could never happen is refused.
    """
    return AddSandboxFault(body.kind, body.code, body.status, body.route, body.seconds, body.times)


@operations.delete("/sandbox/faults", status=204, errors=[Code.SANDBOX_ONLY])
def clear_faults() -> ClearSandboxFaults:
    """Remove all faults of a sandbox."""
    return ClearSandboxFaults()


@operations.post(
    "/sandbox/reset",
    writes=False,
    has_dry_run=False,
    response=DataResponse[SandboxClock],
    errors=[Code.SANDBOX_ONLY, Code.VALIDATION_ERROR],
)
async def reset(request: Request) -> Response:
    """Make a sandbox what it was when it was made, with demo data of today.

    The clock goes back to the real time, and faults are cleared. Members, clients, keys, webhooks and snapshots stay.
    Earlier events are gone; their sequence goes on.
    """
    await request.authenticate()
    follow_clock(None)
    tenant_id = request.caller.tenant_id
    async with request.slow_connection(tenant_id) as conn:
        await reset_sandbox(conn, tenant_id, request.actor)
        return data_response(await fetch(conn, tenant_id, clock_query()))


class SandboxSnapshotCreate(msgspec.Struct):
    name: ShortText


@operations.get("/sandbox/snapshots", response=DataResponse[list[SandboxSnapshot]], errors=[Code.SANDBOX_ONLY])
async def list_snapshots(request: Request) -> Response:
    """List the snapshots of a sandbox, oldest first."""
    return data_response(await request.fetch(snapshots_query()))


@operations.post(
    "/sandbox/snapshots",
    response=DataResponse[SandboxSnapshot],
    status=201,
    creates="sandbox_snapshot",
    errors=[Code.SANDBOX_ONLY, Code.VALIDATION_ERROR],
)
def keep_snapshot(body: SandboxSnapshotCreate) -> KeepSandboxSnapshot:
    """Keep what a sandbox is now, to go back to it. At most 10, of at most 5,000 orders each."""
    return KeepSandboxSnapshot(body.name)


@operations.post(
    "/sandbox/snapshots/{id}/restore",
    has_dry_run=False,
    response=DataResponse[SandboxSnapshot],
    errors=[Code.SANDBOX_ONLY, Code.NOT_FOUND],
)
def restore_snapshot(uuid: UUID) -> RestoreSandboxSnapshot:
    """Go back to a snapshot.

    The clock goes on. Members, clients, keys and webhooks stay as they are. Events are gone; their sequence goes on.
    """
    return RestoreSandboxSnapshot(uuid)


@operations.delete("/sandbox/snapshots/{id}", status=204, errors=[Code.SANDBOX_ONLY, Code.NOT_FOUND])
def delete_snapshot(uuid: UUID) -> DeleteSandboxSnapshot:
    """Delete a snapshot of a sandbox."""
    return DeleteSandboxSnapshot(uuid)


class ConformanceScenarioCreate(msgspec.Struct):
    id: Annotated[str, Meta(pattern=r"^[a-z0-9-]{1,60}$", max_length=60)]
    group: ScenarioGroup
    outcome: Outcome
    title: ShortText
    expected: ShortText
    message: Annotated[str, Meta(max_length=1000)] | None = None


class ConformanceReportCreate(msgspec.Struct):
    kit: ShortText
    scenarios: Annotated[list[ConformanceScenarioCreate], Meta(min_length=1, max_length=500)]


@operations.get(
    "/sandbox/conformance", response=DataResponse[ConformanceReport], errors=[Code.SANDBOX_ONLY, Code.NOT_FOUND]
)
async def get_conformance_report(request: Request) -> Response:
    """Retrieve the newest conformance report of this client."""
    return data_response(await request.fetch(report_query()))


async def _know_client(request: Request, act: StoreConformanceReport) -> StoreConformanceReport:
    return replace(act, client_id=request.caller.id)


@operations.post(
    "/sandbox/conformance",
    response=DataResponse[ConformanceReport],
    prepare=_know_client,
    errors=[Code.SANDBOX_ONLY, Code.VALIDATION_ERROR],
)
def store_conformance_report(body: ConformanceReportCreate) -> StoreConformanceReport:
    """Store what `frontdesk conformance` found out about a program, in place of the report before.

    If the client belongs to an application, its developer and who reviews it see the report.
    """
    scenarios = [ConformanceScenario(**msgspec.structs.asdict(scenario)) for scenario in body.scenarios]
    return StoreConformanceReport(body.kit, scenarios)
