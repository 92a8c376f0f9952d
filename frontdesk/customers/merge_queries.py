"""Statements for merging and erasing customers."""

from typing import NamedTuple
from uuid import UUID

import msgspec
from asyncpg import Record

from frontdesk.customers.problems import CustomerProblem
from frontdesk.customers.queries import CustomerToChange, read_customer
from frontdesk.postgres.query import Lock, Query, found
from frontdesk.problems import Problem


class CustomerPair(NamedTuple):
    customer: CustomerToChange  # that stays
    other: CustomerToChange


class CustomerToErase(NamedTuple):
    customer: CustomerToChange
    upcoming_orders: int


def lock_orders_of(customer_id: UUID) -> Lock:
    orders = "SELECT FROM orders WHERE tenant_id = $1 AND customer_id = $2 ORDER BY id FOR NO KEY UPDATE"
    return Lock(orders, (customer_id,))


def customers_to_merge(customer_id: UUID, other_id: UUID) -> Query[CustomerPair]:
    return Query(
        """
        SELECT to_jsonb(c)::text AS customer, (
            SELECT to_jsonb(o)::text FROM customers o WHERE o.tenant_id = $1 AND o.id = $3) AS other
        FROM customers c WHERE c.tenant_id = $1 AND c.id = $2
        """,
        (customer_id, other_id),
        found("customer", _read_pair),
    )


def _read_pair(row: Record) -> CustomerPair:
    if row["other"] is None:
        raise Problem(CustomerProblem.UNKNOWN_OTHER, "other_id")
    return CustomerPair(_from_json(row["customer"]), _from_json(row["other"]))


def _from_json(text: str) -> CustomerToChange:
    row = msgspec.json.decode(text)
    favorite = row["favorite_staff_id"]
    return read_customer(row | {"id": UUID(row["id"]), "favorite_staff_id": UUID(favorite) if favorite else None})


def customer_to_erase(customer_id: UUID) -> Query[CustomerToErase]:
    return Query(
        """
        SELECT to_jsonb(c)::text AS customer, (
            SELECT count(*) FROM orders o
            WHERE o.tenant_id = $1 AND o.customer_id = c.id AND o.starts_at > now()
              AND o.status IN ('confirmed', 'in-progress')) AS upcoming_orders
        FROM customers c WHERE c.tenant_id = $1 AND c.id = $2
        """,
        (customer_id,),
        found("customer", lambda row: CustomerToErase(_from_json(row["customer"]), row["upcoming_orders"])),
    )


def merged_into(customer_id: UUID) -> Query[UUID | None]:
    return Query(
        "SELECT into_id FROM merged_customers WHERE tenant_id = $1 AND id = $2",
        (customer_id,),
        lambda row: None if row is None else row["into_id"],
    )
