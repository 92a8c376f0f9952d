"""Every page with every role and with another business's ids. The table of pages is read, so that none is left out."""

from collections.abc import AsyncIterator
from typing import NamedTuple
from uuid import UUID

import pytest

from frontdesk.auth.types import Role
from frontdesk.ui.app import dashboard
from frontdesk.ui.shell.context import PageContext
from frontdesk.ui.shell.routing import Page
from frontdesk.values.ids import uuid7
from tests.factories.users import make_user
from tests.support.dashboard import DashboardClient, dashboard_of, eventually
from tests.support.page_fixtures import ids_for, ids_of
from tests.support.page_forms import FORMS
from tests.support.service import Service
from tests.support.shop import Shop

# Pages for customers have no audience; see test_booking_page.py.
PAGES = [page for page in dashboard().pages if page.context is PageContext]
ROLES = (None, *Role)


def name(page: Page) -> str:
    return f"{page.method} {page.path}"


_BRANCH_EXCEPTION = "/settings/hours/{branch_id}/exceptions/{exception_id}"
# What those who are let in get, where it is not a page or the way to one: the form above is refused for another reason.
OTHERWISE = {
    "POST /settings/notices": {422},  # of a version that is not there
    "POST /settings/notices/switch": {422},
    "POST /sign-in": {401, 303},
    "GET /invitation": {404},
    "POST /invitation": {404},
    "POST /verify-email": {404},
    "POST /settings/account/password": {422},
    "POST /settings/account/email": {422},
    "POST /settings/account/confirm": {422},
    "POST /settings/account/confirm/passkey": {422},
    "POST /settings/account/second-factor/app": {422},
    "POST /settings/account/second-factor/passkey": {422},
    "POST /settings/account/second-factor/codes": {404},
    "GET /settings/account/second-factor/{factor_id}": {404},
    "POST /settings/account/second-factor/{factor_id}": {404},
    "GET /settings/account/second-factor/{factor_id}/remove": {404},
    "POST /settings/account/second-factor/{factor_id}/remove": {404},
    "GET /end-session": {404},
    "POST /end-session": {404},
    "POST /forgot-password": {422},
    "POST /settings/account/sessions/{session_id}/end": {404},
    # A provider sees the customers of own visits only.
    "GET /calendar/bookings/{order_id}": {200, 404},
    "POST /calendar/bookings/{order_id}": {303, 404},
    "GET /customers/{customer_id}": {200, 404},
    "POST /customers/{customer_id}/notes": {303, 404},
    "GET /catalogue/{item_id}/stock": {404},  # the item is a service
    "POST /catalogue/{item_id}/stock": {404},
    "POST /catalogue/new": {422},  # the business has several branches, and none is chosen
    "POST /catalogue/categories/new": {422},
    # Another one of the shared business has this name.
    "POST /catalogue/categories/{category_id}": {303, 422},
    "POST /settings/business/tax-classes/{class_id}": {303, 422},
    "POST /catalogue/packages/new": {422},  # it has no contents
    "POST /catalogue/packages/{package_id}": {422},
    "POST /orders/{order_id}/edit": {422},
    # A view of everybody, which only managers change.
    "POST /orders/views/{view_id}": {303, 403},
    "POST /orders/views/{view_id}/delete": {303, 403},
    "GET /orders/views/{view_id}/rename": {200, 403},
    "POST /orders/views/{view_id}/rename": {303, 403, 422},  # 422: the owner has given the name to another view
    "POST /orders/{order_id}/move": {422},
    "POST /orders/{order_id}/pay": {422},
    "POST /waiting-list/{entry_id}": {422},  # there is no such service
    # No branch has this id.
    **{f"POST {path}": {404} for path in ("/drawer/open", "/drawer/move", "/day-close", "/day-close/count")},
    # No application has this client id.
    "GET /oauth/authorize": {400},
    "POST /oauth/authorize": {400},
    "POST /till/pay": {422},  # the cart is empty
    "POST /till/hold": {422},
    "POST /till/return": {422},
    "GET /sign-up": {403},
    "POST /sign-up": {403, 422},
    "GET /sign-up/finish": {403},
    "POST /sign-up/finish": {403, 422},
    "GET /developers/sign-up/finish": {404},
    "POST /developers/sign-up/finish": {404, 422},
    "GET /reset-password": {404},
    "POST /reset-password": {404, 422},
    "POST /settings/business": {303, 422},  # another role has saved it before
    "POST /settings/booking-page": {303, 422},
    "POST /settings/business/tax-classes/new": {303, 422},  # there are many already
    "POST /reports/commissions/rates/new": {303, 422},  # there is one from this day on
    "POST /reports/commissions/rates/{rate_id}": {303, 422},
    "POST /settings/payment-methods/cashiers/new": {422},
    "POST /settings/payment-methods/cashiers/{cashier_id}": {422},
    "POST /import": {422},
    "POST /import/{import_id}/stop": {422},
    "POST /import/{import_id}/undo": {422},
    "GET /pictures/{tenant_id}/{picture_id}": {404},  # the id is that of an application's picture
    "GET /orders/{order_id}/invoice": {404},
    "GET /orders/{order_id}/credit-note": {404},
    "POST /developers/sign-up": {422, 303},  # the form is empty: a signed-in user is redirected
    "POST /developer/join": {422},
    "POST /staff/new": {422},
    "POST /staff/{staff_id}/edit": {422},
    "POST /staff/{staff_id}/leave": {422},  # because of the booking
    "POST /staff/{staff_id}/leave/{booking_id}/assign": {422},
    "POST /staff/{staff_id}/leave/{booking_id}/move": {422},
    "POST /settings/branches/new": {303, 422},  # the next one has the same name
    "POST /settings/payment-methods/new": {303, 422},
    "POST /settings/payment-methods/{method_id}": {303, 422},
    "POST /settings/branches/{branch_id}": {303, 422},
    # The card of another customer.
    "GET /staff/{staff_id}": {200, 404},
    "GET /staff/{staff_id}/feed/change": {200, 404},
    "POST /staff/{staff_id}/feed": {303, 404},
    "POST /staff/{staff_id}/feed/replace": {303, 404, 422},
    "POST /staff/{staff_id}/feed/delete": {303, 404, 422},
    "POST /settings/branches/{branch_id}/feed/replace": {303, 422},
    "POST /settings/branches/{branch_id}/feed/delete": {303, 422},
    "POST /settings/calendars": {303, 422},
    "POST /staff/{staff_id}/outside-calendar": {404, 422},
    "POST /staff/{staff_id}/outside-calendar/fetch": {303, 404},
    "POST /staff/{staff_id}/outside-calendar/delete": {303, 404, 422},
    "GET /staff/{staff_id}/time-off/new": {200, 404},
    "POST /staff/{staff_id}/time-off/new": {303, 404},
    "POST /staff/{staff_id}/time-off/{time_off_id}/delete": {303, 404},
    # The exception is a staff member's.
    **{name(page): {404} for page in PAGES if page.path.startswith(_BRANCH_EXCEPTION)},
    # Every user may develop, but none of these applications is theirs.
    **{name(page): {404} for page in PAGES if page.path.startswith("/developer/applications/{application_id}")},
}
# Rows of a business that a page could reach.
WATCHED = (
    "memberships",
    "invitations",
    "api_clients",
    "api_keys",
    "scope_usage",
    "items",
    "item_options",
    "packages",
    "categories",
    "stock_movements",
    "pictures",
    "customers",
    "customer_consents",
    "customer_notes",
    "customer_tags",
    "orders",
    "order_series",
    "waiting_list",
    "order_status_history",
    "transactions",
    "invoices",
    "installs",
    "payment_methods",
    "webhooks",
    "branches",
    "staff",
    "staff_services",
    "bookings",
    "working_hours",
    "hour_exceptions",
    "closed_days",
    "day_closes",
    "drawer_sessions",
    "drawer_movements",
    "commission_rates",
    "time_off",
)


class Table(NamedTuple):
    """Two businesses: the people of the first knock, with ids of their own and of the second."""

    own: Shop
    own_ids: dict[str, UUID]
    other: Shop
    other_ids: dict[str, UUID]
    other_rows: dict[str, tuple[int, int]]  # which no test changes
    desks: dict[Role | None, DashboardClient]


@pytest.fixture(scope="module")
async def table(service: Service) -> AsyncIterator[Table]:
    own, other = await service.new_shop(), await service.new_shop()
    desks: dict[Role | None, DashboardClient] = {None: DashboardClient(service.origin, service.dsn)}
    for role in Role:
        desks[role] = await dashboard_of(own, await make_user(own, role))
    own_ids, other_ids = await ids_of(own), await ids_of(other)

    async def uses_are_written() -> bool:
        """A second after the requests that made the rows; a test that runs meanwhile would see a change."""
        made = "SELECT FROM request_log WHERE tenant_id = $1 AND route LIKE 'GET /open-api/v_/orders/%'"
        return bool(await other.sql(made))

    await eventually(uses_are_written)
    yield Table(own, own_ids, other, other_ids, await everything(other), desks)
    for desk in desks.values():
        await desk.http.aclose()


async def knock(desk: DashboardClient, page: Page, ids: dict[str, UUID], *, signed_in: bool) -> int:
    path = page.path.format(**ids)
    if page.method == "GET":
        return (await desk.get(path)).status_code
    fields = {"id": str(uuid7()), **FORMS.get(page.path, {})}
    return (await desk.post(path, fields, page="/settings/account" if signed_in else "/sign-in")).status_code


@pytest.mark.parametrize("page", PAGES, ids=name)
async def test_a_page_opens_to_its_audience_and_to_nobody_else(table: Table, page: Page) -> None:
    for role in ROLES:
        desk = table.desks[role]
        if role is not None and page.path == "/sign-out":
            continue  # the others are still to come
        access = page.access
        refused = access.signed_in and (role is None or access.operator)
        refused = refused or (access.roles is not None and role not in access.roles)
        ids = table.own_ids if refused or page.method == "GET" else await ids_for(table.own, page.path)
        status = await knock(desk, page, ids, signed_in=role is not None)
        if role is None and access.signed_in:
            assert status == 303, role
        elif refused:
            assert status == 403, role
        else:
            assert status in OTHERWISE.get(name(page), {200, 303}), role


OPEN_TO_ALL = {"/receipts/{tenant_id}/{link_id}"}  # anyone who has the address


@pytest.mark.parametrize("page", [page for page in PAGES if page.params and page.path not in OPEN_TO_ALL], ids=name)
async def test_no_page_reaches_into_another_business(table: Table, page: Page) -> None:
    for role in Role:
        status = await knock(table.desks[role], page, table.other_ids, signed_in=True)
        admitted = page.access.roles is None or role in page.access.roles
        assert status == (404 if admitted and not page.access.operator else 403), role
    assert await everything(table.other) == table.other_rows


async def everything(shop: Shop) -> dict[str, tuple[int, int]]:
    """How many rows there are, and a hash of them, so that two hundred tests need not read them."""
    sums = (
        f"SELECT '{name}' AS name, count(*) AS count, sum(hashtextextended(t::text, 0)) AS hash "
        f"FROM {name} t WHERE tenant_id = $1"
        for name in WATCHED
    )
    return {row["name"]: (row["count"], row["hash"]) for row in await shop.sql(" UNION ALL ".join(sums))}


async def test_a_manager_decides_about_nobody_above_them(table: Table) -> None:
    manager = table.desks[Role.MANAGER]
    for role in (Role.OWNER, Role.MANAGER):
        somebody = await make_user(table.own, role)
        lowered = {"role": "receptionist", "seen": role.value}
        assert (await manager.post(f"/settings/members/{somebody}/role", lowered)).status_code == 403
        assert (await manager.post(f"/settings/members/{somebody}/remove")).status_code == 403
        invited = {"id": str(uuid7()), "email": "a@people.example", "role": role.value}
        assert (await manager.post("/settings/members/invite", invited)).status_code == 403
    cashier = await make_user(table.own, Role.CASHIER)
    raised = {"role": "manager", "seen": "cashier"}
    assert (await manager.post(f"/settings/members/{cashier}/role", raised)).status_code == 403
    other = {"role": "receptionist", "seen": "cashier"}
    assert (await manager.post(f"/settings/members/{cashier}/role", other)).status_code == 303


async def test_a_suspended_business_is_closed_to_its_own_people(service: Service) -> None:
    shop = await service.new_shop()
    async with await dashboard_of(shop, await make_user(shop, Role.OWNER)) as desk:
        await shop.sql("UPDATE tenants SET suspended_at = now() WHERE id = $1")
        closed = await desk.get("/")
        assert closed.status_code == 403
        assert "suspended" in closed.text
        assert (await desk.get("/settings/account")).status_code == 200
