"""The queue of monthly reports by mail, for the worker of messages: each member gets a month once."""

from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from uuid import UUID

import asyncpg
import structlog

from frontdesk.messages.composed_mail import ComposedMail
from frontdesk.messages.queue_queries import ClaimedMessage, TenantQueue
from frontdesk.messages.types import REPORT_KIND, Attachment, Content, Message
from frontdesk.postgres.batched_delete import delete_batch
from frontdesk.postgres.failures import trace
from frontdesk.postgres.pool import Connection
from frontdesk.postgres.queue_scope import QueueScope
from frontdesk.problems import Problem
from frontdesk.reports.monthly import read_month
from frontdesk.reports.monthly_file import draw_month, file_name
from frontdesk.reports.monthly_types import MonthlyReport
from frontdesk.runtime.limited_process import ProcessFailed
from frontdesk.runtime.slow_work import PDFS
from frontdesk.security.encryption import SecretBox
from frontdesk.tenants.moved_clock_queries import in_session_clock

_LEASE_SECONDS = 180  # a PDF may take a minute on a busy machine
_MEMBERS = 200  # that are queued at a time
_log = structlog.get_logger("frontdesk.reports")


class ReportQueue(TenantQueue):
    _table = "report_mails"

    def __init__(self, *, by_tenant: bool = False) -> None:
        super().__init__(by_tenant=by_tenant)
        self._is_drawing = False

    async def claim(
        self, conn: Connection, lease: UUID, limit: int, tenant_id: UUID | None = None
    ) -> Sequence[ClaimedMessage]:
        """One at a time: on the first of a month there are many, and other mails go before their PDFs."""
        await _queue_due(conn)
        return () if self._is_drawing else await super().claim(conn, lease, 1, tenant_id)

    async def _claim(
        self, conn: Connection, lease: UUID, limit: int, tenant_id: UUID | None = None
    ) -> list[ClaimedMessage]:
        """Drops what is not sent any more: to who may not see reports now, or has no verified address."""
        scope = QueueScope(tenant_id, "$4")
        rows = await conn.fetch(
            f"""
            WITH due AS MATERIALIZED (
                SELECT f.tenant_id, f.id FROM report_mails f
                WHERE {scope.condition("f")} f.state = 'due' AND f.due_at <= now()
                  AND coalesce(f.leased_until < now(), true)
                  AND {in_session_clock(scope.tenant_of("f"))}
                ORDER BY f.due_at LIMIT $2 FOR NO KEY UPDATE SKIP LOCKED
            ), checked AS MATERIALIZED (
                SELECT f.tenant_id, f.id, CASE
                    WHEN n.suspended_at IS NOT NULL THEN 'suspended'
                    WHEN m.user_id IS NULL OR u.disabled_at IS NOT NULL OR u.email_verified_at IS NULL THEN 'removed'
                    END AS reason
                FROM due d JOIN report_mails f ON f.tenant_id = {scope.tenant_of("d")} AND f.id = d.id
                JOIN tenants n ON n.id = {scope.tenant_of("f")}
                LEFT JOIN memberships m ON m.tenant_id = {scope.tenant_of("f")} AND m.user_id = f.user_id
                    AND m.role IN ('owner', 'manager')
                LEFT JOIN users u ON u.id = f.user_id
            )
            UPDATE report_mails f SET
                lease = CASE WHEN k.reason IS NULL THEN $1::uuid END,
                leased_until = CASE WHEN k.reason IS NULL THEN k.until END,
                state = CASE WHEN k.reason IS NULL THEN 'due' ELSE 'dropped' END,
                answer = coalesce(k.reason, f.answer),
                finished_at = CASE WHEN k.reason IS NOT NULL THEN k.now END
            FROM (SELECT *, now() AS now, now() + make_interval(secs => $3) AS until FROM checked) k
            WHERE f.tenant_id = {scope.tenant_of("k")} AND f.id = k.id
            RETURNING f.tenant_id, f.id, f.lease, f.attempts
            """,
            lease,
            limit,
            _LEASE_SECONDS,
            *scope.args,
        )
        return [
            ClaimedMessage(row["tenant_id"], row["id"], row["lease"], REPORT_KIND, row["attempts"])
            for row in rows
            if row["lease"] is not None
        ]

    async def content(self, conn: Connection, secret_box: SecretBox, message: ClaimedMessage) -> Content | None:
        row = await conn.fetchrow(
            "SELECT user_id, month FROM report_mails WHERE tenant_id = $1 AND id = $2", message.tenant_id, message.id
        )
        if row is None or message.tenant_id is None:
            return None
        report = await read_month(conn, message.tenant_id, row["user_id"], row["month"])
        return None if report is None else _content(message, report, partial(self._draw, message.tenant_id, report))

    async def _draw(self, tenant_id: UUID, report: MonthlyReport) -> Attachment | None:
        """None: the mail, which has the figures, goes out without its PDF."""
        self._is_drawing = True
        try:
            async with PDFS.turn(tenant_id, has_begun=True):  # nobody waits at a page for it
                return Attachment(file_name(report), "pdf", await draw_month(report))
        except (Problem, ProcessFailed) as failure:
            _log.warning("a monthly report has no PDF", reason=str(failure) or type(failure).__name__)
            return None
        finally:
            self._is_drawing = False

    async def prepare(self, conn: Connection, message: ClaimedMessage, composed: ComposedMail) -> bool:
        """What it says is on the page of reports, so it is not kept."""
        return bool(
            await conn.fetchval(
                """
                SELECT count(*) FROM report_mails WHERE tenant_id = $1 AND id = $2 AND lease = $3 AND state = 'due'
                    AND leased_until > now() + interval '60 seconds'
                """,
                message.tenant_id,
                message.id,
                message.lease,
            )
        )


async def _queue_due(conn: Connection) -> None:
    try:
        rows = await conn.fetch(
            f"""
            SELECT tenant_id, user_id FROM report_settings r
            WHERE next_mail_at <= now() AND {in_session_clock("r.tenant_id")} ORDER BY next_mail_at LIMIT $1
            """,
            _MEMBERS,
        )
    except asyncpg.PostgresConnectionError:  # a node does not answer; what is queued already is sent
        return
    for row in rows:
        try:
            await conn.execute("SELECT queue_report_mail($1, $2)", row["tenant_id"], row["user_id"])
        except asyncpg.PostgresConnectionError:
            raise
        except asyncpg.PostgresError as failure:  # of one member; it is tried again at the next turn
            _log.error("a monthly report is not queued", tenant=str(row["tenant_id"]), trace=trace(failure))


def _content(
    claimed: ClaimedMessage, report: MonthlyReport, draw: Callable[[], Awaitable[Attachment | None]]
) -> Content:
    message = Message(
        id=claimed.id,
        tenant_id=claimed.tenant_id,
        kind=REPORT_KIND,
        email=report.email,
        name=report.reader,
        language=report.language,
        created_at=report.written_at,
        data={
            "link": f"/reports?from={report.first}&to={report.last}",
            "month": report.month,
            "summary": " ".join(report.sentences),
            "figures": tuple((figure.label, figure.value) for figure in report.figures),
        },
    )
    return Content(message, report.business, draw=draw)


async def delete_old_report_mails(conn: Connection, limit: int) -> int:
    return await delete_batch(conn, "report_mails", "created_at < now() - interval '400 days'", limit)
