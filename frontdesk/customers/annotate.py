"""Tags, notes and consent of a customer."""

from uuid import UUID

from frontdesk.customers.change import AnsweringCustomerAct, CustomerAct, check_not_erased
from frontdesk.customers.note_queries import NoteToChange, lock_customer_of, note_to_change
from frontdesk.customers.queries import CustomerToChange
from frontdesk.customers.types import ConsentChannel
from frontdesk.postgres.act import Act, Context, FunctionCall, ResponseDocument
from frontdesk.postgres.query import Query
from frontdesk.problems import check_version
from frontdesk.values.ids import uuid7
from frontdesk.values.text import search_key

_NOTE = "customer_note_document"


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
        note_id = uuid7()
        argument = {"id": self.customer_id, "note_id": note_id, "text": self.text, "is_warning": self.is_warning}
        return FunctionCall("add_customer_note", argument, ResponseDocument(_NOTE, note_id))


class _NoteAct(Act[NoteToChange], frozen=True, kw_only=True):
    customer_id: UUID | None = None  # None: of whichever customer it is

    def note_to_change(self, note_id: UUID) -> Query[NoteToChange]:
        return note_to_change(note_id, self.customer_id).locking(lock_customer_of(note_id))


class ChangeCustomerNote(_NoteAct, frozen=True):
    note_id: UUID
    is_warning: bool
    version: int | None = None

    def load(self) -> Query[NoteToChange]:
        return self.note_to_change(self.note_id)

    def decide(self, context: Context[NoteToChange]) -> FunctionCall:
        note, answer = context.loaded, ResponseDocument(_NOTE, self.note_id)
        check_version(self.version, note.version, note.customer_id)
        if note.is_warning == self.is_warning:
            return FunctionCall(None, None, answer)
        argument = {
            "id": note.customer_id,
            "note_id": self.note_id,
            "is_warning": self.is_warning,
            "version": note.version,
        }
        return FunctionCall("change_customer_note", argument, answer)


class DeleteCustomerNote(_NoteAct, frozen=True):
    note_id: UUID

    def load(self) -> Query[NoteToChange]:
        return self.note_to_change(self.note_id)

    def decide(self, context: Context[NoteToChange]) -> FunctionCall:
        return FunctionCall("change_customer_note", {"id": context.loaded.customer_id, "note_id": self.note_id})


class RecordConsent(CustomerAct, frozen=True):
    how: ConsentChannel

    def decide(self, context: Context[CustomerToChange]) -> FunctionCall:
        check_not_erased(context.loaded)
        argument = {"id": self.customer_id, "consent_id": uuid7(), "how": self.how}
        return FunctionCall("change_customer_consent", argument)


class WithdrawConsent(CustomerAct, frozen=True):
    def decide(self, context: Context[CustomerToChange]) -> FunctionCall:
        return FunctionCall("change_customer_consent", {"id": self.customer_id})
