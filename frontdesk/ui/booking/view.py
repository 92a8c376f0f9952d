"""What the form of a new booking shows: the choices, the free times of the day, and what the booking would be."""

from datetime import datetime, timedelta
from decimal import Decimal
from typing import NamedTuple
from uuid import UUID

from babel.core import get_global

from frontdesk.availability.schedule import FreeStart
from frontdesk.customers.card_queries import customer_with_phone
from frontdesk.customers.list_queries import CustomerSort, ListedCustomer, ListFilter, list_customers
from frontdesk.customers.search import search_words
from frontdesk.i18n.texts import N_
from frontdesk.orders.types import Notice
from frontdesk.postgres.pool import Connection
from frontdesk.postgres.query import fetch
from frontdesk.problems import Problem
from frontdesk.scheduling.book import booking_inputs
from frontdesk.scheduling.booking_preview import BookingPreview, preview_booking
from frontdesk.ui.booking.anyway import Anyway, find_anyway
from frontdesk.ui.booking.errors import BOOKED, form_errors, is_taken, reason_of
from frontdesk.ui.booking.favorite import choose_favorite
from frontdesk.ui.booking.form import BOOKING_ACTS, BookingForm, FormLine, lines_of, order_of, with_lines
from frontdesk.ui.components.booking_choice_queries import BookingChoices, ServiceChoice, booking_choices
from frontdesk.ui.components.part_of_day import part_of_day
from frontdesk.ui.shell.context import PageContext
from frontdesk.values.clock import current_time
from frontdesk.values.pagination import PageRequest
from frontdesk.values.phones import PhoneError, digits_of, parse_phone

_FOUND = 5
_DEFAULT_COUNTRY = "SA"
_MISSING = ("date", "time", "add_service")  # not an error before the form is submitted


class LineView(NamedTuple):
    service: ServiceChoice | None  # None: it is no longer on sale
    line: FormLine
    providers: list[tuple[str, str]]
    minutes: int | None
    staff: str
    staff_id: UUID | None
    start: datetime | None
    end: datetime | None
    amount: Decimal | None
    catalog_price: Decimal | None


class TimeChoice(NamedTuple):
    time: str
    is_free: bool
    value: str  # on the next day its hours go on beyond 24


class TimeToTake(NamedTuple):
    act: str
    start: datetime
    staff: str


class UnavailableTime(NamedTuple):
    """Why the chosen time cannot be booked, and what can be."""

    title: str
    alternatives: list[TimeToTake]
    is_new: bool  # it was booked after it was shown


class BookingView(NamedTuple):
    choices: BookingChoices
    lines: list[LineView]
    times: list[tuple[str, list[TimeChoice]]]  # by part of the day
    starts_at: datetime | None  # the chosen time, free or not
    chosen: FreeStart | None
    spare: int  # minutes that the provider stays free afterward
    busy_elsewhere: list[str]  # the names of providers who can be booked nevertheless
    total: Decimal | None
    problem: UnavailableTime | None
    anyway: Anyway | None  # how a time that is not free can be booked on purpose
    offered: str  # the time that is free, or was free before
    found: list[ListedCustomer]
    words: list[str]
    phone_owner: tuple[UUID, str] | None
    notice: Notice | None  # the confirmation


async def read_view(
    context: PageContext, form: BookingForm, error: Problem | None = None, unassigned: int | None = None
) -> BookingView:
    """Puts all errors into the context; `error` is that of the attempt to book.

    Lines from `unassigned` on get the favorite provider of the customer.
    """
    words, now = search_words(form.find), current_time()
    async with context.connection() as conn:
        choices = await fetch(
            conn, context.tenant_id, booking_choices(form.branch, form.staff, form.customer, form.waiting)
        )
        form = _with_performers(form, choices)
        if unassigned is not None:
            form = await choose_favorite(context, conn, form, choices, unassigned, now)
        order, problems = order_of(form, choices.branch_id, may_price=context.is_manager)
        seen = None
        if order.lines and order.start is not None:
            seen = await fetch(conn, context.tenant_id, booking_inputs(order, now=now))
        found = await _find_customers(context, conn, form, words)
        phone_owner = await _find_owner(context, conn, form, choices)
    preview = None
    if error is None:
        problems = [problem for problem in problems if problem.at[0] not in _MISSING]
    elif not is_taken(error):
        problems += error.all
    if seen is not None:
        try:
            preview = preview_booking(context.tenant, order, seen, now, has_time=form.clock is not None)
        except Problem as problem:
            problems += problem.all
        if preview and preview.problem and not is_taken(preview.problem):  # a time that the clocks skip
            problems += preview.problem.all
            preview = preview._replace(problem=None)
    context.form.errors = form_errors(context, problems)
    unavailable = _problem(context, form, choices, preview, error)
    return BookingView(
        choices=choices,
        lines=_lines(context, form, choices, preview),
        times=_times(context, form, preview),
        starts_at=_starts_at(context, form, order.start),
        chosen=preview.chosen if preview else None,
        spare=_spare(preview.chosen) if preview and preview.chosen else 0,
        busy_elsewhere=[choices.staff_name(staff_id) for staff_id in dict.fromkeys(preview.busy_elsewhere)]
        if preview
        else [],
        total=preview.priced.total if preview else None,
        problem=unavailable,
        anyway=await find_anyway(context, choices, order, seen, now)
        if unavailable and seen and not form.every
        else None,
        offered=form.wanted if preview and preview.chosen else form.offered,
        found=found,
        words=words,
        phone_owner=phone_owner,
        notice=_notice(form, choices),
    )


def _notice(form: BookingForm, choices: BookingChoices) -> Notice | None:
    if form.who != "new":
        return choices.customer.notice if choices.customer else None
    by = "email" if form.email.strip() else "phone" if form.phone.strip() else None
    return next((notice for notice in choices.notices if notice.by == by), None)


def _starts_at(context: PageContext, form: BookingForm, start: datetime | None) -> datetime | None:
    if start is None or form.clock is None:
        return None
    try:
        return context.tenant.to_utc(start, "start")
    except Problem:
        return None


def _with_performers(form: BookingForm, choices: BookingChoices) -> BookingForm:
    """A service that was added at the time of a provider who does not perform it is for anyone."""
    lines = []
    for line in lines_of(form):
        service = choices.service(line.service)
        performs = service is None or any(performer.staff_id == line.provider for performer in service.performers)
        lines.append(line if performs or form.act in BOOKING_ACTS else line._replace(provider=None))
    return with_lines(form, lines)


async def _find_customers(
    context: PageContext, conn: Connection, form: BookingForm, words: list[str]
) -> list[ListedCustomer]:
    if not words or form.customer is not None or form.who == "new":
        return []
    query = list_customers(ListFilter(words=words), CustomerSort.NEWEST, PageRequest(1, _FOUND))
    found = await fetch(conn, context.tenant_id, query)
    return [customer for customer in found.customers if not customer.is_erased]


async def _find_owner(
    context: PageContext, conn: Connection, form: BookingForm, choices: BookingChoices
) -> tuple[UUID, str] | None:
    """The customer who already has the phone number of a new one."""
    if form.who != "new" or not form.phone:
        return None
    country = choices.country or get_global("zone_territories").get(context.tenant.timezone, _DEFAULT_COUNTRY)
    try:
        phone = parse_phone(form.phone, country)
    except PhoneError:
        return None
    return await fetch(conn, context.tenant_id, customer_with_phone(digits_of(phone)))


def _lines(
    context: PageContext, form: BookingForm, choices: BookingChoices, preview: BookingPreview | None
) -> list[LineView]:
    shown = []
    for index, line in enumerate(lines_of(form)):
        service = choices.service(line.service)
        booked = preview.chosen.assigned[index] if preview and preview.chosen else None
        shown.append(
            LineView(
                service,
                line,
                _providers(context, choices, service),
                preview.minutes[index] if preview else (service.duration if service else None),
                choices.staff_name(booked.staff_id if booked else line.provider),
                booked.staff_id if booked else line.provider,
                booked.start if booked else None,
                booked.end if booked else None,
                preview.priced.lines[index].unit_amount if preview else None,
                preview.catalog_prices.lines[index].unit_amount if preview else None,
            )
        )
    return shown


def _providers(context: PageContext, choices: BookingChoices, service: ServiceChoice | None) -> list[tuple[str, str]]:
    """With the price and the duration of those who have their own."""
    listed = [("", context.translate(N_("Anyone")))]
    for performing in service.performers if service else ():
        own = [
            *(
                [context.translate(N_("%(minutes)s min")) % {"minutes": performing.duration}]
                if performing.duration
                else []
            ),
            *([context.format.amount(performing.price)] if performing.price is not None else []),
        ]
        name = choices.staff_name(performing.staff_id)
        listed.append((str(performing.staff_id), f"{name} ({', '.join(own)})" if own else name))
    return listed


def _times(
    context: PageContext, form: BookingForm, preview: BookingPreview | None
) -> list[tuple[str, list[TimeChoice]]]:
    """The free times, and the chosen one even if it is not free."""
    chosen = {form.time} if form.clock else set()
    free = {context.format.time(start.assigned[0].start) for start in preview.starts} if preview else chosen
    times = sorted(free | chosen)
    parts: dict[str, list[TimeChoice]] = {}
    for clock in times:
        parts.setdefault(context.translate(part_of_day(int(clock[:2]))), []).append(
            TimeChoice(clock, clock in free, clock)
        )
    return [*parts.items(), *_night(context, form, preview)]


def _night(
    context: PageContext, form: BookingForm, preview: BookingPreview | None
) -> list[tuple[str, list[TimeChoice]]]:
    """What is free after midnight, while the hours of the day go on."""
    if preview is None or not preview.night or form.day is None:
        return []
    clocks = [context.format.time(start.assigned[0].start) for start in preview.night]
    label = context.translate(N_("After midnight, %(day)s")) % {
        "day": context.format.short_day(form.day + timedelta(days=1))
    }
    return [(label, [TimeChoice(clock, is_free=True, value=f"{int(clock[:2]) + 24}{clock[2:]}") for clock in clocks])]


def _spare(chosen: FreeStart) -> int:
    return int((chosen.free_until - chosen.assigned[-1].end).total_seconds()) // 60


def _problem(
    context: PageContext,
    form: BookingForm,
    choices: BookingChoices,
    preview: BookingPreview | None,
    error: Problem | None,
) -> UnavailableTime | None:
    taken = error if error is not None and is_taken(error) else None
    problem = (preview.problem if preview else None) or taken
    if problem is None or (preview and preview.chosen):
        return None
    reason = reason_of(problem)
    is_new = (taken is not None or form.offered == form.wanted) and problem.kind in BOOKED
    if is_new:
        reason = N_("%(time)s was just taken")
    times = [
        TimeToTake(f"time:{free.start:%Y-%m-%dT%H:%M}", free.start, choices.staff_name(free.staff_id))
        for free in problem.values["alternatives"]
    ]
    return UnavailableTime(context.translate(reason) % {"time": form.time}, times, is_new)
