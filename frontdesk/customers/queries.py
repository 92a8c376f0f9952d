"""Statements about customers. The published forms are written as JSON by the database itself."""

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from uuid import UUID

import asyncpg

from frontdesk.customers.documents import DETAIL, LIST_ITEM
from frontdesk.customers.types import CustomerFilter, CustomerType, NewCustomer
from frontdesk.errors import invalid, not_found
from frontdesk.postgres.pool import Connection
from frontdesk.postgres.query import Query, document, json_bytes, optional_document, page, page_keys, page_of
from frontdesk.postgres.violations import violated_constraint
from frontdesk.tenants.queries import COUNTED_ROWS
from frontdesk.values.pagination import MAX_PER_PAGE, Page, PageRequest
from frontdesk.values.text import search_key
from frontdesk.webhooks.outbox import OUTBOX
from frontdesk.webhooks.payloads import customer_created, customer_updated

_CREATED = customer_created(DETAIL)
_UPDATED = customer_updated(DETAIL)


def list_customers(filter_: CustomerFilter, wanted: PageRequest) -> Query[Page]:
    """Newest first. Without a filter the total is a stored count: neither it nor the last page reads the table."""
    where, values = _conditions(filter_)
    source = f"FROM customers WHERE tenant_id = $1 {where}"
    total = f"SELECT count(*) {source}" if where else f"SELECT {COUNTED_ROWS.format('customers')}"
    order = ("created_at DESC, id DESC", "created_at, id")
    return Query(
        f"""
        WITH {page_keys(source, "id", order, total, len(values) + 2)},
        page AS (SELECT id FROM keys LIMIT {MAX_PER_PAGE})
        SELECT {page_of(LIST_ITEM, "c.created_at DESC, c.id DESC")} AS documents, (SELECT total FROM counted) AS total
        FROM page, LATERAL (SELECT * FROM customers WHERE tenant_id = $1 AND id = page.id OFFSET 0) c
        """,
        (*values, wanted.offset, wanted.per_page),
        page,
    )


def _conditions(filter_: CustomerFilter) -> tuple[str, list[str]]:
    """position() rather than LIKE: % and _ are ordinary characters in what people look for.

    E-mails are lowered by the database on both sides: its idea of case is not Python's in every script.
    """
    tests = {
        "position($? IN name_search) > 0": filter_.name,
        "position($? IN phone_digits) > 0": filter_.phone_digits,
        "position(lower($?::text) IN lower(email)) > 0": filter_.email,
    }
    used = {test: value for test, value in tests.items() if value is not None}
    where = "".join(f" AND {test.replace('?', str(place))}" for place, test in enumerate(used, 2))
    return where, list(used.values())


def get_customer(customer_id: UUID) -> Query[bytes]:
    return Query(
        f"SELECT {json_bytes(DETAIL)} AS document FROM customers c WHERE c.tenant_id = $1 AND c.id = $2",
        (customer_id,),
        document("customer"),
    )


def find_customer_by_phone(digits: str) -> Query[bytes | None]:
    return Query(
        f"SELECT {json_bytes(DETAIL)} AS document FROM customers c WHERE c.tenant_id = $1 AND c.phone_digits = $2",
        (digits,),
        optional_document,
    )


def find_customer_by_email(email: str) -> Query[bytes | None]:
    """Several may share an address; the newest is the one in use."""
    return Query(
        f"""
        SELECT {json_bytes(DETAIL)} AS document FROM customers c WHERE c.tenant_id = $1 AND lower(c.email) = lower($2)
        ORDER BY c.created_at DESC, c.id DESC LIMIT 1
        """,
        (email,),
        optional_document,
    )


async def insert_customer(conn: Connection, tenant_id: UUID, customer_id: UUID, new: NewCustomer) -> str:
    with _unique_phone():
        document: str = await conn.fetchval(
            f"""
            WITH c AS (
                INSERT INTO customers (tenant_id, id, first_name, last_name, name_search, email, phone, phone_country,
                                       type, city, address, note, tax_registration_number)
                VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13) RETURNING *
            )
            SELECT {DETAIL}::text FROM c, add_row_count($1, 'customers', (SELECT count(*) FROM c)::integer)
            """,
            tenant_id,
            customer_id,
            *_columns(new),
        )
    return document


def _columns(customer: NewCustomer) -> tuple[str | None, ...]:
    return (
        customer.first_name,
        customer.last_name,
        search_key(" ".join(filter(None, [customer.first_name, customer.last_name]))),
        customer.email,
        customer.phone,
        customer.phone_country,
        customer.type,
        customer.city,
        customer.address,
        customer.note,
        customer.tax_registration_number,
    )


@contextmanager
def _unique_phone() -> Iterator[None]:
    try:
        yield
    except asyncpg.UniqueViolationError as taken:
        if violated_constraint(taken) == "customers_phone_unique":
            raise invalid({"phone": ["already belongs to another customer"]}) from taken
        raise


async def lock_customer(conn: Connection, tenant_id: UUID, customer_id: UUID) -> NewCustomer:
    """The customer's own fields, held until the transaction ends."""
    row = await conn.fetchrow(
        """
        SELECT first_name, last_name, email, phone, phone_country, type, city, address, note, tax_registration_number
        FROM customers WHERE tenant_id = $1 AND id = $2 FOR NO KEY UPDATE
        """,
        tenant_id,
        customer_id,
    )
    if row is None:
        raise not_found("customer")
    return NewCustomer(**{**row, "type": CustomerType(row["type"])})


async def update_customer(conn: Connection, tenant_id: UUID, customer_id: UUID, customer: NewCustomer) -> None:
    with _unique_phone():
        await conn.execute(
            """
            UPDATE customers SET first_name = $3, last_name = $4, name_search = $5, email = $6, phone = $7,
                phone_country = $8, type = $9, city = $10, address = $11, note = $12, tax_registration_number = $13,
                updated_at = clock_timestamp()
            WHERE tenant_id = $1 AND id = $2
            """,
            tenant_id,
            customer_id,
            *_columns(customer),
        )


async def emit_customer_created(conn: Connection, tenant_id: UUID, customer_id: UUID) -> None:
    """After the statement that wrote it, whose trigger counts customers: events are numbered last."""
    await conn.execute(
        f"""
        WITH news AS (SELECT 0 AS place, {_CREATED} FROM customers c WHERE c.tenant_id = $1 AND c.id = $2), {OUTBOX}
        SELECT
        """,
        tenant_id,
        customer_id,
    )


async def emit_customers_updated(conn: Connection, tenant_id: UUID, customer_ids: Collection[UUID]) -> None:
    """Each of them as it is now, after the statement that changed it."""
    await conn.execute(
        f"""
        WITH news AS (
            SELECT row_number() OVER (ORDER BY c.id) AS place, {_UPDATED}
            FROM customers c WHERE c.tenant_id = $1 AND c.id = ANY ($2)
        ), {OUTBOX}
        SELECT
        """,
        tenant_id,
        list(customer_ids),
    )


async def delete_customer_tag(conn: Connection, tenant_id: UUID, tag_id: UUID) -> list[UUID]:
    """Those who had it."""
    rows = await conn.fetch(
        "DELETE FROM customer_tags WHERE tenant_id = $1 AND tag_id = $2 RETURNING customer_id", tenant_id, tag_id
    )
    return [row["customer_id"] for row in rows]
