"""Messages to customers, and which notifications customers and members get."""

from datetime import datetime, timedelta
from uuid import UUID

from frontdesk.values.ids import uuid7
from tests.factories.tenant_rows import TenantRows


async def insert_message(
    rows: TenantRows,
    kind: str = "confirmation",
    *,
    email: str = "sara@example.com",
    state: str = "due",
    answer: str | None = None,
    event_id: UUID | None = None,
    due_in: timedelta = timedelta(0),
) -> UUID:
    """`answer` is what the mail server said to the last attempt, `event_id` what offered it to applications."""
    id_ = uuid7()
    await rows.sql(
        """
        INSERT INTO messages (tenant_id, id, kind, email, language, state, answer, event_id, due_at, expires_at)
        VALUES ($1, $2, $3, $4, 'en', $5, $6, $7, now() + $8, now() + interval '1 day')
        """,
        id_,
        kind,
        email,
        state,
        answer,
        event_id,
        due_in,
    )
    return id_


async def set_reminder_hours(rows: TenantRows, hours: int) -> None:
    """Of a business that has saved no notices yet."""
    await rows.sql("INSERT INTO message_settings (tenant_id, reminder_hours) VALUES ($1, $2)", hours)


async def set_reminder_progress(rows: TenantRows, starts_until: datetime) -> None:
    """As if the reminders of all bookings until then had been queued."""
    await rows.sql(
        "INSERT INTO reminder_progress (tenant_id, starts_until, checked_at) VALUES ($1, $2, now()) "
        "ON CONFLICT (tenant_id) DO UPDATE SET starts_until = excluded.starts_until",
        starts_until,
    )


async def silence_members(rows: TenantRows) -> None:
    """Members get no mail about bookings."""
    await rows.sql(
        """
        INSERT INTO notification_settings (tenant_id, user_id, bell_new, bell_moved, bell_canceled, mail_new,
            mail_moved, mail_canceled, own_only)
        SELECT $1, user_id, 'online', 'online', 'online', 'none', 'none', 'none', false
        FROM memberships WHERE tenant_id = $1 ON CONFLICT DO NOTHING
        """
    )
