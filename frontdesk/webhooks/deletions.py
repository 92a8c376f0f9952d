"""What was deleted, merged into another record or erased: its kinds and the published form."""

from enum import StrEnum
from uuid import UUID

import msgspec

from frontdesk.auth.scopes import Scope
from frontdesk.values.api_types import Timestamp
from frontdesk.webhooks.event_types import READ_SCOPES, EventType


class DeletedResource(StrEnum):
    """The records that can be deleted. All others stay, with `status` false where they are out of use."""

    CUSTOMER = "customer"
    ITEM = "item"
    CATEGORY = "category"
    PACKAGE = "package"
    STAFF = "staff"
    HOUR_EXCEPTION = "hour_exception"
    TIME_OFF = "time_off"
    PAYMENT_METHOD = "payment_method"
    TAX_CLASS = "tax_class"
    WAITING_LIST_ENTRY = "waiting_list_entry"

    @property
    def scope(self) -> Scope:
        if self is DeletedResource.WAITING_LIST_ENTRY:  # of which there are no events
            return Scope.ORDERS_READ
        (scope,) = READ_SCOPES[EventType(f"{self}.deleted")]
        return scope


class Deletion(msgspec.Struct):
    """Of an erased record, too, no more than its id."""

    id: UUID
    resource: DeletedResource
    deleted: bool  # always true
    deleted_at: Timestamp
    merged_into: UUID | None  # the record of the same kind that has everything of this one
