"""The till: items at one side, the cart at the other. Every button sends the page's form and leads to a new address."""

from collections import Counter
from collections.abc import Collection, Sequence
from decimal import Decimal
from functools import partial
from typing import Annotated, NamedTuple
from uuid import UUID

from msgspec import Meta

from frontdesk.accounts.pin_queries import Approver
from frontdesk.customers.list_queries import CustomerSort, ListedCustomer, ListFilter, list_customers
from frontdesk.customers.search import search_words, split_matches, split_phone_matches
from frontdesk.http.field_types import Secret
from frontdesk.http.forms import read_form
from frontdesk.http.responses import Response
from frontdesk.i18n.texts import N_
from frontdesk.invoices.money_types import RefundRequest
from frontdesk.orders.pricing import DiscountKind, Priced
from frontdesk.orders.problems import TillProblem
from frontdesk.payments.cash import change_parts
from frontdesk.postgres.pool import Connection
from frontdesk.postgres.query import fetch
from frontdesk.problems import Problem, not_found
from frontdesk.refunds.refund import RefundOrder
from frontdesk.refunds.refund_lines import build_refund_lines
from frontdesk.till.cart import CartLine
from frontdesk.till.queries import find_code, find_item, find_only_match
from frontdesk.till.receipt_queries import Receipt, find_receipt
from frontdesk.ui.components.approval import approvers_for, require_approval
from frontdesk.ui.components.approval_reasons import APPROVAL_REASONS
from frontdesk.ui.components.order_queries import DashboardOrder
from frontdesk.ui.shell.context import PageContext
from frontdesk.ui.shell.cookies import RECEIPT
from frontdesk.ui.shell.permissions import CASHIERS, MANAGERS
from frontdesk.ui.shell.routing import Pages
from frontdesk.ui.till.amounts import StateAmounts, check_amounts, price_state
from frontdesk.ui.till.approval import ASKED_FOR, Reason, grant
from frontdesk.ui.till.changes import TillFields, TillForm, add_item, apply_act, apply_fields
from frontdesk.ui.till.page_queries import TillFilter, TillRead, read_till
from frontdesk.ui.till.prices import check_prices
from frontdesk.ui.till.resume import resume
from frontdesk.ui.till.state import FIELDS, PATH, TillQuery, TillState, item_ids, new_state, read_query, read_state
from frontdesk.ui.till.view import ReturnedLine, cart_lines, money_of, tip_receivers, totals_of_cart, totals_of_order
from frontdesk.values.ids import lowest_id_at, uuid7
from frontdesk.values.money import exact_sum, format_amount
from frontdesk.values.pagination import PageRequest
from frontdesk.values.text import search_key
from frontdesk.values.time import get_zone, local_day_start

pages = Pages()
_MAX_PEOPLE = 5
_HUES = 8


class Seen(NamedTuple):
    """What the page of a state is made from."""

    read: TillRead
    priced: Priced | None = None
    short: Collection[int] = ()  # the lines that take more than there is in stock, and may not
    order: DashboardOrder | None = None
    returned: Sequence[ReturnedLine] = ()
    people: Sequence[ListedCustomer] = ()
    done: Receipt | None = None
    asked: "Asked | None" = None


class Asked(NamedTuple):
    """What an owner or a manager may allow."""

    what: str  # discount, price or return
    query: str  # the cart as it would be
    sub_total: Decimal
    discount: Decimal
    total: Decimal


class ApprovalForm(TillFields, kw_only=True):
    approver: UUID | None = None
    pin: Secret | None = None
    asked: Annotated[str, Meta(max_length=30_000)]
    reason: Reason = "other"


@pages.get(PATH, CASHIERS)
async def show_till(context: PageContext, query: TillQuery | None = None) -> Response:
    """After an error the state is that of the form."""
    state = read_query(query) if query else _sent_state(context)
    sent = context.form.values.get("asked")  # with a PIN that was refused
    return await _show(context, state, read_state(sent[-1]) if sent else None)


async def _show(context: PageContext, state: TillState, asked: TillState | None = None) -> Response:
    async with context.connection() as conn:
        resumed = await resume(context, conn, state)
        if isinstance(resumed, Response):
            return resumed
        seen = await _see(context, conn, state, resumed)
        if asked is not None:
            seen = seen._replace(asked=await _find_asked(context, conn, asked))
    if seen.read.sale_status == "draft":
        return context.redirect(f"{PATH}?order={state.sale}")
    if seen.read.sale_status is not None:
        return context.redirect(f"/orders/{state.sale}/receipt?till=yes", flash=N_("This sale was already taken."))
    return _render(context, state, seen, await approvers_for(context) if seen.asked else None)


async def _find_asked(context: PageContext, conn: Connection, state: TillState) -> Asked | None:
    """None if the user may do it alone."""
    amounts = await price_state(context, conn, state)
    try:
        await check_prices(context, conn, state, amounts.priced.sub_total, amounts.priced.total)
    except Problem as problem:
        if problem.kind in ASKED_FOR:
            priced = amounts.priced
            discount = priced.sub_total - priced.total
            return Asked(ASKED_FOR[problem.kind], state.query, priced.sub_total, discount, priced.total)
        raise
    return None


@pages.post(f"{PATH}/approve", CASHIERS, on_error=show_till, fields=FIELDS)
async def approve(context: PageContext, form: ApprovalForm) -> Response:
    state = read_state(form.asked)
    await require_approval(context, form)
    async with context.connection() as conn:
        amounts = await price_state(context, conn, state)
    discount = amounts.priced.sub_total - amounts.priced.total
    return context.redirect(grant(context, state, discount, form.reason).url, flash=N_("Allowed, once."))


@pages.post(PATH, CASHIERS, on_error=show_till, fields=FIELDS)
async def change_till(context: PageContext, form: TillForm) -> Response:
    before = read_state(form.state)
    state = apply_fields(before, form)
    if form.add or form.plain or (form.find and not form.has_act):
        state = await _add(context, state, form)
    elif form.has_act:
        state = apply_act(state, form)
    elif state.people != before.people:
        state = state._replace(who="find")
    else:
        state = apply_act(state, form)
    if before.lines and not state.lines and state.order:
        state = state._replace(order=None, sale=uuid7())  # the draft stays as it was parked
    if state.is_empty and before.lines:
        state = state._replace(step="items", pay=(), given=None)
    if state.lines and state.cart != before.cart:
        try:
            async with context.connection() as conn:
                cart = await price_state(context, conn, state)
                if state.discount != before.discount:
                    _check_fixed_discount(state, cart)
                await check_prices(context, conn, state, cart.priced.sub_total, cart.priced.total)
        except Problem as problem:
            if problem.kind not in ASKED_FOR:
                raise
            context.show_errors(context.error(problem, FIELDS), read_form(context.request.raw_body))
            return await _show(context, before, state)
    return context.redirect(state.url)


def _check_fixed_discount(state: TillState, cart: StateAmounts) -> None:
    """The APIs take off at most the total. Here it was typed by a person, who may have meant a percentage."""
    discount = state.discount
    if discount is not None and discount.kind is DiscountKind.FIXED and discount.amount > cart.before_discount:
        raise Problem(TillProblem.DISCOUNT_ABOVE_TOTAL, "discount")


async def _add(context: PageContext, state: TillState, form: TillForm) -> TillState:
    """What was typed or scanned is a code, or a part of a name. The only item with that name is added like a code."""
    chosen = form.add or form.plain
    async with context.connection() as conn:
        found = await fetch(conn, context.tenant_id, find_item(chosen) if chosen else find_code(form.find.strip()))
        only = None
        if found is None and not chosen and (search := search_key(form.find.strip())):
            only = await fetch(conn, context.tenant_id, find_only_match(search, state.branch))
        if only is not None:
            found = await fetch(conn, context.tenant_id, find_item(only))
    if found is not None:
        return add_item(state, found, plain=form.plain is not None)
    if chosen:
        raise not_found("item")
    return state._replace(search=form.find, category=None, view="all", choose=None, step="items")


def _sent_state(context: PageContext) -> TillState:
    sent = context.form.values.get("state")
    return read_state(sent[-1]) if sent else new_state()


async def _see(context: PageContext, conn: Connection, state: TillState, order: DashboardOrder | None) -> Seen:
    tenant_id = context.tenant_id
    filter_ = TillFilter(
        branch_id=state.branch or context.branch_id,
        sale_id=state.sale,
        customer_id=order.customer.id if order and order.customer else state.customer,
        ids=item_ids(state.lines, state.choose),
        category_id=state.category,
        packages=state.view == "packages",
        search=search_key(state.search),
        often=state.view == "often" and not state.search,
        today=lowest_id_at(local_day_start(context.format.today, get_zone(context.tenant.timezone))),
    )
    seen = Seen(await fetch(conn, tenant_id, read_till(filter_, context.names_language, context.user.id)), order=order)
    if state.people and state.who == "find":
        found = list_customers(
            ListFilter(words=search_words(state.people)), CustomerSort.NAME, PageRequest(1, _MAX_PEOPLE)
        )
        listed = (await fetch(conn, tenant_id, found)).customers
        seen = seen._replace(people=[person for person in listed if not person.is_erased])
    if state.done and state.is_empty:
        seen = seen._replace(done=await fetch(conn, tenant_id, find_receipt(state.done)))
    try:
        if state.lines or state.back:
            seen = await _see_amounts(context, conn, state, seen)
        if state.back:
            seen = seen._replace(returned=await _returned(context, conn, state.back, dict(state.give)))
    except Problem as raised:
        if not context.form.errors:
            context.show_errors(context.error(raised, FIELDS), context.form.values)
    return seen


async def _see_amounts(context: PageContext, conn: Connection, state: TillState, seen: Seen) -> Seen:
    """An address whose discounts or prices are refused shows the sums of the catalog, with the error."""
    try:
        cart = await check_amounts(context, conn, state)
    except Problem as raised:
        if raised.kind in ASKED_FOR:
            seen = seen._replace(asked=await _find_asked(context, conn, state))
        if not context.form.errors and raised.kind is not TillProblem.RETURN_BY_MANAGERS:
            context.show_errors(context.error(raised, FIELDS), context.form.values)
        plain = tuple(line._replace(price=None, discount=None) for line in state.lines)
        cart = await price_state(context, conn, state._replace(lines=plain, discount=None))
    allowed = state.oversell if context.has_access(MANAGERS) else ()
    return seen._replace(priced=cart.priced, short={short.line for short in cart.short if short.item_id not in allowed})


async def _returned(
    context: PageContext, conn: Connection, order_id: UUID, give: dict[UUID, int]
) -> list[ReturnedLine]:
    request = RefundRequest(lines=give)
    sale = await fetch(conn, context.tenant_id, RefundOrder(order_id, request).load())
    lines = build_refund_lines(sale.order, sale.sold, request, context.tenant.currency_decimals)
    names = {line.id: context.format.localized({**line.names}) or line.name for line in sale.sold}
    return [ReturnedLine(names[line.sold_id], line.quantity, line.total) for line in lines]


def _render(context: PageContext, state: TillState, seen: Seen, approvers: list[Approver] | None) -> Response:
    decimals, read = context.tenant.currency_decimals, seen.read
    state = state._replace(branch=read.branch_id)
    context.branch_id = read.branch_id
    asks = _asks_before_payment(state, seen)
    state = state._replace(step="items", pay=()) if asks else state
    lines = cart_lines(state, read, seen.priced, seen.short)
    totals = totals_of_order(seen.order) if seen.order and not lines else totals_of_cart(lines, seen.priced)
    returned = exact_sum(line.total for line in seen.returned)
    if seen.order and not seen.order.remaining and context.form.errors:
        state = state._replace(pay=(), given=None)  # it was paid meanwhile
    staff = _order_staff(seen.order) if seen.order and not lines else tip_receivers(lines, read)
    return context.render(
        "till.html",
        422 if context.form.errors else 200,
        state=state,
        plain=partial(format_amount, decimals=decimals),
        change_parts=partial(change_parts, currency=context.tenant.currency),
        read=read,
        order=seen.order,
        lines=lines,
        totals=totals,
        returned=seen.returned,
        money=money_of(state, read, totals, returned, seen.order, decimals),
        tip_staff=staff,
        tip_for=_tip_for(state, seen.order, staff),
        people=seen.people,
        words=search_words(state.people),
        marked=split_matches,
        marked_phone=split_phone_matches,
        done=seen.done,
        receipt=state.receipt or context.cookie(RECEIPT) or "print",
        asks=asks,
        customer_form_id=uuid7(),
        cleared=new_state()._replace(branch=state.branch).url,  # a link, which no malformed field can stop
        in_cart=_quantities(state.lines),
        hues={category.id: index % _HUES + 1 for index, category in enumerate(read.categories)},
        choosing=next((tile for tile in read.chosen if tile.id == state.choose), None),
        is_manager=context.is_manager,
        asked=seen.asked,
        approvers=approvers,
        reasons=APPROVAL_REASONS,
        kept=state.url,
        paying=state.step == "pay" or (seen.order is not None and not lines),
    )


def _asks_before_payment(state: TillState, seen: Seen) -> str | None:
    """What must be answered before the payment: a customer who was typed and not chosen, or short stock."""
    if state.step != "pay" or seen.order is not None:
        return None
    if state.people and state.customer is None:
        return "customer"
    return "stock" if seen.short else None


def _tip_for(state: TillState, order: DashboardOrder | None, staff: list[tuple[UUID, str]]) -> UUID | None:
    """Before it is chosen or a tip is entered: the provider of the first line that has one."""
    if state.tip is not None or state.tip_percent or state.tip_staff or state.tip_for == "all":
        return state.tip_staff
    named = order is not None or any(line.staff_id for line in state.lines)
    return staff[0][0] if staff and named else None


def _quantities(lines: Sequence[CartLine]) -> Counter[UUID]:
    counted = Counter[UUID]()
    for line in lines:
        counted[line.item_id] += line.quantity
    return counted


def _order_staff(order: DashboardOrder) -> list[tuple[UUID, str]]:
    found = {line.staff_id: line.staff for line in order.lines if line.staff_id and line.staff}
    return list(found.items())
