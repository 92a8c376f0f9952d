"""Creating a customer."""

from uuid import UUID

from frontdesk.customers.queries import PHONE_IN_USE, customer_argument
from frontdesk.customers.types import NewCustomer
from frontdesk.postgres.write import Call, Document
from frontdesk.values.ids import uuid7


def plan_customer(new: NewCustomer, customer_id: UUID | None = None) -> Call:
    customer_id = customer_id or uuid7()
    argument = {"id": customer_id, **customer_argument(new)}
    return Call("create_customer", argument, Document("customer_document", customer_id), errors=PHONE_IN_USE)
