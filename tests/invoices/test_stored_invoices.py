"""An invoice stays as it was issued, and belongs to its business alone."""

from uuid import UUID, uuid4

import asyncpg
import pytest

from frontdesk.i18n.languages import Language
from frontdesk.invoices.page import render_page
from frontdesk.invoices.queries import invoice_of_order
from frontdesk.invoices.types import Invoice
from frontdesk.postgres.pool import Connection
from frontdesk.postgres.query import fetch
from tests.factories.changes import change_rows, change_tenant
from tests.orders.test_refund import own_shop, sell
from tests.support.acts import issue_invoice
from tests.support.shop import Shop

__all__ = ["own_shop"]


async def issued(shop: Shop, conn: Connection) -> Invoice:
    sale = await sell(shop, quantity=2, discount=1, pay=[])
    number = await issue_invoice(conn, await shop.tenant(), UUID(sale["id"]), None)
    invoice = await fetch(conn, shop.tenant_id, invoice_of_order(UUID(sale["id"])))
    assert invoice is not None
    assert (invoice.number, str(invoice.order_number)) == (number, sale["order_number"])
    return invoice


async def test_an_invoice_shows_the_same_after_everything_it_names_is_renamed(own_shop: Shop, conn: Connection) -> None:
    invoice = await issued(own_shop, conn)
    before = [render_page(invoice, language) for language in Language]
    await change_tenant(own_shop, timezone="Pacific/Auckland", name="New", tax_registration_number="399999999900003")
    await change_rows(own_shop, "branches", name="New", address="New", phone="+966110000000")
    await change_rows(own_shop, "customers", first_name="New", last_name="New", address="New")
    await change_rows(own_shop, "items", name='{"ar": "New", "en": "New"}', price=77)
    await change_rows(own_shop, "order_lines", name="New")
    after = await fetch(conn, own_shop.tenant_id, invoice_of_order(invoice.order_id))
    assert after == invoice
    assert [render_page(after, language) for language in Language] == before
    assert "New" not in before[0]


async def test_an_issued_invoice_reads_as_it_was_stored(own_shop: Shop, conn: Connection) -> None:
    invoice = await issued(own_shop, conn)
    (row,) = await own_shop.sql("SELECT total, tax_amount, qr, issued_at FROM invoices WHERE tenant_id = $1")
    assert (invoice.total, invoice.tax_amount, invoice.qr, invoice.issued_at) == tuple(row.values())
    assert [(str(line.total), line.quantity) for line in invoice.lines] == [("19.00", 2)]
    assert invoice.buyer is not None


async def test_an_invoice_of_another_business_is_unknown(own_shop: Shop, other_shop: Shop, conn: Connection) -> None:
    invoice = await issued(own_shop, conn)
    assert await fetch(conn, other_shop.tenant_id, invoice_of_order(invoice.order_id)) is None


async def test_an_order_without_an_invoice_has_none(own_shop: Shop, conn: Connection) -> None:
    assert await fetch(conn, own_shop.tenant_id, invoice_of_order(uuid4())) is None


@pytest.mark.parametrize(
    "change", ["UPDATE invoices SET total = 0 WHERE tenant_id = $1", "DELETE FROM invoices WHERE tenant_id = $1"]
)
async def test_the_database_refuses_to_change_or_delete_an_invoice(
    own_shop: Shop, conn: Connection, change: str
) -> None:
    await issued(own_shop, conn)
    with pytest.raises(asyncpg.RestrictViolationError):
        await own_shop.sql(change)
