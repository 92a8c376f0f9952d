"""Erasing what is personal about a customer, on the customer's request."""

from uuid import UUID

from frontdesk.customers.change import unchanged
from frontdesk.customers.merge_queries import SeenErasure, customer_to_erase
from frontdesk.errors import check_version, invalid
from frontdesk.postgres.write import Call, Lock, Look
from frontdesk.values.text import search_key

# The name that is left, in the first language of the business.
ERASED_NAMES = {"en": "Erased customer", "ar": "عميل محذوفة بياناته"}


def look_at_erasure(customer_id: UUID) -> Look[SeenErasure]:
    lock = Lock(
        "SELECT FROM orders WHERE tenant_id = $1 AND customer_id = $2 ORDER BY id FOR NO KEY UPDATE", (customer_id,)
    )
    return Look(customer_to_erase(customer_id), lock)


def plan_erasure(seen: SeenErasure, version: int, language: str) -> Call:
    if seen.customer.is_erased:
        return unchanged(seen.customer)
    check_version(version, seen.customer.version, seen.customer.id)
    if seen.coming_orders:
        raise invalid({"": ["the customer has coming visits; cancel them first"]})
    name = ERASED_NAMES.get(language, ERASED_NAMES["en"])
    argument = {"id": seen.customer.id, "version": seen.customer.version, "name": name, "name_search": search_key(name)}
    return Call("erase_customer", argument)
