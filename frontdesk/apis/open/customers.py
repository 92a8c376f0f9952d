from typing import Annotated, Any
from uuid import UUID

import msgspec
from msgspec import UNSET, Meta, UnsetType
from msgspec.structs import replace

from frontdesk.apis.changes import read_list
from frontdesk.apis.custom_data import CustomDataFields, CustomDataQuery, stores
from frontdesk.apis.open.contacts import checked_email, checked_phone
from frontdesk.apis.open.entered_fields import entered
from frontdesk.auth.scopes import Scope
from frontdesk.custom_data.queries import with_custom_data
from frontdesk.customers import queries
from frontdesk.customers.change import UpdateCustomer
from frontdesk.customers.create import CreateCustomer
from frontdesk.customers.documents import CustomerDetail, CustomerSummary
from frontdesk.customers.types import CustomerFilter, CustomerType, NewCustomer
from frontdesk.http.endpoints import Endpoints
from frontdesk.http.errors import Code
from frontdesk.http.field_types import FilterText, LongText, ShortText, TaxNumber
from frontdesk.http.pagination import DataResponse, PageResponse
from frontdesk.http.problems import ValueProblem
from frontdesk.http.request import Request
from frontdesk.http.responses import Response, data_response
from frontdesk.net.email_domains import EmailError, normalize_email
from frontdesk.problems import Problem, raise_all
from frontdesk.values.phones import digits_of, international_digits
from frontdesk.values.problems import PhoneProblem
from frontdesk.values.text import search_key

operations = Endpoints()

PersonName = Annotated[str, Meta(min_length=2, max_length=100)]
CountryCode = Annotated[str, Meta(pattern="^[A-Za-z]{2}$", extra={"otherwise": Problem(ValueProblem.NOT_COUNTRY)})]
Address = Annotated[str, Meta(min_length=3, max_length=255)]


class CustomerQuery(CustomDataQuery, kw_only=True):
    name: FilterText | None = None
    phone: FilterText | None = None
    email: FilterText | None = None


class PhoneQuery(msgspec.Struct):
    phone: Annotated[str, Meta(min_length=1, max_length=255)]


class CustomerCreate(CustomDataFields):
    first_name: PersonName
    last_name: PersonName | None = None
    email: ShortText | None = None
    phone: ShortText | None = None
    phone_country: CountryCode | None = None
    type: CustomerType | None = None
    city: Address | None = None
    address: Address | None = None
    note: LongText | None = None
    tax_registration_number: TaxNumber | None = None


@operations.get("/customers", scope=Scope.CUSTOMERS_READ, response=PageResponse[CustomerSummary], takes_fields=True)
async def list_customers(request: Request, query: CustomerQuery) -> Response:
    """List customers, newest first."""
    filter_ = CustomerFilter(
        name=search_key(query.name) if query.name else None,
        phone_digits=digits_of(query.phone).removeprefix("00") or "none" if query.phone else None,
        email=query.email or None,
        own=query.own(),
    )
    return await read_list(request, query, lambda since: queries.list_customers(filter_, query.request(), since))


@operations.get(
    "/customers/phone", scope=Scope.CUSTOMERS_READ, response=DataResponse[CustomerDetail | None], takes_fields=True
)
async def find_customer_by_phone(request: Request, query: PhoneQuery) -> Response:
    """Find a customer by international phone number; `data` is null if none matches."""
    digits = international_digits(query.phone)
    if digits is None:
        return data_response(None)
    return data_response(await request.fetch(with_custom_data(queries.find_customer_by_phone(digits), "customer")))


@operations.get(
    "/customers/{uuid}",
    scope=Scope.CUSTOMERS_READ,
    response=DataResponse[CustomerDetail],
    takes_fields=True,
    errors=[Code.NOT_FOUND],
)
async def get_customer(request: Request, uuid: UUID) -> Response:
    """Retrieve a customer with their tags."""
    return data_response(await request.fetch(with_custom_data(queries.get_customer(uuid), "customer")))


def contact_problems(raw: dict[str, Any]) -> list[Problem]:
    """The format of e-mail and phone, in a body that has other errors."""
    problems: list[Problem] = []
    email, phone, country = raw.get("email"), raw.get("phone"), raw.get("phone_country")
    if isinstance(email, str):
        try:
            normalize_email(email)
        except EmailError as error:
            problems.append(error.within("email"))
    if isinstance(phone, str) and isinstance(country, str | None):
        checked_phone(phone, country, problems)
    return problems


async def _check_customer(request: Request, act: CreateCustomer) -> CreateCustomer:
    """Validates what the types cannot express, and raises all errors at once."""
    new, problems = act.customer, list[Problem]()
    email = await checked_email(new.email, request.resources.domains, problems)
    phone = checked_phone(new.phone, new.phone_country, problems)
    raise_all(problems)
    country = new.phone_country.upper() if phone and new.phone_country else None
    return replace(act, customer=replace(new, email=email, phone=phone, phone_country=country))


@operations.post(
    "/customers",
    scope=Scope.CUSTOMERS_WRITE,
    response=DataResponse[CustomerDetail],
    status=201,
    creates="customer",
    prepare=_check_customer,
    adds=stores("customer", is_new=True),
    extra_validation=contact_problems,
    errors=[Code.VALIDATION_ERROR, Code.EXTERNAL_ID_TAKEN],
)
def create_customer(body: CustomerCreate) -> CreateCustomer:
    """Create a customer."""
    return CreateCustomer(NewCustomer(**entered(body) | {"type": body.type or CustomerType.INDIVIDUAL}))


class CustomerUpdate(CustomDataFields):
    """Omitted fields keep their values; null clears an optional field."""

    first_name: PersonName | UnsetType = UNSET
    last_name: PersonName | UnsetType | None = UNSET
    email: ShortText | UnsetType | None = UNSET
    phone: ShortText | UnsetType | None = UNSET
    phone_country: CountryCode | UnsetType | None = UNSET
    type: CustomerType | UnsetType | None = UNSET
    city: Address | UnsetType | None = UNSET
    address: Address | UnsetType | None = UNSET
    note: LongText | UnsetType | None = UNSET
    tax_registration_number: TaxNumber | UnsetType | None = UNSET


async def _check_changes(request: Request, act: UpdateCustomer) -> UpdateCustomer:
    """The changes, validated like the fields of a new customer."""
    changes, problems = dict(act.changes), list[Problem]()
    if "email" in changes:
        changes["email"] = await checked_email(changes["email"], request.resources.domains, problems)
    country = changes.pop("phone_country", None)
    if "phone" in changes:
        changes["phone"] = checked_phone(changes["phone"], country, problems)
        changes["phone_country"] = country.upper() if changes["phone"] and country else None
    elif country is not None:
        problems.append(Problem(PhoneProblem.REQUIRED_WITH_REGION, "phone"))
    if "type" in changes:
        changes["type"] = changes["type"] or CustomerType.INDIVIDUAL
    raise_all(problems)
    return replace(act, changes=changes)


@operations.patch(
    "/customers/{uuid}",
    scope=Scope.CUSTOMERS_WRITE,
    response=DataResponse[CustomerDetail],
    prepare=_check_changes,
    adds=stores("customer"),
    extra_validation=contact_problems,
    errors=[Code.NOT_FOUND, Code.VALIDATION_ERROR, Code.EXTERNAL_ID_TAKEN],
)
def update_customer(uuid: UUID, body: CustomerUpdate) -> UpdateCustomer:
    """Update a customer; omitted fields keep their values."""
    return UpdateCustomer(uuid, entered(body))
