"""The fourth step of the start: phone, address and tax, asked once for the booking page, messages and invoices."""

from typing import Annotated, Any, Literal

import msgspec
from babel import Locale
from msgspec import Meta

from frontdesk.attention.mend import AnswerNoTax
from frontdesk.http.field_types import EnteredPercent, EnteredTaxNumber, FilterText
from frontdesk.http.responses import Response
from frontdesk.i18n.languages import LANGUAGES
from frontdesk.i18n.texts import N_, translate
from frontdesk.postgres.act import Act
from frontdesk.postgres.pool import Connection
from frontdesk.postgres.query import fetch
from frontdesk.postgres.write import lock_all, run
from frontdesk.problems import Problem, raise_all
from frontdesk.tenants.branch_queries import get_branch_in_use
from frontdesk.tenants.branch_types import BranchFields, StoredBranch
from frontdesk.tenants.branches import SaveBranch
from frontdesk.tenants.settings import UpdateSettings
from frontdesk.tenants.settings_queries import settings_to_change
from frontdesk.tenants.tax_class_queries import DatedRate, is_tax_unanswered
from frontdesk.tenants.tax_classes import SaveTaxClass
from frontdesk.tenants.trades import get_trade
from frontdesk.tenants.usual import vat_rate
from frontdesk.ui.components.contact import read_phone
from frontdesk.ui.setup.start import PATH, SEVERAL_BRANCHES, TradeQuery, read_state, render_step, step_path, trade_of
from frontdesk.ui.shell.context import PageContext
from frontdesk.ui.shell.permissions import MANAGERS, OWNERS
from frontdesk.ui.shell.problems import page_problem
from frontdesk.ui.shell.routing import Pages
from frontdesk.values.ids import uuid7

pages = Pages()
_VAT = N_("VAT")


class PlaceForm(msgspec.Struct):
    version: int  # of the branch
    settings_version: int
    kind: str = ""
    phone: FilterText | None = None
    address: Annotated[str, Meta(max_length=500)] | None = None
    vat: Literal["yes", "no", "later"] | None = None  # None: not asked, because it is answered
    rate: EnteredPercent | None = None
    tax_number: EnteredTaxNumber | None = None
    prices: Literal["included", "on_top"] = "included"


@pages.get(f"{PATH}/place", MANAGERS)
async def show_place(context: PageContext, query: TradeQuery | None = None) -> Response:
    state = await read_state(context)
    loaded = await context.fetch(settings_to_change())
    rate = vat_rate(state.country)
    return await render_step(
        context,
        "place",
        trade_of(context, query),
        state,
        settings_version=loaded.version,
        settings=loaded.settings,
        branch=(await context.fetch(get_branch_in_use(state.branch_id))).branch if state.branch_id else None,
        is_asked=await context.call(is_tax_unanswered, context.tenant_id),
        rate=None if rate is None else f"{rate.normalize():f}",
        country=Locale(context.language).territories.get(state.country or "", ""),
    )


@pages.post(f"{PATH}/place", MANAGERS, on_error=show_place, fields={"rates.#.rate": "rate"})
async def submit_place(context: PageContext, form: PlaceForm) -> Response:
    state = await read_state(context)
    if state.branch_id is None:
        return context.redirect(PATH, flash=SEVERAL_BRANCHES)
    branch = (await context.fetch(get_branch_in_use(state.branch_id))).branch
    problems: list[Problem] = []
    phone, phone_country = read_phone(form.phone, context.tenant, problems)
    is_asked = await context.call(is_tax_unanswered, context.tenant_id)
    if is_asked and form.vat is None:
        problems.append(page_problem(N_("Choose one of the three."), "vat"))
    if form.vat == "yes" and form.rate is None:
        problems.append(page_problem(N_("Enter the rate."), "rate"))
    raise_all(problems)
    place = _with_contact(branch, phone, phone_country, form.address)
    # The row of the business is locked before that of the branch, as the first step does.
    acts = [*(_tax_acts(context, form) if is_asked else ()), SaveBranch(branch.id, place, form.version)]
    await context.call(_save, context, form, acts)
    return context.redirect(step_path("look", get_trade(form.kind)))


def _with_contact(
    branch: StoredBranch, phone: str | None, phone_country: str | None, address: str | None
) -> BranchFields:
    stored = {field: getattr(branch, field) for field in BranchFields.__struct_fields__}
    return BranchFields(**{**stored, "phone": phone, "phone_country": phone_country, "address": address})


def _tax_acts(context: PageContext, form: PlaceForm) -> list[Act[Any]]:
    """Later: sales carry no tax until then, and the overview goes on asking."""
    if form.vat == "no":
        return [AnswerNoTax()]
    if form.vat != "yes" or form.rate is None:
        return []
    names = {code: translate(code, _VAT) for code in sorted(LANGUAGES)}
    rates = [DatedRate(context.format.today, form.rate.amount)]
    return [SaveTaxClass(uuid7(), names, is_default=True, rates=rates)]


async def _save(conn: Connection, context: PageContext, form: PlaceForm, acts: list[Act[Any]]) -> None:
    if form.vat == "yes":
        new = msgspec.structs.replace(
            (await fetch(conn, context.tenant_id, settings_to_change())).settings,
            tax_registration_number=form.tax_number.digits if form.tax_number else None,
            prices_include_tax=form.prices == "included",
        )
        acts = [UpdateSettings(new, form.settings_version, context.has_access(OWNERS), may_move_times=False), *acts]
    async with conn.transaction():
        await lock_all(conn, context.tenant_id, acts)
        for act in acts:
            await run(conn, context.tenant, act, actor=context.actor)
