from typing import NamedTuple
from uuid import UUID

import msgspec

from frontdesk.auth.types import Role


class Viewer(NamedTuple):
    """Who has a page open: a session in one tenant, with the role that it had when the page was opened."""

    session_id: UUID
    tenant_id: UUID
    user_id: UUID
    role: Role
    staff_id: UUID | None  # the staff member that the user is

    def may_see(self, event: "LiveEvent") -> bool:
        """A provider sees their own bookings only."""
        return self.role is not Role.PROVIDER or self.staff_id in event.staff_ids


class LiveEvent(NamedTuple):
    sequence: int
    type: str
    order_id: UUID
    actor_id: UUID | None
    staff_ids: frozenset[UUID | None]  # who performs the bookings, and who did before
    days: list[str]  # of the order's start, before and after


class EventsAfter(NamedTuple):
    last: int  # sequence of the tenant's last event, of any type
    events: list[LiveEvent]
    is_complete: bool  # False if there are too many to send, or some were deleted


class _Message(msgspec.Struct):
    """What a page gets. It fetches the content with its own rights."""

    type: str
    order: UUID
    own: bool  # the user made the change
    days: list[str]


_encode = msgspec.json.Encoder().encode


def as_message(event: LiveEvent, viewer: Viewer) -> bytes:
    """In the format of server-sent events."""
    data = _encode(_Message(event.type, event.order_id, event.actor_id == viewer.user_id, event.days))
    return b"id: %d\nevent: order\ndata: %s\n\n" % (event.sequence, data)


def as_reset(sequence: int) -> bytes:
    """The page must be loaded again: the missed events are not sent one by one."""
    return b"id: %d\nevent: reset\ndata: \n\n" % sequence


def as_heartbeat(sequence: int) -> bytes:
    return b"id: %d\nevent: alive\ndata: \n\n" % sequence
