"""All visits that wait to be paid, found by customer."""

import re
from datetime import UTC, datetime, timedelta

from frontdesk.values.ids import uuid7
from tests.factories.changes import change_row
from tests.factories.orders import make_order
from tests.factories.people import make_customer
from tests.support.dashboard import DashboardClient
from tests.support.forms import texts
from tests.support.shop import Shop

MANY = 11  # more than the till shows itself


async def test_every_visit_that_is_not_paid_is_listed_and_found_by_customer(
    own_shop: Shop, owner: DashboardClient
) -> None:
    await own_shop.sql(
        "UPDATE orders SET starts_at = NULL, paid_amount = total WHERE tenant_id = $1 AND parent_id IS NULL"
    )
    zahra = await make_customer(own_shop, first_name="Zahra", last_name="Al-Amri")
    now = datetime.now(UTC)
    for _ in range(MANY):
        order_id = await make_order(own_shop, 1, price="10")
        await change_row(own_shop, "orders", order_id, starts_at=now)
    hers = await make_order(own_shop, 1, price="70", paid="20")
    await change_row(own_shop, "orders", hers, starts_at=now - timedelta(days=40), customer_id=zahra)
    coming = await make_order(own_shop, 1, price="10")
    await change_row(own_shop, "orders", coming, starts_at=now + timedelta(days=3), customer_id=zahra)

    till = (await owner.get("/till")).text
    assert len(re.findall(r'href="/till\?order=', till)) < MANY
    assert "Show all 12" in texts(till)
    page = (await owner.get("/till/waiting")).text
    assert len(set(re.findall(r'href="/till\?order=([0-9a-f-]+)"', page))) == MANY + 1
    assert re.findall(r"(Done but not paid|Here now|Not here yet|Earlier days) (\d+) ([\d.]+)", texts(page)) == [
        ("Not here yet", "11", "110.00"),
        ("Earlier days", "1", "50.00"),
    ]
    assert "SAR 160.00" in texts(page).replace("\u2066", "").replace("\u2069", "")
    found = (await owner.get("/till/waiting?search=zahra")).text
    assert set(re.findall(r'href="/till\?order=([0-9a-f-]+)"', found)) == {str(hers)}
    (row,) = await own_shop.sql("SELECT order_number FROM orders WHERE tenant_id = $1 AND id = $2", hers)
    by_number = (await owner.get(f"/till/waiting?search={row['order_number']}")).text
    assert str(hers) in by_number
    assert "Nobody is waiting" in texts((await owner.get(f"/till/waiting?search={uuid7()}")).text)
