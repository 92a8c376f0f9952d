"""Moving an appointment: the form, what is checked, and the act itself, which the calendar's script also posts to."""

import datetime as dt
from collections.abc import Callable
from itertools import groupby
from typing import Annotated, NamedTuple
from urllib.parse import urlencode
from uuid import UUID

import msgspec
from msgspec import Meta

from frontdesk.http.field_types import CalendarDate, DateTimeInput, Secret
from frontdesk.http.forms import convert_form
from frontdesk.http.responses import Response
from frontdesk.i18n.texts import N_
from frontdesk.postgres.act import Context
from frontdesk.postgres.pool import Connection
from frontdesk.postgres.query import fetch
from frontdesk.problems import Problem
from frontdesk.scheduling.move import Move, MoveBooking, MoveCheck, check_move
from frontdesk.scheduling.move_queries import BookedLine, MovableOrder, Obstacle, list_obstacles, movable_order
from frontdesk.scheduling.undo_move import UndoMove
from frontdesk.ui.components.approval import approvers_for, require_approval
from frontdesk.ui.components.booking_limits import MAX_AHEAD, TOO_LATE
from frontdesk.ui.orders.move_checks import CheckLine, check_lines
from frontdesk.ui.orders.pages import PATH
from frontdesk.ui.shell.context import PageContext
from frontdesk.ui.shell.notify import NotifyChoice, chosen_notice
from frontdesk.ui.shell.permissions import RECEPTION
from frontdesk.ui.shell.problems import page_problem
from frontdesk.ui.shell.routing import Pages
from frontdesk.values.clock import current_time
from frontdesk.values.time import get_zone, to_local

pages = Pages()
_Clock = Annotated[str, Meta(pattern=r"^([01][0-9]|2[0-3]):[0-5][0-9]$")]
_Minutes = Annotated[int, Meta(ge=1, le=10_000)]


class MoveFields(msgspec.Struct):
    """Where to: a day and a time of the business, or an instant. What is missing stays as it is.

    `line` are the services: one, or several that one provider performs one after another. By default those of the first
    block of the calendar. `minutes` are those of all that is moved.
    """

    line: list[UUID] = []
    date: CalendarDate | None = None
    time: _Clock | None = None
    start: DateTimeInput | None = None
    staff: UUID | None = None
    minutes: _Minutes | None = None
    notify: NotifyChoice = ""

    @property
    def is_empty(self) -> bool:
        return not (self.date or self.time or self.start or self.staff or self.minutes)


class MoveOrderForm(MoveFields):
    version: int | None = None


class MoveAnywayForm(MoveOrderForm):
    approver: UUID | None = None
    pin: Secret | None = None


class UndoForm(msgspec.Struct):
    version: int  # that the move has left
    notify: NotifyChoice = ""


class Shown(NamedTuple):
    """What the page shows of a move that was checked."""

    check: MoveCheck
    lines: list[CheckLine]
    free: list[tuple[dt.datetime, UUID]]


@pages.get(f"{PATH}/{{order_id}}/move", RECEPTION, shows_errors=True)
async def show_move(context: PageContext, order_id: UUID, query: MoveFields | None = None) -> Response:
    fields = query or _submitted(context)
    async with context.connection() as conn:
        order = await fetch(conn, context.tenant_id, movable_order(order_id, context.names_language))
        if not order.lines:
            return context.render("order_move.html", order=order, line=None)
        moved = _moved(order, fields)
        move = _move(context, moved, fields)
        shown, problem = None, None
        if not fields.is_empty and not context.form.errors.keys() & {"date", "time", "minutes", "staff"}:
            try:
                shown = await _checked(context, conn, order, moved, move)
            except Problem as found:  # a time that a change of the clocks skips
                problem = context.problem_text(found)
    return context.render(
        "order_move.html",
        order=order,
        line=moved[0],
        moved=moved,
        block=_block(order, moved[0]),
        minutes=_minutes(moved),
        move=move,
        to=_local(context, move.start),
        shown=shown,
        problem=problem,
        names={member.id: member.name for member in order.staff},
        times=_times(context, move),
        link=_link_to(context, order, moved, fields.notify),
        notify=fields.notify,
        approvers=await approvers_for(context) if shown and shown.check.can_be_forced else None,
    )


@pages.post(f"{PATH}/{{order_id}}/move", RECEPTION, on_error=show_move)
async def submit_move(context: PageContext, order_id: UUID, form: MoveOrderForm) -> Response:
    act = await _read_move(context, order_id, form)
    await context.run(act)
    return _show_moved(context, act, form)


@pages.post(f"{PATH}/{{order_id}}/move/anyway", RECEPTION, on_error=show_move)
async def submit_move_anyway(context: PageContext, order_id: UUID, form: MoveAnywayForm) -> Response:
    """To a time that is not free, on purpose. What is refused even so is said before a PIN is tried."""
    act = msgspec.structs.replace(await _read_move(context, order_id, form), anyway=True)
    act.decide(Context(context.tenant, context.actor, await context.fetch(act.load())))
    await require_approval(context, form)
    await context.run(act)
    return _show_moved(context, act, form)


async def _read_move(context: PageContext, order_id: UUID, form: MoveOrderForm) -> MoveBooking:
    order = await context.fetch(movable_order(order_id, None))
    if not order.lines:
        raise page_problem(N_("The order has no appointment."))
    move = _move(context, _moved(order, form), form)
    _check_day(context, move)
    version = order.version if form.version is None else form.version
    return MoveBooking(order_id, move, version, chosen_notice(form.notify))


def _show_moved(context: PageContext, act: MoveBooking, form: MoveOrderForm) -> Response:
    undo = {"version": (act.version or 0) + 1}
    # A customer who got a message about the move gets one about the undo.
    fields = urlencode(undo | {"notify": form.notify} if form.notify else undo)
    return context.redirect(f"{_day_of(context, act.move.start, act.order_id)}&{urlencode({'undo': fields})}")


@pages.post(f"{PATH}/{{order_id}}/move/undo", RECEPTION, on_error=show_move)
async def submit_undo(context: PageContext, order_id: UUID, form: UndoForm) -> Response:
    act = UndoMove(order_id, form.version, chosen_notice(form.notify))
    move = await context.fetch(act.load())
    await context.run(act)
    back = _day_of(context, move.previous_start or current_time(), order_id)
    return context.redirect(back, flash=N_("The appointment is back where it was."))


def _day_of(context: PageContext, start: dt.datetime, order_id: UUID) -> str:
    return f"/calendar?date={_local(context, start).date()}&order={order_id}"


async def _checked(
    context: PageContext, conn: Connection, order: MovableOrder, moved: list[BookedLine], move: Move
) -> Shown:
    """By the same act that moves it."""
    _check_day(context, move)
    loaded = await fetch(conn, context.tenant_id, MoveBooking(order.id, move).load())
    check = check_move(context.tenant, loaded, move)
    obstacles: list[Obstacle] = []
    if any("booked" in check.problems[line.id] for line in moved):
        taken = list_obstacles(order.id, move.staff_id, check.start, check.end)
        obstacles = await fetch(conn, context.tenant_id, taken)
    return Shown(check, check_lines(context, order, moved, move, check, obstacles), list(check.free))


def _check_day(context: PageContext, move: Move) -> None:
    if _local(context, move.start).date() > current_time().date() + MAX_AHEAD:
        raise page_problem(TOO_LATE, "date")


def _submitted(context: PageContext) -> MoveFields:
    """The fields of a form that is shown again; those that were refused are left out."""
    form = context.form
    return convert_form({name: sent for name, sent in form.values.items() if name not in form.errors}, MoveFields)


def _moved(order: MovableOrder, fields: MoveFields) -> list[BookedLine]:
    if not fields.line:
        return _block(order, order.lines[0])
    moved = [line for line in order.lines if line.id in fields.line]
    if len(moved) != len(set(fields.line)) or not _follow_one_another(order, moved):
        raise page_problem(N_("The appointment has changed. Reload the page."))
    return moved


def _follow_one_another(order: MovableOrder, moved: list[BookedLine]) -> bool:
    """With one provider, so that they can be moved together."""
    block = _block(order, moved[0])
    first = block.index(moved[0])
    return block[first : first + len(moved)] == moved


def _block(order: MovableOrder, line: BookedLine) -> list[BookedLine]:
    """The services that one provider performs one after another, as the calendar draws them."""
    runs = [list(run) for _, run in groupby(order.lines, key=lambda booked: booked.staff_id)]
    return next(run for run in runs if line in run)


def _minutes(moved: list[BookedLine]) -> int:
    return sum(line.minutes for line in moved)


def _move(context: PageContext, moved: list[BookedLine], fields: MoveFields) -> Move:
    line = moved[0]
    if fields.start is not None:
        start = fields.start.written
    else:
        local = _local(context, line.start)
        day = fields.date.day if fields.date else local.date()
        start = dt.datetime.combine(day, dt.time.fromisoformat(fields.time) if fields.time else local.time())
        if start == local:
            start = line.start  # not the first of two equal local times
    minutes = None
    if fields.minutes is not None and fields.minutes != _minutes(moved):
        minutes = fields.minutes - _minutes(moved[:-1])  # the last service is made shorter or longer
    return Move(tuple(booked.id for booked in moved), start, fields.staff or line.staff_id, minutes)


def _local(context: PageContext, moment: dt.datetime) -> dt.datetime:
    return moment if moment.tzinfo is None else to_local(moment, get_zone(context.tenant.timezone))


def _times(context: PageContext, move: Move) -> list[str]:
    """The starts to choose from: those of the grid, and the current one."""
    grid = range(0, 24 * 60, context.tenant.grid_minutes)
    return sorted({f"{m // 60:02}:{m % 60:02}" for m in grid} | {f"{_local(context, move.start):%H:%M}"})


def _link_to(
    context: PageContext, order: MovableOrder, moved: list[BookedLine], notify: str
) -> Callable[[dt.datetime, UUID], str]:
    def link(start: dt.datetime, staff_id: UUID) -> str:
        """To this page with another time."""
        local = _local(context, start)
        query = [*(("line", booked.id) for booked in moved), ("date", f"{local:%Y-%m-%d}"), ("time", f"{local:%H:%M}")]
        query += [("staff", staff_id), *([("notify", notify)] if notify else [])]
        return f"{PATH}/{order.id}/move?{urlencode(query)}"

    return link
