"""The list of orders as people filter it, and one order's page."""

import re
from datetime import UTC, datetime
from uuid import UUID, uuid4

import pytest

from frontdesk.auth.types import Role
from tests.factories.catalog import make_branch
from tests.factories.changes import change_named, change_row, change_rows, change_tenant
from tests.factories.orders import make_order
from tests.factories.people import customer_of
from tests.factories.users import make_user
from tests.support.dashboard import DashboardClient, dashboard_of
from tests.support.shop import Shop

_ROW = re.compile(r'class="rowlink number" href="/orders/([0-9a-f-]{36})"[^>]*>(\d+)<')


async def numbers(desk: DashboardClient, query: str = "") -> list[int]:
    answer = await desk.get(f"/orders{query}")
    assert answer.status_code == 200, answer.text
    return [int(number) for _, number in _ROW.findall(answer.text)]


async def number_of(shop: Shop, order_id: UUID) -> int:
    (row,) = await shop.sql("SELECT order_number FROM orders WHERE tenant_id = $1 AND id = $2", order_id)
    number: int = row["order_number"]
    return number


async def test_the_newest_come_first_page_by_page(own_shop: Shop, owner: DashboardClient) -> None:
    kept = [
        row["order_number"]
        for row in await own_shop.sql("SELECT order_number FROM orders WHERE tenant_id = $1 ORDER BY order_number DESC")
    ]
    seen: list[int] = []
    page = 1
    while len(seen) < len(kept):
        more = await numbers(owner, f"?page={page}")
        assert 0 < len(more) <= 25
        seen += more
        page += 1
    assert seen == kept
    assert (await owner.get(f"/orders?page={page}")).headers["location"] == "/orders"


@pytest.mark.parametrize("status", ["draft", "confirmed", "in-progress", "completed", "canceled"])
async def test_orders_are_filtered_by_status_in_the_list(own_shop: Shop, owner: DashboardClient, status: str) -> None:
    rows = await own_shop.sql(
        "SELECT order_number FROM orders WHERE tenant_id = $1 AND status = $2 ORDER BY order_number DESC LIMIT 25",
        status,
    )
    assert rows
    assert await numbers(owner, f"?status={status}") == [row["order_number"] for row in rows]


@pytest.mark.parametrize("status", ["unpaid", "partially_paid", "paid"])
async def test_orders_are_filtered_by_payment_status(own_shop: Shop, owner: DashboardClient, status: str) -> None:
    rows = await own_shop.sql(
        """
        SELECT order_number FROM orders WHERE tenant_id = $1
        AND payment_status(total, paid_amount, refunded_amount) = $2 ORDER BY order_number DESC LIMIT 25
        """,
        status,
    )
    assert rows
    assert await numbers(owner, f"?payment={status}") == [row["order_number"] for row in rows]


async def test_orders_are_filtered_by_local_days(own_shop: Shop, owner: DashboardClient) -> None:
    order_id = await make_order(own_shop, 1)
    await change_row(
        own_shop, "orders", order_id, created_at=datetime(2030, 1, 1, 22, 30, tzinfo=UTC)
    )  # 01:30 of the next day in Riyadh
    number = await number_of(own_shop, order_id)
    assert await numbers(owner, "?from=2030-01-02&to=2030-01-02") == [number]
    assert await numbers(owner, "?from=2030-01-01&to=2030-01-01") == []
    answer = await owner.get("/orders?from=2030-01-02&to=2030-01-01")
    assert answer.status_code == 422
    assert "The first day must not be after the last." in answer.text
    assert (await owner.get("/orders?from=yesterday")).status_code == 422


async def test_an_order_is_found_by_its_number_its_customer_s_name_or_phone(
    own_shop: Shop, owner: DashboardClient
) -> None:
    customer_id, order_id = await customer_of(own_shop), await make_order(own_shop, 1)
    await change_row(
        own_shop, "customers", customer_id, first_name="Zuhair", name_search="zuhair al-_test", phone="+966509998877"
    )
    rows = await own_shop.sql(
        "SELECT order_number FROM orders WHERE tenant_id = $1 AND customer_id = $2 ORDER BY order_number DESC",
        customer_id,
    )
    of_customer = [row["order_number"] for row in rows][:25]
    assert await number_of(own_shop, order_id) in of_customer
    for typed in ("ZUHAIR", "al-_", "0509998877", "%2B966 50 999 8877", "00966509998877", "٠٥٠٩٩٩٨٨٧٧"):
        assert await numbers(owner, f"?search={typed}") == of_customer, typed
    (number,) = {await number_of(own_shop, order_id)}
    assert number in await numbers(owner, f"?search={number}")
    for nobody in ("no such name", "%25", "99999999999999999999", "x" * 255):
        assert await numbers(owner, f"?search={nobody}") == [], nobody
    assert (await owner.get(f"/orders?search={'x' * 256}")).status_code == 422


async def test_orders_are_filtered_by_branch(own_shop: Shop, other_shop: Shop, owner: DashboardClient) -> None:
    assert 'name="branch"' not in (await owner.get("/orders")).text
    branch_id = await make_branch(own_shop)
    order_id = await make_order(own_shop, 1)
    await change_row(own_shop, "orders", order_id, branch_id=branch_id)
    assert 'name="branch"' in (await owner.get("/orders")).text
    assert await numbers(owner, f"?branch={branch_id}") == [await number_of(own_shop, order_id)]
    foreign = (await other_shop.sql("SELECT id FROM branches WHERE tenant_id = $1"))[0]["id"]
    assert await numbers(owner, f"?branch={foreign}") == []


async def test_a_filter_stays_when_one_turns_the_page(own_shop: Shop, owner: DashboardClient) -> None:
    for _ in range(26):
        await make_order(own_shop, 1, draft=True)
    text = (await owner.get("/orders?status=draft&search=&from=2020-01-01&to=")).text
    assert 'href="/orders?from=2020-01-01&amp;status=draft&amp;page=2"' in text
    assert "1–25" in text
    assert await numbers(owner, "?from=2020-01-01&status=draft&page=2")


async def test_a_list_costs_the_same_statements_whatever_it_holds(
    own_shop: Shop, owner: DashboardClient, capfd: pytest.CaptureFixture[str]
) -> None:
    async def cost(path: str) -> set[str]:
        assert (await owner.get(path)).status_code == 200
        await owner.get("/health/live")  # by its answer the request before it is in the log
        return set(re.findall(r'"route":"GET /orders".*"statements":(\d+)', capfd.readouterr().out))

    queries = ("/orders", "/orders?status=draft", "/orders?search=a", "/orders?page=2", f"/orders?branch={uuid4()}")
    few = [await cost(query) for query in queries]
    for _ in range(30):
        await make_order(own_shop, 1, 1)
    assert [await cost(query) for query in queries] == few
    assert all(len(one) == 1 and int(next(iter(one))) <= 4 for one in few), few


async def test_a_full_page_is_small(own_shop: Shop, owner: DashboardClient) -> None:
    await change_rows(
        own_shop, "customers", first_name="Jawaher", last_name="Al-Mutairi"
    )  # those of the sandbox are drawn by lot
    assert len((await owner.get("/orders")).content) < 55_000
    order_id = await make_order(own_shop, *[1] * 20)
    assert len((await owner.get(f"/orders/{order_id}")).content) < 50_000


async def test_an_order_s_page_tells_all_of_it_in_both_languages(own_shop: Shop, owner: DashboardClient) -> None:
    order_id = await make_order(own_shop, 3, price="1450.50", paid="1000")
    page = (await owner.get(f"/orders/{order_id}")).text
    for text in ("Oil 1", "3 × 1,450.50", "4,351.50", "3,351.50", "1,000.00", "Total, SAR", "Partially paid", "Cash"):
        assert text in page, text
    await owner.post("/language", {"language": "ar"})
    page = (await owner.get(f"/orders/{order_id}")).text
    for text in ('dir="rtl"', "الإجمالي، ر.س", "مدفوع جزئيًا", "3,351.50", "نقدًا"):
        assert text in page, text


async def test_an_order_event_holds_its_bookings_with_staff_time_and_reference(
    own_shop: Shop, owner: DashboardClient
) -> None:
    (row, *_) = await own_shop.sql(
        """
        SELECT k.order_id, k.reference, s.name, to_char(lower(k.during) AT TIME ZONE 'Asia/Riyadh', 'HH24:MI') AS starts
        FROM bookings k JOIN staff s ON s.tenant_id = $1 AND s.id = k.staff_id WHERE k.tenant_id = $1 LIMIT 1
        """
    )
    page = (await owner.get(f"/orders/{row['order_id']}")).text
    assert row["reference"] in page
    assert row["name"] in page
    assert f">{row['starts']}–" in page


@pytest.mark.parametrize(
    ("currency", "decimals", "total", "arabic"),
    [("KWD", 3, "1,234.500", "الإجمالي، د.ك"), ("JPY", 0, "1,235", "الإجمالي، JPY")],
)
async def test_money_is_written_as_the_currency_has_it(
    own_shop: Shop, owner: DashboardClient, currency: str, decimals: int, total: str, arabic: str
) -> None:
    await change_tenant(own_shop, currency=currency, currency_decimals=decimals)
    order_id = await make_order(own_shop, 1, price="1235" if decimals == 0 else "1234.5")
    page = (await owner.get(f"/orders/{order_id}")).text
    assert f"Total, {currency}" in page
    assert f">{total}<" in page
    assert f'value="{total.replace(",", "")}"' in (await owner.get(f"/orders/{order_id}/pay")).text
    await owner.post("/language", {"language": "ar"})
    page = (await owner.get(f"/orders/{order_id}")).text
    assert arabic in page
    assert f">{total}<" in page


async def test_lines_are_called_by_their_name_in_the_language_of_the_page(
    own_shop: Shop, owner: DashboardClient
) -> None:
    order_id = await make_order(own_shop, 1)
    renamed = '{"ar": "زيت جديد", "en": "New oil"}'
    await change_named(own_shop, "items", "Oil 1", name=renamed)
    for path in (f"/orders/{order_id}", "/orders"):
        await owner.post("/language", {"language": "en"})
        assert "New oil" in (await owner.get(path)).text
        await owner.post("/language", {"language": "ar"})
        kept = (await owner.get(path)).text
        assert "Oil 1" in kept  # as it was sold
        assert "زيت جديد" not in kept


async def test_texts_of_an_order_are_escaped(own_shop: Shop, owner: DashboardClient) -> None:
    order_id = await make_order(own_shop, 1)
    sent = {"status": "in-progress", "note": "<script>alert(1)</script> “x”"}
    assert (await owner.post(f"/orders/{order_id}/status", sent)).status_code == 303
    assert "&lt;script&gt;alert(1)" in (await owner.get(f"/orders/{order_id}")).text
    assert "<script>alert" not in (await owner.get("/orders?search=<script>alert(1)</script>")).text


@pytest.mark.parametrize(
    ("role", "seen", "hidden"),
    [
        (Role.RECEPTIONIST, ["Change status", "/pay", "/cancel", "Issue invoice"], ["/refund"]),
        (Role.CASHIER, ["Change status", "/pay", "/cancel", "Issue invoice"], ["/refund"]),
        (Role.MANAGER, ["Change status", "/pay", "/cancel", "/refund", "Issue invoice"], []),
    ],
)
async def test_nobody_is_offered_what_their_role_does_not_open(
    own_shop: Shop, role: Role, seen: list[str], hidden: list[str]
) -> None:
    order_id = await make_order(own_shop, 2, paid="5")
    async with await dashboard_of(own_shop, await make_user(own_shop, role)) as desk:
        page = (await desk.get(f"/orders/{order_id}")).text
    assert [one for one in seen if one not in page] == []
    assert [one for one in hidden if one in page] == []


async def test_a_product_sold_out_meanwhile_keeps_a_canceled_order_canceled(
    own_shop: Shop, owner: DashboardClient
) -> None:
    order_id = await make_order(own_shop, 2)
    await owner.post(f"/orders/{order_id}/cancel")
    await change_named(own_shop, "items", "Oil 1", stock=1)
    answer = await owner.post(f"/orders/{order_id}/status", {"status": "confirmed"})
    assert answer.status_code == 422
    assert "A product in it is not in stock." in answer.text
