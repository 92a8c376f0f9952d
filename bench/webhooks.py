"""Webhooks: do receivers that work get everything in time while others hang or fail?

Five businesses write events at a steady pace, one in each transaction. Each business has four webhooks for all of
them: two receivers that work, one that hangs until the time limit, one that answers 500.
"""

import asyncio
import time
from pathlib import Path
from typing import NamedTuple
from uuid import UUID

import msgspec

from bench.processes import Receivers, cpu_seconds, running_receivers, running_service
from bench.receivers import FAILING, HANGING, HEALTHY, Report
from bench.report import Check, progress
from frontdesk.demo_data.create import create_sandbox
from frontdesk.postgres.pool import Connection, connect
from frontdesk.security.encryption import SecretBox, load_or_create_key_row
from frontdesk.values.ids import uuid7
from frontdesk.webhooks.signing import new_signing_secret

NAME = "webhooks"
_BUSINESSES = 5
_PATIENCE = 60.0


class Pace(NamedTuple):
    events: int
    each_second: int


FULL, QUICK = Pace(10_000, 200), Pace(1_000, 200)


class TenantAccess(NamedTuple):
    tenant_id: UUID
    webhooks: list[UUID]


def measure_webhooks(dsn: str, folder: Path, pace: Pace) -> list[Check]:
    with running_receivers() as receivers, running_service(dsn, folder, WEBHOOK_ALLOW_PRIVATE="on") as service:
        tenant_ids = asyncio.run(_make_tenants(dsn, receivers.ports))
        progress(f"{pace.events:,} events to {len(receivers.ports)} webhooks, {HANGING} hang and {FAILING} fail")
        began, cpu = time.monotonic(), cpu_seconds(service.pid)
        asyncio.run(_write_events(dsn, tenant_ids, pace))
        report = _await_all(receivers, pace.events // _BUSINESSES)
        progress(_figures(report, time.monotonic() - began, cpu_seconds(service.pid) - cpu))
    return _checks(report, pace.events // _BUSINESSES)


async def _make_tenants(dsn: str, ports: list[int]) -> list[TenantAccess]:
    """Every business gets receivers of each sort: the ports come sorted by sort."""
    raw = await connect(dsn)
    conn = Connection(raw)
    secret_box = SecretBox([await load_or_create_key_row(conn, create=True) or ""])
    tenant_ids = []
    for number in range(_BUSINESSES):
        tenant_id = (await create_sandbox(conn)).tenant_id
        client_id = await conn.fetchval("SELECT id FROM api_clients WHERE tenant_id = $1 LIMIT 1", tenant_id)
        hooks = [
            await _add_webhook(conn, secret_box, tenant_id, client_id, port) for port in ports[number::_BUSINESSES]
        ]
        tenant_ids.append(TenantAccess(tenant_id, hooks))
    await raw.close()
    return tenant_ids


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


async def _write_events(dsn: str, tenant_ids: list[TenantAccess], pace: Pace) -> None:
    raw = await connect(dsn)
    data = msgspec.json.encode({"customer": {"id": str(uuid7()), "note": "x" * 800}}).decode()
    began = time.monotonic()
    for number in range(pace.events):
        await asyncio.sleep(max(0.0, began + number / pace.each_second - time.monotonic()))
        access = tenant_ids[number % _BUSINESSES]
        await raw.execute(
            """
            WITH told AS (
                INSERT INTO events (tenant_id, id, sequence, type, data, created_at)
                VALUES ($1, $2, $3, 'customer.created', $4, clock_timestamp()) RETURNING id
            )
            INSERT INTO webhook_deliveries (tenant_id, id, webhook_id, event_id)
            SELECT $1, gen_random_uuid(), w, told.id FROM told, unnest($5::uuid[]) w
            RETURNING pg_notify('frontdesk_deliveries', '')
            """,
            access.tenant_id,
            uuid7(),
            1_000_000 + number,
            data,
            access.webhooks,
        )
    await raw.close()


def _await_all(receivers: Receivers, expected: int) -> Report:
    deadline = time.monotonic() + _PATIENCE
    while True:
        report = receivers.report()
        if min(report.arrived) == expected or time.monotonic() > deadline:
            return report
        time.sleep(0.5)


def _figures(report: Report, seconds: float, cpu: float) -> str:
    requests = len(report.delays) + report.repeated + report.hanging + report.failing
    delays = sorted(report.delays)
    p50, p99 = (delays[int(len(delays) * part)] for part in (0.5, 0.99))
    return (
        f"{requests:,} requests in {seconds:.0f} s ({report.hanging:,} to those that hang, {report.failing:,} to those "
        f"that fail); delay p50 {p50 * 1000:.0f} ms, p99 {p99 * 1000:.0f} ms, most {delays[-1]:.2f} s; "
        f"{cpu / requests * 1000:.2f} ms of the service's CPU each"
    )


def _checks(report: Report, expected: int) -> list[Check]:
    delays = sorted(report.delays)
    share = sum(report.arrived) / (expected * HEALTHY)
    return [
        Check(f"webhooks: share of {expected * HEALTHY:,} that reached those that work", share, 1.0, at_least=True),
        Check("webhooks: median delay in seconds at those that work", delays[len(delays) // 2], 1.0, at_least=False),
    ]
