"""Reads what a mail to a member says: the booking as it is now, and of it what this member may know."""

from uuid import UUID

import msgspec

from frontdesk.messages.content_queries import read_business
from frontdesk.messages.types import Appointment, BookedService, Content, Message
from frontdesk.postgres.pool import Connection

_SERVICES = msgspec.json.Decoder(tuple[BookedService, ...])


async def find_notification_content(conn: Connection, tenant_id: UUID, notification_id: UUID) -> Content | None:
    """Who learns of their own bookings only reads about their own services. None: the member has left."""
    row = await conn.fetchrow(
        """
        SELECT f.id, f.kind, f.starts_at, f.previous_start, f.others, f.changed_by, f.created_at, f.order_id, u.email,
               u.name AS user_name, u.language, n.name, n.timezone, n.currency, n.currency_decimals, n.languages,
               n.accent, n.cancellation_hours, g.slug, o.order_number, o.status, o.version, o.updated_at, o.total,
               o.paid_amount, coalesce(b.names ->> u.language, b.name) AS branch, k.ends_at, k.services,
               coalesce(k.starts_at, f.starts_at) AS shown_start,
               CASE WHEN k.services IS NOT NULL OR NOT w.own_only THEN concat_ws(' ', c.first_name, c.last_name) END
                   AS customer
        FROM notifications f
        JOIN users u ON u.id = f.user_id
        JOIN memberships m ON m.tenant_id = $1 AND m.user_id = f.user_id
        LEFT JOIN notification_settings s ON s.tenant_id = $1 AND s.user_id = f.user_id
        CROSS JOIN LATERAL (SELECT m.role = 'provider' OR coalesce(s.own_only, false) AS own_only) w
        JOIN tenants n ON n.id = $1
        LEFT JOIN tenant_slugs g ON g.tenant_id = $1 AND g.is_current
        JOIN orders o ON o.tenant_id = $1 AND o.id = f.order_id
        JOIN branches b ON b.tenant_id = $1 AND b.id = o.branch_id
        LEFT JOIN customers c ON c.tenant_id = $1 AND c.id = o.customer_id
        CROSS JOIN LATERAL (
            SELECT min(lower(k.during)) AS starts_at, max(upper(k.during)) AS ends_at,
                json_agg(json_build_object('names', i.name, 'provider', coalesce(t.names ->> u.language, t.name),
                    'options', ARRAY(SELECT q.name FROM item_options q
                        WHERE q.tenant_id = $1 AND q.id = ANY (l.option_ids)))
                    ORDER BY lower(k.during), k.id) AS services
            FROM bookings k
            JOIN items i ON i.tenant_id = $1 AND i.id = k.item_id
            JOIN order_lines l ON l.tenant_id = $1 AND l.id = k.line_id
            JOIN staff t ON t.tenant_id = $1 AND t.id = k.staff_id
            WHERE k.tenant_id = $1 AND k.order_id = f.order_id
              AND (NOT w.own_only OR k.staff_id = m.staff_id)) k
        WHERE f.tenant_id = $1 AND f.id = $2
        """,
        tenant_id,
        notification_id,
    )
    if row is None:
        return None
    data = {
        "link": f"/bell/{notification_id}",
        "customer": row["customer"],
        "previous_start": row["previous_start"],
        "others": row["others"],
        "changed_by": row["changed_by"],
    }
    message = Message(
        id=row["id"],
        tenant_id=tenant_id,
        kind=f"booking_{row['kind']}",
        email=row["email"],
        name=row["user_name"],
        language=row["language"],
        created_at=row["created_at"],
        data=data,
        order_id=row["order_id"],
    )
    appointment = Appointment(
        number=row["order_number"],
        status=row["status"],
        version=row["version"],
        changed_at=row["updated_at"],
        starts_at=row["shown_start"],
        ends_at=row["ends_at"],
        services=_SERVICES.decode(row["services"] or "[]"),
        total=row["total"],
        paid=row["paid_amount"],
        branch=row["branch"],
        address=None,
        phone=None,
        map_url=None,
        code=None,
    )
    return Content(message, read_business(row), appointment=appointment)
