"""The data of the events about what a business sets up. The database function `change_data` writes most of them.

The published forms are type parameters, because their modules are above this one.
"""

from typing import Generic, TypeVar
from uuid import UUID

import msgspec

Record = TypeVar("Record")


class ItemEventData(msgspec.Struct, Generic[Record]):
    item: Record


class ItemUpdatedData(ItemEventData[Record], Generic[Record]):
    changed: list[str]


class CategoryEventData(msgspec.Struct, Generic[Record]):
    category: Record


class CategoryUpdatedData(CategoryEventData[Record], Generic[Record]):
    changed: list[str]


class PackageEventData(msgspec.Struct, Generic[Record]):
    package: Record


class PackageUpdatedData(PackageEventData[Record], Generic[Record]):
    changed: list[str]


class StaffEventData(msgspec.Struct, Generic[Record]):
    staff: Record


class StaffUpdatedData(StaffEventData[Record], Generic[Record]):
    changed: list[str]


class WorkingHoursUpdatedData(msgspec.Struct, Generic[Record]):
    """`staff_id` is null for the hours of the branch itself."""

    branch_id: UUID
    staff_id: UUID | None
    working_hour: Record | None


class HourExceptionEventData(msgspec.Struct, Generic[Record]):
    hour_exception: Record


class HourExceptionUpdatedData(HourExceptionEventData[Record], Generic[Record]):
    changed: list[str]


class TimeOffEventData(msgspec.Struct, Generic[Record]):
    time_off: Record


class TimeOffUpdatedData(TimeOffEventData[Record], Generic[Record]):
    changed: list[str]


class ClosedDaysUpdatedData(msgspec.Struct, Generic[Record]):
    closed_days: Record
    changed: list[str]


class BranchEventData(msgspec.Struct, Generic[Record]):
    branch: Record


class BranchUpdatedData(BranchEventData[Record], Generic[Record]):
    changed: list[str]


class PaymentMethodEventData(msgspec.Struct, Generic[Record]):
    payment_method: Record


class PaymentMethodUpdatedData(PaymentMethodEventData[Record], Generic[Record]):
    changed: list[str]


class TaxClassEventData(msgspec.Struct, Generic[Record]):
    tax_class: Record


class TaxClassUpdatedData(TaxClassEventData[Record], Generic[Record]):
    changed: list[str]


class SettingsUpdatedData(msgspec.Struct, Generic[Record]):
    settings: Record
    changed: list[str]


class BookingPageUpdatedData(msgspec.Struct, Generic[Record]):
    booking_page: Record
    changed: list[str]


class DrawerSettingsUpdatedData(msgspec.Struct, Generic[Record]):
    drawer_settings: Record
    changed: list[str]


class MessageSettingsUpdatedData(msgspec.Struct, Generic[Record]):
    message_settings: Record
    changed: list[str]
