"""The published forms of what a search finds: customers and orders as their lists have them, the others in short."""

from typing import Literal
from uuid import UUID

import msgspec

from frontdesk.customers.documents import CustomerSummary
from frontdesk.orders.documents import OrderSummary
from frontdesk.tenants.documents import BranchReference
from frontdesk.values.api_types import Localized


class FoundItem(msgspec.Struct):
    id: UUID
    type: Literal["service", "product", "package"]
    name: Localized
    sku: str | None
    branch: BranchReference
    status: bool


class FoundStaffMember(msgspec.Struct):
    id: UUID
    name: str
    branch: BranchReference
    status: bool


class SearchResults(msgspec.Struct):
    """Null is what the token may not read."""

    customers: list[CustomerSummary] | None
    orders: list[OrderSummary] | None
    items: list[FoundItem] | None
    staff: list[FoundStaffMember] | None
