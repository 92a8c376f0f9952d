"""Creating a customer."""

from uuid import UUID

import msgspec

from frontdesk.customers.queries import PHONE_IN_USE, customer_argument
from frontdesk.customers.types import NewCustomer
from frontdesk.postgres.act import ActWithoutLoad, Context, FunctionCall, ResponseDocument
from frontdesk.values.ids import uuid7


class CreateCustomer(ActWithoutLoad, frozen=True):
    customer: NewCustomer
    customer_id: UUID = msgspec.field(default_factory=uuid7)

    def decide(self, context: Context[None]) -> FunctionCall:
        argument = {"id": self.customer_id, **customer_argument(self.customer)}
        document = ResponseDocument("customer_document", self.customer_id)
        return FunctionCall("create_customer", argument, document, errors=PHONE_IN_USE)
