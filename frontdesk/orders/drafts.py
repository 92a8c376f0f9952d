"""Changing a draft, and turning it into an order with payments in one step."""

from collections.abc import Callable, Sequence
from uuid import UUID

import msgspec

from frontdesk.orders.create import build_order, failure_of
from frontdesk.orders.new_lines import by_author
from frontdesk.orders.new_order import NewOrder, Tip
from frontdesk.orders.problems import OrderProblem
from frontdesk.orders.queries.draft import DraftToChange, draft_to_change
from frontdesk.orders.queries.order_context import OrderInputs
from frontdesk.orders.queries.order_state import lock_resources
from frontdesk.orders.types import LineType, OrderRequest, Status
from frontdesk.postgres.act import Act, Context, FunctionCall, ResponseDocument
from frontdesk.postgres.query import Query
from frontdesk.problems import Problem
from frontdesk.values.actor import Author, author_of
from frontdesk.values.clock import current_time


class _VersionedOrder(NewOrder, frozen=True, kw_only=True):
    version: int
    discount_by: Author | None


def as_done(order: NewOrder) -> NewOrder:
    """Products that are paid are handed over, so nothing is left to do."""
    if any(line.type is not LineType.PRODUCT for line in order.lines):
        return order
    return msgspec.structs.replace(order, status=Status.COMPLETED)


class ChangeDraft(Act[DraftToChange], frozen=True):
    """With `order.draft` the draft is only replaced; otherwise it is also confirmed and its payments are recorded.

    Products that are paid `at_till` are handed over at once.
    """

    order_id: UUID
    order: OrderRequest
    tips: Sequence[Tip] = ()
    at_till: bool = False
    on_account: bool = False

    def load(self) -> Query[DraftToChange]:
        return draft_to_change(self.order_id, self.order, current_time()).locking(
            lock_resources(self.order_id, self.order.lines)
        )

    def decide(self, context: Context[DraftToChange]) -> FunctionCall:
        if self.order.draft and self.order.payments:
            raise Problem(OrderProblem.DRAFT_WITH_PAYMENTS)
        draft, inputs, now = context.loaded.order, context.loaded.inputs, current_time()
        if draft.status is not Status.DRAFT:
            raise Problem(OrderProblem.NOT_A_DRAFT, "status")
        catalog = msgspec.structs.replace(inputs.context, branches=[*inputs.context.branches, draft.branch_id])
        new = build_order(
            context.tenant,
            self.order._replace(branch_id=draft.branch_id),
            OrderInputs(catalog, inputs.schedules),
            draft.id,
            now,
        )
        if self.at_till:
            new = as_done(new)
        author = author_of(context.actor, now)
        fields = {
            "tips": self.tips,
            "on_account": self.on_account,
            "lines": [by_author(line, author) for line in new.lines],
        }
        argument = _VersionedOrder(
            **msgspec.structs.asdict(new) | fields,
            version=draft.version,
            discount_by=author if new.discount else None,
        )
        function = "replace_draft" if self.order.draft else "finish_draft"
        document = ResponseDocument("pos_order_document", draft.id)
        return FunctionCall(function, argument, document, failure=self.failure())

    def failure(self) -> Callable[[], Problem] | None:
        return failure_of(self.order)
