"""Tags, notes and consent of a customer."""

from types import MappingProxyType
from uuid import UUID

from frontdesk.customers.change import AnsweringCustomerAct, CustomerAct, check_not_erased
from frontdesk.customers.queries import CustomerToChange
from frontdesk.customers.types import ConsentChannel
from frontdesk.postgres.act import Context, FunctionCall
from frontdesk.postgres.write import OUTDATED
from frontdesk.problems import not_found
from frontdesk.values.ids import uuid7
from frontdesk.values.text import search_key

_NO_NOTE = MappingProxyType({OUTDATED: lambda: not_found("note")})


class TagCustomer(AnsweringCustomerAct, frozen=True):
    """A tag that does not exist is created."""

    name: str

    def decide(self, context: Context[CustomerToChange]) -> FunctionCall:
        check_not_erased(context.loaded)
        name_folded = search_key(self.name)
        argument = {"id": self.customer_id, "tag_id": uuid7(), "name": self.name, "name_folded": name_folded}
        return FunctionCall("tag_customer", argument, self.answer())


class UntagCustomer(CustomerAct, frozen=True):
    tag_id: UUID

    def decide(self, context: Context[CustomerToChange]) -> FunctionCall:
        return FunctionCall("untag_customer", {"id": self.customer_id, "tag_id": self.tag_id})


class AddCustomerNote(CustomerAct, frozen=True):
    text: str
    is_warning: bool

    def decide(self, context: Context[CustomerToChange]) -> FunctionCall:
        check_not_erased(context.loaded)
        argument = {"id": self.customer_id, "note_id": uuid7(), "text": self.text, "is_warning": self.is_warning}
        return FunctionCall("add_customer_note", argument)


class ChangeCustomerNote(CustomerAct, frozen=True):
    note_id: UUID
    is_warning: bool

    def decide(self, context: Context[CustomerToChange]) -> FunctionCall:
        argument = {"id": self.customer_id, "note_id": self.note_id, "is_warning": self.is_warning}
        return FunctionCall("change_customer_note", argument, errors=_NO_NOTE)


class DeleteCustomerNote(CustomerAct, frozen=True):
    note_id: UUID

    def decide(self, context: Context[CustomerToChange]) -> FunctionCall:
        argument = {"id": self.customer_id, "note_id": self.note_id}
        return FunctionCall("change_customer_note", argument, errors=_NO_NOTE)


class RecordConsent(CustomerAct, frozen=True):
    how: ConsentChannel

    def decide(self, context: Context[CustomerToChange]) -> FunctionCall:
        check_not_erased(context.loaded)
        argument = {"id": self.customer_id, "consent_id": uuid7(), "how": self.how}
        return FunctionCall("change_customer_consent", argument)


class WithdrawConsent(CustomerAct, frozen=True):
    def decide(self, context: Context[CustomerToChange]) -> FunctionCall:
        return FunctionCall("change_customer_consent", {"id": self.customer_id})
