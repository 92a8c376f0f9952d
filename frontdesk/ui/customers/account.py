"""The account of a customer: what they owe for sales on account, a statement to print, paying it, and the limit."""

from datetime import timedelta
from uuid import UUID

import msgspec

from frontdesk.customers.account import SetAccountLimit
from frontdesk.http.field_types import CalendarDate, EnteredAmount
from frontdesk.http.responses import Response
from frontdesk.i18n.texts import N_
from frontdesk.orders.types import Cashier, PaymentRequest
from frontdesk.payments.queries import list_method_choices
from frontdesk.postgres.query import fetch
from frontdesk.problems import or_not_found
from frontdesk.till.account_queries import find_account
from frontdesk.till.queries import find_cashier_code
from frontdesk.till.settle import SettleAccount
from frontdesk.till.together_queries import MAX_SETTLED, drawer_state
from frontdesk.ui.customers.pages import PATH
from frontdesk.ui.shell.context import PageContext
from frontdesk.ui.shell.form_idempotency import submit
from frontdesk.ui.shell.permissions import CASHIERS, MANAGERS
from frontdesk.ui.shell.routing import Pages
from frontdesk.values.ids import uuid7
from frontdesk.values.money import format_amount
from frontdesk.values.time import get_zone, local_day_start

pages = Pages()
_SHOWN = timedelta(days=90)


class AccountQuery(msgspec.Struct):
    from_: CalendarDate | None = msgspec.field(name="from", default=None)
    to: CalendarDate | None = None


class SettleForm(msgspec.Struct):
    id: UUID
    seen: EnteredAmount  # what could be paid
    amount: EnteredAmount
    method: UUID
    given: EnteredAmount | None = None


class LimitForm(msgspec.Struct):
    version: int
    limit: EnteredAmount | None = None


@pages.get(f"{PATH}/{{customer_id}}/account", CASHIERS)
async def show_account(context: PageContext, customer_id: UUID, query: AccountQuery | None = None) -> Response:
    to = query.to.day if query and query.to else context.format.today
    from_ = query.from_.day if query and query.from_ else to - _SHOWN
    zone = get_zone(context.tenant.timezone)
    since, until = local_day_start(from_, zone), local_day_start(to + timedelta(days=1), zone)
    async with context.connection() as conn:
        found = find_account(customer_id, context.branch_id, since, until)
        account = or_not_found(await fetch(conn, context.tenant_id, found), "customer")
        methods = await list_method_choices(conn, context.tenant_id)
        drawer = await fetch(conn, context.tenant_id, drawer_state(context.branch_id, context.user.id))
    return context.render(
        "customer_account.html",
        422 if context.form.errors else 200,
        account=account,
        entries=list(zip(account.entries, account.balances, strict=True)),
        methods=methods,
        drawer=drawer,
        most=MAX_SETTLED,
        from_=from_,
        to=to,
        form_id=uuid7(),
        plain=lambda amount: format_amount(amount, context.tenant.currency_decimals),
    )


@pages.post(f"{PATH}/{{customer_id}}/account", CASHIERS, on_error=show_account)
async def settle(context: PageContext, customer_id: UUID, form: SettleForm) -> Response:
    name = context.user.name
    cashier = Cashier(name, await context.fetch(find_cashier_code(name)))
    given = form.given.amount if form.given else None
    request = PaymentRequest(form.amount.amount, form.method, None, None, None, None, given)
    act = SettleAccount(context.branch_id, request, cashier, form.seen.amount, customer_id=customer_id)
    path = await submit(context, act, once=form.id, then=f"{PATH}/{customer_id}/account")
    return context.redirect(path, flash=N_("Payment recorded."))


@pages.post(f"{PATH}/{{customer_id}}/account/limit", MANAGERS, on_error=show_account)
async def set_limit(context: PageContext, customer_id: UUID, form: LimitForm) -> Response:
    limit = form.limit.amount if form.limit and form.limit.amount else None
    await context.run(SetAccountLimit(customer_id, limit, form.version))
    return context.redirect(f"{PATH}/{customer_id}/account", flash=N_("Saved."))
