"""The published form of exports of records, which `export_document` returns."""

from enum import StrEnum
from typing import Literal
from uuid import UUID

import msgspec

from frontdesk.values.api_types import Timestamp, Url


class ExportedResource(StrEnum):
    """What can be exported, in the order in which a receiver can store it: what others refer to comes first."""

    SETTINGS = "settings"
    BOOKING_PAGE = "booking_page"
    MESSAGE_SETTINGS = "message_settings"
    BRANCHES = "branches"
    DRAWER_SETTINGS = "drawer_settings"
    TAX_CLASSES = "tax_classes"
    CATEGORIES = "categories"
    ITEMS = "items"
    PACKAGES = "packages"
    STAFF = "staff"
    WORKING_HOURS = "working_hours"
    HOUR_EXCEPTIONS = "hour_exceptions"
    CLOSED_DAYS = "closed_days"
    TIME_OFF = "time_off"
    PAYMENT_METHODS = "payment_methods"
    CUSTOMERS = "customers"
    WAITING_LIST = "waiting_list"
    ORDERS = "orders"
    TRANSACTIONS = "transactions"


class RecordExport(msgspec.Struct):
    id: UUID
    status: Literal["queued", "running", "done", "failed"]
    resources: list[ExportedResource]
    sequence: int  # the last event that is in it
    records: int
    url: Url
    created_at: Timestamp
    finished_at: Timestamp | None
    expires_at: Timestamp


class ExportedRecord(msgspec.Struct):
    """A line of the file."""

    resource: ExportedResource
    record: msgspec.Raw
