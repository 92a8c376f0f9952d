"""What a member learned of bookings: the list behind the bell, and what the member has chosen to learn."""

from datetime import datetime
from uuid import UUID

import msgspec

from frontdesk.messages.types import BookedService
from frontdesk.postgres.batched_delete import delete_batch
from frontdesk.postgres.pool import Connection
from frontdesk.postgres.query import Query, decoded

PAGE_SIZE = 30
KINDS = ("new", "moved", "canceled")
WAYS = ("bell", "mail")


class Notification(msgspec.Struct, frozen=True):
    """As the booking is now. Of one that is with another provider now it says neither who comes nor for what."""

    id: UUID
    order_id: UUID
    order_number: int
    kind: str
    starts_at: datetime
    previous_start: datetime | None
    others: int
    changed_by: str
    created_at: datetime
    is_new: bool  # it was not in a list that was opened before
    customer: str | None
    services: tuple[BookedService, ...]
    branch: str

    @property
    def is_first(self) -> bool:
        return self.order_number == 1 and self.kind == "new"


class NotificationSettings(msgspec.Struct, frozen=True):
    role: str
    has_staff: bool  # the user is a staff member
    email: str
    bell_new: str
    bell_moved: str
    bell_canceled: str
    mail_new: str
    mail_moved: str
    mail_canceled: str
    own_only: bool


def list_notifications(user_id: UUID, before: UUID | None) -> Query[list[Notification]]:
    """The newest first, one more than a page shows."""
    return Query(
        """
        SELECT coalesce(json_agg(json_build_object('id', f.id, 'order_id', f.order_id, 'order_number', o.order_number,
                'kind', f.kind, 'starts_at', f.starts_at, 'previous_start', f.previous_start, 'others', f.others,
                'changed_by', f.changed_by, 'created_at', f.created_at, 'is_new', f.seen_at IS NULL,
                'customer', CASE WHEN k.services IS NOT NULL OR NOT w.own_only
                    THEN nullif(concat_ws(' ', c.first_name, c.last_name), '') END,
                'services', coalesce(k.services, '[]'), 'branch', b.name) ORDER BY f.id DESC), '[]')::text AS document
        FROM (SELECT * FROM notifications
              WHERE tenant_id = $1 AND user_id = $2 AND on_bell AND ($3::uuid IS NULL OR id < $3)
              ORDER BY id DESC LIMIT $4) f
        JOIN memberships m ON m.tenant_id = $1 AND m.user_id = f.user_id
        LEFT JOIN notification_settings s ON s.tenant_id = $1 AND s.user_id = f.user_id
        CROSS JOIN LATERAL (SELECT m.role = 'provider' OR coalesce(s.own_only, false) AS own_only) w
        JOIN orders o ON o.tenant_id = $1 AND o.id = f.order_id
        JOIN branches b ON b.tenant_id = $1 AND b.id = o.branch_id
        LEFT JOIN customers c ON c.tenant_id = $1 AND c.id = o.customer_id
        CROSS JOIN LATERAL (
            SELECT json_agg(json_build_object('names', i.name, 'provider', t.name)
                            ORDER BY lower(k.during), k.id) AS services
            FROM bookings k
            JOIN items i ON i.tenant_id = $1 AND i.id = k.item_id
            JOIN staff t ON t.tenant_id = $1 AND t.id = k.staff_id
            WHERE k.tenant_id = $1 AND k.order_id = f.order_id
              AND (NOT w.own_only OR k.staff_id = m.staff_id)) k
        """,
        (user_id, before, PAGE_SIZE + 1),
        decoded(list[Notification]),
    )


async def see_notifications(conn: Connection, tenant_id: UUID, user_id: UUID) -> None:
    """The list was opened: the bell counts what comes after."""
    await conn.execute(
        """
        UPDATE notifications SET seen_at = now()
        WHERE tenant_id = $1 AND user_id = $2 AND on_bell AND seen_at IS NULL
        """,
        tenant_id,
        user_id,
    )


async def read_notifications(conn: Connection, tenant_id: UUID, user_id: UUID) -> None:
    await conn.execute(
        """
        UPDATE notifications SET read_at = now(), seen_at = least(seen_at, now())
        WHERE tenant_id = $1 AND user_id = $2 AND on_bell AND read_at IS NULL
        """,
        tenant_id,
        user_id,
    )


async def read_notification(conn: Connection, tenant_id: UUID, user_id: UUID, notification_id: UUID) -> UUID | None:
    """The order that it is about; None if it is of another member. One that says less than the order leads nowhere."""
    order_id: UUID | None = await conn.fetchval(
        """
        UPDATE notifications SET read_at = least(read_at, now()), seen_at = least(seen_at, now())
        WHERE tenant_id = $1 AND user_id = $2 AND id = $3
        RETURNING order_id
        """,
        tenant_id,
        user_id,
        notification_id,
    )
    return order_id


def get_notification_settings(user_id: UUID) -> Query[NotificationSettings]:
    """Those of the role, until the member has chosen."""
    return Query(
        """
        SELECT json_build_object('role', m.role, 'has_staff', m.staff_id IS NOT NULL, 'email', u.email,
            'bell_new', coalesce(s.bell_new, d.bell), 'bell_moved', coalesce(s.bell_moved, d.bell),
            'bell_canceled', coalesce(s.bell_canceled, d.bell), 'mail_new', coalesce(s.mail_new, d.mail),
            'mail_moved', coalesce(s.mail_moved, d.mail), 'mail_canceled', coalesce(s.mail_canceled, d.mail),
            'own_only', m.role = 'provider' OR coalesce(s.own_only, false))::text AS document
        FROM memberships m
        JOIN users u ON u.id = m.user_id
        LEFT JOIN notification_settings s ON s.tenant_id = $1 AND s.user_id = m.user_id,
            LATERAL (SELECT default_notification(m.role, 'bell') AS bell,
                            default_notification(m.role, 'mail') AS mail) d
        WHERE m.tenant_id = $1 AND m.user_id = $2
        """,
        (user_id,),
        decoded(NotificationSettings),
    )


async def delete_old_notifications(conn: Connection, limit: int) -> int:
    return await delete_batch(conn, "notifications", "created_at < now() - interval '90 days'", limit)
