"""The lines of a refund, and its distribution over the payments. Pure functions with positive amounts."""

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from uuid import UUID

import msgspec

from frontdesk.invoices.money_types import (
    RefundableLine,
    RefundablePayment,
    RefundAllocation,
    RefundLine,
    RefundRequest,
)
from frontdesk.orders.allocate import allocate
from frontdesk.orders.pricing import PricedLine, refund_amounts
from frontdesk.orders.problems import OrderProblem, RefundProblem
from frontdesk.orders.tax import SoldTax, refunded_taxes
from frontdesk.orders.types import OrderState
from frontdesk.problems import Problem, raise_all
from frontdesk.values.ids import uuid7
from frontdesk.values.money import exact_sum, fits_currency, from_minor, round_half_up, to_minor

_NO_TAX = Decimal(0)  # set for all lines together


def build_refund_lines(
    sale: OrderState, sold: list[RefundableLine], request: RefundRequest, decimals: int
) -> list[RefundLine]:
    """Lines are refunded at the amounts of the sale; an amount is spread over the lines."""
    lines = _choose_lines(sale, sold, request, decimals)
    refunded = {line.sold_id: line.total for line in lines}
    taxes = refunded_taxes(
        [_sold_tax(line) for line in sold], [refunded.get(line.id, Decimal(0)) for line in sold], decimals
    )
    by_line = dict(zip((line.id for line in sold), taxes, strict=True))
    return [msgspec.structs.replace(line, tax_amount=by_line[line.sold_id]) for line in lines]


def _sold_tax(line: RefundableLine) -> SoldTax:
    return SoldTax(line.total, line.tax_rate, line.tax_amount, line.refunded_total, line.refunded_tax)


def _choose_lines(
    sale: OrderState, sold: list[RefundableLine], request: RefundRequest, decimals: int
) -> list[RefundLine]:
    """Without their taxes."""
    left = sale.paid_amount - sale.refunded_amount
    if request.amount is not None:
        _check_amount("amount", request.amount, left, decimals)
        return list(_share(request.amount, sold, {}, decimals))
    if request.lines is not None:
        _check_lines(sold, request.lines)
        lines = list(_at_order_amounts(sold, request.lines, decimals))
        _check_amount("lines", exact_sum(line.total for line in lines), left, decimals)
        return lines
    return _full_lines(sold, left, decimals, returns=request.restock or request.cancel_order)


def _full_lines(sold: list[RefundableLine], left: Decimal, decimals: int, *, returns: bool) -> list[RefundLine]:
    """Everything that was paid and is not refunded yet. If that differs from the sum of the lines, as with a deposit,
    it is spread over them, and their units count as returned only if the products are returned.
    """
    _check_amount("whole", left, left, decimals)
    units = {line.id: line.quantity - line.refunded for line in sold}
    lines = list(_at_order_amounts(sold, units, decimals))
    if exact_sum(line.total for line in lines) == left:
        return lines
    return list(_share(left, sold, units if returns else {}, decimals))


def _at_order_amounts(
    sold: list[RefundableLine], quantities: Mapping[UUID, int], decimals: int
) -> Iterator[RefundLine]:
    for line in sold:
        quantity = quantities.get(line.id, 0)
        if quantity:
            whole = PricedLine(
                unit_amount=line.price,
                quantity=line.quantity,
                total_amount=line.price * line.quantity,
                discount_amount=line.discount_amount,
                net_amount=line.total,
            )
            back = refund_amounts(whole, already_refunded=line.refunded, quantity=quantity, decimals=decimals)
            yield RefundLine(
                uuid7(), line.id, quantity, line.price, back.discount_amount, back.net_amount, _NO_TAX, quantity
            )


def _share(
    amount: Decimal, sold: list[RefundableLine], returned: Mapping[UUID, int], decimals: int
) -> Iterator[RefundLine]:
    """One unit of each line at its share of the amount, in proportion to what is left of the lines."""
    left = [max(to_minor(line.total - line.refunded_total, decimals), 0) for line in sold]
    shares = allocate(to_minor(amount, decimals), left)
    for line, share in zip(sold, shares, strict=True):
        units = returned.get(line.id, 0)
        if share or units:
            price = from_minor(share, decimals)
            yield RefundLine(uuid7(), line.id, 1, price, Decimal(0), price, _NO_TAX, units)


def _check_lines(sold: list[RefundableLine], quantities: Mapping[UUID, int]) -> None:
    """Errors have the index of the line in the request."""
    left = {line.id: line.quantity - line.refunded for line in sold}
    problems = []
    for index, (line_id, quantity) in enumerate(quantities.items()):
        if line_id not in left:
            problems.append(Problem(OrderProblem.UNKNOWN_LINE, "lines", index, "line_id"))
        elif not 0 <= quantity <= left[line_id]:
            problems.append(Problem(RefundProblem.ABOVE_LINE, "lines", index, "quantity", left=left[line_id]))
    raise_all(problems)


def _check_amount(field: str, amount: Decimal, left: Decimal, decimals: int) -> None:
    remaining, of_amount = round_half_up(left, decimals), field == "amount"
    if not fits_currency(amount, decimals):
        raise Problem(RefundProblem.TOO_MANY_DECIMALS, field, most=decimals, remaining=remaining)
    if left <= 0:
        raise Problem(RefundProblem.NOTHING_LEFT, field, remaining=remaining)
    if amount <= 0:
        kind = RefundProblem.NOT_POSITIVE if of_amount else RefundProblem.LINES_NOTHING_LEFT
        raise Problem(kind, field, remaining=remaining)
    if amount > left:
        kind = RefundProblem.ABOVE_REMAINING if of_amount else RefundProblem.LINES_ABOVE_REMAINING
        raise Problem(kind, field, remaining=remaining)


def spread_over_payments(
    amount: Decimal, parts: Sequence[RefundablePayment], method_id: UUID | None
) -> Iterator[RefundAllocation]:
    """To the payments in the given order, or by one method."""
    for part in parts:
        share = min(amount, part.remaining)
        if share > 0:
            yield RefundAllocation(
                uuid7(), part.payment_id, method_id or part.method_id, share, share == part.remaining
            )
            amount -= share
