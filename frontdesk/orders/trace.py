"""Why an order costs what it costs: the stored origin of each line, worked out again step by step. Pure functions."""

from collections.abc import Iterator, Mapping
from datetime import UTC
from decimal import Decimal
from typing import Literal

import msgspec

from frontdesk.orders.allocate import allocate
from frontdesk.orders.origins import PriceOrigin, PriceSource
from frontdesk.orders.pricing import LineToPrice, compute_totals
from frontdesk.orders.queries.trace_queries import StoredLine, StoredOrder
from frontdesk.orders.trace_documents import (
    OrderTrace,
    StepKind,
    TraceAuthor,
    TraceDiscount,
    TraceLine,
    TraceOtherProvider,
    TracePart,
    TracePayment,
    TracePrices,
    TraceProvider,
    TraceSettled,
    TraceStep,
    TraceTax,
)
from frontdesk.values.actor import Author
from frontdesk.values.money import exact_sum, from_minor, round_half_up, to_minor
from frontdesk.webhooks.payloads import ChangedBy


class _Ladder:
    """The steps from nothing to the total of a line. A step that adds nothing is left out."""

    def __init__(self, decimals: int) -> None:
        self._decimals = decimals
        self.steps: list[TraceStep] = []
        self.running = Decimal(0)

    def to(self, kind: StepKind, amount: Decimal) -> None:
        if amount != self.running or not self.steps:
            added = round_half_up(amount - self.running, self._decimals)
            self.steps.append(TraceStep(kind, added, round_half_up(amount, self._decimals)))
            self.running = amount

    def add(self, kind: StepKind, amount: Decimal) -> None:
        self.to(kind, self.running + amount)


def trace_order(order: StoredOrder, *, with_payments: bool) -> OrderTrace:
    """Without `with_payments` it says nothing about the money that was taken."""
    shares = _shares(order)
    lines = [_line(line, share, order) for line, share in zip(order.lines, shares, strict=True)]
    computed = exact_sum(line.steps[-1].running for line in lines)
    amounts = {
        name: round_half_up(getattr(order, name), order.decimals)
        for name in ("sub_total", "discount_amount", "total", "tax_amount")
    }
    return OrderTrace(
        order_id=order.id,
        order_number=order.number,
        parent_id=order.parent_id,
        source=order.source,
        created_by=order.created_by,
        created_at=order.created_at,
        currency=order.currency,
        lines=lines,
        discount=_discount(order),
        **amounts,
        computed_total=round_half_up(computed, order.decimals),
        agrees=computed == order.total and all(line.steps[-1].running == line.total for line in lines),
        payments=list(_settled(order)) if with_payments else None,
        tips=order.tips if with_payments else None,
        refunds=order.refunds,
    )


def _shares(order: StoredOrder) -> list[Decimal]:
    """Of the order's discount, computed again."""
    if order.discount is None or order.parent_id is not None:
        return [Decimal(0)] * len(order.lines)
    to_price = [LineToPrice(one.price, one.quantity, one.own_discount, one.discountable) for one in order.lines]
    priced = compute_totals(to_price, order.discount, order.decimals)
    return [now.discount_amount - line.own_discount for line, now in zip(order.lines, priced.lines, strict=True)]


def _line(line: StoredLine, share: Decimal, order: StoredOrder) -> TraceLine:
    origin, ladder = _origin(line, order.decimals), _Ladder(order.decimals)
    for kind, amount in _unit_prices(line, origin, order.decimals):
        ladder.to(kind, amount)
    ladder.to("quantity", ladder.running * line.quantity)
    ladder.add("line_discount", -line.own_discount)
    ladder.add("discount_share", -share)
    return TraceLine(
        line_id=line.id,
        refunded_line_id=line.parent_line_id,
        item_id=line.item_id,
        name=line.name,
        type=line.type.value,
        quantity=line.quantity,
        option=line.option,
        prices=None if origin is None else _prices(origin, order.decimals),
        steps=ladder.steps,
        priced=_author(origin.by) if origin else None,
        discounted=_author(origin.discounted_by) if origin and line.own_discount else None,
        total=round_half_up(line.total, order.decimals),
        tax=TraceTax(
            origin.tax_class_id if origin else None,
            line.tax_rate,
            round_half_up(line.tax_amount, order.decimals),
            origin.tax_on_top if origin else None,
        ),
        provider=_provider(line, order.decimals),
        package=list(_package(line, origin, order.decimals)),
    )


def _origin(line: StoredLine, decimals: int) -> PriceOrigin | None:
    """None if it was not stored, or if a program that does not know it has changed the price since."""
    origin = line.priced
    if origin is None or origin.given:
        return origin
    return origin if origin.charged(line.tax_rate, decimals) == line.price else None


def _unit_prices(line: StoredLine, origin: PriceOrigin | None, decimals: int) -> Iterator[tuple[StepKind, Decimal]]:
    """One after another, as each replaces the one before it."""
    if origin is None:
        yield "not_recorded", line.price
        return
    yield "catalog", origin.catalog
    match origin.catalog_source:
        case PriceSource.OPTION_OFFER:
            yield "option", origin.option or Decimal(0)
            yield "option_offer", origin.net
        case PriceSource.OPTION:
            yield "option", origin.net
        case PriceSource.PROVIDER:
            yield "provider", origin.net
        case _:
            yield "offer", origin.net
    yield "tax_on_top", origin.charged(line.tax_rate, decimals)
    yield "given", line.price


def _prices(origin: PriceOrigin, decimals: int) -> TracePrices:
    def rounded(amount: Decimal | None) -> Decimal | None:
        return None if amount is None else round_half_up(amount, decimals)

    return TracePrices(
        round_half_up(origin.catalog, decimals),
        rounded(origin.offer),
        rounded(origin.option),
        rounded(origin.option_offer),
        rounded(origin.provider),
    )


def _provider(line: StoredLine, decimals: int) -> TraceProvider | None:
    if line.staff_id is None or line.parent_line_id is not None:
        return None
    chosen = line.chosen
    if chosen is None:
        return TraceProvider(line.staff_id, None, None, None, [], None)
    compared = chosen.rule in ("least_booked", "cheapest")
    return TraceProvider(
        line.staff_id,
        chosen.rule,
        chosen.booked if compared else None,
        chosen.free if compared else None,
        [
            TraceOtherProvider(
                other.staff_id, other.booked, None if other.price is None else round_half_up(other.price, decimals)
            )
            for other in chosen.others
        ],
        _author(chosen.by),
    )


def _package(line: StoredLine, origin: PriceOrigin | None, decimals: int) -> Iterator[TracePart]:
    parts = origin.parts if origin else ()
    weights = [to_minor(part.price, decimals) * part.quantity for part in parts]
    shares = allocate(to_minor(line.total, decimals), weights)
    for part, share in zip(parts, shares, strict=True):
        yield TracePart(part.item_id, part.quantity, round_half_up(part.price, decimals), from_minor(share, decimals))


def _discount(order: StoredOrder) -> TraceDiscount | None:
    if order.discount is None:
        return None
    discount, decimals = order.discount, order.decimals
    base = [
        line.price * line.quantity - line.own_discount
        for line in order.lines
        if discount.apply_all or line.discountable
    ]
    return TraceDiscount(
        discount.kind.value,
        discount.amount,
        discount.apply_all,
        round_half_up(exact_sum(base), decimals),
        round_half_up(exact_sum(_shares(order)), decimals),
        _author(order.discount_by),
    )


def _settled(order: StoredOrder) -> Iterator[TracePayment]:
    """The payments in their order settle the lines in theirs."""
    left = [(line.id, line.total) for line in order.lines]
    for payment in order.payments:
        settles, amount = [], payment.amount
        while left and amount > 0:
            line_id, open_amount = left.pop(0)
            part = min(amount, open_amount)
            if part:
                settles.append(TraceSettled(line_id, round_half_up(part, order.decimals)))
            amount -= part
            if open_amount > part:
                left.insert(0, (line_id, open_amount - part))
        yield msgspec.structs.replace(payment, amount=round_half_up(payment.amount, order.decimals), settles=settles)


def _author(author: Author | None) -> TraceAuthor | None:
    """As `changed_by_json`: a key is an application too, and what a customer does online is done by the service."""
    if author is None:
        return None
    changed_by = ChangedBy(_PUBLISHED[author.type], author.id)
    return TraceAuthor(changed_by, author.at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ"))


_PUBLISHED: Mapping[str, Literal["app", "user", "system"]] = {
    "app": "app",
    "key": "app",
    "user": "user",
    "customer": "system",
    "system": "system",
}
