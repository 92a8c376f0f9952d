"""Sending the form of the booking page: a hold while it is filled in, the proof of the address, and the booking."""

import hashlib
from datetime import datetime
from http import HTTPStatus
from typing import Annotated
from uuid import UUID

import asyncpg
import msgspec
from msgspec import Meta

from frontdesk.availability.problems import TimeProblem
from frontdesk.booking_page.queries import get_booking_code
from frontdesk.customers.contact_queries import Match, customers_with_contact, match_customer
from frontdesk.customers.problems import CustomerProblem
from frontdesk.http.errors import Code
from frontdesk.http.problems import KeyProblem
from frontdesk.http.responses import Response
from frontdesk.i18n.texts import N_, translate
from frontdesk.orders.problems import BookingProblem, OrderProblem, PriceProblem
from frontdesk.orders.types import OrderRequest
from frontdesk.postgres.idempotency import find_response
from frontdesk.postgres.pool import Connection
from frontdesk.postgres.query import fetch
from frontdesk.postgres.write import KeyClaim, KeyUsed, run, waits_for_key
from frontdesk.problems import Problem
from frontdesk.scheduling.book import BookingRequest
from frontdesk.scheduling.hold_queries import Holds, live_holds, place_hold, release_hold
from frontdesk.scheduling.online import BookOnline, online_order, start_of
from frontdesk.ui.booking_page.choice import Choice
from frontdesk.ui.booking_page.context import PublicContext
from frontdesk.ui.booking_page.details import (
    NAME_FIELDS,
    Details,
    DetailsForm,
    check_bookings,
    check_sender,
    consume_booking,
    consume_hold,
    needs_call,
    network_of,
    new_token,
    read_details,
    token_of,
    typed_fields,
)
from frontdesk.ui.booking_page.form_token import FormToken, read_form_token
from frontdesk.ui.booking_page.pages import PATH, Answer, FormPage, read_page, render_page, show_page
from frontdesk.ui.booking_page.proof import prove
from frontdesk.ui.booking_page.turns import consume_visit
from frontdesk.ui.shell.form_state import FormState
from frontdesk.ui.shell.permissions import PUBLIC
from frontdesk.ui.shell.problems import page_problem
from frontdesk.ui.shell.routing import Pages
from frontdesk.values.ids import uuid7
from frontdesk.values.phones import digits_of

pages = Pages(PublicContext)
_NOT_OFFERED = N_("Something that you chose is no longer offered. Choose again.")


@pages.post(PATH + "/hold", PUBLIC)
async def hold(context: PublicContext, slug: str, form: DetailsForm) -> Response:
    """Who is coming? Others do not see the chosen time for two minutes."""
    await context.open_business(slug)
    token = token_of(context, form) or new_token()
    await context.call(consume_hold, context.request.address)

    async def place(conn: Connection, page: FormPage) -> datetime | None:
        if page.steps is None or page.steps.start is None:
            return None
        network = network_of(context.request.address)
        return await place_hold(conn, context.tenant, token.form_id, network, page.steps.start.free.assigned)

    context.form = FormState(typed_fields(form))
    return await render_page(context, form.choice, token, place=place)


class ReleaseForm(msgspec.Struct):
    token: Annotated[str, Meta(max_length=400)] = ""


@pages.post(PATH + "/release", PUBLIC)
async def release(context: PublicContext, slug: str, form: ReleaseForm) -> Response:
    """Ends the hold of a form that its customer has left. The token is never in an address: addresses are shared."""
    await context.open_business(slug)
    token = read_form_token(context.request.resources.secret_box, context.tenant_id, form.token)
    async with context.connection() as conn:
        await consume_hold(conn, context.request.address)
        if token is not None:
            await release_hold(conn, context.tenant_id, token.form_id)
    return Response(b"", HTTPStatus.NO_CONTENT)


@pages.post(PATH, PUBLIC)
async def book(context: PublicContext, slug: str, form: DetailsForm) -> Response:
    await context.open_business(slug)
    token = token_of(context, form)
    if form.shown:
        return await _show_again(context, form, token or new_token())
    try:
        token = check_sender(form, token)
        await context.call(consume_booking, context.tenant_id, context.request.address)
        details = await read_details(context, form)
        proof = await prove(context, form, token, details)
        if proof is None:
            return await _ask_for_code(context, form, token)
        form = msgspec.structs.replace(form, proof=proof)
        return await _book(context, form, token, details)
    except Problem as raised:
        return await _refuse(context, form, token, raised)


async def _show_again(context: PublicContext, form: DetailsForm, token: FormToken) -> Response:
    """The same page in the language of the address, with all that was chosen, typed and held."""
    consume_visit(context.tenant_id, context.request.address)
    context.form = FormState(typed_fields(form))
    return await render_page(context, form.choice, token, Answer(asks_for_code=form.shown == "code"))


async def _refuse(context: PublicContext, form: DetailsForm, token: FormToken | None, raised: Problem) -> Response:
    """The page again with everything that was typed, and why nothing was booked."""
    kind = raised.kind
    if kind is OrderProblem.CUSTOMER_BLOCKED:  # a moment ago
        raised = needs_call()
    error = context.error(raised, NAME_FIELDS)
    if error.status >= 500 or error.code in (Code.NOT_FOUND, Code.RATE_LIMIT_EXCEEDED):
        raise error from raised
    is_taken = isinstance(kind, TimeProblem) or kind is BookingProblem.NOT_BOOKABLE
    has_new_price = kind is PriceProblem.TOTAL_CHANGED
    errors = {} if is_taken or has_new_price else dict(error.errors or {"": [error.message]})
    if any(name.startswith("lines.") for name in errors):
        errors = {"": [context.translate(_NOT_OFFERED)]}
    context.form = FormState(typed_fields(form), errors)
    response = await render_page(
        context,
        form.choice,
        token or new_token(),
        Answer(is_taken, has_new_price, asks_for_code="code" in errors),
    )
    response.status = error.status
    response.headers.update(error.headers)
    return response


async def _ask_for_code(context: PublicContext, form: DetailsForm, token: FormToken) -> Response:
    context.form = FormState({**typed_fields(form), "code": [""]})
    return await render_page(context, form.choice, token, Answer(asks_for_code=True))


async def _book(context: PublicContext, form: DetailsForm, token: FormToken, details: Details) -> Response:
    """Leads to the booking. The same form books once, also after Back."""
    claim = KeyClaim(context.tenant_id, f"booking {token.form_id}", hashlib.sha256(token.form_id.bytes).digest(), 200)
    async with context.connection() as conn:
        stored = await find_response(conn, context.tenant_id, claim.caller_id, claim.key)
        if stored is not None:
            order_id = UUID(stored.body.decode())
        else:
            page = await read_page(context, conn, form.choice, token.form_id)
            if page.steps is not None and page.steps.is_taken:
                # Most of those who want a time that many want end here, without an attempt to write.
                return _show_taken(context, form, token, page)
            await check_bookings(context, conn)
            order_id = await _write(context, conn, form, token, details, page=page, claim=claim)
        code = await get_booking_code(conn, context.tenant_id, order_id)
    return context.redirect(context.link(f"/{code}", booked=1))


def _show_taken(context: PublicContext, form: DetailsForm, token: FormToken, page: FormPage) -> Response:
    context.form = FormState(typed_fields(form))
    response = show_page(context, page, token, Answer(is_taken=True))
    response.status = HTTPStatus.UNPROCESSABLE_ENTITY
    return response


async def _write(
    context: PublicContext,
    conn: Connection,
    form: DetailsForm,
    token: FormToken,
    details: Details,
    *,
    page: FormPage,
    claim: KeyClaim,
) -> UUID:
    digits = digits_of(details.customer.phone) if details.customer.phone else None
    holds = await fetch(conn, context.tenant_id, live_holds(token.form_id))
    order = _order(context, form.choice, page, holds)
    for attempt in (1, 2):
        found = await fetch(conn, context.tenant_id, customers_with_contact(digits, details.customer.email))
        match = match_customer(found, digits)
        customer = None if match.is_blocked else match.customer
        booking = BookingRequest(
            order._replace(customer_id=customer.id if customer else None, note=_note(context, details, match)),
            None if customer else details.customer,
            hold_id=token.form_id,
            consent="online" if details.wants_news else None,
            shown_total=form.shown_total,
            language=context.language,
            contact_email=details.customer.email,
        )
        order_id = uuid7()
        act = BookOnline(
            booking, order_id, rules=context.business.rules, holds=holds, is_customer_blocked=match.is_blocked
        )
        try:
            await run(conn, context.tenant, act, claim, actor=context.actor)
        except KeyUsed:
            stored = await find_response(conn, context.tenant_id, claim.caller_id, claim.key)
            return UUID(stored.body.decode()) if stored else order_id
        except asyncpg.LockNotAvailableError as waiting:
            if waits_for_key(waiting):  # the first click is still at work
                raise Problem(KeyProblem.IN_USE, seconds=1) from waiting
            raise
        except Problem as problem:
            # A customer with the same phone number was created a moment ago.
            if attempt == 2 or problem.kind is not CustomerProblem.PHONE_TAKEN:
                raise
        else:
            return order_id
    raise AssertionError("the second attempt returns or raises")


def _order(context: PublicContext, choice: Choice, page: FormPage, holds: Holds) -> OrderRequest:
    branch, is_whole = page.menu.branch, len(page.chosen) == len(choice.services)
    if branch is None or page.steps is None or choice.day is None or choice.time is None or not is_whole:
        raise page_problem(_NOT_OFFERED)
    start = start_of(choice.day, choice.time)
    instant = context.tenant.to_utc(start, "start")
    lines = [picked.line for picked in page.choice.services]
    own = [hold for hold in holds if hold.is_of_form]
    if len(own) == len(lines) and own[0].start <= instant < own[0].end:
        # "Anyone" is the provider whose time is held. A provider who was chosen since stays.
        lines = [
            line if line.staff_id else line._replace(staff_id=hold.staff_id)
            for line, hold in zip(lines, own, strict=True)
        ]
    return online_order(branch.id, lines, start)


def _note(context: PublicContext, details: Details, match: Match) -> str | None:
    """With the name that was entered, if the customer whose contact it is has another."""
    if match.customer is None or match.customer.name.casefold() == details.name.casefold():
        return details.note
    language = context.tenant.languages[0]
    who = translate(language, N_("Booked online by %(name)s")) % {"name": details.name}
    return f"{who}. {details.note}" if details.note else who
