"""Busy times of calendars elsewhere. Customers and programs cannot book them; the front desk can, and is warned."""

from collections.abc import Mapping
from datetime import datetime
from uuid import UUID

from frontdesk.availability.types import StaffSchedule


def without_external_calendars(schedules: Mapping[UUID, StaffSchedule]) -> dict[UUID, StaffSchedule]:
    return {staff_id: schedule._replace(external_busy=()) for staff_id, schedule in schedules.items()}


def is_busy_in_external_calendar(
    schedules: Mapping[UUID, StaffSchedule], staff_id: UUID | None, start: datetime, end: datetime
) -> bool:
    schedule = schedules.get(staff_id) if staff_id else None
    return schedule is not None and any(begins < end and start < ends for begins, ends in schedule.external_busy)
