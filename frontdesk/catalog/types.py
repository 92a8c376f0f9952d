from enum import StrEnum
from uuid import UUID

import msgspec

from frontdesk.custom_data.types import NO_FILTER, CustomDataFilter


class ItemType(StrEnum):
    SERVICE = "service"
    PRODUCT = "product"


class ItemFilter(msgspec.Struct, frozen=True):
    type: ItemType | None = None
    name: str | None = None  # a search key
    branch_id: UUID | None = None
    category_id: UUID | None = None
    sku: str | None = None
    of_key_branch: bool = False  # only what an API key bound to a branch may see
    own: CustomDataFilter = NO_FILTER
