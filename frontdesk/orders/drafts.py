"""Changing a draft, and turning it into an order with payments in one step."""

from collections.abc import Sequence
from datetime import UTC, datetime
from uuid import UUID

import msgspec

from frontdesk.orders.create import build_order, failure_of
from frontdesk.orders.problems import OrderProblem
from frontdesk.orders.queries.draft import DraftToChange, draft_to_change
from frontdesk.orders.queries.order_context import SeenOrder
from frontdesk.orders.queries.order_state import lock_resources
from frontdesk.orders.types import LineType, NewOrder, OrderRequest, Status, Tip
from frontdesk.postgres.act import FunctionCall, ResponseDocument
from frontdesk.postgres.write import Look
from frontdesk.problems import Problem
from frontdesk.values.tenant_context import TenantContext


class _VersionedOrder(NewOrder, frozen=True, kw_only=True):
    version: int


def look_at_draft(order_id: UUID, order: OrderRequest) -> Look[DraftToChange]:
    return Look(
        draft_to_change(order_id, order, datetime.now(UTC)), lock_resources(order_id, order.lines), failure_of(order)
    )


def as_done(order: NewOrder) -> NewOrder:
    """Products that are paid are handed over, so nothing is left to do."""
    if any(line.type is not LineType.PRODUCT for line in order.lines):
        return order
    return msgspec.structs.replace(order, status=Status.COMPLETED)


def plan_draft(
    tenant: TenantContext, order: OrderRequest, seen: DraftToChange, tips: Sequence[Tip] = (), *, at_till: bool = False
) -> FunctionCall:
    """With `order.draft` the draft is only replaced; otherwise it is also confirmed and its payments are recorded.

    Products that are paid `at_till` are handed over at once.
    """
    if order.draft and order.payments:
        raise Problem(OrderProblem.DRAFT_WITH_PAYMENTS)
    state = seen.order
    if state.status is not Status.DRAFT:
        raise Problem(OrderProblem.NOT_A_DRAFT, "status")
    context = msgspec.structs.replace(seen.seen.context, branches=[*seen.seen.context.branches, state.branch_id])
    new = build_order(
        tenant,
        order._replace(branch_id=state.branch_id),
        SeenOrder(context, seen.seen.schedules),
        state.id,
        datetime.now(UTC),
    )
    if at_till:
        new = as_done(new)
    argument = _VersionedOrder(**msgspec.structs.asdict(new) | {"tips": tips}, version=state.version)
    function = "replace_draft" if order.draft else "finish_draft"
    return FunctionCall(function, argument, ResponseDocument("pos_order_document", state.id), failure=failure_of(order))
