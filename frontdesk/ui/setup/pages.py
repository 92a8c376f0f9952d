"""The set-up checklist of a new business: one page for each step, in any order. It disappears when all are done."""

from typing import NamedTuple

from babel import Locale
from babel.numbers import get_currency_name

from frontdesk.booking_page.queries import tenant_booking_page
from frontdesk.catalog.list_queries import list_catalogue
from frontdesk.catalog.page_types import CatalogueFilter, CatalogueRow
from frontdesk.http.responses import Response
from frontdesk.i18n.texts import N_
from frontdesk.postgres.pool import Connection
from frontdesk.postgres.query import fetch
from frontdesk.staff.hour_types import WeeklyHours
from frontdesk.tenants.setup_queries import SetupState, get_setup, hide_setup
from frontdesk.ui.components.staff_labels import WEEKDAYS
from frontdesk.ui.setup.week_summary import MAX_RUNS, DayRun, day_runs
from frontdesk.ui.shell.context import PageContext
from frontdesk.ui.shell.permissions import MANAGERS
from frontdesk.ui.shell.routing import Pages
from frontdesk.values.clock import current_time
from frontdesk.values.pagination import PageRequest
from frontdesk.values.time import get_zone

pages = Pages()


class Step(NamedTuple):
    key: str
    title: str
    text: str  # of a step that is not done; what was entered is written by the template
    act: str
    path: str
    is_done: bool = False
    is_next: bool = False


class Place(NamedTuple):
    """What the first step shows."""

    country: str
    city: str
    offset: str
    currency: str
    decimals: int


class Checklist(NamedTuple):
    steps: list[Step]
    state: SetupState
    place: Place
    week: list[DayRun]  # empty: too many different days for a sentence
    service: CatalogueRow | None  # the first one
    weekdays: tuple[str, ...] = WEEKDAYS

    @property
    def done(self) -> int:
        return sum(step.is_done for step in self.steps)

    @property
    def minutes_left(self) -> int:
        """A step takes about a minute the first time."""
        return sum(not step.is_done for step in self.steps)

    @property
    def waits_for(self) -> list[Step]:
        """What is missing until customers can book."""
        return [step for step in self.steps if step.key in _NEEDED_TO_BOOK and not step.is_done]


_STEPS = (
    Step(
        "details",
        N_("Country, time zone and currency"),
        N_("Check them now: the currency stays after the first sale."),
        N_("Check"),
        "/settings/business",
    ),
    Step(
        "hours",
        N_("Opening hours"),
        N_("When customers can book. Outside them nothing is offered."),
        N_("Set hours"),
        "/settings/hours",
    ),
    Step(
        "service",
        N_("First service"),
        N_("What customers book: a name, a price and a duration."),
        N_("Add a service"),
        "/catalogue/new?type=service",
    ),
    Step(
        "provider",
        N_("First provider"),
        N_("Who does the work. Without one nobody can book."),
        N_("Add a person"),
        "/staff/new",
    ),
    Step(
        "payment_methods",
        N_("Payment methods"),
        N_("How customers pay. Cash and card are there already."),
        N_("Choose"),
        "/settings/payment-methods",
    ),
)
_NEEDED_TO_BOOK = {"hours", "service", "provider"}


async def read_checklist(context: PageContext, conn: Connection, state: SetupState) -> Checklist:
    services = CatalogueFilter(("service",), is_active=True)
    found = await fetch(conn, context.tenant_id, list_catalogue(services, PageRequest(1, 1)))
    next_step = next((step for step, done in zip(_STEPS, state.steps, strict=True) if not done), None)
    steps = [
        _with_path(step, state)._replace(is_done=done, is_next=step is next_step)
        for step, done in zip(_STEPS, state.steps, strict=True)
    ]
    hours = WeeklyHours(state.hours.all_time, state.hours.intervals) if state.hours else None
    runs = day_runs(hours) if hours else []
    week = runs if len(runs) <= MAX_RUNS else []
    return Checklist(steps, state, _place(context, state), week, found.rows[0].read() if found.rows else None)


def _with_path(step: Step, state: SetupState) -> Step:
    """The hours of the only branch are entered on their own page; of several, one is chosen first.

    After a person was added, the step of the provider leads to their services.
    """
    if step.key == "hours" and state.branch_id:
        return step._replace(path=f"/settings/hours/{state.branch_id}?setup=yes")
    if step.key == "provider" and not state.providers and state.idle_staff_id:
        return step._replace(
            text=N_("Choose the services that this person performs. Without them nobody can book."),
            act=N_("Choose services"),
            path=f"/staff/{state.idle_staff_id}/services",
        )
    return step


def _place(context: PageContext, state: SetupState) -> Place:
    tenant, language = context.tenant, context.language
    zone = context.format.zone(tenant.timezone)
    offset = current_time().astimezone(get_zone(tenant.timezone)).strftime("%z")
    hours = f"{offset[0]}{int(offset[1:3])}" + (f":{offset[3:]}" if offset[3:] != "00" else "")
    return Place(
        Locale(language).territories.get(state.country or "", ""),
        zone.rpartition("/")[2],
        "UTC" if hours == "+0" else f"UTC{hours}".replace("-", "\N{MINUS SIGN}"),
        get_currency_name(tenant.currency, locale=language),
        tenant.currency_decimals,
    )


@pages.get("/setup", MANAGERS)
async def show_setup(context: PageContext) -> Response:
    async with context.connection() as conn:
        state = await get_setup(conn, context.tenant_id)
        if state.is_done:
            await hide_setup(conn, context.tenant_id, context.actor, is_done=True)
            return context.redirect(
                "/settings/booking-page", flash=N_("Your business is set up. Customers book at this address.")
            )
        page = await fetch(conn, context.tenant_id, tenant_booking_page())
        checklist = await read_checklist(context, conn, state)
    return context.render("setup.html", checklist=checklist, page=page)


@pages.post("/setup/hide", MANAGERS)
async def submit_hide(context: PageContext) -> Response:
    await context.call(hide_setup, context.tenant_id, context.actor, is_done=False)
    return context.redirect("/", flash=N_("The list is hidden. Every step is also in the settings."))
