"""Deletes expired rows in the background, about every ten minutes."""

import asyncio
import random
import time
from collections.abc import Awaitable, Callable

import structlog

from frontdesk.accounts.second_factor_queries import delete_expired_pending
from frontdesk.accounts.session_queries import delete_expired_sessions
from frontdesk.activity.operator_act_queries import delete_old_operator_acts
from frontdesk.activity.queries import delete_old_activity
from frontdesk.applications.queries.codes import delete_expired_codes
from frontdesk.applications.queries.vitals import delete_old_days, refresh_vitals
from frontdesk.auth.queries import delete_expired_tokens
from frontdesk.auth.rate_limit import delete_idle_throttles, delete_idle_windows
from frontdesk.auth.request_log_queries import delete_old_requests
from frontdesk.booking_page.contact_code_queries import delete_expired_contact_codes
from frontdesk.booking_page.list_link_queries import delete_expired_list_links
from frontdesk.exports.record_queries import delete_old_exports
from frontdesk.imports.queries import delete_old_imports
from frontdesk.messages.log_queries import delete_old_account_messages, delete_old_messages, purge_old_mail_content
from frontdesk.messages.notification_queries import delete_old_notifications
from frontdesk.pictures.queries import delete_expired_pictures
from frontdesk.postgres.idempotency import delete_expired_responses
from frontdesk.postgres.order_documents import delete_old_documents
from frontdesk.postgres.pool import Connection, Pool
from frontdesk.postgres.supervise import record_success
from frontdesk.reports.mail_queue_queries import delete_old_report_mails
from frontdesk.runtime.late_gauge import LateGauge
from frontdesk.scheduling.hold_queries import delete_expired_holds
from frontdesk.webhooks.delivery_queries import delete_old_attempts
from frontdesk.webhooks.queries import delete_old_events

Task = Callable[[Connection, int], Awaitable[int]]

BATCH = 2000  # rows that one statement deletes, far below the statement timeout
_MAX_BATCHES = 500
_INTERVAL_SECONDS = 600.0
_TASKS = (
    delete_idle_windows,
    delete_idle_throttles,
    delete_old_documents,
    delete_expired_holds,
    delete_expired_contact_codes,
    delete_expired_list_links,
    delete_expired_responses,
    delete_expired_tokens,
    delete_expired_codes,
    delete_expired_sessions,
    delete_expired_pending,
    delete_old_requests,
    delete_old_events,
    delete_old_attempts,
    delete_expired_pictures,
    delete_old_activity,
    delete_old_operator_acts,
    delete_old_imports,
    delete_old_exports,
    purge_old_mail_content,
    delete_old_messages,
    delete_old_account_messages,
    delete_old_notifications,
    delete_old_report_mails,
    delete_old_days,
    refresh_vitals,
)
_log = structlog.get_logger("frontdesk.server.cleanup")
_last_run = LateGauge(
    "frontdesk_cleanup_timestamp_seconds", "When expired rows were last deleted without a failure", "max"
)


async def run_cleanup_loop(database: Pool) -> None:
    """Runs until canceled. Several processes may run it: they skip rows that another one has locked."""
    while True:
        await asyncio.sleep(_INTERVAL_SECONDS * random.uniform(0.5, 1.0))  # noqa: S311 - jitter, so that processes do not run together
        await run_cleanup(database)
        record_success()


async def run_cleanup(database: Pool, batch: int = BATCH) -> None:
    """Runs each task separately. One that fails is logged and runs again the next time. Raises the first failure."""
    failures: list[Exception] = []
    for task in _TASKS:
        try:
            await _run(task, database, batch)
        except Exception as error:  # noqa: BLE001 - whatever it is, the other tasks run
            _log.warning("cleanup failed", task=task.__name__, reason=type(error).__name__)
            failures.append(error)
    if failures:
        raise failures[0]
    _last_run.set(time.time())


async def _run(task: Task, database: Pool, batch: int) -> None:
    """Releases the connection after each batch, so that requests are not blocked."""
    for _ in range(_MAX_BATCHES):
        async with database.connection() as conn:
            deleted = await task(conn, batch)
        if deleted < batch:
            return
