"""Webhooks: do working receivers get every event in time while others hang or fail?

Five tenants write events at a steady pace, one in each transaction. Each has four webhooks for all of them: two
receivers that work, one that hangs until the timeout, one that returns 500.
"""

import asyncio
import time
from typing import NamedTuple
from uuid import UUID

import msgspec

from bench import bounds
from bench.processes import Receivers, running_receivers
from bench.receivers import FAILING, HANGING, HEALTHY, Report
from bench.report import progress
from bench.results import Check, Result, percentile
from bench.run import Run
from bench.usage import cpu_seconds
from frontdesk.demo_data.create import create_sandbox
from frontdesk.postgres.pool import Connection, connect
from frontdesk.security.encryption import SecretBox, load_or_create_key_row
from frontdesk.values.ids import uuid7
from frontdesk.webhooks.signing import new_signing_secret

_TENANTS = 5
_EVENTS_PER_SECOND = 200
_TIMEOUT = 60.0  # seconds after the last event


class _Tenant(NamedTuple):
    tenant_id: UUID
    webhooks: list[UUID]


def measure(run: Run) -> Result:
    events = run.size.webhook_events
    with running_receivers() as receivers, run.service(WEBHOOK_ALLOW_PRIVATE="on") as service:
        tenants = asyncio.run(_make_tenants(run.dsn, receivers.ports))
        progress(f"{events:,} events to {len(receivers.ports)} webhooks, of which {HANGING} hang and {FAILING} fail")
        began, cpu = time.monotonic(), cpu_seconds(service.pid)
        asyncio.run(_write_events(run.dsn, tenants, events))
        report = _wait_for_all(receivers, events // _TENANTS)
        progress(_summary(report, time.monotonic() - began, cpu_seconds(service.pid) - cpu))
    return Result(checks=_checks(report, events // _TENANTS))


async def _make_tenants(dsn: str, ports: list[int]) -> list[_Tenant]:
    """Every tenant gets receivers of each kind: the ports are sorted by kind."""
    raw = await connect(dsn)
    conn = Connection(raw)
    secret_box = SecretBox([await load_or_create_key_row(conn, create=True) or ""])
    tenants = []
    for number in range(_TENANTS):
        tenant_id = (await create_sandbox(conn)).tenant_id
        client_id = await conn.fetchval("SELECT id FROM api_clients WHERE tenant_id = $1 LIMIT 1", tenant_id)
        hooks = [await _add_webhook(conn, secret_box, tenant_id, client_id, port) for port in ports[number::_TENANTS]]
        tenants.append(_Tenant(tenant_id, hooks))
    await raw.close()
    return tenants


async def _add_webhook(conn: Connection, secret_box: SecretBox, tenant_id: UUID, client_id: UUID, port: int) -> UUID:
    id_ = uuid7()
    await conn.execute(
        "INSERT INTO webhooks (tenant_id, id, client_id, url, events, secret) "
        "VALUES ($1, $2, $3, $4, '{customer.created}', $5)",
        tenant_id,
        id_,
        client_id,
        f"http://127.0.0.1:{port}/",
        secret_box.encrypt(new_signing_secret().encode()),
    )
    return id_


async def _write_events(dsn: str, tenants: list[_Tenant], events: int) -> None:
    raw = await connect(dsn)
    data = msgspec.json.encode({"customer": {"id": str(uuid7()), "note": "x" * 800}}).decode()
    began = time.monotonic()
    for number in range(events):
        await asyncio.sleep(max(0.0, began + number / _EVENTS_PER_SECOND - time.monotonic()))
        tenant = tenants[number % _TENANTS]
        await raw.execute(
            """
            WITH event AS (
                INSERT INTO events (tenant_id, id, sequence, type, data, created_at)
                VALUES ($1, $2, $3, 'customer.created', $4, clock_timestamp()) RETURNING id
            )
            INSERT INTO webhook_deliveries (tenant_id, id, webhook_id, event_id)
            SELECT $1, gen_random_uuid(), w, event.id FROM event, unnest($5::uuid[]) w
            RETURNING pg_notify('frontdesk_deliveries', '')
            """,
            tenant.tenant_id,
            uuid7(),
            1_000_000 + number,
            data,
            tenant.webhooks,
        )
    await raw.close()


def _wait_for_all(receivers: Receivers, expected: int) -> Report:
    deadline = time.monotonic() + _TIMEOUT
    while True:
        report = receivers.report()
        if min(report.arrived) == expected or time.monotonic() > deadline:
            return report
        time.sleep(0.5)


def _summary(report: Report, seconds: float, cpu: float) -> str:
    requests = len(report.delays) + report.repeated + report.hanging + report.failing
    delays = sorted(report.delays)
    p50, p99 = percentile(delays, 50), percentile(delays, 99)
    return (
        f"{requests:,} requests in {seconds:.0f} s ({report.hanging:,} to those that hang, {report.failing:,} to those "
        f"that fail); delay p50 {p50 * 1000:.0f} ms, p99 {p99 * 1000:.0f} ms, max {delays[-1]:.2f} s; "
        f"{cpu / requests * 1000:.2f} ms of the service's CPU each"
    )


def _checks(report: Report, expected: int) -> list[Check]:
    share, delay = sum(report.arrived) / (expected * HEALTHY), percentile(sorted(report.delays), 50)
    return [
        Check(f"webhooks, share of {expected * HEALTHY:,} deliveries that arrived", share, bounds.WEBHOOKS_ARRIVED),
        Check("webhooks, median delay in seconds", delay, bounds.WEBHOOKS_DELAY_SECONDS),
    ]
