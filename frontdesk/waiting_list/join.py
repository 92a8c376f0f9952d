"""A customer puts themselves on the waiting list, on the public page."""

from uuid import UUID

import msgspec

from frontdesk.customers.queries import PHONE_IN_USE, customer_argument
from frontdesk.customers.types import NewCustomer
from frontdesk.postgres.act import NO_ERRORS, Act, Context, FunctionCall
from frontdesk.postgres.query import Query
from frontdesk.problems import Problem, raise_all
from frontdesk.values.ids import uuid7
from frontdesk.waiting_list.problems import WaitingProblem
from frontdesk.waiting_list.queries import WaitingChoices, waiting_choices
from frontdesk.waiting_list.save import request_problems
from frontdesk.waiting_list.types import WaitingRequest

MAX_SERVICES = 3  # the form of the front desk has as many


class JoinWaitingList(Act[WaitingChoices], frozen=True):
    """Who waits already may join again: the answer must not tell a stranger who waits for what."""

    request: WaitingRequest
    entry_id: UUID
    customer_id: UUID | None  # None: a new one
    new_customer: NewCustomer | None
    language: str

    def load(self) -> Query[WaitingChoices]:
        return waiting_choices(None, self.customer_id, self.request)

    def decide(self, context: Context[WaitingChoices]) -> FunctionCall:
        if self.customer_id is not None and context.loaded.customer_blocked is None:
            raise Problem(WaitingProblem.UNKNOWN_CUSTOMER, "customer")
        choices = context.loaded._replace(waits_already=False)
        raise_all(list(request_problems(context.tenant, choices, self.request)))
        customer, customer_id = None, self.customer_id
        if self.new_customer is not None:
            customer_id = uuid7()
            customer = {"id": customer_id, **customer_argument(self.new_customer)}
        entry = {"id": self.entry_id, "customer_id": customer_id, **msgspec.structs.asdict(self.request)}
        argument = {"entry": entry, "customer": customer, "language": self.language}
        return FunctionCall("join_waiting_list", argument, errors=PHONE_IN_USE if customer else NO_ERRORS)
