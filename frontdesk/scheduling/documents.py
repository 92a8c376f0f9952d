"""The published form of a hold."""

from uuid import UUID

import msgspec

from frontdesk.values.api_types import LocalDateTime, Timestamp


class Hold(msgspec.Struct):
    id: UUID
    service_id: UUID
    staff_id: UUID
    start: LocalDateTime
    end: LocalDateTime
    expires_at: Timestamp
