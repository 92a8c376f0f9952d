"""What only sandboxes have: a clock that is moved ahead, faults on purpose, snapshots, and a reset."""

from collections.abc import Mapping
from datetime import datetime, time, timedelta
from typing import Annotated
from uuid import UUID

import msgspec
from msgspec import Meta

from frontdesk.http.errors import STATUS, Code
from frontdesk.http.field_types import CalendarDate, ShortText
from frontdesk.http.responses import Response
from frontdesk.i18n.texts import N_
from frontdesk.postgres.query import fetch
from frontdesk.sandbox.clock import MoveClock
from frontdesk.sandbox.documents import SandboxFault, SandboxSnapshot
from frontdesk.sandbox.fault_routes import befallen, possible_codes, possible_fault
from frontdesk.sandbox.faults import MOST, AddSandboxFault, ClearSandboxFaults
from frontdesk.sandbox.queries import list_faults, list_snapshots
from frontdesk.sandbox.reset import reset_sandbox
from frontdesk.sandbox.snapshots import DeleteSandboxSnapshot, KeepSandboxSnapshot, RestoreSandboxSnapshot
from frontdesk.tenants.fault_queries import FaultKind
from frontdesk.ui.components.entered_times import TimeText, read_time
from frontdesk.ui.shell.confirmation import Confirmed, ask_for_confirmation
from frontdesk.ui.shell.context import PageContext
from frontdesk.ui.shell.form_idempotency import submit
from frontdesk.ui.shell.permissions import SANDBOX_MANAGERS
from frontdesk.ui.shell.routing import Pages
from frontdesk.values.clock import current_time, follow_clock
from frontdesk.values.ids import uuid7
from frontdesk.webhooks.event_types import EventType

pages = Pages()
PATH = "/settings/sandbox"
_STEPS = ((3600, N_("1 hour")), (86_400, N_("1 day")), (604_800, N_("1 week")))
_MOVED = N_("The clock was moved. What was due until then happens now.")
_STATUSES: Mapping[str, int] = {code.value: STATUS[code] for code in Code}
# Each with what it does.
KINDS = {
    FaultKind.ERROR: (N_("Error"), N_("An error is answered, and nothing is done")),
    FaultKind.SLOW: (N_("Slow"), N_("The answer comes later")),
    FaultKind.LOST_ANSWER: (N_("Lost answer"), N_("Saved, but the connection is cut before the answer")),
    FaultKind.TOKEN_REVOKED: (N_("Token revoked"), N_("The token of the request is revoked")),
    FaultKind.WEBHOOK_LOST: (N_("Webhook lost"), N_("A delivery is not sent")),
    FaultKind.WEBHOOK_DOUBLED: (N_("Webhook doubled"), N_("A delivery is sent twice")),
    FaultKind.WEBHOOK_LATE: (N_("Webhook late"), N_("A delivery is sent later")),
    FaultKind.WEBHOOK_OUT_OF_ORDER: (N_("Webhook out of order"), N_("A delivery is sent after later ones")),
}


class ClockForm(msgspec.Struct):
    """A button, which names how far ahead it leads, so that pressed twice it moves once; or a day and a time."""

    id: UUID
    ahead: Annotated[int, Meta(ge=0, le=2**31 - 1)] | None = None
    day: CalendarDate | None = None
    time: TimeText = "0:00"


class FaultForm(msgspec.Struct):
    id: UUID
    kind: FaultKind
    code: ShortText | None = None  # of an error; None: 500
    route: ShortText | None = None  # None: any
    seconds: Annotated[int, Meta(ge=0, le=86_400)] | None = None  # None: what is usual for the kind
    times: Annotated[int, Meta(ge=1, le=1000)] = 1


class SnapshotForm(msgspec.Struct):
    id: UUID
    name: ShortText


class ChosenSnapshotForm(msgspec.Struct):
    snapshot: UUID


class RestoreForm(ChosenSnapshotForm):
    sure: Confirmed = None


class ResetForm(msgspec.Struct):
    sure: Confirmed = None


@pages.get(PATH, SANDBOX_MANAGERS)
async def show_sandbox(context: PageContext) -> Response:
    async with context.connection() as conn:
        faults = await fetch(conn, context.tenant_id, list_faults())
        snapshots = await fetch(conn, context.tenant_id, list_snapshots())
    operations = context.request.resources.operations
    codes = possible_codes(None, operations)
    ahead = context.current_tenant.clock_ahead or 0
    return context.render(
        "sandbox.html",
        now=current_time(),
        ahead=ahead,
        steps=[(ahead + seconds, text) for seconds, text in _STEPS],
        faults=msgspec.json.decode(faults, type=list[SandboxFault]),
        most=MOST,
        kinds=KINDS,
        codes=sorted((status, code) for code, status in _STATUSES.items() if code in codes),
        operations=befallen(operations),
        events=list(EventType),
        snapshots=msgspec.json.decode(snapshots, type=list[SandboxSnapshot]),
        form_id=uuid7(),
    )


@pages.post(f"{PATH}/clock", SANDBOX_MANAGERS, on_error=show_sandbox, fields={"now": "day", "advance": "day"})
async def move_clock(context: PageContext, form: ClockForm) -> Response:
    is_distributed = context.request.resources.settings.is_distributed
    there = None
    if form.ahead is None and form.day is not None:
        there = datetime.combine(form.day.day, time()) + timedelta(minutes=read_time(form.time, "time"))
    act = MoveClock(now=there, ahead=form.ahead, is_distributed=is_distributed)
    return context.redirect(await submit(context, act, once=form.id, then=PATH), flash=_MOVED)


@pages.post(f"{PATH}/faults", SANDBOX_MANAGERS, on_error=show_sandbox, fields={"status": "code"})
async def set_fault(context: PageContext, form: FaultForm) -> Response:
    act = AddSandboxFault(form.kind, form.code, None, form.route, form.seconds, form.times)
    checked = possible_fault(act, context.request.resources.operations, _STATUSES)
    path = await submit(context, checked, once=form.id, then=PATH)
    return context.redirect(path, flash=N_("The fault is set."))


@pages.post(f"{PATH}/faults/clear", SANDBOX_MANAGERS)
async def clear_faults(context: PageContext) -> Response:
    await context.run(ClearSandboxFaults())
    return context.redirect(PATH, flash=N_("There are no faults any more."))


@pages.post(f"{PATH}/snapshots", SANDBOX_MANAGERS, on_error=show_sandbox)
async def keep_snapshot(context: PageContext, form: SnapshotForm) -> Response:
    path = await submit(context, KeepSandboxSnapshot(form.name), once=form.id, then=PATH)
    return context.redirect(path, flash=N_("The snapshot is kept."))


@pages.post(f"{PATH}/snapshots/restore", SANDBOX_MANAGERS)
async def restore_snapshot(context: PageContext, form: RestoreForm) -> Response:
    if form.sure is None:
        return _ask(context, N_("What was done since this snapshot is lost."), N_("Go back to the snapshot"))
    await context.run(RestoreSandboxSnapshot(form.snapshot))
    return context.redirect(PATH, flash=N_("The sandbox is what it was at the snapshot."))


@pages.post(f"{PATH}/snapshots/delete", SANDBOX_MANAGERS)
async def delete_snapshot(context: PageContext, form: ChosenSnapshotForm) -> Response:
    await context.run(DeleteSandboxSnapshot(form.snapshot))
    return context.redirect(PATH, flash=N_("The snapshot is deleted."))


@pages.post(f"{PATH}/reset", SANDBOX_MANAGERS)
async def reset(context: PageContext, form: ResetForm) -> Response:
    if form.sure is None:
        return _ask(context, N_("Everything that was done in this sandbox is lost."), N_("Reset the sandbox"))
    follow_clock(None)
    async with context.slow_connection() as conn:
        await reset_sandbox(conn, context.tenant_id, context.actor)
    return context.redirect(PATH, flash=N_("The sandbox is what it was when it was made."))


def _ask(context: PageContext, question: str, yes: str) -> Response:
    texts = {"question": context.translate(question), "yes": context.translate(yes)}
    return ask_for_confirmation(context, no=context.translate(N_("Keep as it is")), back=PATH, **texts)
