"""The published forms of a hold and of a series."""

from uuid import UUID

import msgspec

from frontdesk.orders.types import Status
from frontdesk.values.api_types import LocalDateTime, NumberString, Timestamp


class Hold(msgspec.Struct):
    id: UUID
    service_id: UUID
    staff_id: UUID
    start: LocalDateTime
    end: LocalDateTime
    expires_at: Timestamp


class OrderOfSeries(msgspec.Struct):
    id: UUID
    order_number: NumberString
    status: Status
    start: LocalDateTime


class OrderSeries(msgspec.Struct):
    id: UUID
    every_weeks: int
    orders: list[OrderOfSeries]
    created_at: Timestamp
