"""The waiting list: who waits for what, which free time suits them, and its entries."""

import datetime as dt
from typing import Annotated, NamedTuple
from urllib.parse import urlencode
from uuid import UUID

import msgspec
from msgspec import Meta

from frontdesk.booking_page.queries import tenant_booking_page
from frontdesk.booking_page.types import BookingPage
from frontdesk.customers.list_queries import CustomerSort, ListFilter, list_customers
from frontdesk.customers.search import search_words, split_matches, split_phone_matches
from frontdesk.http.errors import Code
from frontdesk.http.field_types import CalendarDate, LongText, PageNumber
from frontdesk.http.responses import Response
from frontdesk.i18n.texts import N_, translate
from frontdesk.messages.send import OfferWaitingTime
from frontdesk.postgres.pool import Connection
from frontdesk.postgres.query import fetch
from frontdesk.problems import Problem, Problems
from frontdesk.ui.booking.form import id_of
from frontdesk.ui.booking.waiting_labels import PROBLEMS
from frontdesk.ui.components.booking_choice_queries import BookingChoices, booking_choices
from frontdesk.ui.components.part_of_day import PARTS
from frontdesk.ui.shell.context import PageContext
from frontdesk.ui.shell.form_idempotency import submit
from frontdesk.ui.shell.formatting import Formatter
from frontdesk.ui.shell.permissions import RECEPTION
from frontdesk.ui.shell.problems import PageError, page_problem
from frontdesk.ui.shell.routing import Pages
from frontdesk.values.clock import current_time
from frontdesk.values.ids import uuid7
from frontdesk.values.pagination import PageRequest
from frontdesk.values.whatsapp import whatsapp_link
from frontdesk.waiting_list.fit import Fit, days_to_search, find_fit
from frontdesk.waiting_list.queries import get_waiting, list_waiting, waiting_between
from frontdesk.waiting_list.save import AddWaitingEntry, ChangeWaitingEntry, RemoveWaitingEntry
from frontdesk.waiting_list.types import PartOfDay, WaitingEntry, WaitingRequest

pages = Pages()
PATH = "/waiting-list"
PER_PAGE = 25
_IN_PANEL = 10
_FOUND = 5


class WaitingQuery(msgspec.Struct):
    page: PageNumber = 1


class PanelQuery(msgspec.Struct):
    date: CalendarDate | None = None
    days: Annotated[int, Meta(ge=1, le=31)] = 1


class NewWaitingQuery(msgspec.Struct):
    customer: UUID | None = None
    service: UUID | None = None
    staff: UUID | None = None
    branch: UUID | None = None
    date: CalendarDate | None = None


class WaitingForm(msgspec.Struct, kw_only=True):
    id: UUID | None = None
    act: Annotated[str, Meta(max_length=50)] = "show"
    branch: UUID | None = None
    customer: UUID | None = None
    find: Annotated[str, Meta(max_length=255)] = ""
    service: UUID | None = None
    second_service: UUID | None = None
    third_service: UUID | None = None
    provider: UUID | None = None
    first_day: CalendarDate | None = None
    last_day: CalendarDate | None = None
    part_of_day: PartOfDay = PartOfDay.ANY
    note: LongText = ""
    version: int = 0


class OfferForm(msgspec.Struct):
    starts_at: Annotated[dt.datetime, Meta(tz=True)]
    ends_at: Annotated[dt.datetime, Meta(tz=True)]
    staff: UUID


class WaitingRow(NamedTuple):
    fit: Fit
    offer: str | None  # where to book the time that suits
    problem: str | None
    whatsapp: str | None = None  # opens WhatsApp with the offer, and the link with which the customer books it


class WaitingPanel(NamedTuple):
    rows: list[WaitingRow]
    total: int


@pages.get(PATH, RECEPTION)
async def show_waiting_list(context: PageContext, query: WaitingQuery) -> Response:
    now = current_time()
    page = PageRequest(query.page, PER_PAGE)
    days = days_to_search(context.format.local(now).date())
    found = await context.fetch(list_waiting(days, page))
    if not found.entries and query.page > 1:
        return context.redirect(PATH)
    fits = [find_fit(context.tenant, entry, found.schedules, now) for entry in found.entries]
    booking_page = await context.fetch(tenant_booking_page())
    rows = [_row(context, fit)._replace(whatsapp=_whatsapp(context, fit, booking_page)) for fit in fits]
    return context.render(
        "waiting_list.html",
        panel=WaitingPanel(rows, found.total),
        page=query.page,
        first=(query.page - 1) * PER_PAGE + 1,
        parts=PARTS,
        link=lambda page: f"{PATH}?page={page}",
    )


@pages.get(f"{PATH}/panel", RECEPTION)
async def show_panel(context: PageContext, query: PanelQuery) -> Response:
    """The waiting list beside the calendar."""
    first = query.date.day if query.date else context.format.local(current_time()).date()
    async with context.connection() as conn:
        panel = await read_panel(context, conn, first, query.days)
    return context.render("waiting_panel_page.html", panel=panel, parts=PARTS, day=first)


async def read_panel(context: PageContext, conn: Connection, first: dt.date, days: int) -> WaitingPanel:
    """Who waits for one of these days, those first for whom there is a free time. One statement."""
    now, last = current_time(), first + dt.timedelta(days=days - 1)
    query = waiting_between(first, last, days_to_search(first, days), _IN_PANEL)
    found = await fetch(conn, context.tenant_id, query)
    fits = [find_fit(context.tenant, entry, found.schedules, now, shown=(first, last)) for entry in found.entries]
    rows = [_row(context, fit) for fit in sorted(fits, key=lambda fit: fit.start is None)]
    return WaitingPanel(rows, found.total)


def _row(context: PageContext, fit: Fit) -> WaitingRow:
    if fit.start is None:
        problem = context.translate(PROBLEMS[fit.problem or "booked"])
        return WaitingRow(fit, None, problem % {"name": fit.entry.staff or context.translate(N_("anyone"))})
    start = context.format.local(fit.start.assigned[0].start)
    parameters = {
        "date": f"{start:%Y-%m-%d}",
        "time": f"{start:%H:%M}",
        "staff": fit.start.assigned[0].staff_id,
        "customer": fit.entry.customer_id,
        "service": fit.entry.item_id,
        "waiting": fit.entry.id,
    }
    if fit.entry.more:
        parameters["more"] = ",".join(str(service.item_id) for service in fit.entry.more)
    return WaitingRow(fit, f"/calendar/new?{urlencode(parameters)}", None)


def _whatsapp(context: PageContext, fit: Fit, page: BookingPage) -> str | None:
    """None if no time suits, or if the customer cannot book it on the booking page."""
    if fit.start is None or fit.entry.blocked or not page.is_open:
        return None
    assigned, language = fit.start.assigned[0], context.tenant.languages[0]
    choice = {
        "branch": fit.entry.branch_id,
        "services": ",".join([f"{fit.entry.item_id}::{assigned.staff_id}", *(str(s.item_id) for s in fit.entry.more)]),
        "date": context.format.local(assigned.start).date(),
    }
    words = {
        "business": page.name,
        "moment": Formatter(language, context.tenant).day_and_time(assigned.start),
        "link": f"{page.address(context.request.origin)}?{urlencode(choice, safe=',:')}",
    }
    text = N_("%(business)s: a time is free on %(moment)s. The first to book it gets it: %(link)s")
    return whatsapp_link(fit.entry.phone, translate(language, text) % words)


@pages.post(f"{PATH}/{{entry_id}}/offer", RECEPTION)
async def offer_by_mail(context: PageContext, entry_id: UUID, form: OfferForm) -> Response:
    """The customer gets the time and the link to the booking page; nothing is booked yet."""
    try:
        await context.run(OfferWaitingTime(entry_id, form.staff, form.starts_at, form.ends_at))
    except Problem as raised:
        error = context.error(raised)
        if error.code is not Code.VALIDATION_ERROR:
            raise error from raised
        messages, *_ = (error.errors or {"": [error.message]}).values()
        return context.redirect(PATH, flash=messages[0])
    return context.redirect(PATH, flash=N_("The offer is on its way."))


@pages.get(f"{PATH}/new", RECEPTION)
async def show_new_entry(context: PageContext, query: NewWaitingQuery) -> Response:
    form = WaitingForm(
        id=uuid7(),
        branch=query.branch or context.branch_id,
        customer=query.customer,
        service=query.service,
        provider=query.staff,
        first_day=query.date,
    )
    return await _render(context, form)


@pages.post(f"{PATH}/new", RECEPTION)
async def add_entry(context: PageContext, form: WaitingForm) -> Response:
    """Every button of the form comes here; only "save" writes something."""
    act, _, value = form.act.partition(":")
    if act == "customer":
        form = msgspec.structs.replace(form, customer=id_of(value), find="")
    elif act == "find":
        form = msgspec.structs.replace(form, customer=None)
    if act != "save":
        return await _render(context, form)
    try:
        await submit(context, AddWaitingEntry(_request(form), form.customer), once=form.id or uuid7(), then=PATH)
    except Problem as raised:
        return await _render_refused(context, form, context.error(raised))
    return context.redirect(PATH, flash=N_("On the waiting list."))


@pages.get(f"{PATH}/{{entry_id}}", RECEPTION)
async def show_entry(context: PageContext, entry_id: UUID) -> Response:
    entry = await context.fetch(get_waiting(entry_id))
    form = WaitingForm(
        customer=entry.customer_id,
        service=entry.item_id,
        second_service=entry.more[0].item_id if entry.more else None,
        third_service=entry.more[1].item_id if len(entry.more) > 1 else None,
        provider=entry.staff_id,
        first_day=CalendarDate(entry.first_day),
        last_day=CalendarDate(entry.last_day),
        part_of_day=entry.part_of_day,
        note=entry.note or "",
        version=entry.version,
    )
    return await _render(context, form, entry)


@pages.post(f"{PATH}/{{entry_id}}", RECEPTION, on_error=show_entry)
async def change_entry(context: PageContext, entry_id: UUID, form: WaitingForm) -> Response:
    await context.run(ChangeWaitingEntry(_request(form), entry_id, form.version))
    return context.redirect(PATH, flash=N_("Saved."))


@pages.get(f"{PATH}/{{entry_id}}/remove", RECEPTION)
async def confirm_removal(context: PageContext, entry_id: UUID) -> Response:
    entry = await context.fetch(get_waiting(entry_id))
    return context.render("waiting_remove.html", entry=entry, parts=PARTS)


@pages.post(f"{PATH}/{{entry_id}}/remove", RECEPTION)
async def remove_entry(context: PageContext, entry_id: UUID) -> Response:
    await context.fetch(get_waiting(entry_id))
    await context.run(RemoveWaitingEntry(entry_id))
    return context.redirect(PATH, flash=N_("Removed from the waiting list."))


def _request(form: WaitingForm) -> WaitingRequest:
    problems = []
    if form.service is None:
        problems.append(page_problem(N_("Choose a service."), "service"))
    if form.first_day is None:
        problems.append(page_problem(N_("Choose a day."), "first_day"))
    if form.service is None or form.first_day is None:
        raise Problems(problems)
    last = form.last_day or form.first_day
    more = tuple(service_id for service_id in (form.second_service, form.third_service) if service_id is not None)
    return WaitingRequest(
        form.service, form.provider, form.first_day.day, last.day, form.part_of_day, form.note or None, more
    )


async def _render_refused(context: PageContext, form: WaitingForm, error: PageError) -> Response:
    if error.status >= 500:
        raise error
    context.form.errors = error.errors or {"": [error.message]}
    response = await _render(context, form)
    response.status = error.status
    return response


async def _render(context: PageContext, form: WaitingForm, entry: WaitingEntry | None = None) -> Response:
    words = search_words(form.find) if form.customer is None else []
    async with context.connection() as conn:
        query = booking_choices(form.branch, form.provider, form.customer, entry.id if entry else None)
        choices = await fetch(conn, context.tenant_id, query)
        found = []
        if words:
            listed = list_customers(ListFilter(words=words), CustomerSort.NEWEST, PageRequest(1, _FOUND))
            found = (await fetch(conn, context.tenant_id, listed)).customers
    return context.render(
        "waiting_form.html",
        entry=entry,
        form=form,
        choices=choices,
        services=_services(context, choices),
        providers=[("", context.translate(N_("Anyone"))), *((str(s.id), s.name) for s in choices.staff)],
        parts=[(part.value, context.translate(label)) for part, label in PARTS.items()],
        words=words,
        found=[customer for customer in found if not customer.is_erased],
        marked=split_matches,
        marked_phone=split_phone_matches,
    )


def _services(context: PageContext, choices: BookingChoices) -> list[tuple[str, str]]:
    listed = [(str(service.id), context.format.localized(service.name)) for service in choices.services]
    return [("", context.translate(N_("Choose a service"))), *listed]
