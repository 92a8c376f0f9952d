"""What the five steps of the start share: their order, the branch that they are about, and the page beside them."""

import msgspec

from frontdesk.booking_page.queries import tenant_booking_page
from frontdesk.http.responses import Response
from frontdesk.i18n.texts import N_
from frontdesk.postgres.query import fetch
from frontdesk.tenants.setup_queries import SetupState, get_setup
from frontdesk.tenants.trades import Trade, get_trade
from frontdesk.tenants.usual import usual_price
from frontdesk.ui.components.look.shown_services import MAX_SHOWN, ShownService, first_services
from frontdesk.ui.shell.context import PageContext

PATH = "/setup"
SEVERAL_BRANCHES = N_("There are several branches already. Each has its own hours, services and staff.")
STEPS = (
    ("business", N_("Business")),
    ("services", N_("Services")),
    ("team", N_("Team")),
    ("place", N_("Place and VAT")),
    ("look", N_("Look and address")),
)


class TradeQuery(msgspec.Struct):
    kind: str = ""  # the key of a trade


def trade_of(context: PageContext, query: TradeQuery | None) -> Trade:
    """From the address, or from the form that is shown again."""
    return get_trade(query.kind if query else context.form.value("kind"))


def step_path(key: str, trade: Trade) -> str:
    return f"{PATH}/{key}?kind={trade.key}"


async def read_state(context: PageContext) -> SetupState:
    return await context.call(get_setup, context.tenant_id)


async def render_step(context: PageContext, key: str, trade: Trade, state: SetupState, **values: object) -> Response:
    """The steps are about one branch. With several, each part of the set-up has its page."""
    if state.branch_id is None:
        return context.redirect(PATH, flash=SEVERAL_BRANCHES)
    async with context.connection() as conn:
        page = await fetch(conn, context.tenant_id, tenant_booking_page())
        services = await first_services(context, conn)
    values |= {
        "steps": STEPS,
        "step": key,
        "number": [name for name, _ in STEPS].index(key) + 1,
        "trade": trade,
        "state": state,
        "page": page,
        "services": services or _usual_services(context, trade),
    }
    return context.render(f"start_{key}.html", 200, **values)


def _usual_services(context: PageContext, trade: Trade) -> list[ShownService]:
    currency = context.tenant.currency
    return [
        ShownService(context.translate(service.name), service.minutes, usual_price(service.riyals, currency))
        for service in trade.services[:MAX_SHOWN]
    ]
