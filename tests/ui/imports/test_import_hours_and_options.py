"""Importing weekly hours with staff, and options with items."""

from datetime import date
from uuid import UUID

from tests.factories.customers import make_waiting_entry
from tests.factories.orders import make_order, make_tip
from tests.factories.people import customer_of
from tests.support.branch import method_of
from tests.support.dashboard import DashboardClient
from tests.support.shop import Shop
from tests.ui.imports.test_import import checked, run, undo


async def test_staff_bring_their_weekly_hours(owner: DashboardClient, own_shop: Shop) -> None:
    week = (
        "Employee,Phone,Sunday,الاثنين,Fri\n"
        'Noura,0507000001,"9:00-13:00, 4pm-9pm",٠٩:٠٠-١٧:٠٠,closed\n'
        "Hind,0507000002,,,\n"
        "Mona,0507000003,25-26,,\n"
    )
    path = await checked(owner, week, "staff")
    assert "2 new, 0 changed, 1 refused" in await run(owner, path)
    assert "is not a time such as 09:00-17:00." in (await owner.get(f"{path}?outcome=refused")).text
    assert await hours_of(own_shop, "Noura") == [(0, 540, 780), (0, 960, 1260), (1, 540, 1020)]
    assert await hours_of(own_shop, "Hind") == []
    more = await checked(owner, "Employee,Phone,Friday\nNoura,0507000001,10-18\nHind,0507000002,22:00-02:00\n", "staff")
    assert "16:00–21:00" in (await owner.get(more)).text
    assert "0 new, 2 changed" in await run(owner, more)
    assert (await hours_of(own_shop, "Noura"), await hours_of(own_shop, "Hind")) == ([(5, 600, 1080)], [(5, 1320, 120)])
    await undo(owner, more)
    assert await hours_of(own_shop, "Noura") == [(0, 540, 780), (0, 960, 1260), (1, 540, 1020)]
    assert await hours_of(own_shop, "Hind") == []
    await undo(owner, await checked_and_run(owner, "Employee,Phone,Friday\nReem,0507000009,10-18\n", "staff"))
    assert await own_shop.sql("SELECT FROM staff WHERE tenant_id = $1 AND name = 'Reem'") == []


async def checked_and_run(owner: DashboardClient, table: str, kind: str) -> str:
    path = await checked(owner, table, kind)
    await run(owner, path)
    return path


async def hours_of(own_shop: Shop, name: str) -> list[tuple[int, int, int]]:
    rows = await own_shop.sql(
        "SELECT i.day, i.opens, i.closes FROM staff s JOIN working_hours w ON w.tenant_id = $1 AND w.staff_id = s.id "
        "JOIN working_intervals i ON i.tenant_id = $1 AND i.working_hour_id = w.id "
        "WHERE s.tenant_id = $1 AND s.name = $2 ORDER BY 1, 2",
        name,
    )
    return [(row["day"], row["opens"], row["closes"]) for row in rows]


async def test_items_bring_their_options(owner: DashboardClient, own_shop: Shop) -> None:
    items = (
        "Name,Type,SKU,Price,Minutes,الخيارات\n"
        "Colour,service,COL,250,90,Short / قصير: 250: 90; Long / طويل: 400: 150\n"
        "Soap,product,SOAP,5,,Small: 5: 20؛ Large: 8\n"
        "Bad,service,BAD,5,10,Short\n"
        "Twice,service,TWICE,5,10,A: 5; a: 6\n"
    )
    path = await checked(owner, items, "items")
    assert "قصير\u2069 / \u2068Short\u2069: 250" in (await owner.get(path)).text
    assert "2 new, 0 changed, 2 refused" in await run(owner, path)
    first = [("COL", "Short", "قصير", 250, 90), ("COL", "Long", "طويل", 400, 150)]
    soap = [("SOAP", "Small", None, 5, 20), ("SOAP", "Large", None, 8, None)]
    assert await options_of(own_shop) == [*first, *soap]
    assert (await own_shop.sql("SELECT stock FROM items WHERE tenant_id = $1 AND sku = 'SOAP'"))[0]["stock"] is None
    more = await checked_and_run(owner, "Name,SKU,Options\nColour,COL,قصير: 260; Very long: 500: 180\n", "items")
    assert await options_of(own_shop) == [
        ("COL", "Short", "قصير", 260, 90), first[1], ("COL", "Very long", None, 500, 180), *soap
    ]  # fmt: skip
    await undo(owner, more)
    assert await options_of(own_shop) == [*first, *soap]
    await undo(owner, path)
    assert len(await options_of(own_shop)) < 4  # Colour was changed since


async def options_of(own_shop: Shop) -> list[tuple[object, ...]]:
    rows = await own_shop.sql(
        "SELECT i.sku, o.name ->> 'en' AS en, o.name ->> 'ar' AS ar, o.price, coalesce(o.duration, o.quantity) AS size "
        "FROM item_options o JOIN items i ON i.tenant_id = $1 AND i.id = o.item_id "
        "WHERE o.tenant_id = $1 AND i.sku IN ('COL', 'SOAP') ORDER BY i.sku, o.sort_order"
    )
    return [tuple(row) for row in rows]


async def test_undoing_an_import_keeps_staff_and_items_of_waiting_list_and_tips(
    owner: DashboardClient, own_shop: Shop
) -> None:
    people = await checked_and_run(owner, "Employee,Phone\nReem,0507000031\nHuda,0507000032\n", "staff")
    services = await checked_and_run(owner, "Name,Type,SKU,Price,Minutes\nCut,service,CUT,50,30\n", "items")
    (cut,) = await own_shop.sql("SELECT id FROM items WHERE tenant_id = $1 AND sku = 'CUT'")
    by_phone = "SELECT id FROM staff WHERE tenant_id = $1 AND phone LIKE '+96650700003%' ORDER BY phone"
    reem, huda = [row["id"] for row in await own_shop.sql(by_phone)]
    await make_waiting_entry(
        own_shop, await customer_of(own_shop), cut["id"], date(2030, 1, 1), date(2030, 1, 2), staff_id=reem
    )
    await make_tip(own_shop, await make_order(own_shop, 1), UUID(await method_of(own_shop)), staff_id=huda)
    assert "2 rows could not be taken back." in await undo(owner, people)
    assert "1 row could not be taken back." in await undo(owner, services)
    assert len(await own_shop.sql("SELECT FROM waiting_list WHERE tenant_id = $1 AND first_day = '2030-01-01'")) == 1
