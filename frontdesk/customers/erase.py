"""Erasing what is personal about a customer, on the customer's request."""

from uuid import UUID

from frontdesk.customers.change import unchanged
from frontdesk.customers.merge_queries import SeenErasure, customer_to_erase
from frontdesk.customers.problems import CustomerProblem
from frontdesk.i18n.texts import NP_, translate
from frontdesk.postgres.act import FunctionCall, Lock
from frontdesk.postgres.write import Look
from frontdesk.problems import Problem, check_version
from frontdesk.values.text import search_key


def look_at_erasure(customer_id: UUID) -> Look[SeenErasure]:
    lock = Lock(
        "SELECT FROM orders WHERE tenant_id = $1 AND customer_id = $2 ORDER BY id FOR NO KEY UPDATE", (customer_id,)
    )
    return Look(customer_to_erase(customer_id), lock)


def plan_erasure(seen: SeenErasure, version: int, language: str) -> FunctionCall:
    """The name that is left is in `language`, the first of the business."""
    if seen.customer.is_erased:
        return unchanged(seen.customer)
    check_version(version, seen.customer.version, seen.customer.id)
    if seen.coming_orders:
        raise Problem(CustomerProblem.HAS_COMING_VISITS)
    name = translate(language, NP_("name", "Erased customer"))
    argument = {"id": seen.customer.id, "version": seen.customer.version, "name": name, "name_search": search_key(name)}
    return FunctionCall("erase_customer", argument)
