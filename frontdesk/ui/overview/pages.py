"""The first page: what today holds."""

from datetime import UTC, datetime

from frontdesk.http.responses import Answer
from frontdesk.orders.queries.today import get_day_figures, list_day_bookings
from frontdesk.ui.shell.context import Visit
from frontdesk.ui.shell.permissions import MEMBERS
from frontdesk.ui.shell.routing import Pages
from frontdesk.values.time import get_zone, local_day_bounds, to_local

pages = Pages()


@pages.get("/", MEMBERS)
async def show_overview(visit: Visit) -> Answer:
    zone = get_zone(visit.business.timezone)
    now = datetime.now(UTC)
    period = local_day_bounds(to_local(now, zone).date(), zone)
    async with visit.connection() as conn:
        bookings = await list_day_bookings(conn, visit.tenant_id, period)
        figures = await get_day_figures(conn, visit.tenant_id, period)
    coming = sum(1 for one in bookings if one.ends > now and one.status != "completed")
    return visit.show("overview.html", bookings=bookings, figures=figures, coming=coming, now=now)
