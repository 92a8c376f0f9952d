"""Every page with every role and with another business's ids. The table of pages is read, so that none is left out."""

import re
from collections.abc import AsyncIterator
from datetime import UTC, date, datetime, timedelta
from itertools import count
from typing import NamedTuple
from uuid import UUID

import pytest

from frontdesk.auth.types import Role
from frontdesk.ui.app import dashboard
from frontdesk.ui.setup.start import STEPS
from frontdesk.ui.shell.context import PageContext
from frontdesk.ui.shell.routing import Page
from frontdesk.values.ids import uuid7
from tests.factories.changes import change_tenant
from tests.factories.users import make_user
from tests.support.dashboard import DashboardClient, dashboard_of
from tests.support.pages.page_fixtures import ids_for, ids_of
from tests.support.pages.page_forms import FORMS
from tests.support.repetitions import share
from tests.support.service import Service
from tests.support.shop import Shop
from tests.support.waiting import eventually

# Pages for customers have no audience; see test_booking_page.py.
PAGES = [page for page in dashboard().pages if page.context is PageContext]
ROLES = (None, *Role)


def name(page: Page) -> str:
    return f"{page.method} {page.path}"


_BRANCH_EXCEPTION = "/settings/hours/{branch_id}/exceptions/{exception_id}"
# Those who are let in get a page, or with a form the way to one. Where it is another status, the form is refused for
# another reason, or the answer to a form is a page.
OTHERWISE = {
    "POST /settings/notices": 422,  # of a version that is not there
    "POST /settings/notices/switch": 422,
    "POST /sign-in": 303,
    "GET /invitation": 404,
    "POST /invitation": 404,
    "POST /verify-email": 404,
    "GET /bell/{notification_id}": 404,  # it is of another member
    "POST /settings/account/notifications": 422,
    "POST /settings/account/password": 422,
    "POST /settings/account/email": 422,
    "POST /settings/account/confirm": 422,
    "POST /settings/account/confirm/passkey": 422,
    "POST /settings/account/second-factor/app": 422,
    "POST /settings/account/second-factor/passkey": 422,
    "POST /settings/account/second-factor/codes": 404,
    "GET /settings/account/second-factor/{factor_id}": 404,
    "POST /settings/account/second-factor/{factor_id}": 404,
    "GET /settings/account/second-factor/{factor_id}/remove": 404,
    "POST /settings/account/second-factor/{factor_id}/remove": 404,
    "GET /end-session": 404,
    "POST /end-session": 404,
    "POST /forgot-password": 422,
    "POST /settings/account/sessions/{session_id}/end": 404,
    "GET /catalogue/{item_id}/stock": 404,  # the item is a service
    "POST /catalogue/{item_id}/stock": 404,
    "POST /catalogue/new": 422,  # the business has several branches, and none is chosen
    "POST /catalogue/categories/new": 422,
    "POST /catalogue/packages/new": 422,  # it has no contents
    "POST /catalogue/packages/{package_id}": 422,
    "POST /customers/{customer_id}/photos": 422,  # there is no file
    "POST /orders/{order_id}/edit": 422,
    "POST /orders/{order_id}/move": 422,
    "POST /orders/{order_id}/move/undo": 422,
    "POST /orders/{order_id}/move/anyway": 422,
    "POST /staff/{staff_id}/block/{time_off_id}/delete": 404,  # it is longer than a day
    "POST /orders/{order_id}/give-up": 422,  # it has no appointment
    "POST /orders/{order_id}/pay": 422,
    "POST /attention/staff/{staff_id}/member": 404,  # no such user
    "POST /waiting-list/{entry_id}": 422,  # there is no such service
    # No branch has this id.
    **{f"POST {path}": 404 for path in ("/drawer/open", "/drawer/move", "/day-close", "/day-close/count")},
    "GET /shifts/{shift_id}/slip": 404,  # it is open
    **{f"POST /shifts/{{shift_id}}/{act}": 422 for act in ("count", "close", "reopen")},
    "POST /settings/applications/directory/{application_id}/report": 422,  # it says nothing
    # No scope is named.
    **{f"{method} /settings/applications/installed/{{install_id}}/budget": 404 for method in ("GET", "POST")},
    "POST /settings/applications/installed/{install_id}/budget/more": 404,
    # No application has this client id.
    "GET /oauth/authorize": 400,
    "POST /oauth/authorize": 400,
    "POST /settings/sandbox/clock": 422,  # it would be moved back
    **{f"POST /settings/sandbox/{act}": 200 for act in ("reset", "snapshots/restore")},  # they ask first
    "POST /settings/sandbox/snapshots/delete": 404,  # no such snapshot
    "POST /till/pay": 422,  # the cart is empty
    "POST /till/hold": 422,
    "POST /till/pins": 404,  # no such item
    "POST /customers/{customer_id}/account": 422,  # nothing is owed
    "POST /orders/{order_id}/void": 422,  # it is not the last sale of this person
    "POST /till/return": 422,
    "GET /sign-up": 403,
    "POST /sign-up": 403,
    "GET /sign-up/finish": 403,
    "POST /sign-up/finish": 403,
    "GET /developers/sign-up/finish": 404,
    "POST /developers/sign-up/finish": 404,
    "GET /reset-password": 404,
    "POST /reset-password": 404,
    "POST /settings/payment-methods/cashiers/new": 422,
    "POST /settings/payment-methods/cashiers/{cashier_id}": 422,
    "POST /import": 422,
    "POST /import/{import_id}/stop": 422,
    "POST /import/{import_id}/undo": 422,
    "GET /pictures/{tenant_id}/{picture_id}": 404,  # the id is that of an application's picture
    "GET /orders/{order_id}/invoice": 404,
    "GET /orders/{order_id}/credit-note": 404,
    "POST /developer/join": 422,
    "POST /staff/new": 422,
    "POST /staff/{staff_id}/edit": 422,
    "POST /staff/{staff_id}/leave": 422,  # because of the booking
    "POST /staff/{staff_id}/leave/{booking_id}/assign": 422,
    "POST /staff/{staff_id}/leave/{booking_id}/move": 422,
    "POST /staff/{staff_id}/outside-calendar": 422,
    # Who is signed in, has set up the business and develops nothing, is redirected.
    **{f"GET {path}": 303 for path in ("/sign-in", "/sign-in/second-factor", "/sign-in/passkey", "/start")},
    **{f"GET /setup/{step}": 303 for step, _ in STEPS},  # there are several branches
    # Without orders there is nothing to pay together.
    **{f"GET {path}": 303 for path in ("/till/together", "/till/together/receipts")},
    **{f"GET {path}": 303 for path in ("/setup", "/developers/sign-up", "/developer/applications/new")},
    # Secrets are shown once, in the answer; drafts of a booking and what cannot be undone are shown first.
    **{f"POST /settings/{path}": 200 for path in ("members/invite", "api/clients/new", "api/keys/new")},
    "POST /settings/api/clients/{client_id}/rotate": 200,
    "POST /settings/api/clients/{client_id}/webhooks/new": 200,
    "POST /settings/api/clients/{client_id}/webhooks/{webhook_id}/rotate": 200,
    "POST /settings/applications/directory/{application_id}": 200,
    "POST /settings/applications/installed/{install_id}/secret": 200,
    **{f"POST {path}": 200 for path in ("/calendar/new", "/calendar/new/series", "/waiting-list/new")},
    **{f"POST {path}": 200 for path in ("/orders/bulk", "/orders/bulk/run", "/settings/notices/words")},
    "POST /orders/{order_id}/receipt/invoice": 200,
    "POST /staff/{staff_id}/leave/{booking_id}/cancel": 200,
    # The exception is a staff member's.
    **{name(page): 404 for page in PAGES if page.path.startswith(_BRANCH_EXCEPTION)},
    # Every user may develop, but none of these applications is theirs.
    **{name(page): 404 for page in PAGES if page.path.startswith("/developer/applications/{application_id}")},
}
# Of these, the records of others: a provider sees the own card, and the bookings and customers of own visits.
_OF_OTHERS = {
    *("GET /calendar/bookings/{order_id}", "POST /calendar/bookings/{order_id}", "GET /customers/{customer_id}"),
    *("GET /customers/{customer_id}/photos/{photo_id}", "POST /customers/{customer_id}/photos"),
    "POST /customers/{customer_id}/photo-consent",
    *("POST /customers/{customer_id}/notes", "GET /staff/{staff_id}", "GET /staff/{staff_id}/feed/change"),
    *(f"POST /staff/{{staff_id}}/feed{act}" for act in ("", "/replace", "/delete")),
    *(f"POST /staff/{{staff_id}}/outside-calendar{act}" for act in ("", "/fetch", "/delete")),
    *("GET /staff/{staff_id}/time-off/new", "POST /staff/{staff_id}/time-off/new"),
    "POST /staff/{staff_id}/time-off/{time_off_id}/delete",
}
# A view of everybody, which only managers change.
_SHARED_VIEW = {
    *(f"POST /orders/views/{{view_id}}{act}" for act in ("", "/delete", "/rename")),
    "GET /orders/views/{view_id}/rename",
}
_SHIFT_OF_ANOTHER = ("POST /shifts/{shift_id}/count", "POST /shifts/{shift_id}/close")
_WITH_A_PIN = ("POST /day-close/{close_id}/reopen", "POST /till/approve")
BY_ROLE: dict[str, dict[Role | None, int]] = {
    **{named: {Role.PROVIDER: 404} for named in _OF_OTHERS},
    **{named: {Role.CASHIER: 404} for named in _SHIFT_OF_ANOTHER},
    **{named: {Role.RECEPTIONIST: 403, Role.CASHIER: 403} for named in _SHARED_VIEW},
    **{named: {Role.RECEPTIONIST: 422, Role.CASHIER: 422} for named in _WITH_A_PIN},
    "POST /sign-in": {None: 401},
    "GET /sign-in": {None: 200},
    "GET /developers/sign-up": {None: 200},
    "POST /developers/sign-up": {None: 422},
}


def expected_status(page: Page, role: Role | None) -> int:
    """Of a role that is let in."""
    usual = OTHERWISE.get(name(page), 200 if page.method == "GET" else 303)
    return BY_ROLE.get(name(page), {}).get(role, usual)


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
    "customer_photos",
    "photo_consents",
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
    "shift_closes",
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


_DAYS = count()
_OF_THE_BUSINESS = {
    "/settings/business",
    "/settings/booking-page",
    "/settings/calendars",
}  # one record, which all change


async def knock(desk: DashboardClient, page: Page, ids: dict[str, UUID], *, signed_in: bool) -> int:
    path = page.path.format(**ids)
    if page.method == "GET":
        return (await desk.get(path)).status_code
    fields = {"id": str(uuid7()), **FORMS.get(page.path, {})}
    fields |= {field: f"{fields[field]} {uuid7()}" for field in ("name", "name_en") if fields.get(field)}
    if "slug" in fields:
        fields["slug"] = f"layan-{uuid7().hex[-12:]}"  # which no business of another test has
    if page.path.startswith("/reports/commissions/rates"):
        fields["starts_on"] = str(date(2026, 1, 1) + timedelta(days=next(_DAYS)))
    if page.path in _OF_THE_BUSINESS:
        shown = re.search(r'name="version" value="(\d+)"', (await desk.get(path)).text)
        fields |= {"version": shown[1]} if shown else {}
    return (await desk.post(path, fields, page="/settings/account" if signed_in else "/sign-in")).status_code


def is_refused(page: Page, role: Role | None) -> bool:
    access = page.access
    refused = access.signed_in and (role is None or access.operator)
    return refused or (access.roles is not None and role not in access.roles)


def tried_roles(page: Page) -> list[Role | None]:
    """Those who are refused, those who get an answer of their own, and one of the others, in turn."""
    if page.path == "/sign-out":
        return [None]  # the others are still to come
    special = [role for role in ROLES if is_refused(page, role) or role in BY_ROLE.get(name(page), {})]
    others = [role for role in ROLES if role not in special]
    return special + (share(others, PAGES.index(page) % len(others), len(others)) if others else [])


@pytest.mark.torture
@pytest.mark.parametrize("page", PAGES, ids=name)
async def test_a_page_opens_to_its_audience_and_to_nobody_else(table: Table, page: Page) -> None:
    for role in tried_roles(page):
        desk = table.desks[role]
        access, refused = page.access, is_refused(page, role)
        ids = table.own_ids if refused or page.method == "GET" else await ids_for(table.own, page.path)
        status = await knock(desk, page, ids, signed_in=role is not None)
        if role is None and access.signed_in:
            assert status == 303, role
        elif refused:
            assert status == 403, role
        else:
            assert status == expected_status(page, role), role


OPEN_TO_ALL = {"/receipts/{tenant_id}/{link_id}"}  # anyone who has the address


@pytest.mark.torture
@pytest.mark.parametrize("page", [page for page in PAGES if page.params and page.path not in OPEN_TO_ALL], ids=name)
async def test_no_page_reaches_into_another_business(table: Table, page: Page) -> None:
    admitted_roles = [role for role in Role if not is_refused(page, role)] or list(Role)
    for role in share(admitted_roles, PAGES.index(page) % len(admitted_roles), len(admitted_roles)):
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
        member = await make_user(table.own, role)
        lowered = {"role": "receptionist", "seen": role.value}
        assert (await manager.post(f"/settings/members/{member}/role", lowered)).status_code == 403
        assert (await manager.post(f"/settings/members/{member}/remove")).status_code == 403
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
        await change_tenant(shop, suspended_at=datetime.now(UTC))
        closed = await desk.get("/")
        assert closed.status_code == 403
        assert "suspended" in closed.text
        assert (await desk.get("/settings/account")).status_code == 200


def test_statuses_that_are_treated_specially_are_those_of_pages() -> None:
    assert {*OTHERWISE, *BY_ROLE} <= {name(page) for page in PAGES}
