"""Cashiers: name, code and branch."""

from typing import Annotated
from uuid import UUID

import msgspec
from msgspec import Meta

from frontdesk.http.field_types import ShortText
from frontdesk.http.responses import Response
from frontdesk.i18n.texts import N_
from frontdesk.payments.cashier_queries import get_cashier
from frontdesk.payments.cashiers import SaveCashier
from frontdesk.tenants.queries import list_branch_names
from frontdesk.ui.business.payment_methods import PATH as METHODS
from frontdesk.ui.shell.context import PageContext
from frontdesk.ui.shell.form_idempotency import submit
from frontdesk.ui.shell.permissions import MANAGERS
from frontdesk.ui.shell.routing import Pages
from frontdesk.values.ids import uuid7

pages = Pages()
_PATH = f"{METHODS}/cashiers"


class CashierForm(msgspec.Struct):
    name: ShortText
    code: Annotated[str, Meta(min_length=1, max_length=20)]
    branch: UUID


class NewCashierForm(CashierForm):
    id: UUID


class ChangedCashierForm(CashierForm):
    version: int
    active: bool = False


@pages.get(f"{_PATH}/new", MANAGERS)
async def show_new_cashier(context: PageContext) -> Response:
    branches = await context.call(list_branch_names, context.tenant_id)
    return context.render("cashier.html", cashier=None, branches=branches, form_id=uuid7())


@pages.post(f"{_PATH}/new", MANAGERS, on_error=show_new_cashier)
async def submit_new_cashier(context: PageContext, form: NewCashierForm) -> Response:
    act = SaveCashier(uuid7(), form.name, form.code, form.branch)
    path = await submit(context, act, once=form.id, then=METHODS)
    return context.redirect(path, flash=N_("Cashier saved."))


@pages.get(f"{_PATH}/{{cashier_id}}", MANAGERS)
async def show_cashier(context: PageContext, cashier_id: UUID) -> Response:
    async with context.connection() as conn:
        cashier = await get_cashier(conn, context.tenant_id, cashier_id)
        branches = await list_branch_names(conn, context.tenant_id)
    return context.render("cashier.html", cashier=cashier, branches=branches, form_id=uuid7())


@pages.post(f"{_PATH}/{{cashier_id}}", MANAGERS, on_error=show_cashier)
async def submit_cashier(context: PageContext, cashier_id: UUID, form: ChangedCashierForm) -> Response:
    await context.run(SaveCashier(cashier_id, form.name, form.code, form.branch, form.active, form.version))
    return context.redirect(METHODS, flash=N_("Cashier saved."))
