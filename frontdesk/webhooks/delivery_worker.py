"""Delivers events in a loop: records results, claims due deliveries, sends them. Workers share one queue."""

import asyncio
import time
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from datetime import timedelta
from functools import partial
from typing import TypeVar
from urllib.parse import urlsplit
from uuid import UUID

import asyncpg
import structlog
from prometheus_client import Counter, Histogram

from frontdesk.auth.customer_reads import Showing, add_customer_reads, customer_reads
from frontdesk.net.outbound_http import OutboundClient
from frontdesk.postgres.failures import trace
from frontdesk.postgres.pool import Connection, Pool
from frontdesk.postgres.sending import SendingCheck
from frontdesk.postgres.worker_loop import LOST, WorkerLoop, drain
from frontdesk.problems import Problem
from frontdesk.runtime.tracing import tracing
from frontdesk.security.encryption import SecretBox
from frontdesk.tenants.fault_queries import OF_WEBHOOKS, Fault, take_fault
from frontdesk.tenants.moved_clock_queries import MovedClocks
from frontdesk.values.clock import clock_ahead, current_time
from frontdesk.values.ids import uuid7
from frontdesk.webhooks.attempt import AttemptResult, attempt_delivery, internal_failure
from frontdesk.webhooks.delivery_queries import (
    ClaimedDelivery,
    claim_deliveries,
    insert_attempts,
    is_deliverable,
    list_receiving_tenants,
    release_deliveries,
)
from frontdesk.webhooks.faulty_attempt import attempt_faulty
from frontdesk.webhooks.in_flight import InFlightLimiter
from frontdesk.webhooks.parking_queries import park_deliveries, put_back_deliveries
from frontdesk.webhooks.problems import OffReason
from frontdesk.webhooks.receiver_queries import disable_webhook, mark_failing, mark_healthy
from frontdesk.webhooks.retries import GIVE_UP_DAYS, MAX_PAUSE

MAX_IN_FLIGHT_PER_WEBHOOK = 16  # concurrent deliveries to one webhook
_POLL = 0.25  # seconds; a commit sends no NOTIFY, see docs/decisions/0031
_PARK = 10.0  # seconds between two checks which webhooks have become deliverable or undeliverable
_BATCH_INTERVAL = 0.01  # seconds between two polls, so that one statement handles many deliveries
_RECHECK_AFTER = 0.05  # seconds after which a webhook is checked again before a request is sent
_DISABLE_AFTER = timedelta(days=GIVE_UP_DAYS)
_log = structlog.get_logger("frontdesk.deliver")
T = TypeVar("T", AttemptResult, ClaimedDelivery)
_attempts = Counter("frontdesk_delivery_attempts_total", "Attempts to deliver an event", ["outcome"])
_delay = Histogram("frontdesk_delivery_delay_seconds", "From event to first attempt", buckets=(0.1, 0.3, 1, 3, 10, 60))


class DeliveryCancelled(Exception):
    """The webhook is no longer deliverable."""


class DeliveryWorker:
    def __init__(
        self,
        database: Pool,
        client: OutboundClient,
        secret_box: SecretBox,
        *,
        origin: str,
        max_in_flight: int = MAX_IN_FLIGHT_PER_WEBHOOK,
        by_tenant: bool = False,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`by_tenant`: a statement of the queue is about one tenant, because tenants are on different nodes."""
        self._database = database
        self._client = client
        self._secret_box = secret_box
        self._origin = origin
        self._max_in_flight = max_in_flight
        self._by_tenant = by_tenant
        self._clock = clock
        self._limiter = InFlightLimiter(clock=clock)
        self._in_flight: dict[asyncio.Task[None], ClaimedDelivery] = {}
        self._results: list[AttemptResult] = []
        self._unsent: list[ClaimedDelivery] = []
        self._loop = WorkerLoop("webhooks", self._take_turn, poll=_POLL, batch=_BATCH_INTERVAL)
        self._park_at = 0.0
        self._sending = SendingCheck()
        self._moved = MovedClocks()

    def wake(self) -> None:
        """Polls at once, also for webhooks that have become deliverable again."""
        self._park_at = 0.0
        self._loop.wake()

    def start(self) -> None:
        self._loop.start()

    async def stop(self, seconds: float) -> None:
        """Waits for deliveries in flight; those that do not end in time are released, to be sent again."""
        await self._loop.stop()
        under_way = dict(self._in_flight)
        self._unsent += [under_way[task] for task in await drain(under_way, seconds)]
        with suppress(*LOST):
            async with self._database.connection() as conn:
                await self._write(conn)
        await self._client.close()

    async def _take_turn(self) -> None:
        async with self._database.connection() as conn:
            moved = await self._moved.read(conn)
            await self._write(conn, {clock.tenant_id for clock in moved})
            if await self._sending.is_held(conn):
                return
            await self._park(conn)
            free = self._limiter.free()
            if self._loop.is_stopping or not free:
                return
            claimed = await self._claim(conn, free)
        self._begin(claimed)
        for clock in moved:
            with clock_ahead(clock.seconds):
                await self._take_turn_of(clock.tenant_id)
        self._client.close_idle()

    async def _take_turn_of(self, tenant_id: UUID) -> None:
        """Of a sandbox whose clock was moved, at its time."""
        async with self._database.connection() as conn:
            await self._write_results(conn, tenant_id)
            free = self._limiter.free()
            if self._loop.is_stopping or not free:
                return
            claimed = await self._claim_of(conn, free, tenant_id)
        self._begin(claimed)

    def _begin(self, claimed: Sequence[ClaimedDelivery]) -> None:
        claimed_at = self._clock()
        for delivery in claimed:
            self._limiter.take(delivery)
            task = asyncio.create_task(self._send(delivery, claimed_at))
            self._in_flight[task] = delivery
            task.add_done_callback(self._on_done)

    async def _claim(self, conn: Connection, free: int) -> list[ClaimedDelivery]:
        """With `by_tenant`, each tenant gets at most an equal share of the free slots."""
        tenants: Sequence[UUID | None] = await list_receiving_tenants(conn) if self._by_tenant else [None]
        claimed: list[ClaimedDelivery] = []
        for tenant_id in tenants[:free]:
            claimed += await self._claim_of(conn, free // min(free, len(tenants)), tenant_id)
        return claimed

    async def _claim_of(self, conn: Connection, limit: int, tenant_id: UUID | None) -> list[ClaimedDelivery]:
        return await claim_deliveries(
            conn,
            uuid7(),
            limit=limit,
            max_in_flight=self._max_in_flight,
            skipped=self._limiter.webhooks_to_skip(),
            tenant_id=tenant_id,
        )

    async def _park(self, conn: Connection) -> None:
        if self._clock() < self._park_at:
            return
        self._park_at = self._clock() + _PARK
        for tenant_id in await list_receiving_tenants(conn) if self._by_tenant else [None]:
            await park_deliveries(conn, tenant_id)
        for tenant_id in await list_receiving_tenants(conn, parked=True) if self._by_tenant else [None]:
            await put_back_deliveries(conn, tenant_id)

    def _on_done(self, task: "asyncio.Task[None]") -> None:
        self._limiter.release(self._in_flight.pop(task))
        self._loop.wake()

    async def _send(self, delivery: ClaimedDelivery, claimed_at: float) -> None:
        try:
            before_send = partial(self._check_deliverable, delivery, claimed_at)
            attempt = partial(attempt_delivery, delivery, self._client, self._secret_box, self._origin, before_send)
            fault = await self._take_fault(delivery) if delivery.has_faults else None
            result = await attempt() if fault is None else await attempt_faulty(fault, delivery, attempt)
        except DeliveryCancelled:
            self._unsent.append(delivery)
            return
        except Exception as failure:  # noqa: BLE001 - one faulty delivery must not stop the others
            _log.error("delivery failed in this service", delivery=str(delivery.id), trace=trace(failure))
            result = internal_failure(delivery)
        self._results.append(result)
        _count(result)

    async def _take_fault(self, delivery: ClaimedDelivery) -> Fault | None:
        async with self._database.connection() as conn:
            return await take_fault(conn, delivery.tenant_id, OF_WEBHOOKS, delivery.type)

    async def _check_deliverable(self, delivery: ClaimedDelivery, claimed_at: float) -> None:
        """Opening a connection takes time, in which the webhook may have been disabled."""
        if self._clock() - claimed_at < _RECHECK_AFTER:
            return
        try:
            async with self._database.connection() as conn:
                may_send = await is_deliverable(conn, *delivery.receiver)
        except LOST as lost:
            raise DeliveryCancelled from lost
        if not may_send:
            raise DeliveryCancelled

    async def _write(self, conn: Connection, moved: Collection[UUID] = ()) -> None:
        """Results that cannot be written are written with the next poll; those of `moved`, at their time."""
        tenants = {result.tenant_id for result in self._results} | {delivery.tenant_id for delivery in self._unsent}
        if not self._by_tenant and tenants.isdisjoint(moved):
            await self._write_results(conn, None)
            return
        for tenant_id in tenants.difference(moved):
            with suppress(asyncpg.PostgresConnectionError):  # its node does not answer
                await self._write_results(conn, tenant_id)

    async def _write_results(self, conn: Connection, tenant_id: UUID | None) -> None:
        """Of one tenant, or of all."""
        results, self._results = _split(self._results, tenant_id)
        unsent, self._unsent = _split(self._unsent, tenant_id)
        try:
            if results:
                await insert_attempts(conn, [result.attempt for result in results])
            if reads := customer_reads(map(_showing, results)):
                await add_customer_reads(conn, reads)
            if unsent:
                await release_deliveries(conn, unsent)
        except BaseException:
            self._results, self._unsent = results + self._results, unsent + self._unsent
            raise
        await self._update_receivers(conn, results)

    async def _update_receivers(self, conn: Connection, results: Sequence[AttemptResult]) -> None:
        """By the last attempt of each webhook. Separately: deleting a webhook locks it before its deliveries."""
        last = {result.attempt.delivery.receiver: result for result in results if result.reached_receiver}
        for (tenant_id, webhook_id), result in sorted(last.items()):
            failing_since = result.attempt.delivery.failing_since
            if result.delivered:
                if failing_since:
                    await mark_healthy(conn, tenant_id, webhook_id)
            elif result.gone:
                await self._disable(conn, tenant_id, webhook_id, Problem(OffReason.GONE))
            elif failing_since is None or result.retry_after:
                await mark_failing(conn, tenant_id, webhook_id, min(result.retry_after or 0.0, MAX_PAUSE))
            elif current_time() - failing_since > _DISABLE_AFTER:
                reason = Problem(OffReason.NOTHING_ARRIVED, days=GIVE_UP_DAYS)
                await self._disable(conn, tenant_id, webhook_id, reason, failing_for=_DISABLE_AFTER)

    async def _disable(
        self,
        conn: Connection,
        tenant_id: UUID,
        webhook_id: UUID,
        reason: Problem,
        *,
        failing_for: timedelta = timedelta(0),
    ) -> None:
        if await disable_webhook(conn, tenant_id, webhook_id, reason, failing_for=failing_for):
            _log.warning("webhook disabled", tenant=str(tenant_id), webhook=str(webhook_id), reason=reason)


def _split(ended: list[T], tenant_id: UUID | None) -> tuple[list[T], list[T]]:
    """Those of the tenant, or all, and the others."""
    if tenant_id is None:
        return ended, []
    return [one for one in ended if one.tenant_id == tenant_id], [one for one in ended if one.tenant_id != tenant_id]


def _showing(result: AttemptResult) -> Showing:
    delivery = result.attempt.delivery
    return Showing(delivery.tenant_id, delivery.client_id, result.attempt.began_at.date(), result.customers)


def _count(result: AttemptResult) -> None:
    attempt = result.attempt
    if tracing.tracer is not None and result.reached_receiver:
        host = urlsplit(attempt.delivery.url).hostname or ""
        tracing.tracer.add_webhook(host, attempt.milliseconds / 1000, attempt.status)
    _attempts.labels("delivered" if result.delivered else attempt.state).inc()
    if attempt.delivery.attempts == 0:
        _delay.observe((attempt.began_at - attempt.delivery.created_at).total_seconds())
