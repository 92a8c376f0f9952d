"""The set-up checklist of a new business: one page a step, in any order. It is gone when all is done."""

from typing import NamedTuple

from frontdesk.http.responses import Response
from frontdesk.tenants.setup_queries import SetupState, get_setup, hide_setup
from frontdesk.ui.shell.context import PageContext
from frontdesk.ui.shell.i18n import N_
from frontdesk.ui.shell.permissions import MANAGERS
from frontdesk.ui.shell.routing import Pages

pages = Pages()


class Step(NamedTuple):
    title: str
    text: str
    act: str
    path: str
    is_done: bool
    is_next: bool


_STEPS = (
    (
        N_("Country, time zone and currency"),
        N_("Check them now: the currency stays after the first sale."),
        N_("Check"),
    ),
    (N_("Opening hours"), N_("When customers can book. Outside them nothing is offered."), N_("Set hours")),
    (N_("First service"), N_("What customers book: a name, a price and a duration."), N_("Add a service")),
    (N_("First provider"), N_("Who does the work. Without one nobody can book."), N_("Add a person")),
    (N_("Payment methods"), N_("How customers pay. Cash and card are there already."), N_("Choose")),
)
_CHOOSE_SERVICES = (
    N_("First provider"),
    N_("Choose the services that this person performs. Without them nobody can book."),
    N_("Choose services"),
)
_PATHS = (
    "/settings/business",
    "/settings/hours",
    "/catalogue/new?type=service",
    "/staff/new",
    "/settings/payment-methods",
)


def setup_steps(state: SetupState) -> list[Step]:
    """The hours of the only branch are entered on their own page; of several, one is chosen first.

    After a person was added, the step of the provider leads to their services.
    """
    hours = f"/settings/hours/{state.branch_id}?setup=yes" if state.branch_id else "/settings/hours"
    paths = [hours if path == "/settings/hours" else path for path in _PATHS]
    texts_of = list(_STEPS)
    if state.idle_staff_id:
        provider = _PATHS.index("/staff/new")
        texts_of[provider] = _CHOOSE_SERVICES
        paths[provider] = f"/staff/{state.idle_staff_id}/services"
    following = next((place for place, done in enumerate(state.steps) if not done), None)
    return [
        Step(*texts, path, done, place == following)
        for place, (texts, path, done) in enumerate(zip(texts_of, paths, state.steps, strict=True))
    ]


@pages.get("/setup", MANAGERS)
async def show_setup(context: PageContext) -> Response:
    async with context.connection() as conn:
        state = await get_setup(conn, context.tenant_id)
        if state.is_done:
            await hide_setup(conn, context.tenant_id, context.actor, is_done=True)
            return context.redirect(
                "/settings/booking-page", flash=N_("Your business is set up. Customers book at this address.")
            )
    return context.render("setup.html", steps=setup_steps(state), state=state)


@pages.post("/setup/hide", MANAGERS)
async def submit_hide(context: PageContext) -> Response:
    async with context.connection() as conn:
        await hide_setup(conn, context.tenant_id, context.actor, is_done=False)
    return context.redirect("/", flash=N_("The list is hidden. Every step is also in the settings."))
