"""Order, lines, invoice and credit notes agree on the tax to the minor unit, for any sale and refund."""

import base64
from collections.abc import Iterator
from datetime import date, datetime
from decimal import Decimal
from typing import Any
from uuid import UUID, uuid4

import pytest
from hypothesis import given, settings, strategies as st

from frontdesk.invoices.money_types import RefundableLine, RefundRequest
from frontdesk.orders.pricing import LineToPrice, compute_totals
from frontdesk.orders.tax import TaxRate, add_tax, included_tax, main_rate, tax_rules
from frontdesk.orders.types import OrderState, Status
from frontdesk.postgres.pool import Connection
from frontdesk.postgres.time_zones import store_zone
from frontdesk.refunds.refund_lines import build_refund_lines
from frontdesk.values.money import exact_sum, fits_currency, from_minor
from frontdesk.values.time import get_zone
from tests.factories.catalog import make_product, make_tax_class, make_tax_rate
from tests.factories.changes import change_row, change_tenant
from tests.orders.test_refund import own_shop, read
from tests.support.invariants import broken_invariants
from tests.support.repetitions import repetitions
from tests.support.shop import Shop

pytestmark = pytest.mark.both_servers

__all__ = ["own_shop"]

RATES = st.sampled_from([Decimal(0), Decimal(5), Decimal("7.70"), Decimal(15), Decimal(100)])
LINES = st.tuples(st.integers(0, 10**6), st.integers(1, 12), st.integers(0, 10**6), RATES)


@pytest.mark.parametrize(
    ("net", "rate", "decimals", "charged", "tax"),
    [
        ("100.00", "15", 2, "115.00", "15.00"),
        ("9.99", "15", 2, "11.49", "1.50"),
        ("0.03", "15", 2, "0.03", "0.00"),
        ("0.10", "5", 2, "0.11", "0.01"),  # 0.105 is rounded half up
        ("1.005", "5", 3, "1.055", "0.050"),
        ("150", "7.70", 0, "162", "12"),
    ],
)
def test_tax_on_top_is_part_of_the_price_charged(net: str, rate: str, decimals: int, charged: str, tax: str) -> None:
    unit = add_tax(Decimal(net), Decimal(rate), decimals)
    assert (str(unit), str(included_tax(unit, Decimal(rate), decimals))) == (charged, tax)


def test_a_rate_applies_from_its_day_on() -> None:
    class_id, other = uuid4(), uuid4()
    rates = [
        TaxRate(class_id, is_default=True, starts_on=date(2026, 7, 1), rate=Decimal(15)),
        TaxRate(class_id, is_default=True, starts_on=date(2026, 1, 1), rate=Decimal(5)),
        TaxRate(other, is_default=False, starts_on=date(2026, 7, 1), rate=Decimal(10)),
    ]
    seen = []
    for day in (date(2025, 12, 31), date(2026, 1, 1), date(2026, 6, 30), date(2026, 7, 1)):
        rules = tax_rules(rates, prices_include_tax=True, day=day)
        seen.append((int(rules.rate_of(None)), int(rules.rate_of(class_id)), int(rules.rate_of(other))))
    assert seen == [(0, 0, 0), (5, 5, 0), (5, 5, 0), (15, 15, 10)]


def test_the_rate_of_most_of_an_invoice_stands_for_it() -> None:
    assert main_rate([(Decimal(5), Decimal(10)), (Decimal(15), Decimal(6)), (Decimal(15), Decimal(5))]) == 15
    assert main_rate([]) == 0


@pytest.mark.torture
@settings(max_examples=repetitions(25, long=300), deadline=None)
@given(st.lists(LINES, min_size=1, max_size=5), st.integers(0, 3), st.data())
def test_any_refunds_of_any_sale_take_back_exactly_its_tax(
    drawn: list[tuple[int, int, int, Decimal]], decimals: int, data: st.DataObject
) -> None:
    priced = compute_totals(
        [
            LineToPrice(from_minor(unit, decimals), units, from_minor(min(off, unit * units), decimals), tax_rate=rate)
            for unit, units, off, rate in drawn
        ],
        None,
        decimals,
    )
    assert priced.tax_amount == exact_sum(line.tax_amount for line in priced.lines)
    assert all(fits_currency(line.tax_amount, decimals) and line.tax_amount <= line.net_amount for line in priced.lines)
    sold = [
        RefundableLine(
            id=uuid4(),
            type="product",
            name="",
            price=line.unit_amount,
            quantity=line.quantity,
            discount_amount=line.discount_amount,
            total=line.net_amount,
            tax_rate=line.tax_rate,
            tax_amount=line.tax_amount,
            refunded=0,
            refunded_total=Decimal(0),
            refunded_tax=Decimal(0),
            names={},
        )
        for line in priced.lines
    ]
    taken, taxes = Decimal(0), Decimal(0)
    for request in _requests(sold, priced.total, decimals, data):
        if taken == priced.total:
            break
        sale = _paid_sale(priced.total, taken)
        lines = build_refund_lines(sale, sold, request(priced.total - taken, sold), decimals)
        taken += exact_sum(line.total for line in lines)
        taxes += exact_sum(line.tax_amount for line in lines)
        assert all(line.tax_amount >= 0 for line in lines)
        assert taxes <= priced.tax_amount
        sold = [_after(line, lines) for line in sold]
    assert taken == priced.total
    assert taxes == priced.tax_amount


def _requests(sold: list[RefundableLine], total: Decimal, decimals: int, data: st.DataObject) -> Iterator[Any]:
    """Parts of the money, then whole lines where they are still covered, then everything that is left."""
    one = from_minor(1, decimals)
    for share in data.draw(st.lists(st.integers(1, 60), max_size=3)):
        yield lambda left, _, share=share: RefundRequest(amount=max(one, left * share // 100 // one * one))
    for line in sold:
        if total and data.draw(st.booleans()):
            yield lambda left, now, id_=line.id: _line_or_rest(id_, left, now)
    yield lambda _left, _now: RefundRequest()


def _line_or_rest(line_id: UUID, left: Decimal, sold: list[RefundableLine]) -> RefundRequest:
    line = next(line for line in sold if line.id == line_id)
    whole = line.quantity > line.refunded and 0 < line.total <= left
    return RefundRequest(lines={line_id: line.quantity - line.refunded}) if whole else RefundRequest()


def _after(line: RefundableLine, refunds: list[Any]) -> RefundableLine:
    mine = [refund for refund in refunds if refund.sold_id == line.id]
    return RefundableLine(
        **{
            **{name: getattr(line, name) for name in line.__struct_fields__},
            "refunded": line.refunded + sum(refund.returned for refund in mine),
            "refunded_total": line.refunded_total + exact_sum(refund.total for refund in mine),
            "refunded_tax": line.refunded_tax + exact_sum(refund.tax_amount for refund in mine),
        }
    )


def _paid_sale(total: Decimal, refunded: Decimal) -> OrderState:
    return OrderState(
        id=uuid4(),
        version=1,
        status=Status.COMPLETED,
        branch_id=uuid4(),
        customer_id=None,
        parent_id=None,
        currency="SAR",
        total=total,
        paid_amount=total,
        refunded_amount=refunded,
        payment_status="paid",
        starts_at=None,
        first_booking_at=None,
        has_bookings=False,
        invoiced=False,
        refunded=refunded > 0,
    )


async def _sale(shop: Shop, items: list[UUID]) -> dict[str, Any]:
    branch = await shop.first("/branches")
    lines = [{"id": str(item), "type": "product", "quantity": 3} for item in items]
    placed = await shop.post("/orders", {"team_id": branch["id"], "items": lines, "customer_id": await _customer(shop)})
    assert placed.status_code == 201, placed.text
    return await read(shop, placed.json()["data"]["id"])


async def _customer(shop: Shop) -> str:
    (row,) = await shop.sql("SELECT id FROM customers WHERE tenant_id = $1 AND NOT blocked ORDER BY id LIMIT 1")
    return str(row["id"])


async def test_both_apis_charge_tax_on_top_and_invoices_show_each_rate(own_shop: Shop, conn: Connection) -> None:
    await change_tenant(own_shop, prices_include_tax=False)
    reduced = await make_tax_class(own_shop, "5")
    items = [await make_product(own_shop, price="9.99"), await make_product(own_shop, price="20")]
    await change_row(own_shop, "items", items[1], tax_class_id=reduced)
    calculated = await own_shop.key_call(
        "POST",
        "/pos/checkout-calculate",
        json={"items": [{"item_id": str(item), "quantity": 3} for item in items]},
    )
    # 9.99 with 15 % is 11.49, 20.00 with 5 % is 21.00
    assert calculated.json()["data"]["total"] == "97.47"
    order = await _sale(own_shop, items)
    assert [(line["price"], line["total"]) for line in order["items"]] == [(11.49, 34.47), (21, 63)]
    lines = await own_shop.sql(
        "SELECT tax_rate, tax_amount FROM order_lines WHERE tenant_id = $1 AND order_id = $2 ORDER BY position",
        UUID(order["id"]),
    )
    assert [tuple(map(float, line)) for line in lines] == [(15, 4.5), (5, 3)]

    invoice = f"/pos/orders/{order['id']}/invoice"
    issued = (await own_shop.key_call("POST", invoice)).json()["data"]
    assert (issued["total"], issued["tax_amount"], issued["tax_rate"]) == (97.47, 7.5, 5)
    page = (await own_shop.key_call("GET", invoice, params={"format": "html"})).text
    seen = page.replace("\N{LEFT-TO-RIGHT ISOLATE}", "").replace("\N{POP DIRECTIONAL ISOLATE}", "")
    for text in ("VAT 15% on 29.97<", "VAT 5% on 60.00<", ">4.50<", ">3.00<", ">89.97<"):
        assert text in seen
    seller = (await own_shop.sql("SELECT name, tax_registration_number FROM tenants WHERE id = $1"))[0]
    assert _qr_fields(issued["qr"]) == [
        seller["name"],
        seller["tax_registration_number"],
        issued["issued_at"][:19] + "Z",
        "97.47",
        "7.50",
    ]

    methods = (await own_shop.get("/payment-methods")).json()["data"]
    payment = {"amount": 97.47, "payment_method_id": methods[0]["id"]}
    assert (await own_shop.post(f"/orders/{order['id']}/payments", payment)).status_code == 201
    for body in ({"amount": 10}, {"whole": True}):
        refunded = await own_shop.key_call("POST", f"/pos/orders/{order['id']}/refunds", json=body)
        assert refunded.status_code == 201, refunded.text
    notes = await own_shop.sql("SELECT tax_amount FROM credit_notes WHERE tenant_id = $1")
    assert sum(note["tax_amount"] for note in notes) == Decimal("7.5")
    assert await broken_invariants(conn, own_shop.tenant_id) == []


def _qr_fields(text: str) -> list[str]:
    raw = base64.b64decode(text)
    fields: list[str] = []
    while raw:
        assert raw[0] == len(fields) + 1
        fields.append(raw[2 : 2 + raw[1]].decode())
        raw = raw[2 + raw[1] :]
    return fields


async def test_a_sale_has_the_rate_of_its_local_day(own_shop: Shop, conn: Connection) -> None:
    """Two zones that are 26 hours apart never have the same date."""
    class_id = await make_tax_class(own_shop, "5")
    await make_tax_rate(own_shop, class_id, "10", datetime.now(get_zone("Pacific/Kiritimati")).date())
    item = await make_product(own_shop, price="11")
    await change_row(own_shop, "items", item, tax_class_id=class_id)
    taxes = []
    for zone in ("Etc/GMT+12", "Pacific/Kiritimati"):
        await store_zone(conn, zone)
        await change_tenant(own_shop, timezone=zone)
        order = await _sale(own_shop, [item])
        (row,) = await own_shop.sql("SELECT tax_amount FROM orders WHERE tenant_id = $1 AND id = $2", UUID(order["id"]))
        taxes.append(str(row["tax_amount"]))
    assert taxes == ["1.570", "3.000"]
