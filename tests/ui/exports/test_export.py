"""Exporting: lists as CSV and as a workbook, in the reader's language, and the whole business by its owner."""

import csv
import io
import re
import zipfile

import pytest

from frontdesk.auth.types import Role
from frontdesk.exports.list_types import ListName
from frontdesk.imports.read_table import read_table
from tests.factories.orders import make_order
from tests.factories.people import make_customer
from tests.factories.users import make_user
from tests.support.dashboard import DashboardClient, dashboard_of
from tests.support.shop import Shop
from tests.ui.imports.test_import import checked


def rows_of(content: bytes) -> list[list[str]]:
    assert content.startswith(b"\xef\xbb\xbf")
    return list(csv.reader(io.StringIO(content.decode("utf-8-sig"))))


async def insert_odd_customer(shop: Shop) -> None:
    await make_customer(shop, '=HYPERLINK("x")', None, phone="+966501112223", note='one\ntwo, "three"')


async def test_customers_as_csv_and_as_a_workbook(owner: DashboardClient, own_shop: Shop) -> None:
    await insert_odd_customer(own_shop)
    answer = await owner.get("/export/customers.csv")
    assert answer.headers["content-disposition"] == 'attachment; filename="customers.csv"'
    rows = rows_of(answer.content)
    assert rows[0][:3] == ["First name", "Last name", "Phone"]
    odd = next(row for row in rows if row[0].endswith('HYPERLINK("x")'))
    assert odd[0] == '\'=HYPERLINK("x")'
    assert odd[2] == "'+966501112223"
    assert odd[7] == 'one\ntwo, "three"'

    workbook = (await owner.get("/export/customers.xlsx")).content
    cells = next(row.cells for row in read_table(io.BytesIO(workbook)) if row.cells[0].startswith("=HYPERLINK"))
    assert cells[2] == "+966501112223"
    entries = await own_shop.sql(
        "SELECT after::text FROM activity WHERE tenant_id = $1 AND action = 'export.downloaded'"
    )
    assert len(entries) == 2


@pytest.mark.parametrize("name", list(ListName))
async def test_every_list_has_its_rows_in_both_formats(owner: DashboardClient, name: ListName) -> None:
    rows = rows_of((await owner.get(f"/export/{name.value}.csv")).content)
    assert {len(row) for row in rows} == {len(rows[0])}
    workbook = list(read_table(io.BytesIO((await owner.get(f"/export/{name.value}.xlsx")).content)))
    if name is not ListName.ACTIVITY:  # the first export is in the second
        assert len(workbook) == len(rows)


async def test_headers_are_in_the_reader_s_language(owner: DashboardClient) -> None:
    await owner.post("/language", {"language": "ar", "back": "/"})
    assert rows_of((await owner.get("/export/orders.csv")).content)[0][0] == "الرقم"
    with zipfile.ZipFile(io.BytesIO((await owner.get("/export/orders.xlsx")).content)) as book:
        assert b'rightToLeft="1"' in book.read("xl/worksheets/sheet1.xml")


async def test_orders_of_a_period(owner: DashboardClient) -> None:
    everything = rows_of((await owner.get("/export/orders.csv")).content)
    nothing = rows_of((await owner.get("/export/orders.csv?from=2001-01-01&to=2001-01-02")).content)
    assert len(everything) > len(nothing) == 1
    assert (await owner.get("/export/orders.csv?from=2001-01-02&to=2001-01-01")).status_code == 422


async def test_a_list_is_exported_with_the_filters_of_its_page(owner: DashboardClient, own_shop: Shop) -> None:
    await insert_odd_customer(own_shop)
    customers = await owner.get("/customers?search=%2B966501112223")
    link = re.search(r'href="(/export/customers.csv[^"]*)"', customers.text)
    assert link
    found = rows_of((await owner.get(link[1].replace("&amp;", "&"))).content)
    assert [row[0] for row in found[1:]] == ['\'=HYPERLINK("x")']

    for filters in ("status=completed&payment=paid", "search=1", "from=2001-01-01&to=2001-01-02"):
        page = (await owner.get(f"/orders?{filters}")).text
        link = re.search(r'href="(/export/orders.csv[^"]*)"', page)
        assert link
        rows = rows_of((await owner.get(link[1].replace("&amp;", "&"))).content)
        shown = re.search(r'<p class="muted">\s*(\d+) order', page)
        assert len(rows) - 1 == int(shown[1] if shown else 0)
        if "status" in filters:
            assert {(row[8], row[9]) for row in rows[1:]} == {("Completed", "Paid")}


async def test_the_activity_is_exported_with_its_filters_in_words(owner: DashboardClient, own_shop: Shop) -> None:
    await make_order(own_shop, 1)
    await owner.get("/export/staff.csv")
    link = re.search(r'href="(/export/activity.csv[^"]*)"', (await owner.get("/activity?what=import")).text)
    assert link
    rows = rows_of((await owner.get(link[1])).content)
    assert {row[4] for row in rows[1:]} == {"exported data"}
    assert len(rows) == 3  # this export too


@pytest.mark.parametrize("kind", ["items", "staff", "customers"])
async def test_an_exported_list_is_imported_again_without_a_change(
    owner: DashboardClient, own_shop: Shop, kind: str
) -> None:
    for language in ("en", "ar"):
        await owner.post("/language", {"language": language, "back": "/"})
        await checked(owner, (await owner.get(f"/export/{kind}.csv")).content, kind)
    rows = await own_shop.sql("SELECT outcome, name, reason, before, after FROM import_outcomes WHERE tenant_id = $1")
    assert rows
    assert [(row["name"], row["reason"], row["after"]) for row in rows if row["outcome"] != "same"] == []


async def test_the_archive_is_for_owners(owner: DashboardClient, own_shop: Shop) -> None:
    with zipfile.ZipFile(io.BytesIO((await owner.get("/export/business.zip")).content)) as archive:
        assert "manifest.json" in archive.namelist()
        assert "customers.jsonl" in archive.namelist()
    async with await dashboard_of(own_shop, await make_user(own_shop, Role.MANAGER)) as manager:
        assert (await manager.get("/export/business.zip")).status_code == 403
        assert "business.zip" not in (await manager.get("/export")).text
