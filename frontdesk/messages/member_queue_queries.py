"""The queue of mails to members about bookings: the rows of `notifications`, which hold references only."""

from collections.abc import Sequence
from uuid import UUID

from frontdesk.messages.composed_mail import ComposedMail
from frontdesk.messages.member_content_queries import find_notification_content
from frontdesk.messages.queue_queries import LEASE_SECONDS, ClaimedMessage, TenantQueue
from frontdesk.messages.types import Content
from frontdesk.postgres.pool import Connection
from frontdesk.postgres.queue_scope import QueueScope
from frontdesk.security.encryption import SecretBox
from frontdesk.tenants.moved_clock_queries import in_session_clock

# A mail to a member is not kept, so without a mail server none is written.
_KEEP_DUE = f"""
    UPDATE notifications f SET state = 'kept', finished_at = now()
    WHERE state = 'due' AND due_at <= now() AND (leased_until IS NULL OR leased_until < now())
      AND {in_session_clock("f.tenant_id")}
"""


class MemberQueue(TenantQueue):
    _table = "notifications"

    def __init__(self, *, has_server: bool, by_tenant: bool = False) -> None:
        super().__init__(by_tenant=by_tenant)
        self._has_server = has_server

    async def claim(
        self, conn: Connection, lease: UUID, limit: int, tenant_id: UUID | None = None
    ) -> Sequence[ClaimedMessage]:
        if not self._has_server:
            await conn.execute(_KEEP_DUE)
            return ()
        return await super().claim(conn, lease, limit, tenant_id)

    async def _claim(
        self, conn: Connection, lease: UUID, limit: int, tenant_id: UUID | None = None
    ) -> list[ClaimedMessage]:
        """Drops what is not sent any more: to who is no member now, or about a booking that was canceled meanwhile."""
        scope = QueueScope(tenant_id, "$4")
        rows = await conn.fetch(
            f"""
            WITH due AS MATERIALIZED (
                SELECT f.tenant_id, f.id FROM notifications f
                WHERE {scope.condition("f")} f.state = 'due' AND f.due_at <= now()
                  AND coalesce(f.leased_until < now(), true)
                  AND {in_session_clock(scope.tenant_of("f"))}
                ORDER BY f.due_at LIMIT $2 FOR NO KEY UPDATE SKIP LOCKED
            ), checked AS MATERIALIZED (
                SELECT f.tenant_id, f.id, CASE
                    WHEN n.suspended_at IS NOT NULL THEN 'suspended'
                    WHEN f.created_at < now() - interval '1 day' THEN 'expired'
                    WHEN m.user_id IS NULL OR u.disabled_at IS NOT NULL OR u.email_verified_at IS NULL THEN 'removed'
                    WHEN f.kind IN ('new', 'moved') AND o.status = 'canceled' THEN 'canceled'
                    END AS reason
                FROM due d JOIN notifications f ON f.tenant_id = {scope.tenant_of("d")} AND f.id = d.id
                JOIN tenants n ON n.id = {scope.tenant_of("f")}
                JOIN orders o ON o.tenant_id = {scope.tenant_of("f")} AND o.id = f.order_id
                LEFT JOIN memberships m ON m.tenant_id = {scope.tenant_of("f")} AND m.user_id = f.user_id
                LEFT JOIN users u ON u.id = f.user_id
            )
            UPDATE notifications f SET
                lease = CASE WHEN k.reason IS NULL THEN $1::uuid END,
                leased_until = CASE WHEN k.reason IS NULL THEN k.until END,
                state = CASE WHEN k.reason IS NULL THEN 'due' ELSE 'dropped' END,
                answer = coalesce(k.reason, f.answer),
                finished_at = CASE WHEN k.reason IS NOT NULL THEN k.now END
            FROM (SELECT *, now() AS now, now() + make_interval(secs => $3) AS until FROM checked) k
            WHERE f.tenant_id = {scope.tenant_of("k")} AND f.id = k.id
            RETURNING f.tenant_id, f.id, f.lease, 'booking_' || f.kind AS kind, f.attempts
            """,
            lease,
            limit,
            LEASE_SECONDS,
            *scope.args,
        )
        return [ClaimedMessage(*row.values()) for row in rows if row["lease"] is not None]

    async def content(self, conn: Connection, secret_box: SecretBox, message: ClaimedMessage) -> Content | None:
        assert message.tenant_id is not None  # noqa: S101 - of this queue
        return await find_notification_content(conn, message.tenant_id, message.id)

    async def prepare(self, conn: Connection, message: ClaimedMessage, composed: ComposedMail) -> bool:
        """What it says about the customer is not kept."""
        return bool(
            await conn.fetchval(
                """
                SELECT EXISTS (SELECT FROM notifications WHERE tenant_id = $1 AND id = $2 AND lease = $3
                               AND state = 'due' AND leased_until > now() + interval '60 seconds')
                """,
                message.tenant_id,
                message.id,
                message.lease,
            )
        )
