"""Who may sell at another price than the catalog's."""

from frontdesk.errors import invalid
from frontdesk.orders.queries.till import find_held_sale
from frontdesk.postgres.pool import Connection
from frontdesk.postgres.query import fetch
from frontdesk.ui.shell.context import PageContext
from frontdesk.ui.shell.i18n import N_
from frontdesk.ui.shell.permissions import MANAGERS
from frontdesk.ui.till.state import TillState


async def check_prices(context: PageContext, conn: Connection, state: TillState) -> None:
    """Owners and managers; a cashier may sell at a price that one of them has held."""
    priced = {(line.item_id, line.price) for line in state.lines if line.price is not None}
    if not priced or context.has_access(MANAGERS):
        return
    held = await fetch(conn, context.tenant_id, find_held_sale(state.order)) if state.order else None
    known = {(line.item_id, line.price) for line in held.lines} if held and held.status == "draft" else set()
    if not priced <= known:
        raise invalid({"price": [N_("Only owners and managers can change a price.")]})
