"""Pins items and packages to the top of the till."""

from uuid import UUID

from frontdesk.catalog.edit_queries import entry_to_pin
from frontdesk.postgres.act import Act, Context, FunctionCall, ResponseDocument
from frontdesk.postgres.query import Query


class PinToTill(Act[UUID], frozen=True):
    """An item or a package."""

    entry_id: UUID
    pinned: bool

    def load(self) -> Query[UUID]:
        return entry_to_pin(self.entry_id)

    def decide(self, context: Context[UUID]) -> FunctionCall:
        response = ResponseDocument("pinned_item_document", self.entry_id) if self.pinned else None
        return FunctionCall("pin_to_till", {"id": self.entry_id, "pinned": self.pinned}, response)
