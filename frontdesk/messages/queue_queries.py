"""The queue of messages to customers: claiming with a lease, handing over to the mail server, and what became of it."""

from collections.abc import Sequence
from datetime import datetime
from typing import ClassVar, Protocol
from uuid import UUID

import msgspec

from frontdesk.messages.composed_mail import ComposedMail
from frontdesk.messages.content_queries import find_content
from frontdesk.messages.types import SECRET_KINDS, Content
from frontdesk.postgres.pool import Connection
from frontdesk.postgres.queue_scope import QueueScope
from frontdesk.postgres.queued_tenants import list_queued_tenants
from frontdesk.security.encryption import SecretBox
from frontdesk.tenants.moved_clock_queries import in_session_clock

# Longer than everything up to the hand-over. The messages of a killed worker are delayed by this time.
LEASE_SECONDS = 90
MAX_ANSWER = 500  # characters


class ClaimedMessage(msgspec.Struct, frozen=True):
    tenant_id: UUID | None
    id: UUID
    lease: UUID
    kind: str
    attempts: int
    offered_at: datetime | None = None
    reason: str | None = None  # why it is not needed any more, of a message that was offered to applications


class Queue(Protocol):
    """Of messages to customers, or to people with an account."""

    async def claim(
        self, conn: Connection, lease: UUID, limit: int, tenant_id: UUID | None = None
    ) -> Sequence[ClaimedMessage]:
        """`tenant_id`: only of this business, a sandbox with a time of its own."""

    async def content(self, conn: Connection, secret_box: SecretBox, message: ClaimedMessage) -> Content | None: ...

    async def prepare(self, conn: Connection, message: ClaimedMessage, composed: ComposedMail) -> bool:
        """Keeps what is sent. False: another worker has the message now."""

    async def hand_over(self, conn: Connection, message: ClaimedMessage) -> None:
        """Written together with the end of the mail: from now on it counts as sent."""

    async def finish(self, conn: Connection, message: ClaimedMessage, state: str, answer: str | None) -> None: ...

    async def postpone(
        self, conn: Connection, message: ClaimedMessage, *, seconds: float, answer: str, counts: bool
    ) -> None: ...


async def postpone_due(conn: Connection, message: ClaimedMessage, *, seconds: float, answer: str) -> None:
    """This message and all others of its tenant that are due and that no worker has."""
    await conn.execute(
        """
        UPDATE messages SET due_at = now() + make_interval(secs => $3), answer = $4, lease = NULL, leased_until = NULL
        WHERE tenant_id = $1 AND state = 'due' AND due_at <= now()
          AND (id = $5 AND lease = $2 OR leased_until IS NULL OR leased_until < now())
        """,
        message.tenant_id,
        message.lease,  # of all messages that were claimed together
        seconds,
        answer,
        message.id,
    )


class TenantQueue:
    """What the queues of a tenant's table share."""

    _table: ClassVar[str]
    _on_finish: ClassVar[str] = ""  # further columns that it sets; $4 is the state

    def __init__(self, *, by_tenant: bool = False) -> None:
        self._by_tenant = by_tenant  # tenants are on different nodes

    async def claim(
        self, conn: Connection, lease: UUID, limit: int, tenant_id: UUID | None = None
    ) -> Sequence[ClaimedMessage]:
        if not self._by_tenant or tenant_id is not None:
            return await self._claim(conn, lease, limit, tenant_id)
        due = "state = 'due' AND due_at <= now() AND coalesce(leased_until < now(), true)"
        tenants = await list_queued_tenants(conn, self._table, due)
        claimed: list[ClaimedMessage] = []
        for queued in tenants[:limit]:
            claimed += await self._claim(conn, lease, limit // min(limit, len(tenants)), queued)
        return claimed

    async def _claim(
        self, conn: Connection, lease: UUID, limit: int, tenant_id: UUID | None = None
    ) -> list[ClaimedMessage]:
        raise NotImplementedError

    async def hand_over(self, conn: Connection, message: ClaimedMessage) -> None:
        await conn.execute(
            f"""
            UPDATE {self._table} SET state = 'sent', attempts = attempts + 1, answer = NULL, finished_at = now()
            WHERE tenant_id = $1 AND id = $2 AND lease = $3 AND state = 'due'
            """,
            message.tenant_id,
            message.id,
            message.lease,
        )

    async def finish(self, conn: Connection, message: ClaimedMessage, state: str, answer: str | None) -> None:
        await conn.execute(
            f"""
            UPDATE {self._table} SET state = $4, answer = $5, finished_at = least(finished_at, now()), lease = NULL,
                leased_until = NULL {self._on_finish}
            WHERE tenant_id = $1 AND id = $2 AND lease = $3
            """,
            message.tenant_id,
            message.id,
            message.lease,
            state,
            answer and answer[:MAX_ANSWER],
        )

    async def postpone(
        self, conn: Connection, message: ClaimedMessage, *, seconds: float, answer: str, counts: bool
    ) -> None:
        await conn.execute(
            f"""
            UPDATE {self._table} SET state = 'due', due_at = now() + make_interval(secs => $4), answer = $5,
                attempts = attempts + $6 - CASE WHEN state = 'sent' THEN 1 ELSE 0 END, finished_at = NULL, lease = NULL,
                leased_until = NULL
            WHERE tenant_id = $1 AND id = $2 AND lease = $3
            """,
            message.tenant_id,
            message.id,
            message.lease,
            seconds,
            answer[:MAX_ANSWER],
            int(counts),
        )


class CustomerQueue(TenantQueue):
    _table = "messages"
    _on_finish = ", secret = CASE WHEN $4 = 'sent' THEN NULL ELSE secret END"

    async def _claim(
        self, conn: Connection, lease: UUID, limit: int, tenant_id: UUID | None = None
    ) -> list[ClaimedMessage]:
        """Drops what is not needed any more, in the statement that claims it; first an offer to applications ends."""
        scope = QueueScope(tenant_id, "$4")
        rows = await conn.fetch(
            f"""
            WITH due AS MATERIALIZED (
                SELECT m.tenant_id, m.id FROM messages m
                WHERE {scope.condition("m")} m.state = 'due' AND m.due_at <= now()
                  AND coalesce(m.leased_until < now(), true)
                  AND {in_session_clock(scope.tenant_of("m"))}
                ORDER BY m.due_at LIMIT $2 FOR NO KEY UPDATE SKIP LOCKED
            ), checked AS MATERIALIZED (
                SELECT m.tenant_id, m.id, m.event_id, CASE
                    WHEN m.email IS NULL AND m.phone IS NULL THEN 'erased'
                    WHEN n.suspended_at IS NOT NULL THEN 'suspended'
                    WHEN m.expires_at <= now() THEN 'expired'
                    WHEN m.kind IN ('confirmation', 'change', 'reminder') AND o.status = 'canceled' THEN 'canceled'
                    WHEN m.kind = 'cancellation' AND o.status <> 'canceled' THEN 'confirmed'
                    WHEN m.kind = 'reminder' AND m.order_id IS NOT NULL AND (o.starts_at IS DISTINCT FROM m.expires_at
                        OR o.status <> 'confirmed') THEN 'moved'
                    WHEN m.kind = 'reminder' AND c.reminders_stopped_at IS NOT NULL THEN 'stopped'
                    WHEN m.kind = 'birthday' AND m.customer_id IS NOT NULL AND (c.blocked OR NOT EXISTS (
                        SELECT k.id FROM customer_consents k WHERE k.tenant_id = {scope.tenant_of("m")}
                            AND k.customer_id = m.customer_id AND k.withdrawn_at IS NULL)) THEN 'no_consent'
                    END AS reason
                FROM due d JOIN messages m ON m.tenant_id = {scope.tenant_of("d")} AND m.id = d.id
                JOIN tenants n ON n.id = {scope.tenant_of("m")}
                LEFT JOIN orders o ON o.tenant_id = {scope.tenant_of("m")} AND o.id = m.order_id
                LEFT JOIN customers c ON c.tenant_id = {scope.tenant_of("m")} AND c.id = m.customer_id
            ), claimed AS (
                UPDATE messages m SET
                    lease = CASE WHEN NOT k.is_ended THEN $1::uuid END,
                    leased_until = CASE WHEN NOT k.is_ended THEN k.until END,
                    state = CASE WHEN k.is_ended THEN 'dropped' ELSE 'due' END,
                    answer = CASE WHEN k.is_ended THEN k.reason ELSE m.answer END,
                    finished_at = CASE WHEN k.is_ended THEN k.now END
                FROM (SELECT *, reason IS NOT NULL AND event_id IS NULL AS is_ended, now() AS now,
                             now() + make_interval(secs => $3) AS until FROM checked) k
                WHERE m.tenant_id = {scope.tenant_of("k")} AND m.id = k.id
                RETURNING m.tenant_id, m.id, m.lease, m.kind, m.attempts, m.offered_at, k.reason
            )
            SELECT * FROM claimed
            """,
            lease,
            limit,
            LEASE_SECONDS,
            *scope.args,
        )
        return [
            ClaimedMessage(**{name: row[name] for name in ClaimedMessage.__struct_fields__})
            for row in rows
            if row["lease"] is not None
        ]

    async def content(self, conn: Connection, secret_box: SecretBox, message: ClaimedMessage) -> Content | None:
        assert message.tenant_id is not None  # noqa: S101 - of this queue
        return await find_content(conn, secret_box, message.tenant_id, message.id)

    async def prepare(self, conn: Connection, message: ClaimedMessage, composed: ComposedMail) -> bool:
        is_secret = message.kind in SECRET_KINDS
        kept = None if is_secret else msgspec.json.encode(composed).decode()
        return await conn.execute_one(
            """
            UPDATE messages SET subject = $4, composed = $5::jsonb
            WHERE tenant_id = $1 AND id = $2 AND lease = $3 AND state = 'due'
              AND leased_until > now() + interval '60 seconds'
            """,
            message.tenant_id,
            message.id,
            message.lease,
            composed.subject,
            kept,
        )
