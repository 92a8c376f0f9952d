"""The amounts that the till shows. They come from the pricing of orders; here they are only put beside each other."""

from collections.abc import Collection, Sequence
from decimal import Decimal
from typing import NamedTuple
from uuid import UUID

from frontdesk.orders.pricing import Priced, PricedLine
from frontdesk.payments.cash import likely_sums
from frontdesk.till.cart import CartLine
from frontdesk.ui.components.order_queries import DashboardOrder, DashboardPayment
from frontdesk.ui.till.page_queries import Method, Option, Performer, Tile, TillRead
from frontdesk.ui.till.state import PayRow, TillState
from frontdesk.values.money import exact_sum, round_half_up

TIP_PERCENTS = (0, 5, 10, 15)
_ZERO = Decimal(0)


class LineView(NamedTuple):
    line: CartLine
    item: Tile | None  # None: no longer on sale
    options: list[Option]
    performers: list[Performer]
    amounts: PricedLine | None  # None: the cart could not be priced
    missing_stock: bool = False  # more than there is, and not allowed

    @property
    def staff(self) -> str | None:
        return next((p.name for p in self.performers if p.staff_id == self.line.staff_id), None)


class ReturnedLine(NamedTuple):
    name: str
    quantity: int
    total: Decimal


class Totals(NamedTuple):
    """Of what is bought. `services` is the part that a tip is computed from."""

    sub_total: Decimal = _ZERO
    discount: Decimal = _ZERO
    total: Decimal = _ZERO
    tax: Decimal = _ZERO
    services: Decimal = _ZERO


class PayView(NamedTuple):
    method: Method
    amount: Decimal
    is_rest: bool  # what the others leave, not a typed amount


class Money(NamedTuple):
    """What is paid, from the totals to the change."""

    tip: Decimal
    tip_choices: list[tuple[int, Decimal]]
    paid: list[DashboardPayment]  # before, such as a deposit
    due: Decimal  # at this moment, with the tip
    give_back: Decimal  # more comes back than is bought
    payments: list[PayView]
    left: Decimal
    cash: PayView | None
    given: Decimal | None
    change: Decimal
    likely: list[Decimal]

    @property
    def short(self) -> Decimal:
        """What the cash given lacks."""
        return max(self.cash.amount - self.given, _ZERO) if self.cash and self.given is not None else _ZERO


def cart_lines(state: TillState, read: TillRead, priced: Priced | None, short: Collection[int] = ()) -> list[LineView]:
    items = {tile.id: tile for tile in read.chosen}
    amounts: Sequence[PricedLine | None] = priced.lines if priced else [None] * len(state.lines)
    return [
        LineView(
            line,
            items.get(line.item_id),
            [option for option in read.options if option.id in line.option_ids],
            [performer for performer in read.performers if performer.item_id == line.item_id],
            amount,
            index in short,
        )
        for index, (line, amount) in enumerate(zip(state.lines, amounts, strict=True))
    ]


def totals_of_cart(lines: Sequence[LineView], priced: Priced | None) -> Totals:
    if priced is None:
        return Totals()
    services = (v.amounts.net_amount for v in lines if v.amounts and v.item and v.item.kind == "service")
    return Totals(priced.sub_total, priced.discount_amount, priced.total, priced.tax_amount, exact_sum(services))


def totals_of_order(order: DashboardOrder) -> Totals:
    services = exact_sum(line.total for line in order.lines if line.type == "service")
    return Totals(order.sub_total, order.discount_amount, order.total, order.tax_amount, services)


def tip_of(state: TillState, totals: Totals, decimals: int) -> Decimal:
    if state.tip is not None:
        return state.tip
    return _percent(totals.services, state.tip_percent or 0, decimals)


def _percent(amount: Decimal, percent: int, decimals: int) -> Decimal:
    return round_half_up(amount * percent / 100, decimals)


def due_of(totals: Totals, tip: Decimal, paid: Decimal, returned: Decimal) -> Decimal:
    """A return pays as far as it goes; a tip is paid beside it."""
    return max(totals.total - paid - returned, _ZERO) + tip


def resolve_rows(rows: Sequence[PayRow], due: Decimal) -> list[Decimal]:
    """The last row without an amount takes what the others leave."""
    fixed = exact_sum(row.amount for row in rows if row.amount is not None)
    open_rows = [index for index, row in enumerate(rows) if row.amount is None]
    left = max(due - fixed, _ZERO)
    return [
        row.amount if row.amount is not None else (left if index == open_rows[-1] else _ZERO)
        for index, row in enumerate(rows)
    ]


def money_of(
    state: TillState, read: TillRead, totals: Totals, returned: Decimal, order: DashboardOrder | None, decimals: int
) -> Money:
    paid = order.paid_amount if order else _ZERO
    tip = tip_of(state, totals, decimals)
    due = due_of(totals, tip, paid, returned)
    methods = {method.id: method for method in read.methods}
    rows = [row for row in state.pay if row.method_id in methods]
    payments = [
        PayView(methods[row.method_id], amount, row.amount is None)
        for row, amount in zip(rows, resolve_rows(rows, due), strict=True)
    ]
    cash = next((payment for payment in payments if payment.method.type == "cash"), None)
    given = state.given if cash else None
    return Money(
        tip=tip,
        tip_choices=[(percent, _percent(totals.services, percent, decimals)) for percent in TIP_PERCENTS],
        paid=[payment for payment in order.payments[::-1] if payment.status == "confirmed"] if order else [],
        due=due,
        give_back=max(returned - totals.total, _ZERO),
        payments=payments,
        left=due - exact_sum(payment.amount for payment in payments),
        cash=cash,
        given=given,
        change=max(given - cash.amount, _ZERO) if cash and given is not None else _ZERO,
        likely=likely_sums(cash.amount) if cash and cash.amount > 0 else [],
    )


def tip_receivers(lines: Sequence[LineView], read: TillRead) -> list[tuple[UUID, str]]:
    """Who performs the services, those of the lines first."""
    names = {performer.staff_id: performer.name for performer in read.performers}
    chosen = [view.line.staff_id for view in lines if view.line.staff_id in names]
    return [(staff_id, names[staff_id]) for staff_id in dict.fromkeys([*chosen, *names]) if staff_id]
