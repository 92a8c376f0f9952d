"""The form of the booking page: who comes, and the guards against programs that fill it in."""

import datetime as dt
import time
from decimal import Decimal
from typing import Annotated, NamedTuple
from uuid import UUID

import msgspec
from msgspec import Meta

from frontdesk.activity.queries import count_online_acts
from frontdesk.auth.rate_limit import consume_attempt
from frontdesk.auth.throttle import consume_attempt_or_raise, subject
from frontdesk.customers.types import NewCustomer
from frontdesk.http.forms import Fields
from frontdesk.i18n.texts import N_
from frontdesk.net.addresses import address_prefix
from frontdesk.postgres.pool import Connection
from frontdesk.problems import Problem, Problems
from frontdesk.ui.booking_page.choice import Choice, ChoiceQuery, read_choice
from frontdesk.ui.booking_page.context import PublicContext
from frontdesk.ui.booking_page.form_token import FormToken, read_form_token, write_form_token
from frontdesk.ui.components.customer_fields import CustomerFields, check_fields
from frontdesk.ui.shell.problems import page_problem
from frontdesk.values.ids import uuid7
from frontdesk.values.money import parse_amount

# A minute. Many people of one mobile network share an address.
ATTEMPTS_OF_ADDRESS = 60
ATTEMPTS_OF_BUSINESS = 600  # beyond the first ones of each address
FIRST_ATTEMPTS = 5  # of an address, at one business
HOLDS_OF_ADDRESS = 60
BOOKINGS_OF_ADDRESS = 30  # in an hour, at one business, with entries of the waiting list
MIN_SECONDS = 1.0  # nobody fills in a form faster
MAX_SECONDS = 24 * 3600.0
_MAX_NOTE = 1000
NAME_FIELDS = {"first_name": "name", "last_name": "name"}  # the page asks for both in one field

_Text = Annotated[str, Meta(max_length=255)]
_LongText = Annotated[str, Meta(max_length=1000)]


class DetailsForm(msgspec.Struct, kw_only=True):
    """Fields that people type are texts, so that what is wrong in one of them is shown and nothing is lost."""

    branch: _Text = ""
    services: _LongText = ""
    day: _Text = ""  # that is shown
    start: _Text = ""  # "2030-01-31T16:15 180.00": the time, and the price that was shown with it
    name: _Text = ""
    phone: _Text = ""
    email: _Text = ""
    note: Annotated[str, Meta(max_length=_MAX_NOTE)] = ""
    news: _Text = ""
    code: _Text = ""
    again: _Text = ""  # asks for a new code
    proof: Annotated[str, Meta(max_length=400)] = ""
    token: Annotated[str, Meta(max_length=400)] = ""
    homepage: _Text = ""  # people do not see it
    shown: _Text = ""  # the button of another language: "code" if the page asks for a code

    @property
    def choice(self) -> Choice:
        moment, _, _ = self.start.partition(" ")
        day, _, clock = moment.partition("T")
        query = ChoiceQuery(branch=self.branch, services=self.services, date=day or self.day, time=clock)
        return read_choice(query)

    @property
    def shown_total(self) -> Decimal | None:
        return parse_amount(self.start.partition(" ")[2])


class Details(NamedTuple):
    customer: NewCustomer
    name: str
    note: str | None
    wants_news: bool


def typed_fields(form: DetailsForm) -> Fields:
    names = ("name", "phone", "email", "note", "news", "code", "proof")
    return {name: [getattr(form, name)] for name in names}


def start_value(local: dt.datetime, total: Decimal) -> str:
    return f"{local:%Y-%m-%dT%H:%M} {total}"


def new_token() -> FormToken:
    return FormToken(uuid7(), time.time())


def token_of(context: PublicContext, form: DetailsForm) -> FormToken | None:
    return read_form_token(context.request.resources.secret_box, context.tenant_id, form.token)


def token_text(context: PublicContext, token: FormToken) -> str:
    return token.text or write_form_token(context.request.resources.secret_box, context.tenant_id, token)


async def consume_booking(conn: Connection, tenant_id: UUID, address: str) -> None:
    """Counts one attempt of the address; after its first ones, also one of the business.

    So a few addresses that use up the attempts of the business do not lock out customers at other addresses.
    """
    of_address = subject("booking address", address_prefix(address))
    await consume_attempt_or_raise(conn, of_address, ATTEMPTS_OF_ADDRESS)
    first = subject("first bookings", str(tenant_id), address_prefix(address))
    if await consume_attempt(conn, first, FIRST_ATTEMPTS) is None:
        return
    await consume_attempt_or_raise(conn, subject("booking business", str(tenant_id)), ATTEMPTS_OF_BUSINESS)


def needs_call() -> Problem:
    """One answer for all whom the business wants to talk to first: it does not tell a blocked customer from others."""
    return page_problem(N_("Please call us to book."), "call")


async def check_bookings(context: PublicContext, conn: Connection) -> None:
    """Limits bookings and entries of the waiting list by network address. Programs try a sandbox, so it has none."""
    if context.business.is_sandbox:
        return
    if await count_online_acts(conn, context.tenant_id, context.request.address) >= BOOKINGS_OF_ADDRESS:
        raise needs_call()


async def consume_hold(conn: Connection, address: str) -> None:
    await consume_attempt_or_raise(conn, subject("hold address", address_prefix(address)), HOLDS_OF_ADDRESS)


def network_of(address: str) -> bytes:
    return subject("hold network", address_prefix(address))


def check_sender(form: DetailsForm, token: FormToken | None) -> FormToken:
    """Programs fill in every field, or send the form at once. A person who is refused presses the button again."""
    if token is None or token.age > MAX_SECONDS:
        raise page_problem(N_("This page was open for a long time. Your details are kept: press the button again."))
    if form.homepage or token.age < MIN_SECONDS:
        raise page_problem(N_("The form was sent too quickly. Nothing is saved yet: press the button again."))
    return token


async def read_details(context: PublicContext, form: DetailsForm, *, has_time: bool = True) -> Details:
    """Raises all errors of the fields at once. Must be called without a connection: it may ask the DNS."""
    first, _, last = " ".join(form.name.split()).partition(" ")
    problems: list[Problem] = []
    if has_time and form.choice.time is None:
        problems.append(page_problem(N_("Choose a time."), "start"))
    if not form.phone and not form.email and not context.business.settings.asks_for_code:
        problems.append(page_problem(N_("Enter a phone number or an e-mail address."), "phone"))
    if not form.email and context.business.settings.asks_for_code:
        problems.append(page_problem(N_("Enter your e-mail address. A code is sent to it."), "email"))
    customer = None
    try:
        customer = await check_fields(
            context,
            CustomerFields(
                first_name=first or None, last_name=last or None, phone=form.phone or None, email=form.email or None
            ),
            context.business.country,
        )
    except Problem as raised:
        problems += raised.all
    if problems or customer is None:
        raise Problems(problems)
    return Details(customer, f"{first} {last}".strip(), form.note.strip() or None, bool(form.news))
