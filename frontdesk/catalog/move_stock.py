"""Changing the stock of a product by hand."""

from typing import Literal
from uuid import UUID

from frontdesk.catalog.edit_queries import StockToMove, stock_to_move
from frontdesk.catalog.problems import CatalogProblem
from frontdesk.postgres.act import Act, Context, FunctionCall, ResponseDocument
from frontdesk.postgres.query import Query, lock_row
from frontdesk.problems import Problem, not_found

MAX_UNITS = 1_000_000
ManualReason = Literal["delivery", "correction", "loss", "opening", "uncounted"]


class MoveStock(Act[StockToMove], frozen=True):
    """A delivery adds `quantity`, a loss takes it; a correction and an opening say what was counted.

    With "uncounted" the product and its options are no longer counted.
    """

    item_id: UUID
    option_id: UUID | None
    reason: ManualReason
    quantity: int
    note: str | None

    def load(self) -> Query[StockToMove]:
        return stock_to_move(self.item_id).locking(lock_row("items", self.item_id))

    def decide(self, context: Context[StockToMove]) -> FunctionCall:
        loaded, option_id = context.loaded, self.option_id
        document = ResponseDocument("item_document", self.item_id)
        if loaded.stock is None and not loaded.options:
            raise not_found("product")
        if self.reason == "uncounted":
            argument = {"item_id": self.item_id, "reason": "correction", "note": self.note, "uncounted": True}
            return FunctionCall("move_stock", argument, document)
        if (option_id is None) == bool(loaded.options) or (option_id is not None and option_id not in loaded.options):
            raise Problem(CatalogProblem.OPTION_REQUIRED, "option_id")
        left = (loaded.stock or 0) if option_id is None else loaded.options[option_id]
        argument = {"item_id": self.item_id, "option_id": option_id, "reason": self.reason, "note": self.note}
        return FunctionCall("move_stock", {**argument, **self._change(left)}, document)

    def _change(self, left: int) -> dict[str, int]:
        is_counted = self.reason in ("correction", "opening")
        least = 0 if is_counted else 1
        if not least <= self.quantity <= MAX_UNITS:
            raise Problem(CatalogProblem.WRONG_NUMBER, "quantity", least=least, most=MAX_UNITS)
        if self.reason == "loss" and self.quantity > left:
            raise Problem(CatalogProblem.ABOVE_STOCK, "quantity", left=left)
        if is_counted:
            return {"counted": self.quantity}
        return {"units": self.quantity if self.reason == "delivery" else -self.quantity}
