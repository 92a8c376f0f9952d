"""What the page on which a day is closed says beside the count."""

import re
from datetime import timedelta
from uuid import UUID

from frontdesk.auth.types import Role
from frontdesk.values.ids import uuid7
from tests.factories.users import make_user
from tests.support.branch import line, open_branch
from tests.support.dashboard import DashboardClient, dashboard_of
from tests.support.shop import Shop
from tests.support.till import Till
from tests.ui.day_close.test_drawer import counting, sell


async def test_the_close_names_the_orders_of_the_day_that_are_not_paid_in_full(
    own_shop: Shop, other_shop: Shop, owner: DashboardClient
) -> None:
    room = await open_branch(own_shop)
    path = f"/day-close?branch={room.branch_id}"
    before = await own_shop.sql(
        "UPDATE orders SET payment_status = DEFAULT, paid_amount = total, version = version + 1 "
        "WHERE tenant_id = $1 AND parent_id IS NULL RETURNING id"
    )
    assert before
    assert "not paid in full" not in (await owner.get(path)).text
    till = Till(room)
    paid = await sell(till, "95", await till.paid("95"))
    due = await sell(till, "40", await till.paid("15"))
    page = (await owner.get(path)).text
    shown = page.split("1 order of this day is not paid in full:")[1].partition("</p>")[0]
    assert f'href="/orders/{due}"' in shown
    assert paid not in shown
    assert "data-print" in page
    for hours in (-24, 24):  # of another day
        await own_shop.sql(
            "UPDATE orders SET created_at = created_at + $3, version = version + 1 WHERE tenant_id = $1 AND id = $2",
            UUID(due),
            timedelta(hours=hours),
        )
        assert ("not paid in full" in (await owner.get(path)).text) == (hours > 0)


async def test_who_cannot_close_the_day_is_not_named_as_closing_it(own_shop: Shop, owner: DashboardClient) -> None:
    room = await open_branch(own_shop)
    opened = await owner.post("/drawer/open", {"id": str(uuid7()), "branch": str(room.branch_id), "float": "0"})
    assert opened.status_code == 303
    path = f"/day-close?branch={room.branch_id}"
    assert "Closed by" in (await owner.get(path)).text
    async with await dashboard_of(own_shop, await make_user(own_shop, Role.CASHIER)) as cashier:
        page = (await cashier.get(path)).text
    assert "The reception or a manager closes the day." in page
    assert "Closed by" not in page


async def test_a_drawer_that_agrees_is_not_marked_as_a_difference(
    own_shop: Shop, other_shop: Shop, owner: DashboardClient
) -> None:
    for counted, word in ((40, "Matches"), (30, "Short")):
        room = await open_branch(own_shop)
        till = Till(room)
        await sell(till, "40", await till.paid("40"))
        entered = counting(room, counted, note="Lost")
        open_page = (await owner.post("/day-close/count", {**entered, "is_open": ""})).text
        assert (await owner.post("/day-close", entered)).status_code == 303
        closed = await owner.get(f"/day-close?branch={room.branch_id}", follow_redirects=True)
        for page in (open_page, closed.text):
            (row,) = re.findall(r"<div([^>]*)>\s*<dt[^>]*>\s*" + word, page)
            assert ("due" in row) == (word == "Short")


async def test_orders_without_a_cashier_and_a_payment_have_no_row(own_shop: Shop, owner: DashboardClient) -> None:
    branch = await open_branch(own_shop)
    await branch.place(line(await branch.add_product(), "product"))
    page = (await owner.get(f"/day-close?branch={branch.branch_id}")).text
    assert "No cashier named" not in page
