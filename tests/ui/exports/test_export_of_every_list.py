"""Every list of the dashboard can be exported from its page, with the filters of the page."""

import re
from html import unescape
from pathlib import Path
from urllib.parse import quote

import pytest

import frontdesk
from frontdesk.exports.list_types import ListName
from frontdesk.ui.shell.changed_fields import WORDS
from frontdesk.values.ids import uuid7
from tests.factories.changes import change_named, change_row
from tests.factories.messages import insert_message
from tests.support.branch import BranchFixture, open_branch
from tests.support.dashboard import DashboardClient
from tests.support.shop import Shop
from tests.ui.day_close.test_drawer import counting
from tests.ui.exports.test_export import rows_of

TEMPLATES = Path(frontdesk.__file__).parent / "ui"
# Where each list is exported from. Payments, invoices and credit notes are shown with their orders, not as lists.
PAGES = {
    ListName.CUSTOMERS: "/customers",
    ListName.ITEMS: "/catalogue",
    ListName.PACKAGES: "/catalogue?kind=package",
    ListName.STOCK: "/catalogue/{product}",
    ListName.STAFF: "/staff",
    ListName.ORDERS: "/orders",
    ListName.TRANSACTIONS: "/export",
    ListName.INVOICES: "/export",
    ListName.CREDIT_NOTES: "/export",
    ListName.WAITING_LIST: "/waiting-list",
    ListName.DRAWER: "/drawer",
    ListName.DAY_CLOSES: "/day-close/earlier",
    ListName.MESSAGES: "/settings/notices",
    ListName.COMMISSION_RATES: "/reports/commissions/rates",
    ListName.BRANCHES: "/settings/branches",
    ListName.PAYMENT_METHODS: "/settings/payment-methods",
    ListName.CASHIERS: "/settings/payment-methods",
    ListName.TAX_CLASSES: "/settings/business",
    ListName.MEMBERS: "/settings/members",
    ListName.INVITATIONS: "/settings/members",
    ListName.ACTIVITY: "/activity",
}
# Templates with a table that is no list of the business, or is exported in another way.
WITHOUT_EXPORT = {
    "account/templates/account.html": "the user's own sessions",
    "applications/templates/application_installed.html": "the scopes of one application",
    "bell/templates/notification_settings.html": "the user's own settings",
    "booking_page/templates/public_days.html": "a month of free days",
    "calendar/templates/calendar_list.html": "a day to print; its bookings are orders",
    "calendar/templates/calendar_month.html": "a month; its bookings are orders",
    "calendar/templates/calendar_week_branch.html": "a week; its bookings are orders",
    "calendar_sync/templates/calendar_settings.html": "addresses of calendars, which are secrets",
    "catalog/templates/catalogue_package.html": "the contents of one package, in the export of packages",
    "customers/templates/birthdays.html": "the next days of a column of customers, who have an export",
    "customers/templates/customer.html": "the visits of one customer: orders, linked with their filter",
    "customers/templates/customer_duplicates.html": "a proposal of what to do",
    "customers/templates/customer_merge.html": "two customers side by side",
    "customers/templates/customer_merge_find.html": "a search",
    "developer/templates/developer.html": "a developer's applications, of no business",
    "day_close/templates/day_close.html": "the form of one day",
    "day_close/templates/drawer_components.html": "parts of these pages",
    "day_close/templates/shift_components.html": "parts of these pages",
    "exports/templates/export.html": "the exports themselves",
    "imports/templates/import_components.html": "the rows of an uploaded file",
    "imports/templates/import_run.html": "the rows of an uploaded file; refused rows have a file of their own",
    "messages/templates/notice_parts.html": "parts of the page of messages",
    "components/templates/entry_components.html": "parts of the activity, which has an export",
    "operator/templates/operator_applications.html": "of the operator, of no business",
    "operator/templates/operator_health.html": "of the operator, of no business",
    "operator/templates/operator_tenant.html": "of the operator, of no business",
    "operator/templates/operator_tenants.html": "of the operator, of no business",
    "operator/templates/operator_user.html": "of the operator, of no business",
    "operator/templates/operator_users.html": "of the operator, of no business",
    "customers/templates/customer_account.html": "the statement of one customer, which is printed",
    "settings/templates/sandbox.html": "the faults of a sandbox",
    "orders/templates/order.html": "one order",
    "orders/templates/order_edit.html": "one order",
    "orders/templates/order_refund.html": "one order",
    "orders/templates/orders_bulk.html": "the result of one act",
    "overview/templates/overview.html": "a summary of the day",
    "reports/templates/plots.html": "reports have files of their own",
    "search/templates/search.html": "a search",
    "components/templates/application_components.html": "access of a program, which the activity records",
    "applications/templates/applications.html": "access of a program, which the activity records",
    "settings/templates/integration.html": "access of a program, which the activity records",
    "components/templates/api_changes.html": "changes of the API, which GET /changelog/me returns",
    "settings/templates/limits.html": "limits of the plan",
    "settings/templates/webhook.html": "deliveries, which the Open API lists",
    "components/templates/api_components.html": "parts of the pages of clients",
    "staff/templates/branch_hours.html": "the hours of one branch",
    "staff/templates/staff_components.html": "parts of these pages",
    "staff/templates/staff_leave.html": "a proposal of what to do",
    "staff/templates/staff_member.html": "one staff member",
    "staff/templates/staff_services.html": "the form of one staff member",
    "till/templates/till_return.html": "a search",
    "till/templates/till_waiting.html": "a search among the orders, which have an export",
}


def test_every_page_with_a_list_has_an_export() -> None:
    tables = {}
    for file in TEMPLATES.glob("*/templates/*.html"):
        text = file.read_text("utf-8")
        if "<table" in text or "ui.pager(" in text:
            tables[str(file.relative_to(TEMPLATES))] = "ui.export" in text
    assert {path for path, is_exported in tables.items() if not is_exported} == WITHOUT_EXPORT.keys()
    assert PAGES.keys() == set(ListName)
    assert {name.value for name in ListName} <= WORDS.keys(), "the activity says in words what was exported"


async def exported(owner: DashboardClient, page: str, name: ListName) -> list[list[str]]:
    """The rows of the file that the page offers, without their heading."""
    text = (await owner.get(page)).text
    link = re.search(rf'href="(/export/{name.value}\.csv[^"]*)"', text)
    assert link, f"{page} has no link to the export of {name.value}"
    answer = await owner.get(unescape(link[1]))
    assert answer.status_code == 200
    return rows_of(answer.content)[1:]


@pytest.fixture
async def room(owner: DashboardClient, own_shop: Shop) -> BranchFixture:
    """A branch with a cash movement of 5 out of a drawer of 20, closed; an invitation; a commission rate."""
    room = await open_branch(own_shop)
    branch = str(room.branch_id)
    rate = {"id": str(uuid7()), "staff": "", "item": "", "starts_on": "2026-01-01", "percent": "5"}
    for path, form in {
        "/drawer/open": {"id": str(uuid7()), "branch": branch, "float": "20"},
        "/drawer/move": {"id": str(uuid7()), "branch": branch, "kind": "out", "amount": "5", "reason": "Taxi"},
        "/day-close": counting(room, 14, note="One is missing"),
        "/reports/commissions/rates/new": rate,
        "/settings/members/invite": {"id": str(uuid7()), "email": "new@example.com", "role": "cashier"},
    }.items():
        assert (await owner.post(path, form)).status_code in (200, 303), path
    await insert_message(own_shop, "reminder", state="failed")
    return room


async def test_every_list_is_exported_from_its_page(
    owner: DashboardClient, own_shop: Shop, room: BranchFixture
) -> None:
    product = (await own_shop.sql("SELECT id FROM items WHERE tenant_id = $1 AND type = 'product' LIMIT 1"))[0]["id"]
    here = f"?branch={room.branch_id}"
    for name, page in PAGES.items():
        is_of_branch = name in (ListName.DRAWER, ListName.DAY_CLOSES)
        rows = await exported(owner, page.format(product=product) + here * is_of_branch, name)
        if name not in (ListName.INVOICES, ListName.CREDIT_NOTES):
            assert rows, name
        if name is ListName.DRAWER:
            assert [[*row[2:4], row[6]] for row in rows] == [["Cash out", "-5.00", "Taxi"]]
        if name is ListName.DAY_CLOSES:
            assert [row[7:12] for row in rows] == [["15.00", "14.00", "-1.00", "14.00", "One is missing"]]
        if name is ListName.INVITATIONS:
            assert [row[:2] for row in rows] == [["new@example.com", "Cashier"]]
        if name is ListName.MESSAGES:
            assert [row[1] + row[6] for row in rows if row[3] == "sara@example.com"] == ["ReminderRefused"]


async def test_the_catalogue_is_exported_with_the_filters_of_its_page(owner: DashboardClient, own_shop: Shop) -> None:
    await change_named(own_shop, "items", "Haircut", status=False)
    item = (
        await own_shop.sql(
            "SELECT name ->> 'en' AS name, sku, category_id FROM items WHERE tenant_id = $1 AND sku > ''"
        )
    )[0]
    names = {
        "kind=product": "type = 'product'",
        "status=off": "NOT status",
        f"search={quote(item['name'].upper())}": f"name_search LIKE '%{item['name'].lower()}%'",
        f"search={quote(item['sku'])}": f"sku = '{item['sku']}'",
        f"category={item['category_id']}&kind=service": f"category_id = '{item['category_id']}' AND type = 'service'",
    }
    for query, condition in names.items():
        found = await exported(owner, f"/catalogue?{query}", ListName.ITEMS)
        listed = await own_shop.sql(f"SELECT name ->> 'en' FROM items WHERE tenant_id = $1 AND {condition}")
        assert sorted(row[1] for row in found) == sorted(row[0] for row in listed), query
    packages = await exported(owner, "/catalogue?kind=package", ListName.PACKAGES)
    assert len(packages) == len(await own_shop.sql("SELECT FROM packages WHERE tenant_id = $1")) > 0
    assert await exported(owner, "/catalogue?kind=package&search=ar", ListName.PACKAGES) == []


async def test_staff_are_exported_as_the_page_shows_them(owner: DashboardClient, own_shop: Shop) -> None:
    member, *_ = await own_shop.sql("SELECT id FROM staff WHERE tenant_id = $1")
    await change_row(own_shop, "staff", member["id"], active=False)
    people = await own_shop.sql("SELECT name, active FROM staff WHERE tenant_id = $1")
    working, left = ({row["name"] for row in people if row["active"] == value} for value in (True, False))
    assert {row[0] for row in await exported(owner, "/staff", ListName.STAFF)} == working
    assert {row[0] for row in await exported(owner, "/staff?show=left", ListName.STAFF)} == left
    name = next(iter(working))
    assert [row[0] for row in await exported(owner, f"/staff?search={quote(name)}", ListName.STAFF)] == [name]
    assert {row[0] for row in rows_of((await owner.get("/export/staff.csv")).content)[1:]} == working | left
