"""Importing: a table is uploaded, checked, imported by the background of the service, and undone."""

import csv
import io
import json
import re
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import httpx2
import pytest

from frontdesk.tenants.quotas import LIMITS, Quota
from frontdesk.tenants.types import Plan
from frontdesk.values.ids import uuid7
from tests.factories.catalog import make_tax_class
from tests.factories.changes import ago, change_row, change_rows
from tests.factories.imports import insert_import
from tests.factories.orders import make_order
from tests.factories.people import make_customer
from tests.factories.users import owner_of
from tests.support.branch import day, line, open_branch, start
from tests.support.dashboard import DashboardClient, dashboard_of
from tests.support.forms import form_fields
from tests.support.service import Service
from tests.support.shop import Shop
from tests.support.waiting import eventually

PEOPLE = """Full name,Mobile,E-mail,City,الوسم,Bal.
Lulwa Al-Rashid,0502207781,,Riyadh,VIP,1
,0541180090,,,,
Um Khalid,055 31,,,,
سارة العتيبي,٠٥٠٤٣٨٢٧١٩,sara@example.com,جدة,"VIP, صبغة",
Sara Again,+966504382719,,,,
"""


async def upload(
    desk: DashboardClient, content: bytes | str, kind: str = "customers", name: str = "table.csv"
) -> httpx2.Response:
    page = (await desk.get("/import")).text
    branch = re.search(r'name="branch" value="([^"]+)"|<option value="([0-9a-f-]{36})"', page)
    assert branch
    return await desk.post(
        "/import",
        {"kind": kind, "country": "SA", "branch": branch[1] or branch[2]},
        page="/import",
        files={"file": (name, content.encode() if isinstance(content, str) else content)},
    )


async def checked(desk: DashboardClient, content: bytes | str, kind: str = "customers") -> str:
    """The path of an import whose check has ended."""
    answer = await upload(desk, content, kind)
    assert answer.status_code == 303, answer.text
    path: str = answer.headers["location"]
    await settled(desk, path)
    return path


async def settled(desk: DashboardClient, path: str) -> str:
    async def ended() -> bool:
        return "refresh" not in (await desk.get(path)).headers

    await eventually(ended)
    return (await desk.get(path)).text


async def run(desk: DashboardClient, path: str) -> str:
    version = re.search(r'name="version" value="(\d+)"', (await desk.get(path)).text)
    assert version
    answer = await desk.post(f"{path}/run", {"version": version[1]})
    assert answer.status_code == 303, answer.text
    return await settled(desk, path)


async def undo(desk: DashboardClient, path: str) -> str:
    assert (await desk.post(f"{path}/undo")).status_code == 303
    return await settled(desk, path)


async def customers(shop: Shop) -> dict[str, Any]:
    rows = await shop.sql("SELECT * FROM customers WHERE tenant_id = $1")
    return {row["phone"]: row for row in rows}


async def counted(shop: Shop, table: str) -> int:
    rows = await shop.sql(
        "SELECT value FROM tenant_counters WHERE tenant_id = $1 AND name = 'rows:' || $2::text", table
    )
    return int(rows[0]["value"]) if rows else 0


async def published(shop: Shop) -> None:
    async def ended() -> bool:
        return await shop.sql("SELECT FROM imports WHERE tenant_id = $1 AND has_events") == []

    await eventually(ended)


async def tag_names(shop: Shop) -> list[str]:
    return sorted(row["name"] for row in await shop.sql("SELECT name FROM tags WHERE tenant_id = $1"))


async def event_types(shop: Shop) -> list[str]:
    rows = await shop.sql("SELECT type FROM events WHERE tenant_id = $1 ORDER BY sequence")
    return [row["type"] for row in rows]


async def test_customers_are_checked_imported_and_undone(owner: DashboardClient, own_shop: Shop) -> None:
    await make_customer(own_shop, "Lulwa", None, phone="+966502207781", city="Jeddah")
    tags_before = await tag_names(own_shop)
    before, numbered, events = (
        await customers(own_shop),
        await counted(own_shop, "customers"),
        len(await event_types(own_shop)),
    )
    path = await checked(owner, PEOPLE)
    assert await customers(own_shop) == before
    page = (await owner.get(path)).text
    for text in (
        "No name. At least 2 letters are needed.",
        "&#39;055 31&#39; is not a phone number",
        "The same phone as row 5.",
    ):
        assert text in page
    assert re.search(r'<del><bdi class="wrap">Jeddah</bdi></del>\s+<ins><bdi class="wrap">Riyadh</bdi></ins>', page)
    assert "Import 2 rows" in page

    assert "1 new, 1 changed, 3 refused" in await run(owner, path)
    after = await customers(own_shop)
    assert after["+966502207781"]["city"] == "Riyadh"
    assert after["+966502207781"]["last_name"] == "Al-Rashid"
    assert after["+966504382719"]["first_name"] == "سارة"
    tags = await own_shop.sql(
        "SELECT t.name FROM customer_tags c JOIN tags t ON t.tenant_id = $1 AND t.id = c.tag_id "
        "WHERE c.tenant_id = $1 AND c.customer_id = $2 ORDER BY t.name",
        after["+966504382719"]["id"],
    )
    assert [tag["name"] for tag in tags] == ["VIP", "صبغة"]
    assert await counted(own_shop, "customers") == numbered + 1
    await published(own_shop)
    assert (await event_types(own_shop))[events:] == ["customer.updated", "customer.created"]
    entries = await own_shop.sql(
        "SELECT action, after::text FROM activity WHERE tenant_id = $1 AND action LIKE 'import.%' ORDER BY id"
    )
    assert [entry["action"] for entry in entries] == ["import.uploaded", "import.finished"]
    assert '"new": 1' in entries[1]["after"]

    assert "Everything that this import saved was taken back." in await undo(owner, path)
    restored = await customers(own_shop)
    assert restored.keys() == before.keys()
    assert restored["+966502207781"]["city"] == "Jeddah"
    assert await counted(own_shop, "customers") == numbered
    assert await tag_names(own_shop) == tags_before


async def test_refused_rows_can_be_mended_in_a_file(owner: DashboardClient) -> None:
    path = await checked(owner, PEOPLE)
    answer = await owner.get(f"{path}/refused")
    assert answer.content.startswith(b"\xef\xbb\xbf")
    rows = list(csv.reader(io.StringIO(answer.content.decode("utf-8-sig"))))
    assert rows[0][-1] == "Reason"
    assert rows[1][-1] == "No name. At least 2 letters are needed."
    assert rows[3][1] == "'+966504382719"


async def test_undoing_an_import_keeps_records_that_were_used_or_changed(
    owner: DashboardClient, own_shop: Shop
) -> None:
    path = await checked(owner, "name,phone\nSara A.,0501000001\nHuda B.,0501000002\nReem C.,0501000003\n")
    await run(owner, path)
    people = await customers(own_shop)
    await make_order(own_shop, 1, draft=True, customer_id=people["+966501000001"]["id"])
    await change_row(own_shop, "customers", people["+966501000002"]["id"], city="Abha", updated_at=datetime.now(UTC))
    page = await undo(owner, path)
    assert "2 rows could not be taken back." in page
    assert "It is in use, so it stays." in page
    assert "It was changed after the import" in page
    assert {"+966501000001", "+966501000002"} == {
        p for p in await customers(own_shop) if p and p.startswith("+96650100")
    }


async def test_items_staff_and_stock_are_imported(owner: DashboardClient, own_shop: Shop) -> None:
    items = (
        "Name,الاسم العربي,Type,Category,SKU,Price,Minutes,Stock\n"
        'Deep clean,تنظيف عميق,service,Face,FC-1,"1,000.50",45,\n'
        "Argan oil,,product,Shop,OIL-1,60,,12\n"
        "Broken,,service,Face,FC-2,abc,45,\n"
        "No time,,service,Face,FC-3,10,,\n"
    )
    path = await checked(owner, items, "items")
    assert "2 new, 0 changed, 2 refused" in await run(owner, path)
    rows = await own_shop.sql(
        "SELECT i.*, c.name AS category FROM items i JOIN categories c ON c.tenant_id = $1 AND c.id = i.category_id "
        "WHERE i.tenant_id = $1 AND i.sku IN ('FC-1', 'OIL-1') ORDER BY i.sku"
    )
    assert [(str(row["price"]), row["duration"], row["stock"]) for row in rows] == [
        ("1000.500", 45, None),
        ("60.000", None, 12),
    ]
    assert "تنظيف عميق" in rows[0]["name"]

    stock = await checked(owner, "الرمز,الكمية\nOIL-1,٣٠\nNONE,1\n", "stock")
    assert "0 new, 1 changed, 1 refused" in await run(owner, stock)
    assert (await own_shop.sql("SELECT stock FROM items WHERE tenant_id = $1 AND sku = 'OIL-1'"))[0]["stock"] == 30
    await published(own_shop)
    assert (await event_types(own_shop))[-1] == "item.stock_changed"
    moved = await own_shop.sql(
        "SELECT change, reason FROM stock_movements WHERE tenant_id = $1 ORDER BY created_at, id"
    )
    assert [(row["change"], row["reason"]) for row in moved][-2:] == [(12, "opening"), (18, "opening")]
    await undo(owner, stock)
    assert (await own_shop.sql("SELECT stock FROM items WHERE tenant_id = $1 AND sku = 'OIL-1'"))[0]["stock"] == 12

    people = await checked(owner, "الموظف,الجوال\nنورة,0507000001\nهند,0507000002\n", "staff")
    assert "2 new" in await run(owner, people)
    assert len(await own_shop.sql("SELECT FROM staff WHERE tenant_id = $1 AND phone = '+966507000001'")) == 1
    (hind,) = await own_shop.sql("SELECT id FROM staff WHERE tenant_id = $1 AND phone = '+966507000002'")
    off = {"id": str(uuid7()), "first_day": "2030-01-01"}
    assert (await owner.post(f"/staff/{hind['id']}/time-off/new", off)).status_code == 303
    await undo(owner, people)
    assert await own_shop.sql("SELECT FROM staff WHERE tenant_id = $1 AND phone = '+966507000001'") == []
    assert len(await own_shop.sql("SELECT FROM time_off WHERE tenant_id = $1 AND staff_id = $2", hind["id"])) == 1


async def test_items_that_would_contradict_themselves_are_refused(owner: DashboardClient, own_shop: Shop) -> None:
    shop_items = "Name,Type,SKU,Price,Minutes,Stock\nCut,service,CUT,50,30,\nOil,product,OIL,60,,12\n"
    assert "2 new" in await run(owner, await checked(owner, shop_items, "items"))
    changes = "Name,SKU,Price,Offer,Minutes,Cost\nOil,OIL,60,,45,\nCut,CUT,50,60,,\nCut again,CUT,50,,,9\n"
    await checked(owner, changes, "items")
    refused = await own_shop.sql("SELECT reason FROM import_outcomes WHERE tenant_id = $1 AND outcome = 'refused'")
    assert len(refused) == 3, refused


async def test_items_bring_barcode_buffers_tax_class_and_low_stock(owner: DashboardClient, own_shop: Shop) -> None:
    reduced = await make_tax_class(own_shop, "5", {"en": "Reduced", "ar": "مخفضة"})
    before = (
        "Name,Type,SKU,Price,Minutes,Get ready,Clean up,Tax class,Barcode,Stock,Low at\n"
        "Cut,service,CUT,50,30,5,10,مخفضة,,,\n"
        "Oil,product,OIL,60,,,,,6281000000014,12,3\n"
        "Wax,product,WAX,60,,,,,6281000000014,12,3\n"
        "Gel,product,GEL,60,,5,,,,12,3\n"
        "Foam,product,FOAM,60,,,,Luxury,,12,3\n"
        "Salt,product,SALT,60,,,,,,1000001,3\n"
    )
    path = await checked(owner, before, "items")
    reasons = await own_shop.sql("SELECT reason FROM import_outcomes WHERE tenant_id = $1 AND reason IS NOT NULL")
    assert sorted(json.loads(row["reason"])["kind"] for row in reasons) == [
        *("BARCODE_TAKEN", "NO_SUCH_TAX_CLASS", "PRODUCT_WITH_MINUTES", "WRONG_STOCK"),
    ]
    assert "2 new, 0 changed, 4 refused" in await run(owner, path)
    await checked(owner, "\n".join(before.split("\n")[:3]), "items")
    same = await own_shop.sql("SELECT FROM import_outcomes WHERE tenant_id = $1 AND outcome = 'same'")
    assert len(same) == 2
    changes = "SKU,Name,Clean up,Barcode,Low at\nCUT,Cut,15,CUT-1,\nOIL,Oil,,6281000000021,5\n"
    again = await checked(owner, changes, "items")
    assert "0 new, 2 changed" in await run(owner, again)
    assert await stored(own_shop) == [("CUT", "CUT-1", 5, 15, None, reduced), ("OIL", "6281000000021", 0, 0, 5, None)]
    await undo(owner, again)
    assert await stored(own_shop) == [("CUT", None, 5, 10, None, reduced), ("OIL", "6281000000014", 0, 0, 3, None)]


async def stored(own_shop: Shop) -> list[tuple[object, ...]]:
    rows = await own_shop.sql(
        "SELECT sku, barcode, buffer_before, buffer_after, low_stock, tax_class_id FROM items "
        "WHERE tenant_id = $1 AND sku IN ('CUT', 'OIL') ORDER BY sku"
    )
    return [tuple(row) for row in rows]


async def test_staff_bring_the_services_that_they_perform(owner: DashboardClient, own_shop: Shop) -> None:
    services = "Name,الاسم العربي,Type,SKU,Price,Minutes\nCut,قص,service,CUT,50,30\nWash,غسيل,service,WASH,20,10\n"
    await run(owner, await checked(owner, services, "items"))
    first = 'Employee,Phone,Services\nNoura,0507000001,"Cut, غسيل"\nHind,0507000002,Cut\nMona,0507000003,Flying\n'
    path = await checked(owner, first, "staff")
    assert "2 new, 0 changed, 1 refused" in await run(owner, path)
    assert await performed(own_shop) == {"Noura": {"CUT", "WASH"}, "Hind": {"CUT"}}
    await change_rows(own_shop, "staff_services", price=45)
    more = await checked(owner, "Employee,Phone,Services\nHind,0507000002,Wash\nNoura,0507000001,قص\n", "staff")
    assert "0 new, 1 changed" in await run(owner, more)
    assert await performed(own_shop) == {"Noura": {"CUT", "WASH"}, "Hind": {"CUT", "WASH"}}
    await undo(owner, more)
    assert await performed(own_shop) == {"Noura": {"CUT", "WASH"}, "Hind": {"CUT"}}
    await undo(owner, path)
    assert [
        row["name"]
        for row in await own_shop.sql("SELECT name FROM staff WHERE tenant_id = $1 AND phone LIKE '+96650700000%'")
    ] == ["Hind"]  # changed since


async def performed(own_shop: Shop) -> dict[str, set[str]]:
    rows = await own_shop.sql(
        "SELECT s.name, array_agg(i.sku) AS skus FROM staff s JOIN staff_services v ON v.tenant_id = $1 "
        "AND v.staff_id = s.id JOIN items i ON i.tenant_id = $1 AND i.id = v.item_id "
        "WHERE s.tenant_id = $1 AND s.phone LIKE '+96650700000%' GROUP BY s.name"
    )
    return {row["name"]: set(row["skus"]) for row in rows}


async def test_an_import_cannot_deactivate_staff_with_upcoming_bookings(service: Service) -> None:
    branch = await open_branch(await service.new_shop())
    cut = await branch.add_service()
    staff_id = await branch.add_provider(cut)
    await change_row(branch.shop, "staff", staff_id, email="n@people.example")
    async with await dashboard_of(branch.shop, await owner_of(branch.shop)) as owner:
        path = await checked(owner, "Name,Email,Active\nNoura,n@people.example,no\n", "staff")
        await branch.place(line(cut, staff_id=staff_id), start=start(day(3), "12:00"))
        await run(owner, path)
        people = await branch.shop.sql("SELECT active FROM staff WHERE tenant_id = $1 AND id = $2", staff_id)
        assert people[0]["active"]
        assert "Move or cancel the coming bookings first." in await settled(owner, path)


async def test_an_erased_customer_leaves_the_imports_of_merged_records_too(
    owner: DashboardClient, own_shop: Shop
) -> None:
    path = await checked(owner, "Name,Mobile\nHessa One,0502207781\nHessa Two,0502207782\nLulwa,0502207783\n")
    await run(owner, path)
    ids = {row["first_name"] + str(row["last_name"]): row["id"] for row in (await customers(own_shop)).values()}
    kept, other = ids["HessaOne"], ids["HessaTwo"]
    merged = await owner.post(f"/customers/{kept}/merge/{other}", {"version": "1", "other_version": "1"})
    assert merged.status_code == 303, merged.text
    assert (await owner.post(f"/customers/{kept}/erase", {"version": "2"})).status_code == 303
    shown = (await owner.get(path)).text
    assert ("Hessa" in shown, "7782" in shown, "Lulwa" in shown) == (False, False, True)


async def test_columns_are_changed_and_remembered(owner: DashboardClient) -> None:
    table = "Who,Number\nSara A.,0501000001\n"
    path = await checked(owner, table)
    page = (await owner.get(path)).text
    assert "No column is used as First and last name." in page
    chosen = form_fields(page, f"{path}/columns")
    twice = {**chosen, "column": ["phone", "phone"]}
    assert (await owner.post(f"{path}/columns", twice)).status_code == 422
    right = {**chosen, "column": ["full_name", "phone"]}
    assert (await owner.post(f"{path}/columns", right)).status_code == 303
    await settled(owner, path)
    await run(owner, path)
    again = await checked(owner, table)
    assert "Nothing changes" in (await owner.get(again)).text


async def test_a_record_that_changes_after_the_check_is_checked_again(owner: DashboardClient, own_shop: Shop) -> None:
    path = await checked(owner, "name,phone\nSara A.,0501000009\n")
    await make_customer(own_shop, "Huda", None, phone="+966501000009")
    page = await run(owner, path)
    assert "Records were changed while you looked at the preview." in page
    assert "Changed" in page
    assert (await customers(own_shop))["+966501000009"]["first_name"] == "Huda"


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("", "This file is empty."),
        ("a,b\n", "no rows"),
        ("%PDF-1", "not a table"),
        ('Name,Phone\nSara,1\n"Huda,2\nMona,3', "Row 3 cannot be read. Is a quotation mark missing?"),
    ],
)
async def test_a_file_that_is_no_table_says_why(owner: DashboardClient, content: str, reason: str) -> None:
    answer = await upload(owner, content)
    assert answer.status_code == 422
    assert reason in answer.text


async def test_an_import_is_not_shown_to_a_stranger(owner: DashboardClient, service: Service) -> None:
    path = await checked(owner, PEOPLE)
    assert (await owner.get(path)).status_code == 200
    async with DashboardClient(service.origin, service.dsn) as stranger:
        assert (await stranger.get(path)).status_code == 303


async def test_an_import_whose_process_died_is_begun_again(owner: DashboardClient, own_shop: Shop) -> None:
    path = await checked(owner, "name,phone\nSara A.,0501000031\n")
    import_id = UUID(path.rpartition("/")[2])
    await change_row(own_shop, "imports", import_id, status="running", lease=uuid7(), leased_until=ago(seconds=1))
    assert "1 new, 0 changed, 0 refused" in await settled(owner, path)
    assert "+966501000031" in await customers(own_shop)


async def test_imports_that_are_not_finished_count_towards_the_quota(owner: DashboardClient, own_shop: Shop) -> None:
    limit = LIMITS[Plan.PROFESSIONAL][Quota.IMPORTS]
    for _ in range(limit):
        await insert_import(own_shop)
    answer = await upload(owner, PEOPLE)
    assert answer.status_code == 422
    assert f"The plan allows {limit} imports" in answer.text
