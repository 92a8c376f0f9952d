"""The days of the booking page as they are read: the catalog, the calendars of the providers, and what is held."""

from datetime import date, datetime
from typing import NamedTuple
from uuid import UUID

from frontdesk.orders.queries.order_context import OrderInputs
from frontdesk.orders.types import OrderRequest
from frontdesk.postgres.pool import Connection
from frontdesk.postgres.query import fetch
from frontdesk.scheduling.hold_queries import Holds, live_holds
from frontdesk.scheduling.online import OpenTimes, days_inputs, online_order, start_of
from frontdesk.ui.booking_page.choice import Choice
from frontdesk.ui.booking_page.context import PublicContext
from frontdesk.values.clock import current_time


class ReadDays(NamedTuple):
    order: OrderRequest
    inputs: OrderInputs
    holds: Holds
    now: datetime

    def times(self, context: PublicContext) -> OpenTimes:
        return OpenTimes(context.tenant, self.order, self.inputs, self.holds, context.business.rules, self.now)


async def read_days(
    context: PublicContext, conn: Connection, branch_id: UUID, choice: Choice, form_id: UUID, first: date, days: int
) -> ReadDays:
    """What the form itself holds is free for it."""
    now = current_time()
    order = online_order(branch_id, [picked.line for picked in choice.services], start_of(first, "00:00"))
    inputs = await fetch(conn, context.tenant_id, days_inputs(order, now, first, days))
    holds: Holds = await fetch(conn, context.tenant_id, live_holds(form_id))
    return ReadDays(order, inputs, holds, now)
