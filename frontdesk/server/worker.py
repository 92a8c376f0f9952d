"""Runs the workers for webhooks, messages and calendars: in `frontdesk serve`, or alone in `frontdesk worker`."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from functools import partial

import uvloop

from frontdesk.calendar_sync.worker import CalendarWorker
from frontdesk.changelog.announce import announce_publications
from frontdesk.config import Settings
from frontdesk.messages.worker import LANES, MailSettings, MessageWorker
from frontdesk.net.dns import DnsResolver
from frontdesk.net.outbound_http import OutboundClient
from frontdesk.postgres.pool import Pool, connect
from frontdesk.postgres.sending import NOT_SENDING, held_since
from frontdesk.postgres.supervise import record_success, supervise
from frontdesk.reports.mail_queue_queries import ReportQueue
from frontdesk.runtime.async_stop_signals import run_async
from frontdesk.runtime.log_setup import configure_logs
from frontdesk.runtime.stop_signals import Stopped
from frontdesk.runtime.time_limits import time_limit
from frontdesk.security.encryption import SecretBox
from frontdesk.server.database import (
    find_secret_keys,
    migrated_connection,
    print_status,
    request_address,
    supervised_database,
)
from frontdesk.server.measure import measure_loop
from frontdesk.server.metrics import bind_metrics, serving_metrics
from frontdesk.server.tracing import start_traces
from frontdesk.webhooks.delivery_worker import DeliveryWorker

CHANNEL = "frontdesk_deliveries"  # of notify_delivery_workers.sql
DRAIN_SECONDS = 8.0
# Queue statements must use indexes: a plan made while the queue was empty would scan the whole table later.
# Asynchronous commit may lose the last moments before a crash; those deliveries are only sent again.
QUEUE_SETTINGS = {
    "enable_seqscan": "off",
    "enable_bitmapscan": "off",
    "enable_hashjoin": "off",
    "enable_mergejoin": "off",
    "synchronous_commit": "off",
}
MESSAGE_SETTINGS = {**QUEUE_SETTINGS, "synchronous_commit": "on"}
_CONNECTIONS = 3
_MESSAGE_CONNECTIONS = LANES + 3
WORKER_CONNECTIONS = _CONNECTIONS + _MESSAGE_CONNECTIONS + 1  # and for LISTEN
_RELISTEN_SECONDS = 2.0
_LISTEN_SECONDS = 10.0


@asynccontextmanager
async def delivering(
    settings: Settings, dsn: str, secret_box: SecretBox, dns: DnsResolver
) -> AsyncIterator[DeliveryWorker]:
    """Uses a separate pool, so that requests and deliveries do not wait for each other."""
    database = Pool(
        dsn, size=_CONNECTIONS, settings=QUEUE_SETTINGS, name="webhooks", slow_seconds=settings.slow_seconds
    )
    client = OutboundClient(dns.resolve, allow_private=settings.webhook_allow_private)
    worker = DeliveryWorker(database, client, secret_box, origin=settings.address, by_tenant=settings.is_distributed)
    listening = supervise("delivery notices", partial(_listen, dsn, worker))
    worker.start()
    calendars = CalendarWorker(database, client, secret_box)
    calendars.start()
    try:
        async with sending_messages(settings, dsn, secret_box):
            yield worker
    finally:
        await calendars.stop()
        await listening.stop()
        await worker.stop(DRAIN_SECONDS)
        await database.close()


@asynccontextmanager
async def sending_messages(settings: Settings, dsn: str, secret_box: SecretBox) -> AsyncIterator[None]:
    """Their results are committed at once: a mail that was sent is not sent again."""
    database = Pool(
        dsn, size=_MESSAGE_CONNECTIONS, settings=MESSAGE_SETTINGS, name="messages", slow_seconds=settings.slow_seconds
    )
    mail = MailSettings(settings.smtp, settings.mail_sender, settings.address)
    reports = ReportQueue(by_tenant=settings.is_distributed)
    worker = MessageWorker(database, secret_box, mail, reports, by_tenant=settings.is_distributed)
    worker.start()
    announcing = supervise("changes of the API", partial(announce_publications, database))
    try:
        yield
    finally:
        await announcing.stop()
        await worker.stop(DRAIN_SECONDS)
        await database.close()


async def _listen(dsn: str, worker: DeliveryWorker) -> None:
    """Wakes the worker as soon as a delivery is due, without waiting for the next poll."""
    while True:
        await _listen_until_lost(dsn, worker)
        await asyncio.sleep(_RELISTEN_SECONDS)


async def _listen_until_lost(dsn: str, worker: DeliveryWorker) -> None:
    raw = await connect(dsn)
    ended = asyncio.Event()

    def wake(*_: object) -> None:
        worker.wake()

    raw.add_termination_listener(lambda _raw: ended.set())
    try:
        with time_limit(_LISTEN_SECONDS):
            await raw.add_listener(CHANNEL, wake)
        record_success()
        worker.wake()
        await ended.wait()
    finally:
        raw.terminate()


def run_worker(settings: Settings) -> None:
    """`frontdesk worker`."""
    configure_logs(settings.log_format)
    start_traces(settings)
    listening = bind_metrics(settings)
    with suppress(Stopped), supervised_database(settings) as dsn:
        keys, is_held = run_async(_prepare(settings, dsn))
        if is_held:
            print_status(NOT_SENDING)
        with serving_metrics(listening, dsn):
            run_async(_deliver(settings, request_address(dsn, settings), SecretBox(keys)), uvloop.new_event_loop)


async def _prepare(settings: Settings, dsn: str) -> tuple[tuple[str, ...], bool]:
    """The encryption keys, and whether mail and webhooks are not sent."""
    async with migrated_connection(dsn, embedded=settings.database_url is None) as conn:
        return await find_secret_keys(conn, settings), await held_since(conn) is not None


async def _deliver(settings: Settings, dsn: str, secret_box: SecretBox) -> None:
    async with delivering(settings, dsn, secret_box, DnsResolver()):
        measuring = supervise("measurements", measure_loop)
        print_status("delivering webhooks; press Ctrl-C to stop")
        try:
            await asyncio.Event().wait()  # until a stop cancels it
        finally:
            await measuring.stop()
