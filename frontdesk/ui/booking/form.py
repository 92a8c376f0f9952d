"""The form of a new booking. Its fields hold all of it, so that each button can show it again without a script."""

import datetime as dt
import re
from decimal import Decimal
from typing import Annotated, Literal, NamedTuple
from uuid import UUID

import msgspec
from msgspec import Meta

from frontdesk.http.field_types import CalendarDate, LongText, Secret, decode_field
from frontdesk.http.problems import ValueProblem
from frontdesk.i18n.texts import N_
from frontdesk.orders.pricing import Discount, DiscountKind
from frontdesk.orders.types import LineType, OrderLineRequest, OrderRequest, PaymentRequest, Source
from frontdesk.payments.problems import MethodProblem
from frontdesk.problems import Problem
from frontdesk.scheduling.book import MAX_OCCURRENCES, MAX_WEEKS, Repetition
from frontdesk.ui.components.booking_limits import MAX_AHEAD, TOO_LATE
from frontdesk.ui.components.customer_fields import split_typed
from frontdesk.ui.shell.notify import NotifyChoice
from frontdesk.ui.shell.problems import forbidden, page_problem
from frontdesk.values.clock import current_time
from frontdesk.values.money import parse_amount

MAX_SERVICES = 10
BOOKING_ACTS = ("book", "anyway")  # the buttons that write something
Text = Annotated[str, Meta(max_length=255)]
_Services = Annotated[list[UUID], Meta(max_length=MAX_SERVICES)]
_Optional = Annotated[list[UUID | None], Meta(max_length=MAX_SERVICES)]
_Texts = Annotated[list[Text], Meta(max_length=MAX_SERVICES)]
_Starts = Annotated[list[Text], Meta(max_length=MAX_OCCURRENCES)]
_TIME = re.compile(r"([01][0-9]|2[0-3]):[0-5][0-9]")
_AFTER_MIDNIGHT = re.compile(r"(2[4-9]):([0-5][0-9])")


class BookingForm(msgspec.Struct, kw_only=True):
    """Fields that people type are texts, so that what is wrong in one of them is shown and nothing is lost."""

    id: UUID
    act: Text = "show"
    branch: UUID | None = None
    staff: UUID | None = None  # who gets the services that are added
    date: Text = ""
    time: Text = ""
    customer: UUID | None = None
    who: Literal["find", "new"] = "find"
    find: Text = ""
    first_name: Text = ""
    last_name: Text = ""
    phone: Text = ""
    email: Text = ""
    service: _Services = []
    option: _Optional = []
    provider: _Optional = []
    price: _Texts = []
    add_service: UUID | None = None
    discount_kind: DiscountKind = DiscountKind.FIXED
    discount: Text = ""
    deposit: Text = ""
    method: UUID | None = None
    note: LongText = ""
    every: Text = ""  # weeks; empty: it does not repeat
    ends: Literal["times", "until"] = "times"
    times: Text = ""
    until: Text = ""
    waiting: UUID | None = None
    notify: NotifyChoice = ""
    offered: Annotated[str, Meta(max_length=1000)] = ""  # what was free when the form was last shown
    start: _Starts = []  # those of a series that were accepted
    approver: UUID | None = None  # who allows a booking at a time that is not free
    pin: Secret | None = None
    instead: _Starts = []  # another time for one that is not free, as "start/time"; empty: it is left out

    @property
    def day(self) -> dt.date | None:
        return _day(self.date)

    @property
    def wanted(self) -> str:
        """The time with the services and their providers, as `offered` names them."""
        lines = [f"{line.service.hex}{line.provider.hex if line.provider else ''}" for line in lines_of(self)]
        return " ".join([f"{self.date}T{self.time}", *lines])

    @property
    def clock(self) -> dt.time | None:
        return dt.time.fromisoformat(self.time) if _TIME.fullmatch(self.time) else None


def _day(text: str) -> dt.date | None:
    """Within the years of every other page: a user who types a year has first typed year 2."""
    try:
        found: CalendarDate = decode_field(CalendarDate, text)
    except ValueError:
        return None
    return found.day


class FormLine(NamedTuple):
    service: UUID
    option: UUID | None
    provider: UUID | None
    price: str


def lines_of(form: BookingForm) -> list[FormLine]:
    """A list that is shorter than the services has no value for the last ones."""
    count = len(form.service)
    options, providers = ([*values, *[None] * count][:count] for values in (form.option, form.provider))
    prices = [*form.price, *[""] * count][:count]
    return [FormLine(*line) for line in zip(form.service, options, providers, prices, strict=True)]


def with_lines(form: BookingForm, lines: list[FormLine]) -> BookingForm:
    return msgspec.structs.replace(
        form,
        service=[line.service for line in lines],
        option=[line.option for line in lines],
        provider=[line.provider for line in lines],
        price=[line.price for line in lines],
    )


def apply_act(form: BookingForm) -> BookingForm:
    """What a button of the form changes in it."""
    act, _, value = form.act.partition(":")
    form = _with_added(_with_own_date(form))
    if act == "walk_in":
        form, act = msgspec.structs.replace(form, find="", act="book"), "book"
    match act:
        case "remove" | "up" | "down":
            return with_lines(form, _moved(lines_of(form), act, value))
        case "customer":
            return msgspec.structs.replace(form, customer=id_of(value), who="find", find="")
        case "find":
            return msgspec.structs.replace(form, customer=None, who="find")
        case "new":
            return _with_new_customer(form)
        case "time":
            day, _, clock = value.partition("T")
            return msgspec.structs.replace(form, date=day, time=clock[:5])
        case _:
            return form


def _with_own_date(form: BookingForm) -> BookingForm:
    """A time after midnight was chosen in the list of the day before, as 24:30."""
    found, day = _AFTER_MIDNIGHT.fullmatch(form.time), form.day
    if found is None or day is None:
        return form
    return msgspec.structs.replace(
        form, date=str(day + dt.timedelta(days=1)), time=f"{int(found[1]) - 24:02}:{found[2]}"
    )


def _with_added(form: BookingForm) -> BookingForm:
    if form.add_service is None or len(form.service) >= MAX_SERVICES:
        return msgspec.structs.replace(form, add_service=None)
    added = with_lines(form, [*lines_of(form), FormLine(form.add_service, None, form.staff, "")])
    return msgspec.structs.replace(added, add_service=None)


def _moved(lines: list[FormLine], act: str, value: str) -> list[FormLine]:
    index = int(value) if value.isdecimal() and len(value) < 3 else len(lines)
    if index >= len(lines):
        return lines
    line, rest = lines[index], lines[:index] + lines[index + 1 :]
    if act == "remove":
        return rest
    to = max(index - 1, 0) if act == "up" else index + 1
    return [*rest[:to], line, *rest[to:]]


def _with_new_customer(form: BookingForm) -> BookingForm:
    """Takes over what was typed in the search."""
    typed = split_typed(form.find)
    return msgspec.structs.replace(
        form,
        customer=None,
        who="new",
        find="",
        first_name=form.first_name or typed.first_name,
        last_name=form.last_name or typed.last_name,
        phone=form.phone or typed.phone,
    )


def id_of(text: str) -> UUID | None:
    try:
        return UUID(text)
    except ValueError:
        return None


def order_of(form: BookingForm, branch_id: UUID | None, *, may_price: bool) -> tuple[OrderRequest, list[Problem]]:
    """The order as far as the form says what it is, with the problems of the fields that say nothing."""
    problems: list[Problem] = []
    day = form.day
    if day is None:
        problems.append(page_problem(N_("Choose a day."), "date"))
    elif day > current_time().date() + MAX_AHEAD:
        problems.append(page_problem(TOO_LATE, "date"))
    if form.clock is None:
        problems.append(page_problem(N_("Choose a time."), "time"))
    if not form.service:
        problems.append(page_problem(N_("Choose a service."), "add_service"))
    order = OrderRequest(
        branch_id=branch_id,
        customer_id=form.customer if form.who == "find" else None,
        start=dt.datetime.combine(day, form.clock or dt.time()) if day else None,
        lines=[_line(n, line, problems, may_price=may_price) for n, line in enumerate(lines_of(form))],
        note=form.note or None,
        payments=_payments(form, problems),
        source=Source.DASHBOARD,
        discount=_discount(form, problems),
    )
    return order, problems


def _line(index: int, line: FormLine, problems: list[Problem], *, may_price: bool) -> OrderLineRequest:
    amount = _amount(line.price, f"price-{index}", problems)
    if amount is not None and not may_price:
        raise forbidden(N_("Only an owner or a manager can change a price."))
    return OrderLineRequest(
        line.service,
        LineType.SERVICE,
        1,
        line.provider,
        unit_amount=amount,
        option_ids=(line.option,) if line.option else (),
    )


def _payments(form: BookingForm, problems: list[Problem]) -> list[PaymentRequest]:
    amount = _amount(form.deposit, "deposit", problems)
    if not amount:
        return []
    if form.method is None:
        problems.append(Problem(MethodProblem.REQUIRED, "method"))
    return [PaymentRequest(amount, form.method, None, None, None, None)]


def _discount(form: BookingForm, problems: list[Problem]) -> Discount | None:
    amount = _amount(form.discount, "discount", problems)
    return Discount(form.discount_kind, amount, apply_all=True) if amount else None


def _amount(text: str, field: str, problems: list[Problem]) -> Decimal | None:
    if not text.strip():
        return None
    amount = parse_amount(text)
    if amount is None or amount < 0:
        problems.append(Problem(ValueProblem.NOT_AMOUNT, field))
        return None
    return amount


def repetition_of(form: BookingForm) -> Repetition | None:
    if not form.every:
        return None
    weeks = _number(form.every, 1, MAX_WEEKS, "every")
    if form.ends == "times":
        return Repetition(weeks, times=_number(form.times, 2, MAX_OCCURRENCES, "times"))
    until = _day(form.until)
    if until is None:
        raise page_problem(N_("Choose a day."), "until")
    return Repetition(weeks, until=until)


def _number(text: str, least: int, most: int, field: str) -> int:
    if not text.strip().isdecimal() or not least <= int(text) <= most:
        raise Problem(ValueProblem.NOT_BETWEEN, field, least=least, most=most)
    return int(text)
