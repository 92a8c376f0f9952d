"""A new booking by hand. The calendar shows this page's form in a sheet."""

from typing import Annotated
from urllib.parse import urlencode
from uuid import UUID

import msgspec
from msgspec import Meta

from frontdesk.customers.search import split_matches, split_phone_matches
from frontdesk.customers.types import NewCustomer
from frontdesk.http.field_types import CalendarDate
from frontdesk.http.responses import Response
from frontdesk.i18n.texts import N_
from frontdesk.postgres.act import Context
from frontdesk.problems import Problem, raise_all
from frontdesk.scheduling.book import BookingRequest, BookOrders
from frontdesk.ui.booking.errors import FIELDS
from frontdesk.ui.booking.favorite import first_unassigned
from frontdesk.ui.booking.form import BOOKING_ACTS, BookingForm, apply_act, id_of, lines_of, order_of, repetition_of
from frontdesk.ui.booking.view import read_view
from frontdesk.ui.components.approval import require_approval
from frontdesk.ui.components.customer_fields import CustomerFields, check_fields
from frontdesk.ui.shell.context import PageContext
from frontdesk.ui.shell.form_idempotency import submit
from frontdesk.ui.shell.notify import chosen_notice
from frontdesk.ui.shell.permissions import RECEPTION
from frontdesk.ui.shell.problems import page_problem
from frontdesk.ui.shell.routing import Pages
from frontdesk.values.ids import uuid7

pages = Pages()
PATH = "/calendar/new"
_Clock = Annotated[str, Meta(pattern=r"^([01][0-9]|2[0-3]):[0-5][0-9]$")]


class NewBookingQuery(msgspec.Struct):
    date: CalendarDate | None = None
    time: _Clock | None = None
    staff: UUID | None = None
    branch: UUID | None = None
    customer: UUID | None = None
    service: UUID | None = None
    more: Annotated[str, Meta(max_length=400)] = ""  # services after it, comma separated
    waiting: UUID | None = None


@pages.get(PATH, RECEPTION)
async def show_new_booking(context: PageContext, query: NewBookingQuery) -> Response:
    today = context.format.today
    form = BookingForm(
        id=uuid7(),
        # The provider and the waiting list know their branch, which need not be that of this browser.
        branch=query.branch or (None if query.staff or query.waiting else context.branch_id),
        staff=query.staff,
        date=str(query.date or today),
        time=query.time or "",
        customer=query.customer,
        add_service=query.service,
        waiting=query.waiting,
    )
    form = apply_act(form)
    for service in filter(None, map(id_of, query.more.split(","))):
        form = apply_act(msgspec.structs.replace(form, add_service=service))
    return await render_form(context, form, unassigned=0)


@pages.post(PATH, RECEPTION)
async def submit_booking(context: PageContext, form: BookingForm) -> Response:
    """Every button of the form comes here; only two of them write something."""
    sent, form = form, apply_act(form)
    if form.act not in BOOKING_ACTS:
        return await render_form(context, form, unassigned=first_unassigned(sent, form))
    try:
        booking = await read_booking(context, form)
        if repetition_of(form) is not None:
            raise page_problem(N_("See the days of this series first."), "every")
        order_id = uuid7()
        act = BookOrders(booking, order_id, anyway=form.act == "anyway")
        if act.anyway:
            await _allow(context, act, form)
        path = await submit(context, act, once=form.id, then=calendar_path(form.date, order_id))
    except Problem as raised:
        return await render_refused(context, form, raised)
    return context.redirect(path, flash=N_("Booked."))


async def _allow(context: PageContext, act: BookOrders, form: BookingForm) -> None:
    """What is refused even so is said before a PIN is tried."""
    act.decide(Context(context.tenant, context.actor, await context.fetch(act.load())))
    await require_approval(context, form)


def calendar_path(day: str, order_id: UUID) -> str:
    return "/calendar?" + urlencode({"date": day, "order": order_id})


async def read_booking(context: PageContext, form: BookingForm) -> BookingRequest:
    """Raises all errors of the fields at once."""
    order, problems = order_of(form, form.branch, may_price=context.is_manager)
    customer = None
    try:
        customer = await _new_customer(context, form)
    except Problem as problem:
        problems += problem.all
    if form.find.strip() and form.who == "find" and form.customer is None:
        problems.append(page_problem(N_("Choose the customer that you typed, or go on without one."), "customer"))
    raise_all(problems)
    return BookingRequest(
        order, customer, form.waiting, any_discount=context.is_manager, notify=chosen_notice(form.notify)
    )


async def _new_customer(context: PageContext, form: BookingForm) -> NewCustomer | None:
    if form.who != "new":
        return None
    fields = CustomerFields(
        first_name=form.first_name or None,
        last_name=form.last_name or None,
        phone=form.phone or None,
        email=form.email or None,
    )
    return await check_fields(context, fields)


async def render_refused(context: PageContext, form: BookingForm, raised: Problem) -> Response:
    """The form again with everything that was typed, and why it was refused."""
    error = context.error(raised, FIELDS)
    if error.status >= 500:
        raise error from raised
    response = await render_form(context, form, raised)
    response.status = error.status
    response.headers.update(error.headers)
    return response


async def render_form(
    context: PageContext, form: BookingForm, error: Problem | None = None, unassigned: int | None = None
) -> Response:
    view = await read_view(context, form, error, unassigned)
    return context.render(
        "booking.html",
        form=form,
        view=view,
        lines=lines_of(form),
        path=PATH,
        may_price=context.is_manager,
        marked=split_matches,
        marked_phone=split_phone_matches,
        day=form.day,
    )
