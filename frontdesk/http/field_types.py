"""Types of the values in requests, with the limits that the OpenAPI description publishes."""

import datetime as dt
import re
from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Annotated, Any

from msgspec import Meta

from frontdesk.http.problems import ValueProblem, WrongValue
from frontdesk.problems import Problem, SharedProblem
from frontdesk.values.money import MAX_INTEGER_DIGITS, fits_currency, parse_amount
from frontdesk.values.pagination import MAX_PER_PAGE
from frontdesk.values.time import FIRST_DAY, LAST_DAY

MAX_DECIMALS = 3


class Money(Decimal):
    """An exact JSON number. The currency decides how many decimals it may have."""


class PositiveMoney(Money):
    """More than zero; the act that uses it says so."""


class NonNegativeMoney(Money):
    """At least zero; the act that uses it says so."""


class Percent(Money):
    """From 0 to 100; the act that uses it says so."""


class AmountText:
    """An amount as a decimal string, the form in which POS clients send their totals."""

    __slots__ = ("amount",)

    def __init__(self, amount: Decimal) -> None:
        self.amount = amount


class EnteredAmount:
    """An amount as a person types it: 12.50, 1,000.00, 612,50, with Latin or Arabic digits."""

    __slots__ = ("amount",)

    def __init__(self, amount: Decimal) -> None:
        self.amount = amount

    def __str__(self) -> str:
        return f"{self.amount:f}"


class EnteredPercent(EnteredAmount):
    """A percentage as a person types it, with the sign or without."""

    __slots__ = ()


class EnteredTaxNumber:
    """A tax registration number as a person types it, with Latin or Arabic digits and any spaces."""

    __slots__ = ("digits",)

    def __init__(self, digits: str) -> None:
        self.digits = digits

    def __str__(self) -> str:
        return self.digits


class DateTimeInput:
    """A date and time: with an offset it is an instant, without one it is local time in the tenant's time zone."""

    __slots__ = ("written",)

    def __init__(self, written: dt.datetime) -> None:
        self.written = written

    def __str__(self) -> str:
        return self.written.isoformat().replace("+00:00", "Z")


class CalendarDate:
    """A date as YYYY-MM-DD within a few centuries of today, so that no arithmetic on it can overflow."""

    __slots__ = ("day",)

    def __init__(self, day: dt.date) -> None:
        self.day = day

    def __str__(self) -> str:
        return self.day.isoformat()


class Secret:
    """A password or another secret: not trimmed, and never printed."""

    __slots__ = ("text",)

    def __init__(self, text: str) -> None:
        self.text = text


# What a person may type after a whole number in a form: `Meta(extra=MINUTES)`.
PERCENT = {"units": ("%", "٪")}
MINUTES = {"units": ("minutes", "minute", "min", "دقائق", "دقيقة")}
HOURS = {"units": ("hours", "hour", "h", "ساعات", "ساعة")}
DAYS = {"units": ("days", "day", "أيام", "يومًا", "يوم")}

Integer = Annotated[int, Meta(ge=-(2**31), le=2**31 - 1)]
EnteredMinutes = Annotated[int, Meta(ge=-(2**31), le=2**31 - 1, extra=MINUTES)]
Count = Annotated[int, Meta(ge=1, le=1_000_000)]
ShortText = Annotated[str, Meta(min_length=1, max_length=255)]
LongText = Annotated[str, Meta(max_length=5000)]
FilterText = Annotated[str, Meta(max_length=255)]
TaxNumber = Annotated[
    str, Meta(pattern=r"^[0-9]{15}$", extra={"otherwise": Problem(ValueProblem.NOT_DIGITS, count=15)})
]
PageNumber = Annotated[int, Meta(ge=1)]  # a page after the last one is empty
PageSize = Annotated[int, Meta(ge=1, le=MAX_PER_PAGE)]

_AMOUNT = re.compile(r"-?[0-9]{1,12}([.][0-9]{1,3})?")
_DATE = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)
_MOMENT = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d([.,]\d{1,6})?)?(Z|z|[+-]\d\d:?\d\d)?", re.ASCII)


def decode_field(kind: type[Any], value: object) -> Any:  # noqa: ANN401 - msgspec's hook
    """msgspec's decode hook for these types."""
    decode = _DECODERS.get(kind)
    if decode is None:
        raise NotImplementedError(kind)
    return decode(value)


def _money(value: object) -> Money:
    if isinstance(value, bool) or not isinstance(value, int | Decimal):
        raise WrongValue(ValueProblem.NOT_NUMBER)
    amount = Decimal(value)
    if not fits_currency(amount, MAX_DECIMALS):
        if not amount.is_finite() or amount.adjusted() >= MAX_INTEGER_DIGITS:
            raise WrongValue(ValueProblem.TOO_MANY_DIGITS, digits=MAX_INTEGER_DIGITS)
        raise WrongValue(SharedProblem.TOO_MANY_DECIMALS, most=MAX_DECIMALS)
    return Money(amount)


def _amount_text(value: object) -> AmountText:
    if not isinstance(value, str) or not _AMOUNT.fullmatch(value):
        raise WrongValue(ValueProblem.NOT_AMOUNT)
    return AmountText(Decimal(value))


def _entered_amount(value: object) -> EnteredAmount:
    amount = parse_amount(value) if isinstance(value, str) else None
    if amount is None:
        raise WrongValue(ValueProblem.NOT_AMOUNT)
    return EnteredAmount(amount)


def _entered_percent(value: object) -> EnteredPercent:
    amount = parse_amount(value.strip().strip("%٪")) if isinstance(value, str) else None
    if amount is None:
        raise WrongValue(ValueProblem.NOT_PERCENTAGE)
    return EnteredPercent(amount)


def _entered_tax_number(value: object) -> EnteredTaxNumber:
    digits = "".join(value.split()) if isinstance(value, str) else ""
    if not re.fullmatch(r"\d{15}", digits):
        raise WrongValue(ValueProblem.NOT_DIGITS, count=15)
    return EnteredTaxNumber("".join(str(int(digit)) for digit in digits))


def _calendar_date(value: object) -> CalendarDate:
    if not isinstance(value, str) or not _DATE.fullmatch(value):
        raise WrongValue(ValueProblem.NOT_DATE)
    try:
        day = dt.date.fromisoformat(value)
    except ValueError as error:
        raise WrongValue(ValueProblem.NO_SUCH_DATE) from error
    if not FIRST_DAY <= day <= LAST_DAY:
        raise WrongValue(ValueProblem.OUTSIDE_YEARS, first=FIRST_DAY.year, last=LAST_DAY.year)
    return CalendarDate(day)


def _secret(value: object) -> Secret:
    if not isinstance(value, Secret) or not value.text:
        raise WrongValue(ValueProblem.EMPTY)
    return value


def _moment(value: object) -> DateTimeInput:
    if not isinstance(value, str) or not _MOMENT.fullmatch(value):
        raise WrongValue(ValueProblem.NOT_MOMENT)
    try:
        written = dt.datetime.fromisoformat(value.replace(",", ".").upper())
    except ValueError as error:
        raise WrongValue(ValueProblem.NO_SUCH_MOMENT) from error
    if not FIRST_DAY <= written.date() <= LAST_DAY:
        raise WrongValue(ValueProblem.OUTSIDE_YEARS, first=FIRST_DAY.year, last=LAST_DAY.year)
    return DateTimeInput(written)


_DECODERS: Mapping[type[Any], Callable[[object], object]] = {
    Money: _money,
    PositiveMoney: lambda value: PositiveMoney(_money(value)),
    NonNegativeMoney: lambda value: NonNegativeMoney(_money(value)),
    Percent: lambda value: Percent(_money(value)),
    DateTimeInput: _moment,
    AmountText: _amount_text,
    EnteredAmount: _entered_amount,
    EnteredPercent: _entered_percent,
    EnteredTaxNumber: _entered_tax_number,
    CalendarDate: _calendar_date,
    Secret: _secret,
}
