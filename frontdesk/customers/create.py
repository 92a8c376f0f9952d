"""Creating a customer."""

from uuid import UUID

from frontdesk.customers.queries import PHONE_IN_USE, customer_argument
from frontdesk.customers.types import NewCustomer
from frontdesk.postgres.act import FunctionCall, ResponseDocument
from frontdesk.values.ids import uuid7


def plan_customer(new: NewCustomer, customer_id: UUID | None = None) -> FunctionCall:
    customer_id = customer_id or uuid7()
    argument = {"id": customer_id, **customer_argument(new)}
    return FunctionCall(
        "create_customer", argument, ResponseDocument("customer_document", customer_id), errors=PHONE_IN_USE
    )
