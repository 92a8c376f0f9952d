"""The queue of messages to people with an account."""

from collections.abc import Sequence
from uuid import UUID

from frontdesk.messages.composed_mail import ComposedMail
from frontdesk.messages.content_queries import find_account_content
from frontdesk.messages.queue_queries import LEASE_SECONDS, ClaimedMessage
from frontdesk.messages.types import Content
from frontdesk.postgres.pool import Connection
from frontdesk.security.encryption import SecretBox


class AccountQueue:
    async def claim(
        self, conn: Connection, lease: UUID, limit: int, tenant_id: UUID | None = None
    ) -> Sequence[ClaimedMessage]:
        if tenant_id is not None:  # these messages belong to no business
            return ()
        rows = await conn.fetch(
            """
            WITH due AS MATERIALIZED (
                SELECT id FROM account_messages
                WHERE state = 'due' AND due_at <= now() AND coalesce(leased_until < now(), true)
                ORDER BY due_at LIMIT $2 FOR NO KEY UPDATE SKIP LOCKED
            )
            UPDATE account_messages m SET
                lease = CASE WHEN m.expires_at > now() THEN $1::uuid END,
                leased_until = CASE WHEN m.expires_at > now() THEN now() + make_interval(secs => $3) END,
                state = CASE WHEN m.expires_at > now() THEN 'due' ELSE 'dropped' END,
                answer = CASE WHEN m.expires_at > now() THEN m.answer ELSE 'expired' END,
                finished_at = CASE WHEN m.expires_at <= now() THEN now() END
            FROM due d WHERE m.id = d.id
            RETURNING m.id, m.lease, m.kind, m.attempts
            """,
            lease,
            limit,
            LEASE_SECONDS,
        )
        return [
            ClaimedMessage(None, row["id"], row["lease"], row["kind"], row["attempts"])
            for row in rows
            if row["lease"] is not None
        ]

    async def content(self, conn: Connection, secret_box: SecretBox, message: ClaimedMessage) -> Content | None:
        return await find_account_content(conn, secret_box, message.id)

    async def prepare(self, conn: Connection, message: ClaimedMessage, composed: ComposedMail) -> bool:
        """What it says is a secret, so nothing is kept."""
        return bool(
            await conn.fetchval(
                """
                SELECT EXISTS (SELECT FROM account_messages WHERE id = $1 AND lease = $2 AND state = 'due'
                               AND leased_until > now() + interval '60 seconds')
                """,
                message.id,
                message.lease,
            )
        )

    async def hand_over(self, conn: Connection, message: ClaimedMessage) -> None:
        await conn.execute(
            """
            UPDATE account_messages SET state = 'sent', attempts = attempts + 1, answer = NULL, finished_at = now()
            WHERE id = $1 AND lease = $2 AND state = 'due'
            """,
            message.id,
            message.lease,
        )

    async def finish(self, conn: Connection, message: ClaimedMessage, state: str, answer: str | None) -> None:
        await conn.execute(
            """
            UPDATE account_messages SET state = $3, answer = left($4, 500), finished_at = coalesce(finished_at, now()),
                lease = NULL, leased_until = NULL, secret = CASE WHEN $3 = 'sent' THEN NULL ELSE secret END
            WHERE id = $1 AND lease = $2
            """,
            message.id,
            message.lease,
            state,
            answer,
        )

    async def postpone(
        self, conn: Connection, message: ClaimedMessage, *, seconds: float, answer: str, counts: bool
    ) -> None:
        await conn.execute(
            """
            UPDATE account_messages SET state = 'due', due_at = now() + make_interval(secs => $3),
                answer = left($4, 500), attempts = attempts + $5 - CASE state WHEN 'sent' THEN 1 ELSE 0 END,
                finished_at = NULL, lease = NULL, leased_until = NULL
            WHERE id = $1 AND lease = $2
            """,
            message.id,
            message.lease,
            seconds,
            answer,
            int(counts),
        )
