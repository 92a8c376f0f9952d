"""Generates some weeks of orders around now, as rows numbered in chronological order."""

from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from decimal import Decimal
from itertools import count
from random import Random
from typing import NamedTuple
from uuid import UUID
from zoneinfo import ZoneInfo

import msgspec
from asyncpg import Range

from frontdesk.demo_data.appointments import add_appointment
from frontdesk.demo_data.content import CURRENCY
from frontdesk.demo_data.front_desk import add_series
from frontdesk.demo_data.generator import GeneratorContext
from frontdesk.demo_data.people import CASHIER_CODE, CASHIER_NAME
from frontdesk.demo_data.pos_sales import add_odd_cases, add_pos_sale, add_refunds
from frontdesk.demo_data.sales import DemoLine, Payment, Refund, Sale, id_of
from frontdesk.demo_data.store import Row, Store, Table
from frontdesk.values.ids import uuid7
from frontdesk.values.money import exact_sum

PAST_DAYS = 21
FUTURE_DAYS = 14


class DemoActor(NamedTuple):
    """The values of created_by and changed_by."""

    type: str
    id: UUID | None


class GeneratedOrders(NamedTuple):
    sales: list[Sale]
    refunds: list[Refund]
    series_id: UUID


def generate_orders(rng: Random, now: datetime, zone: ZoneInfo, store: Store) -> GeneratedOrders:
    generator = GeneratorContext(rng, now, zone, store)
    series_id = add_series(generator)
    for offset in range(-PAST_DAYS, FUTURE_DAYS + 1):
        day = generator.today + timedelta(days=offset)
        if not generator.has_even_hours(day):
            continue
        for _ in range(rng.randint(*_appointments(offset))):
            add_appointment(generator, day)
        for _ in range(rng.randint(1, 2) if offset <= 0 else 0):
            add_pos_sale(generator, day)
    add_odd_cases(generator)
    return GeneratedOrders(generator.sales, add_refunds(generator), series_id)


def _appointments(offset: int) -> tuple[int, int]:
    """The fewest and the most of a day. Today and tomorrow, which people look at first, are busy."""
    if offset in (0, 1):
        return 12, 15
    return (3, 5) if offset < 0 else (2, 4)


def history_tables(generated: GeneratedOrders, store: Store, actors: Mapping[str, DemoActor]) -> list[Table]:
    """`actors` by the source of the order; refunds are made in the dashboard."""
    orders = [(order.created_at, order.id) for order in generated.sales]
    orders += [(refund.created_at, refund.id) for refund in generated.refunds]
    numbers = {id_: number for number, (_, id_) in enumerate(sorted(orders), start=1)}
    return [
        Table("order_series", "id every_weeks created_by", [(generated.series_id, 1, actors["dashboard"].id)]),
        _orders(generated, store, actors, numbers),
        _lines(generated),
        _changes(generated, actors),
        _bookings(generated, numbers),
        *_money(generated, store, actors["dashboard"]),
        Table("tenant_counters", "name value", [("order_number", len(numbers))]),
    ]


def _orders(
    generated: GeneratedOrders, store: Store, actors: Mapping[str, DemoActor], numbers: Mapping[UUID, int]
) -> Table:
    columns = (
        "order_number id parent_id branch_id customer_id status source currency sub_total discount_amount total"
        " paid_amount refunded_amount discount starts_at note cashier cashier_code created_by_type created_by_id"
        " created_at updated_at tax_amount series_id"
    )
    sales = [_sale(sale, generated, store, actors[sale.source]) for sale in generated.sales]
    children = [_child(refund, store, actors["dashboard"]) for refund in generated.refunds]
    return Table("orders", columns, [(numbers[row[0]], *row) for row in (*sales, *children)])


def _sale(sale: Sale, generated: GeneratedOrders, store: Store, actor: DemoActor) -> tuple[UUID, *Row]:
    refunds = [refund for refund in generated.refunds if refund.sale is sale]
    updated = max([sale.touched_at, *(refund.created_at for refund in refunds)])
    head = (sale.id, None, store.branch_id, sale.customer_id, sale.status, sale.source, CURRENCY)
    priced = (sale.priced.sub_total, sale.priced.discount_amount, sale.priced.total)
    settled = (sale.paid, exact_sum(refund.amounts.net_amount for refund in refunds))
    details = (_discount_request(sale), sale.starts_at, sale.note, *_cashier(sale))
    return (
        *head,
        *priced,
        *settled,
        *details,
        *actor,
        sale.created_at,
        updated,
        sale.priced.tax_amount,
        sale.series_id,
    )


def _child(refund: Refund, store: Store, actor: DemoActor) -> tuple[UUID, *Row]:
    sale, paid, at = refund.sale, refund.amounts, refund.created_at
    head = (refund.id, sale.id, store.branch_id, sale.customer_id, "completed", "dashboard", CURRENCY)
    priced = (-paid.total_amount, -paid.discount_amount, -paid.net_amount)
    settled = (-paid.net_amount, Decimal(0))
    return (*head, *priced, *settled, None, None, refund.reason, None, None, *actor, at, at, -paid.tax_amount, None)


def _cashier(sale: Sale) -> tuple[str | None, str | None]:
    return (CASHIER_NAME, CASHIER_CODE) if sale.source == "pos" else (None, None)


def _discount_request(sale: Sale) -> str | None:
    discount = sale.discount
    if discount is None:
        return None
    return msgspec.json.encode(discount).decode()


def _lines(generated: GeneratedOrders) -> Table:
    columns = (
        "id order_id position parent_line_id type item_id package_id option_ids option_name staff_id name price"
        " quantity discount_amount total apply_discount duration returned tax_rate tax_amount"
    )
    rows: list[Row] = []
    for sale in generated.sales:
        for position, (line, priced) in enumerate(zip(sale.lines, sale.priced.lines, strict=True)):
            amounts = (priced.unit_amount, priced.quantity, priced.discount_amount, priced.net_amount)
            keys = (line.id, sale.id, position, None)
            taxes = (priced.tax_rate, priced.tax_amount)
            rows.append((*keys, *_sold(line), *amounts, line.discountable, line.minutes, 0, *taxes))
    for refund in generated.refunds:
        line, paid = refund.sale.lines[refund.position], refund.amounts
        amounts = (paid.unit_amount, -paid.quantity, -paid.discount_amount, -paid.net_amount)
        taxes = (paid.tax_rate, -paid.tax_amount)
        rows.append((uuid7(), refund.id, 0, line.id, *_sold(line), *amounts, False, None, paid.quantity, *taxes))
    return Table("order_lines", columns, rows)


def _sold(line: DemoLine) -> Row:
    what = line.variant
    item_id, package_id = (None, what.id) if what.type == "package" else (what.id, None)
    options = [what.option_id] if what.option_id else []
    return (what.type, item_id, package_id, options, what.option_name, line.staff_id, what.name)


def _changes(generated: GeneratedOrders, actors: Mapping[str, DemoActor]) -> Table:
    columns = "id order_id from_status to_status note changed_by_type changed_by_id created_at"
    rows: list[Row] = []
    for sale in generated.sales:
        before = None
        for change in sale.changes:
            # Only the first status comes from the source of the order; staff make the later changes.
            actor = actors[sale.source if before is None else "dashboard"]
            rows.append((id_of(change.at), sale.id, before, change.status, change.note, *actor, change.at))
            before = change.status
    for refund in generated.refunds:
        at = refund.created_at
        rows.append((id_of(at), refund.id, None, "completed", None, *actors["dashboard"], at))
    return Table("order_status_history", columns, rows)


def _bookings(generated: GeneratedOrders, numbers: Mapping[UUID, int]) -> Table:
    """The reference is derived from the order number, so that it is unique."""
    rows: list[Row] = []
    for sale in generated.sales:
        booked = [(line, line.during) for line in sale.lines if line.during]
        for n, (line, during) in enumerate(booked, start=1):
            reference = f"BK-{numbers[sale.id]:06}" + (f"-{n}" if n > 1 else "")
            what = (id_of(sale.created_at), sale.id, line.id, line.staff_id, line.variant.id, reference)
            rows.append((*what, Range(*during), Range(*during), sale.status != "canceled", sale.created_at))
    columns = "id order_id line_id staff_id item_id reference during busy is_active created_at"
    return Table("bookings", columns, rows)


def _money(generated: GeneratedOrders, store: Store, refunder: DemoActor) -> Iterator[Table]:
    moves = [(payment.at, _paid(sale, payment, store)) for sale in generated.sales for payment in sale.payments]
    moves += [(refund.created_at, _refund_allocation(refund, store)) for refund in generated.refunds]
    moves.sort(key=lambda move: move[0])
    numbered = [(number, *row, at, at, at) for number, (at, row) in zip(count(1), moves, strict=False)]
    columns = (
        "transaction_no id order_id payment_method_id refund_of_id amount tendered_amount currency status is_deposit"
        " note reference_number cashier cashier_code date created_at updated_at"
    )
    yield Table("transactions", columns, numbered)
    refunds = [
        (uuid7(), r.sale.id, r.id, r.amounts.net_amount, True, r.reason, refunder.id, r.created_at)
        for r in generated.refunds
    ]
    columns = "id order_id child_order_id amount restocked reason created_by created_at"
    yield Table("refunds", columns, refunds)
    yield Table("tenant_counters", "name value", [("transaction_no", len(numbered))])


def _paid(sale: Sale, payment: Payment, store: Store) -> Row:
    what = (payment.id, sale.id, store.methods[payment.method], None, payment.amount, payment.tendered, CURRENCY)
    how = (payment.status, sale.is_deposit(payment), payment.note, payment.reference)
    return (*what, *how, *_cashier(sale))


def _refund_allocation(refund: Refund, store: Store) -> Row:
    payment = refund.sale.payments[0]
    amount = -refund.amounts.net_amount
    what = (id_of(refund.created_at), refund.id, store.methods[payment.method], payment.id, amount, None, CURRENCY)
    return (*what, "confirmed", False, refund.reason, None, None, None)
