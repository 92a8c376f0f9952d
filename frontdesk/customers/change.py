"""Updating a customer. Values that stay the same are no change and emit no event."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

import msgspec

from frontdesk.customers.queries import PHONE_IN_USE, SeenCustomer, customer_argument, customer_to_change
from frontdesk.postgres.pool import Connection
from frontdesk.postgres.write import Call, Document, Lock, Look, write
from frontdesk.values.actor import SYSTEM, Actor


async def change_customer(
    conn: Connection, tenant_id: UUID, customer_id: UUID, changes: Mapping[str, Any], *, actor: Actor = SYSTEM
) -> bytes:
    return await write(
        conn, tenant_id, look_at_customer(customer_id), lambda seen: plan_change(seen, changes), actor=actor
    )


def look_at_customer(customer_id: UUID) -> Look[SeenCustomer]:
    lock = Lock("SELECT FROM customers WHERE tenant_id = $1 AND id = $2 FOR NO KEY UPDATE", (customer_id,))
    return Look(customer_to_change(customer_id), lock)


def plan_change(seen: SeenCustomer, changes: Mapping[str, Any]) -> Call:
    """`changes` are fields of a customer, checked and normalized."""
    after, response = msgspec.structs.replace(seen.customer, **changes), Document("customer_document", seen.id)
    if after == seen.customer:
        return Call(None, None, response)
    argument = {"id": seen.id, "updated_at": seen.updated_at, **customer_argument(after)}
    return Call("update_customer", argument, response, errors=PHONE_IN_USE)
