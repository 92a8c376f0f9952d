"""The invoice of a sale, from the till: issued once, read as data, page and PDF."""

from typing import Any
from uuid import uuid4

import pytest

from tests.orders.test_refund import own_shop, sell
from tests.support.shop import Shop
from tests.support.waiting import answered

pytestmark = pytest.mark.both_servers

__all__ = ["own_shop"]


async def sale_of(shop: Shop) -> str:
    sale: dict[str, Any] = await sell(shop, quantity=2, discount=1, pay=[])
    return f"/pos/orders/{sale['id']}/invoice"


async def test_an_invoice_is_issued_once_and_numbered(own_shop: Shop) -> None:
    address = await sale_of(own_shop)
    assert (await own_shop.key_call("GET", address)).status_code == 404
    issued = await own_shop.key_call("POST", address)
    assert issued.status_code == 201
    assert (issued.json()["data"]["invoice_number"], issued.json()["data"]["tax_amount"]) == (1, 2.48)
    again = await own_shop.key_call("POST", address)
    assert (again.status_code, again.json()["error"]) == (422, "order_has_invoice")
    assert (await own_shop.key_call("GET", address)).json() == issued.json()


@pytest.mark.parametrize(("language", "direction"), [("ar", "rtl"), ("en", "ltr")])
async def test_an_invoice_is_a_page_in_both_languages(own_shop: Shop, language: str, direction: str) -> None:
    address = await sale_of(own_shop)
    await own_shop.key_call("POST", address)
    page = await own_shop.key_call("GET", f"{address}?format=html&language={language}")
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    assert f'dir="{direction}"' in page.text
    assert "19.00" in page.text
    product = (await own_shop.get("/items?type=product")).json()["data"][0]
    assert product["name"][language] in page.text


async def test_an_invoice_is_a_pdf(own_shop: Shop) -> None:
    address = await sale_of(own_shop)
    await own_shop.key_call("POST", address)
    pdf = await answered(lambda: own_shop.key_call("GET", f"{address}?format=pdf&language=ar"))
    assert (pdf.status_code, pdf.headers["content-type"], pdf.content[:5]) == (200, "application/pdf", b"%PDF-")


async def test_what_is_no_format_or_language_is_refused(own_shop: Shop) -> None:
    address = await sale_of(own_shop)
    refused = await own_shop.key_call("GET", f"{address}?format=doc&language=fr")
    assert refused.status_code == 422
    assert set(refused.json()["errors"]) == {"format", "language"}


async def test_another_business_finds_no_invoice(own_shop: Shop, other_shop: Shop) -> None:
    address = await sale_of(own_shop)
    await own_shop.key_call("POST", address)
    for method in ("GET", "POST"):
        assert (await other_shop.key_call(method, address)).status_code == 404
    assert (await own_shop.key_call("POST", f"/pos/orders/{uuid4()}/invoice")).status_code == 404
