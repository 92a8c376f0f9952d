"""Bookings that repeat: the days before anything is made, and the cancellation of those that are left."""

from datetime import datetime
from typing import Annotated, Literal, NamedTuple
from uuid import UUID

import msgspec
from msgspec import Meta

from frontdesk.http.field_types import LongText
from frontdesk.http.responses import Response
from frontdesk.i18n.texts import N_
from frontdesk.postgres.query import fetch
from frontdesk.problems import Problem
from frontdesk.scheduling.book import (
    BookingRequest,
    BookSeries,
    Occurrence,
    Repetition,
    booking_inputs,
    preview_series,
    starts_of,
)
from frontdesk.scheduling.cancel_series import CancelSeries, cancel_problem
from frontdesk.scheduling.series_queries import series_of
from frontdesk.ui.booking.errors import is_taken, reason_of
from frontdesk.ui.booking.form import BookingForm, apply_act, repetition_of
from frontdesk.ui.booking.new import PATH, calendar_path, read_booking, render_form, render_refused
from frontdesk.ui.components.booking_choice_queries import booking_choices
from frontdesk.ui.components.cancel_reason import read_reason, reason_choices
from frontdesk.ui.components.order_queries import get_dashboard_order
from frontdesk.ui.shell.context import PageContext
from frontdesk.ui.shell.form_idempotency import submit
from frontdesk.ui.shell.local_paths import local_path
from frontdesk.ui.shell.notify import NotifyChoice, chosen_notice
from frontdesk.ui.shell.permissions import CASHIERS, RECEPTION
from frontdesk.ui.shell.problems import page_problem
from frontdesk.ui.shell.routing import Pages
from frontdesk.values.ids import uuid7

pages = Pages()
SERIES_PATH = f"{PATH}/series"
_OF_THE_FORM_ONLY = ("act", "start", "instead", "approver", "pin")


class ListedOccurrence(NamedTuple):
    occurrence: Occurrence
    is_chosen: bool
    staff: list[str]
    reason: str
    alternatives: list[tuple[str, str]]  # the value and the text of each
    instead: str  # the one that was chosen


@pages.post(SERIES_PATH, RECEPTION)
async def submit_series(context: PageContext, form: BookingForm) -> Response:
    """`preview` lists the days, `book` books those that are ticked, anything else goes back to the form."""
    form = apply_act(form)
    if form.act not in ("preview", "book"):
        return await render_form(context, form)
    try:
        booking = await read_booking(context, form)
        repetition = repetition_of(form)
        if booking.order.start is None or repetition is None:
            raise page_problem(N_("Choose how often it repeats."), "every")
        if form.act == "preview":
            return await _preview(context, form, booking, repetition)
        return await _book(context, form, booking, repetition)
    except Problem as raised:
        return await render_refused(context, form, raised)


async def _book(context: PageContext, form: BookingForm, booking: BookingRequest, repetition: Repetition) -> Response:
    """If one of the times was taken meanwhile, nothing is booked and the days are listed again."""
    starts = _starts(booking, repetition)
    chosen = sorted(
        {start for start in starts if start.isoformat(timespec="minutes") in form.start} | _chosen_instead(form, starts)
    )
    if not chosen:
        return await _preview(context, form, booking, repetition, N_("Choose at least one day."))
    first_id = uuid7()
    try:
        act = BookSeries(booking, chosen, repetition.every_weeks, first_id)
        path = await submit(context, act, once=form.id, then=calendar_path(str(chosen[0].date()), first_id))
    except Problem as problem:
        if not is_taken(problem):
            raise
        taken = N_("One of these times was just taken. Nothing is booked yet.")
        return await _preview(context, form, booking, repetition, taken)
    return context.redirect(path, flash=N_("All bookings of the series are made."))


def _chosen_instead(form: BookingForm, starts: list[datetime]) -> set[datetime]:
    """Of another day of the series nothing is taken instead."""
    known = {start.isoformat(timespec="minutes") for start in starts}
    chosen = [text.partition("/") for text in form.instead if text]
    try:
        return {datetime.fromisoformat(new).replace(tzinfo=None) for start, _, new in chosen if start in known}
    except ValueError:
        raise page_problem(N_("Choose at least one day.")) from None


def _starts(booking: BookingRequest, repetition: Repetition) -> list[datetime]:
    if booking.order.start is None:
        raise AssertionError("checked before")
    return starts_of(booking.order.start, repetition)


async def _preview(
    context: PageContext,
    form: BookingForm,
    booking: BookingRequest,
    repetition: Repetition,
    problem: str | None = None,
) -> Response:
    starts = _starts(booking, repetition)
    async with context.connection() as conn:
        choices = await fetch(conn, context.tenant_id, booking_choices(form.branch, form.staff, form.customer))
        inputs = await fetch(conn, context.tenant_id, booking_inputs(booking.order, starts))
    found = preview_series(context.tenant, booking.order, starts, inputs)
    names = {member.id: member.name for member in choices.staff}
    listed = [
        ListedOccurrence(
            occurrence,
            occurrence.order is not None
            and (not form.start or occurrence.start.isoformat(timespec="minutes") in form.start),
            [names.get(booked.staff_id, "") for booked in occurrence.order.bookings] if occurrence.order else [],
            _reason(context, form, occurrence.problem),
            _alternatives(context, occurrence),
            next(
                (text for text in form.instead if text.startswith(occurrence.start.isoformat(timespec="minutes"))), ""
            ),
        )
        for occurrence in found
    ]
    hidden = [(name, value) for name, value in _fields(form) if name not in _OF_THE_FORM_ONLY]
    return context.render(
        "booking_series.html",
        422 if problem else 200,
        form=form,
        listed=listed,
        problem=problem,
        hidden=hidden,
        path=SERIES_PATH,
        customer=choices.customer,
        possible=sum(1 for occurrence in found if occurrence.order is not None),
        every_weeks=repetition.every_weeks,
    )


def _reason(context: PageContext, form: BookingForm, problem: Problem | None) -> str:
    if problem is None or not is_taken(problem):
        return context.problem_text(problem) or ""
    return context.translate(reason_of(problem)) % {"time": form.time}


def _alternatives(context: PageContext, occurrence: Occurrence) -> list[tuple[str, str]]:
    free = occurrence.problem.values.get("alternatives", []) if occurrence.problem else []
    return [
        (
            f"{occurrence.start:%Y-%m-%dT%H:%M}/{start:%Y-%m-%dT%H:%M}",
            f"{start:%H:%M}"
            if start.date() == occurrence.start.date()
            else f"{context.format.short_day(start.date())} {start:%H:%M}",
        )
        for start, _ in free
    ]


def _fields(form: BookingForm) -> list[tuple[str, str]]:
    """The form as it was sent, for the next step."""
    fields: list[tuple[str, str]] = []
    for name in form.__struct_fields__:
        value = getattr(form, name)
        values = value if isinstance(value, list) else [value]
        fields += [(name, "" if entry is None else str(entry)) for entry in values]
    return fields


class CancelSeriesQuery(msgspec.Struct):
    back: Annotated[str, Meta(max_length=2000)] = ""  # the page that asked; without it the order's


class CancelSeriesForm(msgspec.Struct):
    back: Annotated[str, Meta(max_length=2000)] = ""
    what: Literal["one", "following"] = "one"
    version: int | None = None
    note: LongText | None = None
    reason: Annotated[str, Meta(max_length=255)] = ""
    notify: NotifyChoice = ""


@pages.get("/orders/{order_id}/series/cancel", CASHIERS)
async def confirm_series_cancellation(
    context: PageContext, order_id: UUID, query: CancelSeriesQuery | None = None
) -> Response:
    back = query.back if query else context.form.value("back", "")
    async with context.connection() as conn:
        order = await get_dashboard_order(conn, context.tenant_id, order_id)
        series = await fetch(conn, context.tenant_id, series_of(order_id))
    problems = [(following, cancel_problem(context.tenant, following.state)) for following in series.following]
    return context.render(
        "series_cancel.html",
        back=local_path(back) if back else "",
        order=order,
        series=series,
        problem=cancel_problem(context.tenant, series.order.state),
        canceled=[following for following, problem in problems if problem is None],
        kept=[(following, problem) for following, problem in problems if problem is not None],
        reasons=await reason_choices(context),
    )


@pages.post("/orders/{order_id}/series/cancel", CASHIERS, on_error=confirm_series_cancellation)
async def cancel_series(context: PageContext, order_id: UUID, form: CancelSeriesForm) -> Response:
    following = form.what == "following"
    reason = await read_reason(context, form.reason)
    await context.run(CancelSeries(order_id, following, form.note, form.version, chosen_notice(form.notify), reason))
    return context.redirect(local_path(form.back or f"/orders/{order_id}"), flash=N_("Canceled."))
