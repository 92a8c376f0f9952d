"""The second step of the start: services that are usual for such a business, to change and to take."""

from collections.abc import Iterator
from typing import Annotated, NamedTuple
from uuid import UUID

import msgspec
from msgspec import Meta

from frontdesk.catalog.changes import ItemEntry, PriceEntry
from frontdesk.catalog.save_item import SaveItem
from frontdesk.catalog.types import ItemType
from frontdesk.http.field_types import EnteredAmount, EnteredMinutes, FilterText
from frontdesk.http.responses import Response
from frontdesk.i18n.texts import N_, translate
from frontdesk.problems import Problem, raise_all
from frontdesk.tenants.setup_queries import SetupState
from frontdesk.tenants.trades import Trade, get_trade
from frontdesk.tenants.usual import usual_price
from frontdesk.ui.setup.start import PATH, SEVERAL_BRANCHES, TradeQuery, read_state, render_step, step_path, trade_of
from frontdesk.ui.shell.context import PageContext
from frontdesk.ui.shell.form_idempotency import submit
from frontdesk.ui.shell.permissions import MANAGERS
from frontdesk.ui.shell.problems import page_problem
from frontdesk.ui.shell.routing import Pages
from frontdesk.values.ids import uuid7
from frontdesk.values.money import format_amount
from frontdesk.values.text import by_language

pages = Pages()
_OWN_ROWS = 2  # empty ones, for services that are not proposed
_MAX_ROWS = 20
_Rows = Meta(max_length=_MAX_ROWS)


class TakeServicesForm(msgspec.Struct):
    """`name_en`, `name_ar`, `minutes` and `price` have the same order; `take` has the rows that are ticked."""

    id: UUID
    kind: str = ""
    take: Annotated[list[Annotated[int, Meta(ge=0, lt=_MAX_ROWS)]], _Rows] = []
    name_en: Annotated[list[FilterText], _Rows] = []
    name_ar: Annotated[list[FilterText], _Rows] = []
    minutes: Annotated[list[EnteredMinutes | None], _Rows] = []
    price: Annotated[list[EnteredAmount | None], _Rows] = []


class ServiceRow(NamedTuple):
    is_taken: bool = False
    name_en: str = ""
    name_ar: str = ""
    minutes: str = ""
    price: str = ""


@pages.get(f"{PATH}/services", MANAGERS)
async def show_services(context: PageContext, query: TradeQuery | None = None) -> Response:
    state = await read_state(context)
    trade = trade_of(context, query)
    return await render_step(context, "services", trade, state, rows=_rows(context, trade, state), form_id=uuid7())


def _rows(context: PageContext, trade: Trade, state: SetupState) -> list[ServiceRow]:
    """What was sent, or what is proposed: ticked for a business that has no service yet."""
    sent = context.form.values
    if sent:
        columns = [sent.get(name, []) for name in ("name_en", "name_ar", "minutes", "price")]
        taken = sent.get("take", [])
        return [ServiceRow(str(n) in taken, *row) for n, row in enumerate(zip(*columns, strict=False))]
    tenant = context.tenant
    proposed = [
        ServiceRow(
            state.services == 0,
            translate("en", service.name),
            translate("ar", service.name) if "ar" in tenant.languages else "",
            str(service.minutes),
            format_amount(usual_price(service.riyals, tenant.currency), tenant.currency_decimals),
        )
        for service in trade.services
    ]
    return [*proposed, *[ServiceRow()] * _OWN_ROWS]


@pages.post(f"{PATH}/services", MANAGERS, on_error=show_services)
async def take_services(context: PageContext, form: TakeServicesForm) -> Response:
    state = await read_state(context)
    if state.branch_id is None:
        return context.redirect(PATH, flash=SEVERAL_BRANCHES)
    raise_all(list(_problems(form, state)))
    acts = [SaveItem(_entry(form, row, state.branch_id)) for row in form.take]
    then = step_path("team", get_trade(form.kind))
    if acts:
        await submit(context, acts[0], once=form.id, then=then, also=acts[1:])
    return context.redirect(then)


def _problems(form: TakeServicesForm, state: SetupState) -> Iterator[Problem]:
    if not form.take and not state.services:
        yield page_problem(N_("Tick at least one service."), "take")
    rows = min(len(form.name_en), len(form.name_ar), len(form.minutes), len(form.price))
    for row in form.take:
        if row >= rows or not (form.name_en[row] or form.name_ar[row]):
            yield page_problem(N_("Enter a name."), "name_en", row)
        elif form.minutes[row] is None:
            yield page_problem(N_("Enter the minutes."), "minutes", row)
        elif form.price[row] is None:
            yield page_problem(N_("Enter a price."), "price", row)


def _entry(form: TakeServicesForm, row: int, branch_id: UUID) -> ItemEntry:
    price = form.price[row]
    return ItemEntry(
        uuid7(),
        None,
        ItemType.SERVICE,
        branch_id,
        by_language(form.name_en[row], form.name_ar[row]),
        {},
        PriceEntry(price.amount if price else None),
        duration=form.minutes[row],
    )
