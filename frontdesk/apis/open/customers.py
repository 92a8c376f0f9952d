from typing import Annotated, Any
from uuid import UUID

import msgspec
from msgspec import UNSET, Meta, UnsetType

from frontdesk.auth.scopes import Scope
from frontdesk.customers.change import change_customer
from frontdesk.customers.create import create_customer
from frontdesk.customers.documents import CustomerDetail, CustomerListItem
from frontdesk.customers.queries import find_customer_by_phone, get_customer, list_customers
from frontdesk.customers.types import CustomerFilter, CustomerType, NewCustomer
from frontdesk.errors import Code, invalid
from frontdesk.http.endpoints import Operations
from frontdesk.http.field_types import FilterText, LongText, ShortText, TaxNumber
from frontdesk.http.pagination import DataOf, PageOf, PageQuery, list_answer
from frontdesk.http.request import Call
from frontdesk.http.responses import Answer, data_answer
from frontdesk.http.validation import Faults
from frontdesk.net.email_domains import DomainChecker, EmailError, normalize_email
from frontdesk.values.phones import PhoneError, digits_of, international_digits, parse_phone
from frontdesk.values.text import fold

operations = Operations()

PersonName = Annotated[str, Meta(min_length=2, max_length=100)]
CountryCode = Annotated[str, Meta(pattern="^[A-Za-z]{2}$", extra={"must": "be a country code of 2 letters"})]
Place = Annotated[str, Meta(min_length=3, max_length=255)]


class CustomerQuery(PageQuery, kw_only=True):
    name: FilterText | None = None
    phone: FilterText | None = None
    email: FilterText | None = None


class PhoneQuery(msgspec.Struct):
    phone: Annotated[str, Meta(min_length=1, max_length=255)]


class CustomerToCreate(msgspec.Struct):
    first_name: PersonName
    last_name: PersonName | None = None
    email: ShortText | None = None
    phone: ShortText | None = None
    phone_country: CountryCode | None = None
    type: CustomerType | None = None
    city: Place | None = None
    address: Place | None = None
    note: LongText | None = None
    tax_registration_number: TaxNumber | None = None


@operations.get("/customers", scope=Scope.CUSTOMERS_READ, answer=PageOf[CustomerListItem])
async def get_customers(call: Call, query: CustomerQuery) -> Answer:
    """List customers, newest first."""
    filter_ = CustomerFilter(
        name=fold(query.name) if query.name else None,
        phone_digits=digits_of(query.phone).removeprefix("00") or "none" if query.phone else None,
        email=query.email or None,
    )
    async with call.connection() as conn:
        page = await list_customers(conn, call.caller.tenant_id, filter_, query.request())
    return list_answer(call, query, page)


@operations.get("/customers/phone", scope=Scope.CUSTOMERS_READ, answer=DataOf[CustomerDetail | None])
async def get_customer_by_phone(call: Call, query: PhoneQuery) -> Answer:
    """Find the customer with an international number; null when there is none."""
    digits = international_digits(query.phone)
    if digits is None:
        return data_answer(None)
    async with call.connection() as conn:
        return data_answer(await find_customer_by_phone(conn, call.caller.tenant_id, digits))


@operations.get("/customers/{uuid}", scope=Scope.CUSTOMERS_READ, answer=DataOf[CustomerDetail], errors=[Code.NOT_FOUND])
async def get_one_customer(call: Call, uuid: UUID) -> Answer:
    """Read one customer with tags and notes."""
    async with call.connection() as conn:
        return data_answer(await get_customer(conn, call.caller.tenant_id, uuid))


def contact_faults(raw: dict[str, Any]) -> Faults:
    """What is wrong with e-mail and phone by their form alone, in a body that is already known to be wrong."""
    faults: Faults = {}
    email, phone, country = raw.get("email"), raw.get("phone"), raw.get("phone_country")
    if isinstance(email, str):
        try:
            normalize_email(email)
        except EmailError as wrong:
            faults["email"] = [wrong.message]
    if isinstance(phone, str) and isinstance(country, str | None):
        _checked_phone(phone, country, faults)
    return faults


async def _prepare_customer(call: Call, body: CustomerToCreate) -> NewCustomer:
    return await _checked(body, call.resources.domains)


@operations.post(
    "/customers",
    scope=Scope.CUSTOMERS_WRITE,
    answer=DataOf[CustomerDetail],
    status=201,
    prepare=_prepare_customer,
    more_faults=contact_faults,
    errors=[Code.VALIDATION_ERROR],
)
async def post_customer(call: Call, body: CustomerToCreate, prepared: NewCustomer) -> Answer:  # noqa: ARG001
    """Create a customer."""
    async with call.connection() as conn:
        return data_answer(await create_customer(conn, call.caller.tenant_id, prepared), 201)


async def _checked(body: CustomerToCreate, domains: DomainChecker) -> NewCustomer:
    """Everything that can be said about the data without the database, so that all faults come at once."""
    faults: Faults = {}
    email = await _checked_email(body.email, domains, faults)
    phone = _checked_phone(body.phone, body.phone_country, faults)
    if faults:
        raise invalid(faults)
    return NewCustomer(
        first_name=body.first_name,
        last_name=body.last_name,
        email=email,
        phone=phone,
        phone_country=body.phone_country.upper() if phone and body.phone_country else None,
        type=body.type or CustomerType.INDIVIDUAL,
        city=body.city,
        address=body.address,
        note=body.note,
        tax_registration_number=body.tax_registration_number,
    )


class CustomerToChange(msgspec.Struct):
    """A field that is left out stays as it is; null clears one that is optional."""

    first_name: PersonName | UnsetType = UNSET
    last_name: PersonName | UnsetType | None = UNSET
    email: ShortText | UnsetType | None = UNSET
    phone: ShortText | UnsetType | None = UNSET
    phone_country: CountryCode | UnsetType | None = UNSET
    type: CustomerType | UnsetType | None = UNSET
    city: Place | UnsetType | None = UNSET
    address: Place | UnsetType | None = UNSET
    note: LongText | UnsetType | None = UNSET
    tax_registration_number: TaxNumber | UnsetType | None = UNSET


async def _prepare_changes(call: Call, uuid: UUID, body: CustomerToChange) -> dict[str, Any]:  # noqa: ARG001
    """The changes, checked like a new customer's fields."""
    given = {name: getattr(body, name) for name in body.__struct_fields__}
    changes = {name: value for name, value in given.items() if value is not UNSET}
    faults: Faults = {}
    if "email" in changes:
        changes["email"] = await _checked_email(changes["email"], call.resources.domains, faults)
    country = changes.pop("phone_country", None)
    if "phone" in changes:
        changes["phone"] = _checked_phone(changes["phone"], country, faults)
        changes["phone_country"] = country.upper() if changes["phone"] and country else None
    elif country is not None:
        faults["phone"] = ["is required with phone_country"]
    if "type" in changes:
        changes["type"] = changes["type"] or CustomerType.INDIVIDUAL
    if faults:
        raise invalid(faults)
    return changes


@operations.patch(
    "/customers/{uuid}",
    scope=Scope.CUSTOMERS_WRITE,
    answer=DataOf[CustomerDetail],
    prepare=_prepare_changes,
    more_faults=contact_faults,
    errors=[Code.NOT_FOUND, Code.VALIDATION_ERROR],
)
async def patch_customer(call: Call, uuid: UUID, body: CustomerToChange, prepared: dict[str, Any]) -> Answer:  # noqa: ARG001
    """Change a customer; what is left out stays as it is."""
    async with call.connection() as conn:
        return data_answer(await change_customer(conn, call.caller.tenant_id, uuid, prepared))


async def _checked_email(email: str | None, domains: DomainChecker, faults: Faults) -> str | None:
    if email is None:
        return None
    try:
        normalized = normalize_email(email)
        await domains.check(normalized)
    except EmailError as wrong:
        faults["email"] = [wrong.message]
        return None
    return normalized


def _checked_phone(phone: str | None, country: str | None, faults: Faults) -> str | None:
    if phone is None:
        return None
    if country is None:
        faults["phone_country"] = ["is required with phone"]
        return None
    try:
        return parse_phone(phone, country)
    except PhoneError as wrong:
        faults[wrong.field] = [wrong.message]
        return None
