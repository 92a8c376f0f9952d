"""The public address of a receipt, which a customer opens without an account."""

from uuid import UUID

from frontdesk.postgres.act import Act, Context, FunctionCall, ResponseDocument
from frontdesk.postgres.query import Query, lock_row
from frontdesk.till.receipt_queries import Receipt, get_receipt


class _ReceiptAct(Act[Receipt], frozen=True):
    order_id: UUID

    def load(self) -> Query[Receipt]:
        return get_receipt(self.order_id).locking(lock_row("orders", self.order_id))


class CreateReceiptLink(_ReceiptAct, frozen=True):
    """An order keeps the address that it was given first."""

    def decide(self, context: Context[Receipt]) -> FunctionCall:
        document = ResponseDocument("receipt_link_document", self.order_id)
        function = None if context.loaded.link_id else "create_receipt_link"
        return FunctionCall(function, {"order_id": self.order_id}, document)


class MailReceipt(_ReceiptAct, frozen=True):
    email: str

    def decide(self, context: Context[Receipt]) -> FunctionCall:
        return FunctionCall("mail_receipt", {"order_id": context.loaded.id, "email": self.email})
