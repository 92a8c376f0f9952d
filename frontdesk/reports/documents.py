"""The published form of commission rates, which the database function commission_rate_document builds."""

from decimal import Decimal
from uuid import UUID

import msgspec

from frontdesk.values.api_types import Day, Timestamp


class CommissionRateDocument(msgspec.Struct):
    id: UUID
    version: int
    staff_id: UUID | None  # null: all
    item_id: UUID | None  # null: all
    starts_on: Day
    percent: Decimal
    created_at: Timestamp
    updated_at: Timestamp
