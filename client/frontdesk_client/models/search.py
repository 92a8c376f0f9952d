"""What a search finds."""

from uuid import UUID

import msgspec

from frontdesk_client.models.catalog import BranchReference
from frontdesk_client.models.customers import CustomerSummary
from frontdesk_client.models.orders import OrderSummary
from frontdesk_client.models.values import Localized, OrderItemType


class FoundItem(msgspec.Struct):
    id: UUID
    type: OrderItemType
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
    """None is what the token may not read."""

    customers: list[CustomerSummary] | None
    orders: list[OrderSummary] | None
    items: list[FoundItem] | None
    staff: list[FoundStaffMember] | None
