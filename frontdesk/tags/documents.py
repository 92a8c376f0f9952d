"""The published form of tags."""

from typing import Literal
from uuid import UUID

import msgspec

from frontdesk.values.api_types import Timestamp


class Tag(msgspec.Struct):
    id: UUID
    name: str
    model: Literal["customers"]
    customers_count: int
    created_at: Timestamp
    updated_at: Timestamp
