"""The list of orders: who, when and by which application; how many of each status; in which order."""

import re

from tests.support.dashboard import DashboardClient
from tests.support.shop import Shop
from tests.ui.test_orders import numbers

_COUNT = re.compile(
    r'href="/orders\?[^"]*status=([a-z-]+)[^"]*"[^>]*>.*?<span class="num">([0-9,+]+)</span></a>', re.DOTALL
)


async def expected(shop: Shop, condition: str, order: str = "order_number DESC") -> list[int]:
    rows = await shop.sql(
        f"SELECT order_number FROM orders o WHERE tenant_id = $1 AND {condition} ORDER BY {order} LIMIT 25"
    )
    return [row["order_number"] for row in rows]


async def test_each_filter_lets_only_its_own_through(salon: Shop, owner: DashboardClient) -> None:
    (some,) = await salon.sql(
        """
        SELECT (starts_at AT TIME ZONE 'Asia/Riyadh')::date AS day, customer_id,
               (SELECT staff_id FROM bookings b WHERE b.tenant_id = $1 AND b.order_id = o.id LIMIT 1) AS staff_id
        FROM orders o WHERE tenant_id = $1 AND starts_at IS NOT NULL AND customer_id IS NOT NULL LIMIT 1
        """
    )
    (app,) = await salon.sql("SELECT id FROM api_clients WHERE tenant_id = $1 LIMIT 1")
    day = f"(starts_at AT TIME ZONE 'Asia/Riyadh')::date = '{some['day']}'"
    performed = f"EXISTS (SELECT FROM order_lines l WHERE l.order_id = o.id AND l.staff_id = '{some['staff_id']}')"
    for query, condition in {
        f"starts_from={some['day']}&starts_to={some['day']}": day,
        f"staff={some['staff_id']}": performed,
        f"customer={some['customer_id']}": f"customer_id = '{some['customer_id']}'",
        f"application={app['id']}": f"created_by_id = '{app['id']}'",
    }.items():
        assert await numbers(owner, f"?{query}") == await expected(salon, condition), query


async def test_the_tabs_count_what_the_other_filters_leave(salon: Shop, owner: DashboardClient) -> None:
    for query, condition in {"": "true", "?payment=paid": "payment_status = 'paid'", "?search=zzz": "false"}.items():
        page = (await owner.get(f"/orders{query}")).text
        rows = await salon.sql(
            f"SELECT status, count(*) FROM orders WHERE tenant_id = $1 AND {condition} GROUP BY status"
        )
        counts = {status: int(many) for status, many in _COUNT.findall(page) if many != "0"}
        assert counts == {row["status"]: row["count"] for row in rows}, query


async def test_the_list_can_be_turned_round_and_sorted_by_appointment(salon: Shop, owner: DashboardClient) -> None:
    assert await numbers(owner, "?sort=oldest") == await expected(salon, "true", "order_number")
    for sort, order in {
        "appointment": "starts_at, order_number",
        "latest-appointment": "starts_at DESC, 1 DESC",
    }.items():
        assert await numbers(owner, f"?sort={sort}") == await expected(salon, "starts_at IS NOT NULL", order)
