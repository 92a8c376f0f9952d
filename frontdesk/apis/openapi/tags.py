"""The groups of operations in the descriptions, by the first part of the path."""

from typing import NamedTuple


class Tag(NamedTuple):
    name: str
    text: str


_INVOICES = Tag("Invoices", "Tax invoices of orders, and credit notes of refunds, as JSON, as a page and as PDF.")
_LOOKUPS = Tag("Lookups", "What a till shows before it sells: items, customers, providers of a service, and settings.")
_REQUESTS = Tag("Requests", "What happened to a request: find it by its id or by its Idempotency-Key.")
_ITEMS = Tag("Items", "Services and products, with their prices, options, providers and stock.")
_ORDERS = Tag("Orders", "Sales and bookings, with their payments and refunds.")
_NOTES = Tag("Notes", "What the team has written about customers, for the team.")

OPEN_TAGS = {
    "/oauth": Tag("Tokens", "Access tokens: request, inspect and revoke them."),
    "/branches": Tag("Branches", "Places of the business, with their addresses, hours and closed days."),
    "/categories": Tag("Categories", "Groups of items, as the till and the booking page show them."),
    "/items": _ITEMS,
    "/item-options": _ITEMS,
    "/pinned-items": Tag("Pinned items", "Items and packages that stand first at the till."),
    "/packages": Tag("Packages", "Several services sold together at one price."),
    "/tax-classes": Tag("Tax classes", "Tax rates, and which of them items have."),
    "/staff": Tag("Staff", "People who perform services, with their hours, own prices and own durations."),
    "/time-off": Tag("Time off", "When staff are away: asked for, approved, declined."),
    "/commission-rates": Tag("Commission rates", "Which share of the sales staff earn, from a day on."),
    "/cashiers": Tag("Cashiers", "Who sells at the till, by name and code."),
    "/settings": Tag("Settings", "How the business works: its name, region, tax, rules for bookings and reasons."),
    "/customers": Tag("Customers", "Customers, their tags, who is blocked, and duplicates that are merged."),
    "/customers/{uuid}/notes": _NOTES,
    "/customer-notes": _NOTES,
    "/payment-methods": Tag("Payment methods", "Ways to pay, and those that an application adds."),
    "/availability": Tag("Availability", "Times at which services can be booked."),
    "/holds": Tag("Holds", "A time that is kept for a customer for some minutes."),
    "/waiting-list": Tag("Waiting list", "Who waits for a time that is not free, and what is offered to them."),
    "/orders": _ORDERS,
    "/order-series": _ORDERS,
    "/transactions": Tag("Transactions", "Payments and refunds as they were recorded."),
    "/search": Tag("Search", "One search over everything that a token may read."),
    "/webhooks": Tag("Webhooks", "Addresses that receive events, their secrets and deliveries."),
    "/events": Tag("Events", "What has happened, in the order in which it happened."),
    "/deletions": Tag("Deletions", "Which records are gone since a time."),
    "/exports": Tag("Exports", "All records of one moment as a file, to begin a copy."),
    "/limits": Tag("Limits", "What a client may still do: requests, records and files."),
    "/requests": _REQUESTS,
    "/changelog": Tag("Changelog", "Changes of this API to what the client uses."),
    "/sandbox": Tag("Sandbox", "The clock, the faults and the state of a sandbox."),
}
POS_TAGS = {
    "/pos": Tag("Point of sale", "Orders as a till makes them: calculate, save, pay, refund."),
    "/pos/day-close": Tag("Day close", "The totals of a day, and its close."),
    "/pos/orders/{orderId}/invoice": _INVOICES,
    "/pos/orders/{orderId}/credit-note": _INVOICES,
    "/tags": Tag("Tags", "Words that the business puts on customers."),
    "/items": _LOOKUPS,
    "/customers": _LOOKUPS,
    "/metadata": _LOOKUPS,
    "/services": _LOOKUPS,
    "/requests": _REQUESTS,
}


def tag_of(path: str, tags: dict[str, Tag]) -> Tag:
    """The tag of the longest beginning of the path that has one."""
    beginnings = [beginning for beginning in tags if path == beginning or path.startswith(f"{beginning}/")]
    if not beginnings:
        raise LookupError(f"no tag for {path}: add it to {__name__}")
    return tags[max(beginnings, key=len)]
