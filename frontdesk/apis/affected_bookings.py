"""What the answer to a change of hours says about coming bookings that are outside the hours from then on."""

from collections.abc import Mapping
from typing import Any, Generic, TypeVar
from uuid import UUID
from zoneinfo import ZoneInfo

import msgspec
from msgspec import UNSET, UnsetType

from frontdesk.apis.dry_run import WriteResponse
from frontdesk.availability.affected_bookings import first_affected, watch_bookings
from frontdesk.availability.upcoming_queries import UpcomingBooking
from frontdesk.http.responses import encode
from frontdesk.http.writes import FindMembers
from frontdesk.postgres.act import FunctionCall
from frontdesk.postgres.pool import Connection
from frontdesk.staff.hour_types import HoursOwner
from frontdesk.values.api_types import LocalDateTime, NumberString
from frontdesk.values.tenant_context import TenantContext
from frontdesk.values.time import format_offset, get_zone

T = TypeVar("T")


class AffectedBooking(msgspec.Struct):
    order_id: UUID
    order_number: NumberString
    staff_id: UUID
    start: LocalDateTime
    end: LocalDateTime


class AffectedBookings(msgspec.Struct):
    """Coming bookings that were within the hours and no longer are."""

    total: int
    bookings: list[AffectedBooking]


class ScheduleResponse(WriteResponse[T], Generic[T]):
    """The hours as they are now, and the bookings that are outside them."""

    affected_bookings: AffectedBookings | UnsetType = UNSET


async def compare_bookings(conn: Connection, tenant: TenantContext, decided: FunctionCall) -> FindMembers | None:
    """For acts whose call names the branch or the staff member whose hours it changes."""
    changed = decided.argument if isinstance(decided.argument, Mapping) else dict[str, Any]()
    owner = HoursOwner(changed.get("branch_id"), changed.get("staff_id"))
    find_affected = await watch_bookings(conn, tenant, owner)
    if find_affected is None:
        return None

    async def find() -> bytes:
        affected = await find_affected()
        if not affected:
            return b""
        zone = get_zone(tenant.timezone)
        shown = [_published(booking, zone) for booking in await first_affected(conn, tenant, affected)]
        return b',"affected_bookings":' + encode(AffectedBookings(len(affected), shown))

    return find


def _published(booking: UpcomingBooking, zone: ZoneInfo) -> AffectedBooking:
    return AffectedBooking(
        booking.order_id,
        str(booking.order_number),
        booking.staff_id,
        format_offset(booking.start, zone),
        format_offset(booking.end, zone),
    )
