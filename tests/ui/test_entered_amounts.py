"""Amounts as people type them: every form for the people of a business reads them in the same ways."""

import re
from decimal import Decimal
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest

from frontdesk import ui
from frontdesk.http.field_types import EnteredAmount
from frontdesk.ui.app import dashboard
from frontdesk.values.ids import uuid7
from frontdesk.values.money import parse_amount
from tests.factories.catalog import make_product
from tests.factories.changes import change_row
from tests.factories.orders import make_order
from tests.support.branch import day, open_branch
from tests.support.dashboard import DashboardClient
from tests.support.shop import Shop

TYPED = {
    "12.50": "12.50",
    "1,000.00": "1000.00",
    "1,000": "1000",
    "1 000,50": "1000.50",
    "612,50": "612.50",
    "612,5": "612.5",
    "١٬٠٠٠٫٥٠": "1000.50",
    "٦١٢٫٥٠": "612.50",
    "٦١٢,٥٠": "612.50",
    "٦١٢،٥٠": "612.50",
    "۶۱۲٫۵۰": "612.50",
    " 1,234,567.125 ": "1234567.125",
}
NO_AMOUNTS = ["", "ten", "1e3", "-1", "1,00,0", "1.2.3", "1,0000", "12,50.00", "NaN", "Infinity", "12.", ".5", "²"]
AMOUNTS = re.compile(r"(^|_)(amount|price|cost|discount|float|found|left|deposit|tip|given|rate|percent|percent_off)$")
# These are read after the rest of their form, by the same function; whole numbers of percent are no amounts.
READ_LATER = {
    *((form, field) for form in ("CountForm", "CountFields") for field in ("amount", "left", "found", "cashier_found")),
    *(("BookingForm", field) for field in ("price", "discount", "deposit")),
    *(("TillForm", "tip_percent"), ("BusinessForm", "deposit_percent")),
}


@pytest.mark.parametrize(("text", "amount"), TYPED.items())
def test_an_amount_is_read_as_people_type_it(text: str, amount: str) -> None:
    assert parse_amount(text) == Decimal(amount)


@pytest.mark.parametrize("text", NO_AMOUNTS)
def test_what_is_no_amount_is_refused(text: str) -> None:
    assert parse_amount(text) is None


def is_entered(annotation: Any) -> bool:
    is_amount = isinstance(annotation, type) and issubclass(annotation, EnteredAmount)
    return is_amount or any(is_entered(part) for part in get_args(annotation))


def test_every_field_for_an_amount_reads_what_people_type() -> None:
    forms = {page.form for page in dashboard().pages if page.form is not None}
    fields = [(form, field) for form in forms for field in msgspec.structs.fields(form) if AMOUNTS.search(field.name)]
    assert len(fields) > 30
    others = {(form.__name__, field.name) for form, field in fields if not is_entered(field.type)}
    assert others == READ_LATER


def test_no_field_leaves_the_reading_of_numbers_to_the_browser() -> None:
    """A field of the type number refuses Arabic digits and 1,000."""
    pages = Path(ui.__file__).parent.rglob("*.html")
    assert [page.name for page in pages if 'type="number"' in page.read_text(encoding="utf-8")] == []


async def test_amounts_that_are_read_later_are_read_in_the_same_way(own_shop: Shop, owner: DashboardClient) -> None:
    hair = await open_branch(own_shop)
    cut = await hair.add_service(price="2000")
    await hair.add_provider(cut)
    form = {
        "id": str(uuid7()),
        "act": "show",
        "branch": str(hair.branch_id),
        "date": str(day(3)),
        "service": [str(cut)],
    }
    for typed in ("1,000.00", "612,50", "٦١٢٫٥٠"):
        shown = await owner.post("/calendar/new", {**form, "price": [typed], "discount": typed, "deposit": typed})
        assert (shown.status_code, "Enter an amount such as" in shown.text) == (200, False), typed
        assert shown.text.count(f'value="{typed}"') == 3, typed
    opening = {"id": str(uuid7()), "branch": str(hair.branch_id), "float": "٢٬٠٠٠"}
    assert (await owner.post("/drawer/open", opening)).status_code == 303
    pieces = {"pieces": [*[""] * 8, "2000", *[""] * 5], "is_open": "yes"}  # coins of one riyal
    count = {"id": str(uuid7()), "branch": str(hair.branch_id), "date": str(day(0)), **pieces}
    assert "Enter an amount such as" in (await owner.post("/day-close", {**count, "left": "x"})).text
    assert (await owner.post("/day-close", {**count, "left": "٦١٢٫٥٠"})).status_code == 303
    (closed,) = await own_shop.sql("SELECT drawer ->> 'left' AS left FROM day_closes WHERE tenant_id = $1")
    assert Decimal(closed["left"]) == Decimal("612.50")


async def test_a_payment_takes_an_amount_with_arabic_digits(own_shop: Shop, owner: DashboardClient) -> None:
    order_id = await make_order(own_shop, 1, price="2000")
    (cash, *_) = await own_shop.sql("SELECT id FROM payment_methods WHERE tenant_id = $1 AND type = 'cash'")
    for place, typed in enumerate(("1,000.00", "612,50", "٣٨٧٫٥٠")):
        sent = {"id": f"00000000-0000-7000-8000-00000000000{place}", "method": str(cash["id"]), "amount": typed}
        assert (await owner.post(f"/orders/{order_id}/pay", sent)).status_code == 303, typed
    (order,) = await own_shop.sql("SELECT paid_amount FROM orders WHERE tenant_id = $1 AND id = $2", order_id)
    assert order["paid_amount"] == 2000


async def test_copies_of_labels_are_typed_with_any_digits(own_shop: Shop, owner: DashboardClient) -> None:
    item_id = await make_product(own_shop, "Soap", price="9")
    await change_row(own_shop, "items", item_id, sku="SOAP-1")
    page = f"/catalogue/{item_id}/labels"
    for typed in ("2", "٢"):
        assert (await owner.get(page, params={"copies": typed})).text.count('<svg class="barcode-lines"') == 2
    too_many = await owner.get(page, params={"copies": "500"})
    assert (too_many.status_code, 'name="copies" inputmode="numeric" value="500"' in too_many.text) == (422, True)
    assert "Enter 100 or less." in too_many.text
