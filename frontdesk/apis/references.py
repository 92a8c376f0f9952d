"""Filters that name other records by id."""

from collections.abc import Mapping

from frontdesk.http.errors import invalid
from frontdesk.values.pagination import Page

_RECORDS: Mapping[str, str] = {
    "branch_id": "a branch",
    "customer_id": "a customer",
    "staff_id": "a staff member",
    "order_id": "an order",
    "booking_id": "a booking",
    "category_id": "a category",
}


def require_known(page: Page, names: Mapping[str, str] | None = None) -> Page:
    """An unknown record is an error, not an empty list. `names` has the fields that this API calls differently."""
    if page.unknown:
        renamed = names or {}
        raise invalid({renamed.get(f, f): [f"is not {_RECORDS[f]} of this business"] for f in page.unknown})
    return page
