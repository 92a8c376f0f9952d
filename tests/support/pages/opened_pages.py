"""The pages that the browser tests open in every role: at which address, and where a page is no page of its own."""

from uuid import UUID

from frontdesk.auth.types import Role
from frontdesk.ui.app import dashboard
from frontdesk.ui.setup.start import STEPS
from frontdesk.ui.shell.context import PageContext
from frontdesk.ui.shell.routing import Page
from frontdesk.values.ids import uuid7
from tests.factories.catalog import make_option, make_product
from tests.factories.changes import change_tenant
from tests.factories.orders import make_order
from tests.factories.people import make_hour_exception
from tests.factories.users import link_to_staff
from tests.support.branch import day
from tests.support.dashboard import DashboardClient
from tests.support.pages.page_fixtures import ids_of
from tests.support.shop import Shop

# The event stream, pictures, files and parts that scripts put into pages. A mail is in the language of its customer.
_NOT_PAGES = (
    *(
        "/live",
        "/bell/count",
        "/calendar/blocks",
        "/customers/counts",
        "/waiting-list/panel",
        "/orders/{order_id}/refund/amount",
    ),
    *("/applications/pictures/{picture_id}", "/pictures/{tenant_id}/{picture_id}"),
    "/customers/{customer_id}/photos/{photo_id}",
    *(
        "/import/template",
        "/import/{import_id}/refused",
        "/import/{import_id}/left-out",
        "/settings/notices/messages/{message_id}/mail",
    ),
)
_LONG_NAME = "Her Highness Princess Jawaher bint Abdullah bin Abdulaziz Al-Mutairi of the North Coast"  # 87 characters
_FILES = (".csv", ".pdf", ".svg", ".xlsx", ".zip")
# The pages with which a business sets itself up: `make test` opens them in every role that may, each in one look.
IN_EVERY_ROLE = {
    *("/setup", "/catalogue", "/catalogue/{item_id}", "/staff", "/staff/{staff_id}", "/staff/{staff_id}/hours"),
    *("/customers", "/customers/{customer_id}", "/customers/{customer_id}/merge"),
    *("/customers/{customer_id}/merge/{other_id}", "/import", "/import/{import_id}", "/activity"),
    *("/settings/notices", "/settings/business", "/settings/hours", "/settings/hours/{branch_id}"),
    *("/settings/branches", "/settings/branches/{branch_id}"),
    *("/settings/payment-methods", "/settings/payment-methods/{method_id}"),
}
# Who is signed in, and develops nothing, is redirected; so are a business with several branches, and who has chosen
# no order.
REDIRECTED = {
    *("/sign-in", "/sign-in/second-factor", "/sign-in/passkey", "/start", "/operator"),
    *("/developers/sign-up", "/developer/applications/new", "/till/together", "/till/together/receipts"),
    *(f"/setup/{step}" for step, _ in STEPS),
}
# These need a link, an open sign-up or an application of one's own. Other tests open them.
REFUSED = {
    "/end-session": 404,
    "/bell/{notification_id}": 404,
    "/invitation": 404,
    "/reset-password": 404,
    "/sign-up": 403,
    "/sign-up/finish": 403,
    "/developers/sign-up/finish": 404,
    "/shifts/{shift_id}/slip": 404,  # it is open
    "/oauth/authorize": 400,
    "/developer/applications/{application_id}": 404,
    **{
        f"/developer/applications/{{application_id}}/{part}": 404
        for part in ("about", "scopes", "webhooks", "payment-methods", "redirects", "secret", "pictures", "changes")
    },
}
# axe costs most of a visit, so `make test` reads these pages only in tests of their own. A new page is read.
READ_ELSEWHERE = {
    *("/", "/export", "/import", "/import/{import_id}", "/setup"),
    *("/calendar", "/calendar/new", "/calendar/why", "/waiting-list", "/waiting-list/new"),
    *("/drawer", "/day-close", "/day-close/earlier", "/day-close/{close_id}", "/till", "/till/return"),
    *("/orders", "/orders/{order_id}", "/orders/{order_id}/cancel", "/orders/{order_id}/invoice/issue"),
    *("/orders/{order_id}/move", "/orders/{order_id}/pay", "/orders/{order_id}/receipt", "/orders/{order_id}/refund"),
    *("/customers", "/customers/new", "/customers/{customer_id}", "/customers/{customer_id}/edit"),
    *("/customers/{customer_id}/merge", "/customers/{customer_id}/merge/{other_id}"),
    *("/customers/{customer_id}/erase", "/customers/{customer_id}/block"),
    *("/catalogue", "/catalogue/new", "/catalogue/{item_id}"),
    *("/staff", "/staff/new", "/staff/{staff_id}", "/staff/{staff_id}/edit", "/staff/{staff_id}/services"),
    *("/staff/{staff_id}/hours", "/staff/{staff_id}/exceptions/new", "/staff/{staff_id}/time-off/new"),
    *("/staff/{staff_id}/leave", "/staff/{staff_id}/feed/change"),
    *("/settings/account", "/settings/account/second-factor/app", "/settings/account/second-factor/passkey"),
    *("/settings/api/clients/new", "/settings/api/clients/{client_id}", "/settings/members/invite"),
    *("/settings/branches", "/settings/branches/new", "/settings/branches/{branch_id}"),
    *("/settings/branches/{branch_id}/deactivate", "/settings/calendars"),
    *("/settings/business", "/settings/business/tax-classes/new", "/settings/business/tax-classes/{class_id}"),
    *("/settings/business/tax-classes/{class_id}/delete", "/settings/hours", "/settings/hours/{branch_id}"),
    *("/settings/notices", "/settings/notices/messages/{message_id}"),
    *("/settings/payment-methods", "/settings/payment-methods/new", "/settings/payment-methods/{method_id}"),
    *("/settings/payment-methods/{method_id}/delete", "/settings/payment-methods/cashiers/{cashier_id}"),
    *("/settings/applications", "/settings/applications/directory"),
    *("/settings/applications/directory/{application_id}", "/settings/applications/installed/{install_id}"),
    *("/settings/applications/installed/{install_id}/secret", "/developer"),
    "/settings/applications/installed/{install_id}/disconnect",
    *("/operator/applications", "/operator/applications/{application_id}", "/operator/health"),
    *("/operator/tenants", "/operator/tenants/{tenant_id}", "/operator/users", "/operator/users/{user_id}"),
    *("/reports", "/reports/sales", "/reports/items", "/reports/payments", "/reports/occupancy", "/reports/customers"),
    *("/reports/cancellations", "/reports/stock", "/reports/commissions", "/reports/commissions/rates"),
    *("/reports/commissions/rates/new", "/reports/commissions/rates/{rate_id}"),
}
# Pages whose rows are not those of the other pages, and pages that differ by the type of what they show.
_ADDRESSES = {
    "/catalogue/new": ("/catalogue/new?type=product", "/catalogue/new?type=package", "/catalogue/new?type=service"),
    "/catalogue/{item_id}": ("/catalogue/{product_id}", "/catalogue/{package_id}", "/catalogue/{item_id}"),
    "/catalogue/{item_id}/stock": ("/catalogue/{product_id}/stock",),
    "/orders/{order_id}/invoice": ("/orders/{invoiced_id}/invoice?language={language}",),
    "/orders/{order_id}/credit-note": ("/orders/{refund_id}/credit-note?language={language}",),
    "/settings/account/second-factor/{factor_id}": ("/settings/account/second-factor/{own_id}",),
    "/settings/account/second-factor/{factor_id}/remove": ("/settings/account/second-factor/{own_id}/remove",),
    "/settings/applications/installed/{install_id}/budget": (
        "/settings/applications/installed/{install_id}/budget?scope=orders:read",
    ),
    "/settings/hours/{branch_id}/exceptions/{exception_id}": (
        "/settings/hours/{branch_id}/exceptions/{branch_exception_id}",
    ),
}
# Pages for customers have tests of their own.
_DASHBOARD = [page for page in dashboard().pages if page.context is PageContext and page.method == "GET"]
OPENED_PAGES = [page for page in _DASHBOARD if page.path not in _NOT_PAGES and not page.path.endswith(_FILES)]


def roles_of(page: Page) -> list[Role]:
    """Only managers rename the view of the order list that is made here, because it is everybody's."""
    if page.path == "/orders/views/{view_id}/rename":
        return [Role.OWNER, Role.MANAGER]
    return [role for role in Role if page.access.roles is None or role in page.access.roles]


def is_redirected(page: Page, role: Role) -> bool:
    """The staff page of a provider is the own one."""
    return page.path in REDIRECTED or (page.path == "/staff" and role is Role.PROVIDER)


def addresses_of(page: Page, role: Role, language: str, ids: dict[str, UUID]) -> list[str]:
    """Of a catalogue, providers see the services only."""
    patterns = _ADDRESSES.get(page.path, (page.path,))
    seen = patterns[-1:] if role is Role.PROVIDER else patterns
    return [pattern.format(**ids, language=language) for pattern in seen]


async def add_rows_of_opened_pages(
    shop: Shop, owner: DashboardClient, people: dict[Role, UUID]
) -> dict[Role, dict[str, UUID]]:
    """The ids that each role opens. The provider is the staff member, and opens what belongs to the booking."""
    ids = {**await ids_of(shop), **await add_papers(shop, owner), "branch_exception_id": uuid7()}
    ids["product_id"] = await make_product(shop)
    await make_option(shop, ids["product_id"], "25", quantity=5)
    exception_id, branch_id = ids["branch_exception_id"], ids["branch_id"]
    await make_hour_exception(shop, day(9), [(600, 700)], branch_id=branch_id, id_=exception_id)
    await link_to_staff(shop, people[Role.PROVIDER], ids["staff_id"])
    await give_long_names(shop)
    await change_tenant(shop, setup_hidden_at=None, country=None)  # for /setup
    (visit,) = await shop.sql(
        "SELECT o.id AS order_id, o.customer_id FROM bookings b JOIN orders o ON (o.tenant_id, o.id) = "
        "(b.tenant_id, b.order_id) WHERE b.tenant_id = $1 AND b.id = $2",
        ids["booking_id"],
    )
    return {
        role: {**ids, **(dict(visit) if role is Role.PROVIDER else {}), "own_id": user_id}
        for role, user_id in people.items()
    }


async def give_long_names(shop: Shop) -> None:
    """To all that the lists show, each its own."""
    name = "left($2, 78) || ' ' || right(id::text, 8)"
    for table, column in (("branches", "name"), ("staff", "name"), ("cashiers", "name"), ("customers", "first_name")):
        await shop.sql(f"UPDATE {table} SET {column} = {name} WHERE tenant_id = $1", _LONG_NAME)
    for table in ("items", "packages", "categories", "payment_methods", "tax_classes"):
        names = f"jsonb_build_object('en', {name}, 'ar', {name})"
        await shop.sql(f"UPDATE {table} SET name = {names} WHERE tenant_id = $1", _LONG_NAME)
    await change_tenant(shop, name=_LONG_NAME)


async def add_papers(shop: Shop, owner: DashboardClient) -> dict[str, UUID]:
    """An order with an invoice, and its refund with a credit note."""
    order_id = await make_order(shop, 1, paid="10")
    assert (await owner.post(f"/orders/{order_id}/invoice", {"id": str(uuid7())})).status_code == 303
    refund = {"id": str(uuid7()), "what": "whole", "reason": "broken", "sure": "yes"}
    assert (await owner.post(f"/orders/{order_id}/refund", refund)).status_code == 303
    (child,) = await shop.sql("SELECT id FROM orders WHERE tenant_id = $1 AND parent_id = $2", order_id)
    return {"invoiced_id": order_id, "refund_id": child["id"]}
