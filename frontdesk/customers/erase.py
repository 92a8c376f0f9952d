"""Erasing what is personal about a customer, on the customer's request."""

from uuid import UUID

from frontdesk.customers.change import unchanged
from frontdesk.customers.merge_queries import CustomerToErase, customer_to_erase, lock_orders_of
from frontdesk.customers.problems import CustomerProblem
from frontdesk.i18n.texts import NP_, translate
from frontdesk.postgres.act import Act, Context, FunctionCall
from frontdesk.postgres.query import Query
from frontdesk.problems import Problem, check_version
from frontdesk.values.text import search_key


class EraseCustomer(Act[CustomerToErase], frozen=True):
    """The name that is left is in the first language of the business."""

    customer_id: UUID
    version: int

    def load(self) -> Query[CustomerToErase]:
        return customer_to_erase(self.customer_id).locking(lock_orders_of(self.customer_id))

    def decide(self, context: Context[CustomerToErase]) -> FunctionCall:
        customer = context.loaded.customer
        if customer.is_erased:
            return unchanged(customer)
        check_version(self.version, customer.version, customer.id)
        if context.loaded.upcoming_orders:
            raise Problem(CustomerProblem.HAS_UPCOMING_VISITS)
        name = translate(context.tenant.languages[0], NP_("name", "Erased customer"))
        argument = {"id": customer.id, "version": customer.version, "name": name, "name_search": search_key(name)}
        return FunctionCall("erase_customer", argument)
