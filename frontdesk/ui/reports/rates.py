"""Commission rates: the list, and the form of one."""

from uuid import UUID

import msgspec

from frontdesk.http.field_types import CalendarDate, EnteredAmount
from frontdesk.http.responses import Response
from frontdesk.i18n.texts import N_
from frontdesk.postgres.query import fetch
from frontdesk.reports.commission_queries import Basis, RateChoices, get_basis, get_rate, list_rate_choices, list_rates
from frontdesk.reports.rates import ChangeCommissionRate, CreateCommissionRate, DeleteCommissionRate, SetCommissionBasis
from frontdesk.ui.components.percent import percent
from frontdesk.ui.shell.context import PageContext
from frontdesk.ui.shell.form_idempotency import submit
from frontdesk.ui.shell.permissions import MANAGERS
from frontdesk.ui.shell.routing import Pages
from frontdesk.values.ids import uuid7

pages = Pages()
PATH = "/reports/commissions/rates"
_SAVED = N_("Commission rate saved.")
BASES = {
    Basis.DONE: N_("Services done: on the day the order is completed"),
    Basis.BOOKED: N_("Services booked: on the day of the sale or the booking"),
}


class NewRateForm(msgspec.Struct):
    percent: EnteredAmount
    starts_on: CalendarDate
    id: UUID = msgspec.field(default_factory=uuid7)
    staff: UUID | None = None
    item: UUID | None = None


class BasisForm(msgspec.Struct):
    basis: Basis


class ChangedRateForm(msgspec.Struct):
    percent: EnteredAmount
    starts_on: CalendarDate
    version: int = 0


@pages.get(PATH, MANAGERS)
async def show_rates(context: PageContext) -> Response:
    async with context.connection() as conn:
        rates = await list_rates(conn, context.tenant_id)
        basis = await fetch(conn, context.tenant_id, get_basis())
    return context.render("commission_rates.html", rates=rates, percent=percent, basis=basis, bases=BASES)


@pages.post(f"{PATH}/basis", MANAGERS, on_error=show_rates)
async def choose_basis(context: PageContext, form: BasisForm) -> Response:
    await context.run(SetCommissionBasis(form.basis))
    return context.redirect(PATH, flash=N_("Saved."))


@pages.get(f"{PATH}/new", MANAGERS)
async def show_new_rate(context: PageContext) -> Response:
    choices = await context.call(list_rate_choices, context.tenant_id)
    return context.render(
        "commission_rate.html", rate=None, choices=_named(context, choices), today=context.format.today, form_id=uuid7()
    )


@pages.post(f"{PATH}/new", MANAGERS, on_error=show_new_rate)
async def submit_new_rate(context: PageContext, form: NewRateForm) -> Response:
    act = CreateCommissionRate(uuid7(), form.staff, form.item, form.starts_on.day, form.percent.amount)
    path = await submit(context, act, once=form.id, then=PATH)
    return context.redirect(path, flash=_SAVED)


@pages.get(f"{PATH}/{{rate_id}}", MANAGERS)
async def show_rate(context: PageContext, rate_id: UUID) -> Response:
    rate = await context.fetch(get_rate(rate_id))
    return context.render("commission_rate.html", rate=rate, written=percent(rate.percent).rstrip("%"))


@pages.post(f"{PATH}/{{rate_id}}", MANAGERS, on_error=show_rate)
async def submit_rate(context: PageContext, rate_id: UUID, form: ChangedRateForm) -> Response:
    await context.run(ChangeCommissionRate(rate_id, form.starts_on.day, form.percent.amount, form.version))
    return context.redirect(PATH, flash=_SAVED)


@pages.get(f"{PATH}/{{rate_id}}/delete", MANAGERS)
async def confirm_rate_deletion(context: PageContext, rate_id: UUID) -> Response:
    rate = await context.fetch(get_rate(rate_id))
    return context.render("commission_rate_delete.html", rate=rate, written=percent(rate.percent))


@pages.post(f"{PATH}/{{rate_id}}/delete", MANAGERS, on_error=confirm_rate_deletion)
async def delete_rate(context: PageContext, rate_id: UUID) -> Response:
    await context.run(DeleteCommissionRate(rate_id))
    return context.redirect(PATH, flash=N_("Commission rate deleted."))


def _named(context: PageContext, choices: RateChoices) -> dict[str, list[tuple[str, str]]]:
    return {
        "staff": [("", context.translate(N_("All providers"))), *((str(i), name) for i, name in choices.staff)],
        "items": [
            ("", context.translate(N_("All services and products"))),
            *((str(i), context.format.localized(names)) for i, names in choices.items),
        ],
    }
