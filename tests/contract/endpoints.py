"""The endpoint tables and the scope table: what is called, what it needs, what it answers."""

from collections.abc import Mapping
from enum import Enum
from typing import NamedTuple

UNKNOWN = "{unknown}"  # stands for an id that no business has


class Shape(Enum):
    RECORD = "data holds one record"
    ARRAY = "data holds all records, without pages"
    PAGE = "the pagination envelope"
    NOTHING = "no body"
    LINES = "a record a line"


class Filter(NamedTuple):
    """A query parameter of a list: a value that is taken, and some that are refused."""

    good: str  # {branch}, {order}, … stand for an id of the business that asks
    bad: tuple[str, ...] = ()


class Endpoint(NamedTuple):
    method: str
    path: str
    scopes: tuple[str, ...] = ()
    status: int = 200
    shape: Shape = Shape.RECORD
    view: str = ""
    filters: Mapping[str, Filter] = {}
    variant: str = ""

    @property
    def id(self) -> str:
        return f"{self.method} {self.path}{self.variant}"

    @property
    def has_id(self) -> bool:
        return "{" in self.path

    def at(self, id_: str) -> str:
        """The path with this id in the place of its parameter."""
        before, _, rest = self.path.partition("{")
        return before + id_ + rest.partition("}")[2] if rest else before


_MOMENT = Filter("2020-01-01T00:00:00Z", ("2026-01-02", "recently", "2026-02-30T10:00:00Z"))
_SINCE = {"updated_since": _MOMENT, "fields": Filter("id,updated_at", ("", "nothing", "id,nothing"))}


def _page(path: str, scope: str, view: str, **filters: Filter) -> Endpoint:
    return Endpoint("GET", path, (scope,), shape=Shape.PAGE, view=view, filters={**filters, **_SINCE})


def _deleting(path: str, scope: str) -> Endpoint:
    return Endpoint("DELETE", path, (scope,), 204, Shape.NOTHING)


_TEXT = Filter("a", ("\0", "x" * 10_000))
_OWN = {
    "external_id": Filter("INV-1", ("", "\0", "x" * 256)),
    "metadata[colour]": Filter("blue", ("", "\0", "x" * 501)),
}
_DATES = {
    "from": Filter("2020-01-01", ("2026-02-30", "yesterday", "01/02/2026", "2100-01-01"))
}  # the last is after `to`
_DATES["to"] = Filter("2090-12-31", ("2026-13-01", "now", "2000-01-01"))
_BRANCH = Filter("{branch}", ("1", UNKNOWN))
_ORDER_STATUS = Filter("confirmed", ("cancelled", "in_progress", "done", ""))
_TRANSACTION_STATUS = Filter("confirmed", ("paid", "declined", ""))
_ITEM_TYPE = Filter("service", ("package", "Service", ""))

ENDPOINTS = (
    _page(
        "/orders",
        "orders:read",
        "order list item",
        **_DATES,
        status=_ORDER_STATUS,
        payment_status=Filter("paid", ("settled", "Paid", "")),
        customer_id=Filter("{customer}", ("7", UNKNOWN)),
        staff_id=Filter("{staff}", ("7", UNKNOWN)),
        branch_id=_BRANCH,
        starts_from=Filter("2020-01-01", ("2026-02-30", "yesterday")),
        starts_to=Filter("2090-12-31", ("2026-13-01", "now")),
        **_OWN,
    ),
    Endpoint("GET", "/orders/{uuid}", ("orders:read",), view="order detail"),
    Endpoint("GET", "/orders/{uuid}/trace", ("orders:read",), view="order trace"),
    Endpoint("POST", "/orders", ("orders:write",), 201, view="order created"),
    Endpoint(
        "POST", "/orders", ("orders:write", "transactions:write"), 201, view="order created", variant=" + payment"
    ),
    Endpoint("PATCH", "/orders/{uuid}", ("orders:write",), view="order detail"),
    Endpoint("POST", "/orders/{uuid}/status", ("orders:write",), view="order detail"),
    Endpoint("PUT", "/orders/{uuid}/items", ("orders:write",), view="order detail"),
    Endpoint("POST", "/orders/{uuid}/arrived", ("orders:write",), view="order detail"),
    Endpoint("POST", "/orders/{uuid}/booking-link", ("orders:write",), view="customer link"),
    Endpoint("POST", "/orders/{uuid}/receipt-link", ("orders:write",), view="customer link"),
    Endpoint("POST", "/order-series", ("orders:write",), 201, view="order series"),
    Endpoint("GET", "/orders/{uuid}/series", ("orders:read",), view="order series"),
    Endpoint("POST", "/orders/{uuid}/series/cancel", ("orders:write",), view="order series"),
    Endpoint("POST", "/orders/{uuid}/cancel", ("orders:write",), view="order detail"),
    Endpoint("POST", "/orders/{uuid}/reschedule", ("orders:write",), view="order detail"),
    Endpoint("POST", "/orders/{id}/payments", ("transactions:write",), 201, view="transaction"),
    Endpoint("POST", "/orders/{uuid}/refunds", ("refunds:write",), 201, view="order detail"),
    Endpoint("POST", "/availability", ("orders:write",), view="availability"),
    Endpoint("POST", "/availability/explain", ("orders:write",), view="explained start"),
    Endpoint("POST", "/holds", ("orders:write",), 201, view="hold"),
    Endpoint("DELETE", "/holds/{id}", ("orders:write",), status=204, shape=Shape.NOTHING),
    Endpoint(
        "GET",
        "/waiting-list",
        ("orders:read",),
        shape=Shape.PAGE,
        view="waiting list entry",
        filters={
            "customer_id": Filter("{customer}", ("7", UNKNOWN)),
            "staff_id": Filter("{staff}", ("7", UNKNOWN)),
            **_DATES,
            **_SINCE,
        },
    ),
    Endpoint("POST", "/waiting-list", ("orders:write",), 201, view="waiting list entry"),
    Endpoint("PUT", "/waiting-list/{uuid}", ("orders:write",), view="waiting list entry"),
    _deleting("/waiting-list/{uuid}", "orders:write"),
    Endpoint("POST", "/waiting-list/{uuid}/offer", ("orders:write",), view="waiting list entry"),
    _page("/customers", "customers:read", "customer list item", name=_TEXT, phone=Filter("966"), email=_TEXT, **_OWN),
    Endpoint("GET", "/customers/{uuid}", ("customers:read",), view="customer detail"),
    Endpoint("GET", "/customers/phone", ("customers:read",), view="customer detail"),
    Endpoint("POST", "/customers", ("customers:write",), 201, view="customer detail"),
    Endpoint("PATCH", "/customers/{uuid}", ("customers:write",), view="customer detail"),
    Endpoint("POST", "/customers/{uuid}/tags", ("customers:write",), view="customer detail"),
    Endpoint("DELETE", "/customers/{uuid}/tags", ("customers:write",), status=204, shape=Shape.NOTHING),
    Endpoint("POST", "/customers/{uuid}/block", ("customers:write",), view="customer detail"),
    Endpoint("POST", "/customers/{uuid}/unblock", ("customers:write",), view="customer detail"),
    Endpoint("POST", "/customers/{uuid}/distinct", ("customers:write",), view="customer detail"),
    Endpoint("POST", "/customers/{uuid}/merge", ("customers:write",), view="customer detail"),
    Endpoint("GET", "/customers/{uuid}/notes", ("customer_notes:read",), shape=Shape.PAGE, view="customer note"),
    Endpoint("POST", "/customers/{uuid}/notes", ("customer_notes:write",), 201, view="customer note"),
    Endpoint("PATCH", "/customer-notes/{uuid}", ("customer_notes:write",), view="customer note"),
    _deleting("/customer-notes/{uuid}", "customer_notes:write"),
    _page("/items", "items:read", "", type=_ITEM_TYPE, name=_TEXT, **_OWN),
    Endpoint("GET", "/items/{uuid}", ("items:read",)),
    _page("/packages", "items:read", "package"),
    Endpoint("GET", "/packages/{uuid}", ("items:read",), view="package"),
    Endpoint("POST", "/items", ("items:write",), 201, view="service detail"),
    Endpoint("PATCH", "/items/{uuid}", ("items:write",), view="service detail"),
    _deleting("/items/{uuid}", "items:write"),
    Endpoint("POST", "/items/{uuid}/options", ("items:write",), 201, view="service detail"),
    Endpoint("PATCH", "/item-options/{uuid}", ("items:write",), view="service detail"),
    Endpoint("POST", "/items/{uuid}/stock-movements", ("items:write",), 201, view="product detail"),
    Endpoint("POST", "/packages", ("items:write",), 201, view="package"),
    Endpoint("PATCH", "/packages/{uuid}", ("items:write",), view="package"),
    _deleting("/packages/{uuid}", "items:write"),
    Endpoint("POST", "/categories", ("items:write",), 201, view="category"),
    Endpoint("PATCH", "/categories/{uuid}", ("items:write",), view="category"),
    _deleting("/categories/{uuid}", "items:write"),
    Endpoint("POST", "/categories/{uuid}/move", ("items:write",), view="category"),
    Endpoint("POST", "/items/{uuid}/move", ("items:write",), view="product detail"),
    Endpoint("GET", "/pinned-items", ("items:read",), shape=Shape.PAGE, view="pinned item"),
    Endpoint("PUT", "/pinned-items/{uuid}", ("items:write",), view="pinned item"),
    _deleting("/pinned-items/{uuid}", "items:write"),
    Endpoint("POST", "/staff", ("staff:write",), 201, view="staff member"),
    Endpoint("POST", "/staff/{uuid}/move", ("staff:write",), view="staff member"),
    Endpoint("PATCH", "/staff/{uuid}", ("staff:write",), view="staff member"),
    Endpoint("PUT", "/staff/{uuid}/working-hours", ("staff:write",), view="working hour"),
    Endpoint("POST", "/branches", ("settings:write",), 201, view="branch"),
    Endpoint("PATCH", "/branches/{uuid}", ("settings:write",), view="branch"),
    Endpoint("GET", "/branches/{uuid}/working-hour", ("branches:read",), view="working hour"),
    Endpoint("PUT", "/branches/{uuid}/working-hours", ("settings:write",), view="working hour"),
    Endpoint("GET", "/branches/{uuid}/hour-exceptions", ("branches:read",), shape=Shape.ARRAY, view="hour exception"),
    Endpoint("PUT", "/branches/{uuid}/hour-exceptions", ("settings:write",), view="hour exception"),
    _deleting("/branches/{uuid}/hour-exceptions", "settings:write"),
    Endpoint("GET", "/staff/{uuid}/hour-exceptions", ("staff:read",), shape=Shape.ARRAY, view="hour exception"),
    Endpoint("PUT", "/staff/{uuid}/hour-exceptions", ("staff:write",), view="hour exception"),
    _deleting("/staff/{uuid}/hour-exceptions", "staff:write"),
    Endpoint("GET", "/branches/{uuid}/closed-days", ("branches:read",), view="closed days"),
    Endpoint("POST", "/branches/{uuid}/closed-days", ("settings:write",), 201, view="closed days"),
    _deleting("/branches/{uuid}/closed-days", "settings:write"),
    _page(
        "/time-off",
        "staff:read",
        "time off",
        staff_id=Filter("{staff}", ("7", UNKNOWN)),
        status=Filter("approved", ("outside", "")),
        **_DATES,
    ),
    Endpoint("POST", "/staff/{uuid}/time-off", ("staff:write",), 201, view="time off"),
    Endpoint("POST", "/time-off/{uuid}/approve", ("staff:write",), view="time off"),
    Endpoint("POST", "/time-off/{uuid}/decline", ("staff:write",), view="time off"),
    _deleting("/time-off/{uuid}", "staff:write"),
    Endpoint("GET", "/settings", ("branches:read",), view="settings"),
    Endpoint("PATCH", "/settings", ("settings:write",), view="settings"),
    Endpoint("GET", "/settings/booking-page", ("branches:read",), view="booking page"),
    Endpoint("PATCH", "/settings/booking-page", ("settings:write",), view="booking page"),
    Endpoint("GET", "/settings/drawers", ("branches:read",), view="drawer settings"),
    Endpoint("PATCH", "/settings/drawers", ("settings:write",), view="drawer settings"),
    Endpoint("GET", "/settings/messages", ("branches:read",), view="message settings"),
    Endpoint("PATCH", "/settings/messages", ("settings:write",), view="message settings"),
    Endpoint("GET", "/commission-rates", ("staff:write",), shape=Shape.PAGE, view="commission rate"),
    Endpoint("POST", "/commission-rates", ("staff:write",), 201, view="commission rate"),
    Endpoint("PATCH", "/commission-rates/{uuid}", ("staff:write",), view="commission rate"),
    _deleting("/commission-rates/{uuid}", "staff:write"),
    Endpoint("GET", "/cashiers", ("staff:read",), shape=Shape.PAGE, view="cashier"),
    Endpoint("POST", "/cashiers", ("staff:write",), 201, view="cashier"),
    Endpoint("PATCH", "/cashiers/{uuid}", ("staff:write",), view="cashier"),
    _page("/tax-classes", "items:read", "tax class"),
    Endpoint("POST", "/tax-classes", ("settings:write",), 201, view="tax class"),
    Endpoint("PATCH", "/tax-classes/{uuid}", ("settings:write",), view="tax class"),
    _deleting("/tax-classes/{uuid}", "settings:write"),
    _page(
        "/staff",
        "staff:read",
        "staff member",
        name=_TEXT,
        branch_id=_BRANCH,
        status=Filter("true", ("yes", "1", "")),
        **_OWN,
    ),
    Endpoint("GET", "/staff/{uuid}", ("staff:read",), view="staff member"),
    Endpoint("GET", "/staff/{uuid}/working-hour", ("staff:read",), view="working hour"),
    _page("/branches", "branches:read", "branch"),
    _page("/categories", "categories:read", "category", branch_id=_BRANCH),
    _page("/payment-methods", "payment_methods:read", "payment method"),
    Endpoint("GET", "/payment-methods/{id}", ("payment_methods:read",), view="payment method"),
    Endpoint("POST", "/payment-methods", ("payment_methods:write",), 201, view="payment method"),
    Endpoint("PATCH", "/payment-methods/{id}", ("payment_methods:write",), view="payment method"),
    Endpoint("POST", "/payment-methods/{id}/move", ("payment_methods:write",), view="payment method"),
    _deleting("/payment-methods/{id}", "payment_methods:write"),
    _page(
        "/transactions",
        "transactions:read",
        "transaction",
        **_DATES,
        status=_TRANSACTION_STATUS,
        order_id=Filter("{order}", ("7", UNKNOWN)),
        booking_id=Filter("{booking}", ("7", UNKNOWN)),
    ),
    Endpoint("GET", "/transactions/{id}", ("transactions:read",), view="transaction"),
    # Any living token may: what each kind of event needs is its own rule.
    Endpoint("POST", "/exports", status=201, view="export"),
    Endpoint("GET", "/exports/{id}", view="export"),
    Endpoint("GET", "/exports/{id}/records", shape=Shape.LINES),
    Endpoint("GET", "/webhooks", shape=Shape.PAGE, view="webhook"),
    Endpoint("POST", "/webhooks", status=201, view="webhook created"),
    Endpoint("GET", "/webhooks/{id}", view="webhook"),
    Endpoint("PATCH", "/webhooks/{id}", view="webhook"),
    Endpoint("DELETE", "/webhooks/{id}", status=204, shape=Shape.NOTHING),
    Endpoint("POST", "/webhooks/{id}/ping", status=201, view="delivery"),
    Endpoint("POST", "/webhooks/{id}/rotate-secret", view="webhook created"),
    Endpoint("GET", "/webhooks/{id}/deliveries", shape=Shape.PAGE, view="delivery"),
    Endpoint("POST", "/webhooks/deliveries/{id}/retry", view="delivery"),
    Endpoint(
        "GET",
        "/deletions",
        shape=Shape.PAGE,
        view="deletion",
        filters={"since": _MOMENT, "resource": Filter("customer", ("order", "customers", ""))},
    ),
    # Any living token may: a search shows only what its scopes read.
    Endpoint("GET", "/search", view="search results"),
    Endpoint("GET", "/limits", view="limits"),
    Endpoint("GET", "/requests", view="request by its key"),
    Endpoint("GET", "/requests/{id}", view="request"),
    Endpoint("GET", "/changelog/me", shape=Shape.ARRAY, view="changelog entry"),
    Endpoint("GET", "/sandbox/clock", view="sandbox clock"),
    Endpoint("POST", "/sandbox/clock", view="sandbox clock moved"),
    Endpoint("GET", "/sandbox/faults", shape=Shape.ARRAY, view="sandbox faults"),
    Endpoint("POST", "/sandbox/faults", status=201, view="sandbox fault"),
    Endpoint("DELETE", "/sandbox/faults", status=204, shape=Shape.NOTHING),
    Endpoint("POST", "/sandbox/reset", view="sandbox clock after a reset"),
    Endpoint("GET", "/sandbox/snapshots", shape=Shape.ARRAY, view="sandbox snapshots"),
    Endpoint("POST", "/sandbox/snapshots", status=201, view="sandbox snapshot"),
    Endpoint("POST", "/sandbox/snapshots/{id}/restore", view="sandbox snapshot restored"),
    Endpoint("DELETE", "/sandbox/snapshots/{id}", status=204, shape=Shape.NOTHING),
    Endpoint("GET", "/sandbox/conformance", view="conformance report"),
    Endpoint("POST", "/sandbox/conformance", view="conformance report stored"),
    Endpoint(
        "GET",
        "/events",
        shape=Shape.PAGE,
        view="event",
        filters={
            "after": Filter("0", ("-1", "last", "1.5", "")),
            "type": Filter("webhook.ping", ("ping", "order.*", "")),
        },
    ),
)

# POST /oauth/token stands in no table above: it has no scope and no token; test_contract.py drives it by itself.

SCOPES = {
    "orders:read": "Read orders",
    "orders:write": "Create orders, change order status, check availability",
    "customers:read": "Read customers",
    "customers:write": "Create customers",
    "customer_notes:read": "Read the notes of the team about customers",
    "customer_notes:write": "Add and delete notes about customers, and make them warnings",
    "items:read": "Read items (services and products)",
    "items:write": "Create, change and delete items, packages and categories, record stock movements",
    "staff:read": "Read staff and their services, working hours",
    "staff:write": "Create and change staff, what they perform and earn, and cashiers, set hours and time off",
    "branches:read": "Read branches",
    "categories:read": "Read categories",
    "payment_methods:read": "Read payment methods",
    "payment_methods:write": "Create, change and delete payment methods",
    "refunds:write": "Refund orders",
    "settings:write": "Change the settings of the business, its branches with their hours, and tax classes",
    "transactions:read": "Read transactions",
    "transactions:write": "Record order payments (also needed for an inline payment)",
}
EVERYTHING = "*"

KEY_ENDPOINTS = (
    Endpoint("POST", "/pos/checkout-calculate", view="calculation"),
    Endpoint("POST", "/pos/orders", status=201, view="till order created"),
    Endpoint(
        "GET",
        "/pos/orders",
        shape=Shape.PAGE,
        view="till order listed",
        filters={
            "number": Filter("1", ("0", "first", "1.5")),
            "day": Filter("2026-01-02", ("today", "2026-02-30")),
            "customer_id": Filter("{customer}", ("7", UNKNOWN)),
            "cashier": _TEXT,
            "status": _ORDER_STATUS,
        },
    ),
    Endpoint("GET", "/pos/orders/{orderId}", view="till order"),
    Endpoint("POST", "/tags", status=201, view="tag"),
    Endpoint("GET", "/tags", shape=Shape.PAGE, view="tag", filters={"model": Filter("customers", ("orders", ""))}),
    Endpoint("DELETE", "/tags/{tagId}", status=204, shape=Shape.NOTHING),
    Endpoint("GET", "/services/{serviceId}/staff", shape=Shape.ARRAY, view="performer"),
    Endpoint("GET", "/metadata/{teamId}", view="metadata"),
    Endpoint(
        "GET",
        "/items",
        shape=Shape.PAGE,
        filters={
            "type": _ITEM_TYPE,
            "name": _TEXT,
            "team_id": Filter("{branch}", ("1", UNKNOWN)),
            "category_id": Filter("{category}", ("1", UNKNOWN)),
            "sku": Filter("SV", ("\0",)),
        },
        variant=" (key)",
    ),
    Endpoint("GET", "/customers/find", view="customer found at the till"),
    Endpoint("GET", "/requests", view="request by its key", variant=" (key)"),
    Endpoint("GET", "/requests/{id}", view="request", variant=" (key)"),
)
BY_ID = {row.id: row for row in (*ENDPOINTS, *KEY_ENDPOINTS)}
