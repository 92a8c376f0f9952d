"""The waiting list on the public page: joining it if nothing suits, seeing what one waits for, and leaving it."""

from collections.abc import Sequence
from datetime import date, timedelta
from typing import Literal, NamedTuple

import msgspec

from frontdesk.customers.contact_queries import Match, customers_with_contact, match_customer
from frontdesk.customers.problems import CustomerProblem
from frontdesk.http.errors import Code
from frontdesk.http.responses import Response
from frontdesk.i18n.texts import N_, translate
from frontdesk.postgres.pool import Connection
from frontdesk.postgres.query import fetch
from frontdesk.postgres.write import run
from frontdesk.problems import Problem, not_found, or_not_found
from frontdesk.scheduling.online import bookable_days
from frontdesk.ui.booking_page.choice import Choice, ChoiceQuery, Chosen, find_chosen, question_of, read_choice
from frontdesk.ui.booking_page.context import PublicContext
from frontdesk.ui.booking_page.customer_booking import PERSONAL
from frontdesk.ui.booking_page.details import (
    NAME_FIELDS,
    Details,
    DetailsForm,
    check_bookings,
    check_sender,
    consume_booking,
    needs_call,
    new_token,
    read_details,
    token_of,
    token_text,
    typed_fields,
)
from frontdesk.ui.booking_page.form_token import FormToken, read_waiting_token, write_waiting_token
from frontdesk.ui.booking_page.pages import PATH as PAGE
from frontdesk.ui.booking_page.proof import prove
from frontdesk.ui.booking_page.turns import consume_visit
from frontdesk.ui.components.menu_queries import Menu, find_menu
from frontdesk.ui.components.part_of_day import PARTS
from frontdesk.ui.shell.form_state import FormState
from frontdesk.ui.shell.permissions import PUBLIC
from frontdesk.ui.shell.routing import Pages
from frontdesk.values.clock import current_time
from frontdesk.values.phones import digits_of
from frontdesk.waiting_list.join import MAX_SERVICES, JoinWaitingList
from frontdesk.waiting_list.problems import WaitingProblem
from frontdesk.waiting_list.queries import count_joined, find_waiting_entry
from frontdesk.waiting_list.save import RemoveWaitingEntry
from frontdesk.waiting_list.types import PartOfDay, WaitingRequest

pages = Pages(PublicContext)
PATH = f"{PAGE}/waiting"
# Entries that have not passed. A calendar bounds how much can be booked; nothing else bounds who waits.
ENTRIES_OF_CUSTOMER = 5
ENTRIES_OF_BUSINESS = 500


class JoinForm(DetailsForm, kw_only=True):
    within: Literal["1", "7", "28"] = "1"  # days, from the chosen one on
    part_of_day: PartOfDay = PartOfDay.ANY


class OwnEntryQuery(msgspec.Struct):
    joined: Literal["1"] | None = None


class _Wanted(NamedTuple):
    """What a customer may wait for. `first` to `last`: from the chosen day on, as far as can be booked."""

    menu: Menu
    choice: Choice
    chosen: list[Chosen]
    first: date
    last: date

    def until(self, within: str) -> date:
        return min(self.first + timedelta(days=int(within) - 1), self.last)


@pages.get(PATH, PUBLIC)
async def show_join(context: PublicContext, slug: str, query: ChoiceQuery) -> Response:
    await context.open_business(slug)
    consume_visit(context.tenant_id, context.request.address)
    return await _show_form(context, read_choice(query), new_token())


@pages.post(PATH, PUBLIC)
async def join(context: PublicContext, slug: str, form: JoinForm) -> Response:
    await context.open_business(slug)
    token = token_of(context, form)
    try:
        token = check_sender(form, token)
        await context.call(consume_booking, context.tenant_id, context.request.address)
        details = await read_details(context, form, has_time=False)
        proof = await prove(context, form, token, details)
        if proof is None:
            context.form = FormState({**_typed(form), "code": [""]})
            return await _show_form(context, form.choice, token, asks_for_code=True)
        form = msgspec.structs.replace(form, proof=proof)
        async with context.connection() as conn:
            await _join(context, conn, form, token, details)
    except Problem as raised:
        error = context.error(raised, NAME_FIELDS)
        if error.status >= 500 or error.code in (Code.NOT_FOUND, Code.RATE_LIMIT_EXCEEDED):
            raise error from raised
        context.form = FormState(_typed(form), error.errors or {"": [error.message]})
        response = await _show_form(
            context, form.choice, token or new_token(), asks_for_code="code" in context.form.errors
        )
        response.status = error.status
        return response
    own = write_waiting_token(context.request.resources.secret_box, context.tenant_id, token.form_id)
    return context.redirect(context.link(f"/waiting/{own}", joined=1))


def _typed(form: JoinForm) -> dict[str, list[str]]:
    return {**typed_fields(form), "within": [form.within], "part_of_day": [form.part_of_day.value]}


async def _show_form(
    context: PublicContext, choice: Choice, token: FormToken, *, asks_for_code: bool = False
) -> Response:
    async with context.connection() as conn:
        wanted = await _read_wanted(context, conn, choice)
    return context.render(
        "public_waiting.html",
        menu=wanted.menu,
        branch=wanted.menu.branch,
        choice=wanted.choice,
        chosen=wanted.chosen,
        question="waiting",
        wanted=wanted,
        parts=PARTS,
        token=token_text(context, token),
        asks_for_code=asks_for_code,
    )


async def _read_wanted(context: PublicContext, conn: Connection, choice: Choice) -> _Wanted:
    """404 if nothing is chosen, or more than can wait together."""
    menu = await fetch(conn, context.tenant_id, find_menu(choice.branch_id, context.language))
    choice, chosen = find_chosen(choice._replace(time=None), menu)
    if menu.branch is None or question_of(choice, chosen) == "what" or len(chosen) > MAX_SERVICES:
        raise not_found("page")
    first, last = bookable_days(context.tenant, context.business.rules, current_time())
    return _Wanted(menu, choice, chosen, min(max(choice.day or first, first), last), last)


async def _join(context: PublicContext, conn: Connection, form: JoinForm, token: FormToken, details: Details) -> None:
    wanted = await _read_wanted(context, conn, form.choice)
    await check_bookings(context, conn)
    digits = digits_of(details.customer.phone) if details.customer.phone else None
    for attempt in (1, 2):
        found = await fetch(conn, context.tenant_id, customers_with_contact(digits, details.customer.email))
        match = match_customer(found, digits)
        await _check_entries(context, conn, match)
        act = JoinWaitingList(
            _request(form, wanted, _note(context, wanted.chosen, details, match)),
            token.form_id,
            match.customer.id if match.customer else None,
            None if match.customer else details.customer,
            context.language,
        )
        try:
            await run(conn, context.tenant, act, actor=context.actor)
        except Problem as problem:
            # A customer with the same phone number was created a moment ago, or the known one merged into another.
            if attempt == 2 or problem.kind not in (CustomerProblem.PHONE_TAKEN, WaitingProblem.UNKNOWN_CUSTOMER):
                raise
        else:
            return


async def _check_entries(context: PublicContext, conn: Connection, match: Match) -> None:
    joined = await fetch(
        conn, context.tenant_id, count_joined(match.customer.id if match.customer else None, context.format.today)
    )
    is_full = joined.of_customer >= ENTRIES_OF_CUSTOMER or joined.of_business >= ENTRIES_OF_BUSINESS
    if match.is_blocked or is_full:
        raise needs_call()


def _request(form: JoinForm, wanted: _Wanted, note: str | None) -> WaitingRequest:
    first, *more = (service.picked for service in wanted.chosen)
    return WaitingRequest(
        first.item_id,
        first.staff_id,
        wanted.first,
        wanted.until(form.within),
        form.part_of_day,
        note,
        tuple(picked.item_id for picked in more),
    )


def _note(context: PublicContext, chosen: Sequence[Chosen], details: Details, match: Match) -> str | None:
    """What an entry has no place for: options, and the name that was entered if the known customer has another."""
    language = context.tenant.languages[0]
    notes = [next(iter(service.option.name.values()), "") for service in chosen if service.option]
    if match.customer is not None and match.customer.name.casefold() != details.name.casefold():
        notes.append(translate(language, N_("Joined online by %(name)s")) % {"name": details.name})
    return ". ".join(filter(None, notes)) or None


@pages.get(f"{PATH}/{{token}}", PUBLIC)
async def show_own_entry(context: PublicContext, slug: str, token: str, query: OwnEntryQuery | None = None) -> Response:
    await context.open_business(slug, must_be_open=False)
    entry_id = read_waiting_token(context.request.resources.secret_box, context.tenant_id, token)
    entry = await context.fetch(find_waiting_entry(or_not_found(entry_id, "page")))
    response = context.render(
        "customer_waiting.html",
        entry=entry,
        parts=PARTS,
        path=context.link(f"/waiting/{token}"),
        just_joined=query is not None and query.joined is not None,
    )
    response.headers.update(PERSONAL)
    return response


@pages.post(f"{PATH}/{{token}}", PUBLIC)
async def leave(context: PublicContext, slug: str, token: str) -> Response:
    await context.open_business(slug, must_be_open=False)
    entry_id = read_waiting_token(context.request.resources.secret_box, context.tenant_id, token)
    await context.run(RemoveWaitingEntry(or_not_found(entry_id, "page")))
    return context.redirect(context.link(f"/waiting/{token}"))
