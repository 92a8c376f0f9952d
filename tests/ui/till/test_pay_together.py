"""Several orders that wait are one cart: one payment over them, each with its own number, lines and invoice."""

import re
from html import unescape
from typing import Any
from uuid import UUID

from frontdesk.postgres.pool import Connection
from frontdesk.values.ids import uuid7
from tests.factories.catalog import branch_of
from tests.factories.orders import make_order
from tests.factories.people import customer_of, make_customer
from tests.support.branch import NINE_TO_FIVE, BranchFixture, day, line, method_of, start
from tests.support.dashboard import DashboardClient
from tests.support.forms import form_fields, texts
from tests.support.invariants import broken_invariants
from tests.support.shop import Shop

PATH = "/till/together"


async def _orders(shop: Shop) -> tuple[UUID, UUID]:
    """A mother, who has paid a deposit, and her daughter."""
    hala, dana = [await make_customer(shop, first_name=name, last_name="Al-Amri") for name in ("Hala", "Dana")]
    mother = await make_order(shop, 2, price="100", paid="50", customer_id=hala)
    daughter = await make_order(shop, 1, price="70", customer_id=dana)
    return mother, daughter


async def _paid(shop: Shop, *orders: UUID) -> list[tuple[int, str]]:
    rows = await shop.sql(
        "SELECT paid_amount, payment_status FROM orders WHERE tenant_id = $1 AND id = ANY ($2) ORDER BY order_number",
        list(orders),
    )
    return [(int(row["paid_amount"]), row["payment_status"]) for row in rows]


async def _form(desk: DashboardClient, *orders: UUID, **changes: Any) -> dict[str, Any]:
    page = await desk.get(PATH, params={"order": [str(order_id) for order_id in orders]})
    return {**form_fields(page.text, PATH), **changes}


async def test_two_visits_are_paid_at_once_and_keep_their_own_receipts(
    own_shop: Shop, owner: DashboardClient, conn: Connection
) -> None:
    mother, daughter = await _orders(own_shop)
    cash = await method_of(own_shop)
    waiting = (await owner.get("/till/waiting")).text
    assert f'name="order" value="{mother}" form="together"' in waiting

    form = await _form(owner, mother, daughter, method=cash, given="250")
    assert form["amount"] == ["220.00"]
    for _ in range(2):  # a double click
        done = await owner.post(PATH, form)
        assert done.status_code == 303, texts(done.text)
    assert await _paid(own_shop, mother, daughter) == [(200, "paid"), (70, "paid")]
    payments = await own_shop.sql(
        """
        SELECT order_id, amount, tendered_amount FROM transactions
        WHERE tenant_id = $1 AND order_id = ANY ($2) AND payment_method_id = $3 ORDER BY transaction_no DESC LIMIT 2
        """,
        [mother, daughter],
        UUID(cash),
    )
    assert [tuple(row) for row in payments] == [(daughter, 70, 100), (mother, 150, 150)]
    numbers = await own_shop.sql(
        "SELECT order_number FROM orders WHERE tenant_id = $1 AND id = ANY ($2)", [mother, daughter]
    )
    for language, change in (("en", "Change to give: SAR 30.00"), ("ar", "30.00")):
        papers = await owner.get(done.headers["location"], headers={"accept-language": language})
        assert papers.text.count('<article class="receipt"') == 2
        assert all(f"{row['order_number']:06}" in papers.text for row in numbers)
        assert change in texts(papers.text).replace("\u2066", "").replace("\u2069", "")
    for order_id in (mother, daughter):
        assert (await owner.post(f"/orders/{order_id}/invoice", {"id": str(uuid7())})).status_code == 303
    assert await broken_invariants(conn, own_shop.tenant_id) == []


async def test_a_part_pays_the_oldest_first_and_what_has_changed_is_not_taken(
    own_shop: Shop, owner: DashboardClient, neighbour: Shop, conn: Connection
) -> None:
    mother, daughter = await _orders(own_shop)
    theirs, _ = await _orders(neighbour)
    card = await method_of(own_shop, "card")
    closed = "The drawer is not open. This cash is counted as taken before it was opened."
    opened = {"branch": str(await branch_of(own_shop)), "id": str(uuid7()), "float": "100"}
    for said in (True, False):
        page = await owner.get(PATH, params={"order": str(mother)})
        assert (closed in texts(page.text)) is said
        assert (await owner.post("/drawer/open", opened)).status_code == 303
    form = await _form(owner, mother, daughter, theirs, method=card)
    assert form["order"] == [str(mother), str(daughter)]
    above = await owner.post(PATH, {**form, "amount": "220.01"})
    assert (above.status_code, "220.00" in above.text) == (422, True)
    taken = await owner.post(PATH, {**form, "amount": "160"})
    assert taken.status_code == 303, texts(taken.text)
    assert await _paid(own_shop, mother, daughter) == [(200, "paid"), (10, "partially_paid")]
    again = await owner.post(PATH, {**form, "id": str(uuid7())})
    assert again.status_code == 422
    assert form_fields(again.text, PATH)["amount"] == ["220.00"]  # what was entered, to be looked at
    assert "Left to pay 60.00" in texts(again.text)
    rest = await _form(owner, daughter, method=card)
    assert "receipts" in (await owner.post(PATH, rest)).headers["location"]
    assert (await owner.post(PATH, {**rest, "id": str(uuid7())})).headers["location"] == "/till/waiting"
    assert "Nothing was taken now." in texts((await owner.get("/till/waiting")).text)
    assert (await owner.get(f"{PATH}?order={mother}")).headers["location"] == "/till/waiting"
    assert await broken_invariants(conn, own_shop.tenant_id) == []


async def test_what_is_paid_before_the_appointment_without_settling_it_is_a_deposit(
    own_shop: Shop, owner: DashboardClient
) -> None:
    branch = BranchFixture(own_shop, await branch_of(own_shop), await customer_of(own_shop))
    cut = await branch.add_service(price="100")
    await branch.set_hours(NINE_TO_FIVE)
    await branch.add_provider(cut)
    first, second = [await branch.place(line(cut), start=start(day(1), at)) for at in ("10:00", "14:00")]
    form = await _form(owner, first["id"], second["id"], method=await method_of(own_shop), amount="150")
    assert (await owner.post(PATH, form)).status_code == 303
    paid = await own_shop.sql(
        "SELECT amount, is_deposit FROM transactions WHERE tenant_id = $1 AND order_id = ANY ($2) ORDER BY amount",
        [UUID(first["id"]), UUID(second["id"])],
    )
    assert [tuple(row) for row in paid] == [(50, True), (100, False)]


async def test_the_lines_of_an_order_are_changed_on_the_way(own_shop: Shop, owner: DashboardClient) -> None:
    mother, daughter = await _orders(own_shop)
    here = f"{PATH}?order={mother}&order={daughter}"
    (link,) = re.findall(rf'href="(/orders/{daughter}/edit[^"]+)"', (await owner.get(here)).text)
    path = f"/orders/{daughter}/edit"
    form = form_fields((await owner.get(unescape(link))).text, path)
    preview = await owner.post(path, {**form, "quantity": "2", "act": "update"})
    saved = await owner.post(path, {**form_fields(preview.text, path), "act": "save"})
    assert (saved.status_code, saved.headers["location"]) == (303, here), texts(saved.text)
    assert (await _form(owner, mother, daughter))["amount"] == ["290.00"]
    elsewhere = {**form_fields((await owner.get(path)).text, path), "act": "save", "back": "//other.example/"}
    assert (await owner.post(path, elsewhere)).headers["location"] == "/"


async def test_all_orders_of_a_page_are_paid_at_once(own_shop: Shop, owner: DashboardClient) -> None:
    customer_id = await make_customer(own_shop)
    orders = [await make_order(own_shop, 1, customer_id=customer_id) for _ in range(50)]
    form = await _form(owner, *orders, method=await method_of(own_shop, "card"))
    assert len(form["order"]) == len(orders)
    done = await owner.post(PATH, form)
    assert done.status_code == 303, texts(done.text)
    assert {status for _, status in await _paid(own_shop, *orders)} == {"paid"}
    assert (await owner.get(done.headers["location"])).text.count('<article class="receipt"') == len(orders)
