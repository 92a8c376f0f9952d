"""Invoices are numbered without gaps, hold their own copy, and close the way to canceling."""

import base64
import json
from decimal import Decimal
from uuid import UUID

import pytest

from frontdesk.invoices.content import tax_qr
from frontdesk.orders.problems import InvoiceProblem
from frontdesk.orders.tax import included_tax
from frontdesk.postgres.pool import Connection
from frontdesk.problems import Problem
from tests.orders.test_refund import own_shop, sell
from tests.support.acts import issue_invoice
from tests.support.shop import Shop

pytestmark = pytest.mark.both_servers

__all__ = ["own_shop"]


def read_tlv(text: str) -> dict[int, str]:
    raw, fields = base64.b64decode(text), {}
    while raw:
        tag, length = raw[0], raw[1]
        fields[tag] = raw[2 : 2 + length].decode()
        raw = raw[2 + length :]
    return fields


async def test_an_invoice_holds_seller_lines_tax_and_the_qr_of_them(own_shop: Shop, conn: Connection) -> None:
    sale = await sell(own_shop, quantity=2, discount=1, pay=[])
    number = await issue_invoice(conn, await own_shop.tenant(), UUID(sale["id"]), None)
    (invoice,) = await own_shop.sql("SELECT * FROM invoices WHERE tenant_id = $1")
    qr = read_tlv(invoice["qr"])
    assert (number, invoice["total"], invoice["tax_amount"]) == (1, Decimal("19.000"), Decimal("2.480"))
    assert json.loads(invoice["lines"])[0] | {"name": "", "names": {}} == {
        "name": "",
        "names": {},
        "type": "product",
        "quantity": 2,
        "unit_amount": "10.00",
        "discount_amount": "1.00",
        "total": "19.00",
        "tax_rate": "15.00",
        "tax_amount": "2.48",
    }
    assert qr[1] == json.loads(invoice["seller"])["name"]
    assert (qr[4], qr[5]) == ("19.00", "2.48")
    assert len(qr[2]) == 15


async def test_invoice_numbers_have_no_gap_after_a_refusal(own_shop: Shop, conn: Connection) -> None:
    business = await own_shop.tenant()
    first, second = [UUID((await sell(own_shop, quantity=1, discount=0, pay=[]))["id"]) for _ in range(2)]
    assert await issue_invoice(conn, business, first, None) == 1
    with pytest.raises(Problem) as refused:
        await issue_invoice(conn, business, first, None)
    assert refused.value.kind is InvoiceProblem.EXISTS
    assert await issue_invoice(conn, business, second, None) == 2


async def test_an_invoiced_order_cannot_be_canceled(own_shop: Shop, conn: Connection) -> None:
    sale = await sell(own_shop, quantity=1, discount=0, pay=[])
    await issue_invoice(conn, await own_shop.tenant(), UUID(sale["id"]), None)
    refused = await own_shop.post(f"/orders/{sale['id']}/status", {"status": "canceled"})
    assert (refused.status_code, refused.json()["error"]) == (422, "order_has_invoice")


@pytest.mark.parametrize(
    ("total", "rate", "decimals", "tax"),
    [("115", "15", 2, "15.00"), ("0.05", "15", 2, "0.01"), ("100", "0", 2, "0.00"), ("1.150", "15", 3, "0.150")],
)
def test_the_tax_is_the_part_that_the_price_holds(total: str, rate: str, decimals: int, tax: str) -> None:
    assert included_tax(Decimal(total), Decimal(rate), decimals) == Decimal(tax)


def test_a_name_too_long_for_its_length_byte_is_cut_between_letters() -> None:
    fields = read_tlv(tax_qr("ل" * 200, "3" * 15, "2026-01-01T00:00:00Z", "1.00", "0.13"))
    assert fields[1] == "ل" * 127
    assert fields[5] == "0.13"
