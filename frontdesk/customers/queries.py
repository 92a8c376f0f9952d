"""Statements for customers. The database builds the JSON."""

from collections.abc import Mapping
from typing import Any, NamedTuple
from uuid import UUID

import msgspec
from asyncpg import Record

from frontdesk.custom_data.queries import conditions, joined
from frontdesk.customers.documents import OWN_LIST_ITEM
from frontdesk.customers.problems import CustomerProblem
from frontdesk.customers.types import CustomerFilter, CustomerType, NewCustomer
from frontdesk.postgres.changes import list_order
from frontdesk.postgres.query import Query, document, found, json_bytes, optional_document, page, page_keys, page_of
from frontdesk.postgres.records import from_row
from frontdesk.postgres.write import UNIQUE
from frontdesk.problems import Problem
from frontdesk.tenants.queries import COUNTED_ROWS
from frontdesk.values.pagination import MAX_PER_PAGE, ChangesSince, Page, PageRequest
from frontdesk.values.text import search_key

_DOCUMENT = f"{json_bytes('customer_json(c)')} AS document"


def list_customers(
    filter_: CustomerFilter, page_request: PageRequest, since: ChangesSince | None = None
) -> Query[Page]:
    """Newest first. Without a filter the total is a stored count, so even the last page reads only its own rows.

    Erased customers are not among those that have changed: they are among the deleted ones.
    """
    where, values = _conditions(filter_)
    order = list_order(since, "created_at DESC, id DESC", "created_at, id", first=len(values) + 2)
    where += f"{order.where} AND erased_at IS NULL" if since else ""
    values += order.values
    source = f"FROM customers WHERE tenant_id = $1 {where}"
    total = f"SELECT count(*) {source}" if where else f"SELECT {COUNTED_ROWS.format('customers')}"
    return Query(
        f"""
        WITH {page_keys(source, "id", (order.forward, order.backward), total, len(values) + 2)},
        page AS (SELECT id FROM keys LIMIT {MAX_PER_PAGE})
        SELECT {page_of(OWN_LIST_ITEM, order.of("c"))} AS documents, (SELECT total FROM counted) AS total
        FROM page, LATERAL (SELECT * FROM customers WHERE tenant_id = $1 AND id = page.id OFFSET 0) c
        {joined("customer", "c.id")}
        """,
        (*values, page_request.offset, page_request.per_page),
        page,
        is_late=since is None,
    )


def _conditions(filter_: CustomerFilter) -> tuple[str, list[object]]:
    """Uses position() instead of LIKE, because % and _ are ordinary characters in a search.

    The database converts both e-mail addresses to lower case, because Python does it differently for some scripts.
    """
    tests: dict[str, object] = {
        "position($? IN name_search) > 0": filter_.name,
        "position($? IN phone_digits) > 0": filter_.phone_digits,
        "position(lower($?::text) IN lower(email)) > 0": filter_.email,
    }
    used = {test: value for test, value in tests.items() if value is not None} | conditions(filter_.own, "customer")
    where = "".join(f" AND {test.replace('?', str(number))}" for number, test in enumerate(used, 2))
    return where, list(used.values())


def get_customer(customer_id: UUID) -> Query[bytes]:
    return Query(
        f"SELECT c.id, {_DOCUMENT} FROM customers c WHERE c.tenant_id = $1 AND c.id = $2",
        (customer_id,),
        document("customer"),
    )


def find_customer_by_phone(digits: str) -> Query[bytes | None]:
    return Query(
        f"SELECT c.id, {_DOCUMENT} FROM customers c WHERE c.tenant_id = $1 AND c.phone_digits = $2",
        (digits,),
        optional_document,
    )


def find_customer_by_email(email: str) -> Query[bytes | None]:
    """Several customers may have the address; the newest one is returned."""
    return Query(
        f"""
        SELECT c.id, {_DOCUMENT} FROM customers c WHERE c.tenant_id = $1 AND lower(c.email) = lower($2)
        ORDER BY c.created_at DESC, c.id DESC LIMIT 1
        """,
        (email,),
        optional_document,
    )


class CustomerToChange(NamedTuple):
    id: UUID
    version: int
    customer: NewCustomer
    blocked: bool
    is_erased: bool


def customer_to_change(customer_id: UUID) -> Query[CustomerToChange]:
    return Query(
        """
        SELECT id, version, first_name, last_name, email, phone, phone_country, type, city, address, note,
               tax_registration_number, birthday, allergies, favorite_staff_id, blocked, erased_at
        FROM customers WHERE tenant_id = $1 AND id = $2
        """,
        (customer_id,),
        found("customer", read_customer),
    )


def read_customer(row: Record | Mapping[str, Any]) -> CustomerToChange:
    customer = from_row(NewCustomer, row, type=CustomerType(row["type"]))
    return CustomerToChange(row["id"], row["version"], customer, row["blocked"], row["erased_at"] is not None)


def customer_argument(customer: NewCustomer) -> dict[str, Any]:
    """For the functions that write a customer."""
    name = " ".join(filter(None, [customer.first_name, customer.last_name]))
    return {**msgspec.structs.asdict(customer), "name_search": search_key(name)}


PHONE_IN_USE = {UNIQUE: lambda: Problem(CustomerProblem.PHONE_TAKEN, "phone")}
