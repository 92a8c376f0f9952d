"""The overview: today's bookings and figures."""

from datetime import UTC, datetime, timedelta

from frontdesk.auth.types import Role
from frontdesk.http.responses import Response
from frontdesk.orders.queries.today import DayBooking, get_day_figures, list_day_bookings
from frontdesk.postgres.pool import Connection
from frontdesk.tenants.setup_queries import SetupState, get_setup
from frontdesk.ui.setup.pages import setup_steps
from frontdesk.ui.shell.context import PageContext
from frontdesk.ui.shell.permissions import ANY_ROLE
from frontdesk.ui.shell.routing import Pages
from frontdesk.values.time import get_zone, local_day_bounds, to_local

pages = Pages()


@pages.get("/start", ANY_ROLE)
async def show_first_page(context: PageContext) -> Response:
    """Who books begins with the calendar, who sells with the till, and who sets up the business with what is left."""
    if context.is_manager and not context.current_tenant.is_set_up:
        return context.redirect("/")
    return context.redirect("/till" if context.role is Role.CASHIER else "/calendar")


@pages.get("/", ANY_ROLE)
async def show_overview(context: PageContext) -> Response:
    if context.role is Role.PROVIDER:
        return await _show_own_day(context)
    now = datetime.now(UTC)
    period = _day_of(context, now)
    async with context.connection() as conn:
        bookings = await list_day_bookings(conn, context.tenant_id, period, context.names_language)
        figures = await get_day_figures(conn, context.tenant_id, period)
        state = await _find_setup(context, conn)
    upcoming = sum(1 for booking in bookings if booking.ends > now and booking.status != "completed")
    return context.render(
        "overview.html",
        bookings=bookings,
        figures=figures,
        upcoming=upcoming,
        now=now,
        steps=setup_steps(state) if state else [],
        state=state,
    )


async def _find_setup(context: PageContext, conn: Connection) -> SetupState | None:
    """Of a business that is not set up, for those who can do its steps."""
    if context.current_tenant.is_set_up or not context.is_manager:
        return None
    state = await get_setup(conn, context.tenant_id)
    return None if state.is_done else state


async def _show_own_day(context: PageContext) -> Response:
    """A provider sees their own bookings of today and tomorrow, without amounts."""
    now, staff_id, language = datetime.now(UTC), context.current_tenant.staff_id, context.names_language
    days: list[tuple[datetime, list[DayBooking]]] = []
    async with context.connection() as conn:
        for moment in (now, now + timedelta(days=1)):
            period = _day_of(context, moment)
            own = await list_day_bookings(conn, context.tenant_id, period, language, staff_id) if staff_id else []
            days.append((moment, own))
    return context.render("own_day.html", days=days, now=now, is_staff=staff_id is not None)


def _day_of(context: PageContext, moment: datetime) -> tuple[datetime, datetime]:
    zone = get_zone(context.tenant.timezone)
    return local_day_bounds(to_local(moment, zone).date(), zone)
