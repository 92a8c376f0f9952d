"""The read of a write that changes a draft."""

from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from asyncpg import Record

from frontdesk.orders.queries.order_context import OrderInputs, order_context
from frontdesk.orders.queries.order_state import STATE, WHERE, read_state
from frontdesk.orders.types import OrderRequest, OrderState
from frontdesk.postgres.query import Query, found


class DraftToChange(NamedTuple):
    order: OrderState
    inputs: OrderInputs  # for the order that replaces it


def draft_to_change(order_id: UUID, order: OrderRequest, now: datetime) -> Query[DraftToChange]:
    context = order_context(order, now)
    last = f"${len(context.args) + 2}"

    def read(row: Record) -> DraftToChange:
        return DraftToChange(read_state(row), context.result(row))

    return Query(
        f"SELECT {STATE}, seen.* FROM ({context.sql}) seen, orders o WHERE {WHERE.replace('$2', last)}",
        (*context.args, order_id),
        found("order", read),
    )
