"""What was sent to whom: lists for the dashboard, and what becomes of old messages."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

import msgspec
from asyncpg import Record

from frontdesk.attention.rules import MESSAGE_WAITS_FOR_SERVER
from frontdesk.messages.composed_mail import ComposedMail
from frontdesk.postgres.batched_delete import delete_batch, update_batch
from frontdesk.postgres.pool import Connection

PAGE_SIZE = 50
_COMPOSED_MAIL = msgspec.json.Decoder(ComposedMail)


class LoggedMessage(msgspec.Struct, frozen=True):
    id: UUID
    kind: str
    email: str | None
    phone: str | None
    name: str | None
    state: str
    answer: str | None
    handled_by: str | None
    attempts: int
    created_at: datetime
    due_at: datetime
    finished_at: datetime | None
    subject: str | None
    order_id: UUID | None = None
    customer_id: UUID | None = None
    sent_again_at: datetime | None = None

    @property
    def recipient(self) -> str | None:
        """The address. Without one, applications send to the phone."""
        return self.email or self.phone


class ShownMessage(msgspec.Struct, frozen=True):
    logged: LoggedMessage
    composed: ComposedMail | None
    has_secret: bool


class MessageCounts(msgspec.Struct, frozen=True):
    """Of the last 24 hours."""

    sent: int
    due: int
    failed: int
    kept: int
    held_up: int = 0  # wait because the mail server was not reached, of any age


async def list_messages(
    conn: Connection, tenant_id: UUID, *, before: UUID | None = None, failed_only: bool = False
) -> tuple[list[LoggedMessage], MessageCounts]:
    """The newest first, one more than a page shows."""
    row = await conn.fetchrow(
        f"""
        SELECT (SELECT json_agg(l) FROM (
                    SELECT id, kind, email, phone, name, state, answer, handled_by, attempts, created_at, due_at,
                           finished_at, subject, order_id, customer_id, sent_again_at
                    FROM messages
                    WHERE tenant_id = $1 AND ($2::uuid IS NULL OR id < $2)
                      AND (NOT $3 OR state = 'failed' AND sent_again_at IS NULL)
                    ORDER BY id DESC LIMIT $4) l) AS listed, c.*, h.held_up
        FROM (SELECT count(*) FILTER (WHERE state IN ('sent', 'handled')) AS sent,
                     count(*) FILTER (WHERE state = 'due' AND due_at <= now()) AS due,
                     count(*) FILTER (WHERE state = 'failed') AS failed,
                     count(*) FILTER (WHERE state = 'kept') AS kept
              FROM (SELECT state, due_at FROM messages
                    WHERE tenant_id = $1 AND id >= (SELECT uuid_v7(now() - interval '1 day')) LIMIT 10000) recent) c,
             (SELECT count(*) AS held_up FROM (
                SELECT FROM messages m WHERE m.tenant_id = $1 AND {MESSAGE_WAITS_FOR_SERVER} LIMIT 1000) w) h
        """,
        tenant_id,
        before,
        failed_only,
        PAGE_SIZE + 1,
    )
    if row is None:
        return [], MessageCounts(0, 0, 0, 0)
    listed = msgspec.json.decode(row["listed"] or "[]", type=list[LoggedMessage])
    return listed, MessageCounts(row["sent"], row["due"], row["failed"], row["kept"], row["held_up"])


async def list_order_messages(conn: Connection, tenant_id: UUID, order_id: UUID) -> Sequence[LoggedMessage]:
    rows = await conn.fetch(
        "SELECT * FROM messages WHERE tenant_id = $1 AND order_id = $2 ORDER BY id DESC LIMIT 20", tenant_id, order_id
    )
    return [_logged(row) for row in rows]


async def list_customer_messages(conn: Connection, tenant_id: UUID, customer_id: UUID) -> Sequence[LoggedMessage]:
    rows = await conn.fetch(
        "SELECT * FROM messages WHERE tenant_id = $1 AND customer_id = $2 ORDER BY id DESC LIMIT 20",
        tenant_id,
        customer_id,
    )
    return [_logged(row) for row in rows]


async def find_message(conn: Connection, tenant_id: UUID, message_id: UUID) -> ShownMessage | None:
    row = await conn.fetchrow("SELECT * FROM messages WHERE tenant_id = $1 AND id = $2", tenant_id, message_id)
    if row is None:
        return None
    composed = _COMPOSED_MAIL.decode(row["composed"]) if row["composed"] else None
    return ShownMessage(_logged(row), composed, has_secret=row["secret"] is not None)


async def list_account_messages(conn: Connection, before: datetime | None, limit: int) -> list[LoggedMessage]:
    rows = await conn.fetch(
        """
        SELECT id, kind, email, NULL AS phone, name, state, answer, NULL AS handled_by, attempts, created_at, due_at,
               finished_at, NULL AS subject, NULL::uuid AS order_id, NULL::uuid AS customer_id,
               NULL::timestamptz AS sent_again_at
        FROM account_messages WHERE $1::timestamptz IS NULL OR created_at < $1 ORDER BY created_at DESC LIMIT $2
        """,
        before,
        limit,
    )
    return [_logged(row) for row in rows]


async def find_account_message(conn: Connection, message_id: UUID) -> LoggedMessage | None:
    row = await conn.fetchrow(
        """
        SELECT id, kind, email, NULL AS phone, name, state, answer, NULL AS handled_by, attempts, created_at, due_at,
               finished_at, NULL AS subject, NULL::uuid AS order_id, NULL::uuid AS customer_id,
               NULL::timestamptz AS sent_again_at
        FROM account_messages WHERE id = $1
        """,
        message_id,
    )
    return None if row is None else _logged(row)


async def delete_old_messages(conn: Connection, limit: int) -> int:
    """After 400 days."""
    return await delete_batch(conn, "messages", "created_at < now() - interval '400 days'", limit)


async def delete_old_account_messages(conn: Connection, limit: int) -> int:
    return await delete_batch(conn, "account_messages", "created_at < now() - interval '90 days'", limit)


async def purge_old_mail_content(conn: Connection, limit: int) -> int:
    """What was sent is kept for 90 days, a secret for one day after the message has expired."""
    return await update_batch(
        conn,
        "messages",
        "composed = NULL, secret = NULL, data = '{}'",
        """
        (composed IS NOT NULL AND created_at < now() - interval '90 days'
         OR secret IS NOT NULL AND expires_at < now() - interval '1 day')
        """,
        limit,
    )


def _logged(row: Record) -> LoggedMessage:
    return LoggedMessage(**{name: row[name] for name in LoggedMessage.__struct_fields__})
