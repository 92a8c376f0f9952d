"""The fields of a customer as people enter them, checked as the API checks them, with errors in people's words."""

import re
from typing import NamedTuple
from uuid import UUID

import msgspec
from babel.core import get_global

from frontdesk.customers.types import CustomerType, NewCustomer
from frontdesk.http.field_types import LongText, ShortText
from frontdesk.i18n.texts import N_
from frontdesk.net.email_domains import EmailError, normalize_email
from frontdesk.problems import Problem, raise_all
from frontdesk.tenants.settings_queries import tenant_country
from frontdesk.ui.shell.context import PageContext
from frontdesk.ui.shell.problems import page_problem
from frontdesk.values.birthdays import birthday_of
from frontdesk.values.phones import PhoneError, digits_of, parse_phone, region_of
from frontdesk.values.problems import PhoneProblem
from frontdesk.values.text import ascii_digits

_MIN_NAME, _MAX_NAME = 2, 100
_MIN_PLACE = 3
_TAX_NUMBER = re.compile("[0-9]{15}")
_DEFAULT_COUNTRY = "SA"
_YEAR_DIGITS = 4


class CustomerFields(msgspec.Struct, kw_only=True):
    first_name: ShortText | None = None
    last_name: ShortText | None = None
    phone: ShortText | None = None
    email: ShortText | None = None
    type: CustomerType = CustomerType.INDIVIDUAL
    city: ShortText | None = None
    address: ShortText | None = None
    tax_registration_number: ShortText | None = None
    note: LongText | None = None
    birth_day: ShortText | None = None
    birth_month: ShortText | None = None
    birth_year: ShortText | None = None
    allergies: LongText | None = None
    favorite: UUID | None = None


class TypedCustomer(NamedTuple):
    first_name: str
    last_name: str
    phone: str


def split_typed(text: str) -> TypedCustomer:
    """What was typed in a search, as the fields of a new customer: words with digits are the phone number."""
    words = text.split()
    digits = [word for word in words if any(letter.isdigit() for letter in word)]
    first, _, last = " ".join(word for word in words if word not in digits).partition(" ")
    return TypedCustomer(first, last, " ".join(digits))


async def check_fields(context: PageContext, fields: CustomerFields, country: str | None = None) -> NewCustomer:
    """Raises all errors at once. Must be called without a connection: it may ask the DNS.

    `country` is that of the business, if it has been read already.
    """
    problems = _check_names(fields)
    phone = await _checked_phone(context, fields.phone, country, problems)
    email = await _checked_email(context, fields.email, problems)
    for name in ("city", "address"):
        if getattr(fields, name) and len(getattr(fields, name)) < _MIN_PLACE:
            problems.append(page_problem(N_("Enter at least three characters."), name))
    tax_number = digits_of(fields.tax_registration_number or "")
    if fields.tax_registration_number and not _TAX_NUMBER.fullmatch(tax_number):
        problems.append(page_problem(N_("Enter the fifteen digits of the tax number."), "tax_registration_number"))
    birthday = _checked_birthday(context, fields, problems)
    raise_all(problems)
    return NewCustomer(
        first_name=fields.first_name or "",
        last_name=fields.last_name,
        email=email,
        phone=phone,
        phone_country=region_of(phone) if phone else None,
        type=fields.type,
        city=fields.city,
        address=fields.address,
        note=fields.note,
        tax_registration_number=tax_number or None,
        birthday=birthday,
        allergies=fields.allergies,
        favorite_staff_id=fields.favorite,
    )


def _check_names(fields: CustomerFields) -> list[Problem]:
    problems = []
    if not fields.first_name:
        problems.append(page_problem(N_("Enter a name."), "first_name"))
    elif not _MIN_NAME <= len(fields.first_name) <= _MAX_NAME:
        problems.append(page_problem(N_("Enter two to a hundred characters."), "first_name"))
    if fields.last_name and len(fields.last_name) > _MAX_NAME:
        problems.append(page_problem(N_("Enter at most a hundred characters."), "last_name"))
    return problems


def _checked_birthday(context: PageContext, fields: CustomerFields, problems: list[Problem]) -> str | None:
    day, month, year = (
        ascii_digits(text or "").strip() for text in (fields.birth_day, fields.birth_month, fields.birth_year)
    )
    if not (day or month or year):
        return None
    if day.isdecimal() and month.isdecimal() and (not year or (year.isdecimal() and len(year) == _YEAR_DIGITS)):
        birthday = birthday_of(int(day), int(month), int(year) if year else None, context.format.today)
        if birthday:
            return birthday
    problems.append(page_problem(N_("Enter the day and the month. The year is optional, such as 1990."), "birth_day"))
    return None


async def _checked_phone(
    context: PageContext, entered: str | None, country: str | None, problems: list[Problem]
) -> str | None:
    if not entered:
        return None
    phone = await parse_entered_phone(context, entered, country)
    if phone is None:
        problems.append(Problem(PhoneProblem.NOT_A_NUMBER, "phone", region=""))
    return phone


async def parse_entered_phone(context: PageContext, entered: str, country: str | None = None) -> str | None:
    """A number without a country code is one of the country where the business is."""
    if country is None:
        country = await context.fetch(tenant_country())
    country = country or get_global("zone_territories").get(context.tenant.timezone, _DEFAULT_COUNTRY)
    try:
        return parse_phone(entered, country)
    except PhoneError:
        return None


async def _checked_email(context: PageContext, entered: str | None, problems: list[Problem]) -> str | None:
    if not entered:
        return None
    try:
        email = normalize_email(entered)
    except EmailError:
        problems.append(page_problem(N_("Enter an e-mail address such as name@example.com."), "email"))
        return None
    try:
        await context.request.resources.domains.check(email)
    except EmailError:
        problems.append(
            page_problem(N_("No mail can be sent to this address. Check the part after the @ sign."), "email")
        )
    return email
