"""The overview: today's bookings and figures."""

from datetime import UTC, datetime

from frontdesk.http.responses import Response
from frontdesk.orders.queries.today import get_day_figures, list_day_bookings
from frontdesk.ui.shell.context import PageContext
from frontdesk.ui.shell.permissions import ANY_ROLE
from frontdesk.ui.shell.routing import Pages
from frontdesk.values.time import get_zone, local_day_bounds, to_local

pages = Pages()


@pages.get("/", ANY_ROLE)
async def show_overview(context: PageContext) -> Response:
    zone = get_zone(context.tenant.timezone)
    now = datetime.now(UTC)
    period = local_day_bounds(to_local(now, zone).date(), zone)
    async with context.connection() as conn:
        bookings = await list_day_bookings(conn, context.tenant_id, period)
        figures = await get_day_figures(conn, context.tenant_id, period)
    upcoming = sum(1 for booking in bookings if booking.ends > now and booking.status != "completed")
    return context.render("overview.html", bookings=bookings, figures=figures, upcoming=upcoming, now=now)
