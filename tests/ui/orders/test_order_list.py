"""The list of orders: who, when and by which application; how many of each status; in which order."""

import re

import pytest

from frontdesk.auth.types import Role
from frontdesk.ui.orders import search_queries as order_search
from frontdesk.values.ids import uuid7
from tests.factories.orders import make_order
from tests.factories.users import make_user
from tests.support.dashboard import DashboardClient, dashboard_of
from tests.support.forms import form_fields
from tests.support.shop import Shop
from tests.ui.orders.test_order_acts import make_upcoming_order, order as stored_order, pay
from tests.ui.orders.test_orders import numbers

_COUNT = re.compile(
    r'href="/orders\?[^"]*status=([a-z-]+)[^"]*"[^>]*>.*?<span class="number">([0-9,+]+)</span></a>', re.DOTALL
)


async def expected(shop: Shop, condition: str, order: str = "order_number DESC") -> list[int]:
    rows = await shop.sql(
        f"SELECT order_number FROM orders o WHERE tenant_id = $1 AND {condition} ORDER BY {order} LIMIT 25"
    )
    return [row["order_number"] for row in rows]


async def test_each_filter_of_the_order_list(own_shop: Shop, owner: DashboardClient) -> None:
    (some,) = await own_shop.sql(
        """
        SELECT (starts_at AT TIME ZONE 'Asia/Riyadh')::date AS day, customer_id,
               (SELECT staff_id FROM bookings b WHERE b.tenant_id = $1 AND b.order_id = o.id LIMIT 1) AS staff_id
        FROM orders o WHERE tenant_id = $1 AND starts_at IS NOT NULL AND customer_id IS NOT NULL LIMIT 1
        """
    )
    (app,) = await own_shop.sql("SELECT id FROM api_clients WHERE tenant_id = $1 LIMIT 1")
    day = f"(starts_at AT TIME ZONE 'Asia/Riyadh')::date = '{some['day']}'"
    performed = f"EXISTS (SELECT FROM order_lines l WHERE l.order_id = o.id AND l.staff_id = '{some['staff_id']}')"
    for query, condition in {
        f"starts_from={some['day']}&starts_to={some['day']}": day,
        f"staff={some['staff_id']}": performed,
        f"customer={some['customer_id']}": f"customer_id = '{some['customer_id']}'",
        f"application={app['id']}": f"created_by_id = '{app['id']}'",
    }.items():
        assert await numbers(owner, f"?{query}") == await expected(own_shop, condition), query


async def test_the_tabs_count_what_the_other_filters_leave(own_shop: Shop, owner: DashboardClient) -> None:
    for query, condition in {"": "true", "?payment=paid": "payment_status = 'paid'", "?search=zzz": "false"}.items():
        page = (await owner.get(f"/orders{query}")).text
        rows = await own_shop.sql(
            f"SELECT status, count(*) FROM orders WHERE tenant_id = $1 AND {condition} GROUP BY status"
        )
        counts = {status: int(count) for status, count in _COUNT.findall(page) if count != "0"}
        assert counts == {row["status"]: row["count"] for row in rows}, query


async def test_an_order_number_is_found_among_many_phone_numbers(
    own_shop: Shop, owner: DashboardClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(order_search, "_MAX_MATCHES", 3)
    monkeypatch.setattr(order_search, "_MAX_NEWEST", 3)
    assert 5 in await numbers(owner, "?search=5")


async def test_the_list_can_be_turned_round_and_sorted_by_appointment(own_shop: Shop, owner: DashboardClient) -> None:
    assert await numbers(owner, "?sort=oldest") == await expected(own_shop, "true", "order_number")
    for sort, order in {
        "appointment": "starts_at, order_number",
        "latest-appointment": "starts_at DESC, 1 DESC",
    }.items():
        assert await numbers(owner, f"?sort={sort}") == await expected(own_shop, "starts_at IS NOT NULL", order)


async def test_a_view_is_kept_for_one_person_or_for_everybody(own_shop: Shop, owner: DashboardClient) -> None:
    saved = {"query": "status=confirmed&payment=unpaid&page=3&evil=1", "id": str(uuid7())}
    made = await owner.post("/orders/views/new", {**saved, "name": "Unpaid", "shared": "yes"})
    assert made.headers["location"] == "/orders?status=confirmed&payment=unpaid"
    again = await owner.post("/orders/views/new", {**saved, "id": str(uuid7()), "name": "Unpaid", "shared": "yes"})
    assert "Another view has this name." in again.text
    await owner.post("/orders/views/new", {**saved, "id": str(uuid7()), "name": "Mine"})
    async with await dashboard_of(own_shop, await make_user(own_shop, Role.CASHIER)) as desk:
        page = (await desk.get("/orders")).text
        assert "Unpaid" in page
        assert "Mine" not in page
        (view,) = await own_shop.sql("SELECT id FROM order_views WHERE tenant_id = $1 AND user_id IS NULL")
        assert (await desk.post(f"/orders/views/{view['id']}/delete", {"version": "1"})).status_code == 403
        assert (await desk.post("/orders/views/new", {**saved, "name": "x", "shared": "yes"})).status_code == 403
    other = (await owner.get("/orders?status=draft")).text
    assert "Use these filters for Unpaid" in other
    assert f'action="/orders/views/{view["id"]}"' in other
    assert (
        await owner.post(f"/orders/views/{view['id']}", {"version": "1", "query": "status=draft"})
    ).status_code == 303
    assert 'href="/orders?status=draft" aria-current="true"' in (await owner.get("/orders?status=draft")).text
    assert (await owner.post(f"/orders/views/{view['id']}/delete", {"version": "1"})).status_code == 422
    assert (await owner.post(f"/orders/views/{view['id']}/delete", {"version": "2"})).status_code == 303


async def test_a_view_is_renamed_and_the_activity_says_so(own_shop: Shop, owner: DashboardClient) -> None:
    for name in ("Drafts", "Taken"):
        await owner.post("/orders/views/new", {"id": str(uuid7()), "query": "status=draft", "name": name})
    (view, _) = await own_shop.sql("SELECT id FROM order_views WHERE tenant_id = $1 ORDER BY name")
    path = f"/orders/views/{view['id']}/rename"
    assert path in (await owner.get("/orders?status=draft")).text
    form = {"version": "1", "query": "status=draft"}
    assert 'value="Drafts"' in (await owner.get(path)).text
    assert "Enter a name." in (await owner.post(path, {**form, "name": " "})).text
    assert "Another view has this name." in (await owner.post(path, {**form, "name": "Taken"})).text
    async with await dashboard_of(own_shop, await make_user(own_shop, Role.MANAGER)) as other:
        assert (await other.get(path)).status_code == 403
        assert (await other.post(path, {**form, "name": "Theirs"})).status_code == 403
    renamed = await owner.post(path, {**form, "name": "To confirm"})
    assert renamed.headers["location"] == "/orders?status=draft"
    assert (await owner.post(path, {**form, "name": "Again"})).status_code == 422  # an outdated form
    shown = (await owner.get("/orders?status=draft")).text
    assert "To confirm" in shown
    assert "Drafts</bdi>" not in shown
    (entry,) = await own_shop.sql(
        "SELECT before, after FROM activity WHERE tenant_id = $1 AND action = 'order_view.updated'"
    )
    assert "To confirm" in str(entry["after"])


async def test_many_orders_are_changed_after_a_preview_each_on_its_own(own_shop: Shop, owner: DashboardClient) -> None:
    free, invoiced, gone = [await make_order(own_shop, 1) for _ in range(3)]
    await owner.post(f"/orders/{invoiced}/invoice", {"id": str(uuid7())})
    await owner.post(f"/orders/{gone}/cancel")
    chosen = [str(one) for one in (free, invoiced, gone)]
    preview = await owner.post("/orders/bulk", {"act": "cancel", "order": chosen})
    assert "1 order can be changed, 2 refused" in " ".join(preview.text.split())
    for reason in ("The order has an invoice.", "The order is already canceled."):
        assert reason in preview.text
    versions = re.findall(r'name="version" value="(\d+)"', preview.text)
    sent = {"act": "cancel", "order": str(free), "version": versions, "note": "Closed for a storm"}
    outdated = await owner.post("/orders/bulk/run", {**sent, "version": "7"})
    assert "This was changed after you opened it." in outdated.text
    done = await owner.post("/orders/bulk/run", sent)
    assert "1 order done" in done.text
    rows = await own_shop.sql(
        "SELECT note FROM order_status_history WHERE tenant_id = $1 AND order_id = $2 AND to_status = 'canceled'", free
    )
    assert [row["note"] for row in rows] == ["Closed for a storm"]
    everything = await owner.post("/orders/bulk", {"act": "complete", "everything": "yes", "query": "status=confirmed"})
    (confirmed,) = await own_shop.sql(
        """SELECT count(*) FILTER (WHERE coalesce(starts_at <= now(), true)) AS begun, count(*) AS all
        FROM orders WHERE tenant_id = $1 AND status = 'confirmed'"""
    )
    assert everything.text.count('name="order"') == confirmed["begun"]
    assert everything.text.count("The appointment has not begun yet.") == confirmed["all"] - confirmed["begun"] > 0
    table = await owner.post("/orders/bulk", {"act": "export", "order": chosen})
    assert [row.rpartition(",")[2].partition(".")[2] for row in table.text.splitlines()] == ["", "00", "00", "00"]
    async with await dashboard_of(own_shop, await make_user(own_shop, Role.CASHIER)) as desk:
        assert (await desk.post("/orders/bulk", {"act": "export", "order": chosen})).status_code == 403


def head(page: str) -> str:
    shown = page.split('class="head"')[1].partition("</p>")[0]
    return " ".join(re.sub("<[^>]+>|[\u2066\u2069]", "", shown).split())


async def test_the_head_has_the_sum_of_the_orders_that_are_listed(own_shop: Shop, owner: DashboardClient) -> None:
    (some,) = await own_shop.sql("SELECT customer_id FROM orders WHERE tenant_id = $1 AND status = 'canceled' LIMIT 1")
    customer = some["customer_id"]
    rows = await own_shop.sql(
        "SELECT status, sum(total) FROM orders WHERE tenant_id = $1 AND customer_id = $2 GROUP BY status", customer
    )
    sums = {row["status"]: row["sum"] for row in rows}
    canceled = sums.pop("canceled")
    sold = sum(total for status, total in sums.items() if status != "draft")
    page = head((await owner.get(f"/orders?customer={customer}")).text)
    assert f"SAR {sold:,.2f}" in page
    assert page.endswith("without drafts and canceled orders")
    page = head((await owner.get(f"/orders?customer={customer}&status=canceled")).text)
    assert page.endswith(f"SAR {canceled:,.2f}")
    assert head((await owner.get("/orders?from=2020-01-01&to=2020-01-31")).text).endswith("0 orders")
    assert "SAR" not in head((await owner.get("/orders")).text)  # of a million orders, nobody waits for a sum


async def test_the_sum_has_neither_a_canceled_order_nor_its_refunds(own_shop: Shop, owner: DashboardClient) -> None:
    order_id = await make_upcoming_order(own_shop)
    placed = await stored_order(own_shop, order_id)
    customer, total = placed["customer_id"], placed["total"]
    await own_shop.sql("UPDATE orders SET customer_id = NULL WHERE tenant_id = $1 AND id <> $2", order_id)
    list_path = f"/orders?customer={customer}"
    assert f"SAR {total:.2f}" in head((await owner.get(list_path)).text)
    assert (await pay(own_shop, owner, order_id, str(total))).status_code == 303
    sent = {"id": str(uuid7()), "what": "amount", "amount": "4"}
    assert (await owner.post(f"/orders/{order_id}/refund", sent)).status_code == 303
    assert f"SAR {total - 4:.2f}" in head((await owner.get(list_path)).text)
    form = form_fields((await owner.get(f"/orders/{order_id}/cancel")).text, f"/orders/{order_id}/give-up")
    assert (await owner.post(f"/orders/{order_id}/give-up", form)).status_code == 303
    assert "SAR 0.00" in head((await owner.get(list_path)).text)
    assert head((await owner.get(f"{list_path}&status=completed")).text).endswith("SAR 0.00")


@pytest.mark.parametrize("role", [Role.RECEPTIONIST, Role.CASHIER])
async def test_only_those_who_read_reports_see_the_sum(own_shop: Shop, owner: DashboardClient, role: Role) -> None:
    day = "/orders?from=2020-01-01&to=2100-01-01"
    assert "SAR" in head((await owner.get(day)).text)
    async with await dashboard_of(own_shop, await make_user(own_shop, role)) as desk:
        assert re.search(r"\d orders$", head((await desk.get(day)).text))


async def test_an_order_is_begun_where_its_user_may(own_shop: Shop, owner: DashboardClient) -> None:
    page = (await owner.get("/orders")).text
    assert 'href="/calendar/new"' in page
    async with await dashboard_of(own_shop, await make_user(own_shop, Role.CASHIER)) as desk:
        page = (await desk.get("/orders")).text
    assert 'href="/calendar/new"' not in page
    assert re.search(r'<a class="button button-primary" href="/till"[^>]*>\s*<svg.*</svg>\s*New order', page)
