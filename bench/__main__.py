"""`python -m bench`: the service against a bare reference, and against itself with a thousand times the data."""

import argparse
import asyncio
import shutil
import signal
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple
from uuid import UUID

from bench import requests, webhooks
from bench.compare_responses import assert_same_response
from bench.processes import Server, parent_of, running_callers, running_reference, running_service
from bench.reference_app import TenantIds
from bench.report import Check, print_checks, print_rows, progress
from bench.rounds import Endpoint, Measure, Row
from bench.tenants import (
    AvailabilityTenant,
    OrderTenant,
    TenantAccess,
    make_availability_tenant,
    make_large_tenant,
    make_order_tenant,
    make_tenant,
)
from frontdesk.postgres.embedded.server import EmbeddedPostgres
from frontdesk.postgres.pool import connect
from frontdesk.server.database import migrate_now, migrated_connection

_LEAST = {"POST /orders": 0.5, "GET /orders": 0.6, "GET /orders/{uuid}": 0.6, "POST /availability": 0.6}
_SMALL = 1_000
_PAGE = 25


class Size(NamedTuple):
    large: int  # rows of the large business
    rounds: int
    seconds: float
    pace: webhooks.Pace


class Fixtures(NamedTuple):
    """Everything that requests are made for."""

    reading: TenantAccess
    order_id: UUID
    order_tenant: OrderTenant
    availability_tenant: AvailabilityTenant
    small: TenantAccess
    large: TenantAccess


_FULL, _QUICK = Size(1_000_000, 15, 0.7, webhooks.FULL), Size(20_000, 2, 0.4, webhooks.QUICK)


def main() -> None:
    parser = argparse.ArgumentParser(prog="bench", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="smaller data and shorter rounds: under 90 seconds")
    parser.add_argument("--only", default="", help="measure only endpoints whose name holds this text, or webhooks")
    options = parser.parse_args()
    size = _QUICK if options.quick else _FULL
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that what was started is ended, and the folder removed
    folder = Path(tempfile.mkdtemp(prefix="frontdesk-bench-"))
    folder.chmod(0o755)
    database = EmbeddedPostgres(folder / "database")
    try:
        checks = _run(database.start(), folder, size, options.only)
    finally:
        database.stop()
        shutil.rmtree(folder, ignore_errors=True)
    sys.exit(0 if all(check.passed for check in checks) else 1)


def _run(dsn: str, folder: Path, size: Size, only: str) -> list[Check]:
    began = time.monotonic()
    checks = [] if only == webhooks.NAME else _run_requests(dsn, folder, size, only)
    if only in ("", webhooks.NAME):
        migrate_now(dsn)
        checks += webhooks.measure_webhooks(dsn, folder, size.pace)
    print_checks(checks)
    progress(f"done in {time.monotonic() - began:.0f} s")
    return checks


def _run_requests(dsn: str, folder: Path, size: Size, only: str) -> list[Check]:
    fixtures = asyncio.run(_make_fixtures(dsn, size, with_large=not only))
    tenant_ids = TenantIds(
        fixtures.reading.tenant_id,
        fixtures.order_tenant.tenant.tenant_id,
        fixtures.availability_tenant.tenant.tenant_id,
    )
    with ExitStack() as stack:
        service = stack.enter_context(running_service(dsn, folder))
        reference = stack.enter_context(running_reference(dsn, tenant_ids))
        callers = stack.enter_context(running_callers())
        measure = Measure(callers, asyncio.run(_postmaster(dsn)), size.rounds, size.seconds)
        orders = requests.Orders(fixtures.order_tenant)
        endpoints = [endpoint for endpoint in _endpoints(fixtures, orders) if only in endpoint.name]
        for endpoint in endpoints:
            assert_same_response(endpoint, service, reference)
        rows = _compare(measure, service, reference, endpoints)
        checks = [_reference_check(row) for row in rows]
        if not only:
            checks += _growth_checks(measure, service, fixtures, size)
    print_rows(rows)
    return checks


def _compare(measure: Measure, service: Server, reference: Server, endpoints: list[Endpoint]) -> list[Row]:
    rows = []
    for endpoint in endpoints:
        for callers in (1, 8):
            rows.append(measure.compare(service, reference, endpoint, callers))
            progress(f"{endpoint.name}, {callers} callers: {rows[-1].ratio:.2f} of the reference")
    return rows


async def _make_fixtures(dsn: str, size: Size, *, with_large: bool) -> Fixtures:
    async with migrated_connection(dsn) as conn:
        await conn.execute("SET statement_timeout = 0")
        progress("making the businesses")
        reading, order_tenant, availability_tenant = (
            await make_tenant(conn),
            await make_order_tenant(conn),
            await make_availability_tenant(conn),
        )
        small = await make_large_tenant(dsn, conn, _SMALL)
        progress(f"filling one with {size.large:,} customers and orders")
        large = await make_large_tenant(dsn, conn, size.large) if with_large else small
        progress("VACUUM ANALYZE")
        await conn.execute("VACUUM ANALYZE")
        order_id = await conn.fetchval(
            """
            SELECT o.id FROM orders o JOIN bookings k ON k.tenant_id = $1 AND k.order_id = o.id
            JOIN transactions t ON t.tenant_id = $1 AND t.order_id = o.id
            WHERE o.tenant_id = $1 AND o.parent_id IS NULL ORDER BY o.order_number DESC LIMIT 1
            """,
            reading.tenant_id,
        )
    return Fixtures(reading, order_id, order_tenant, availability_tenant, small, large)


async def _postmaster(dsn: str) -> int:
    raw = await connect(dsn)
    try:
        return parent_of(raw.get_server_pid())
    finally:
        await raw.close()


def _endpoints(fixtures: Fixtures, orders: requests.Orders) -> list[Endpoint]:
    page = requests.get(fixtures.reading, "/orders")
    detail = requests.get(fixtures.reading, f"/orders/{fixtures.order_id}")
    week = requests.availability(fixtures.availability_tenant, fixtures.availability_tenant.staff_id, 7)
    return [
        Endpoint("POST /orders", orders.take, once=True, status=201),
        Endpoint("GET /orders", lambda _: [page]),
        Endpoint("GET /orders/{uuid}", lambda _: [detail]),
        Endpoint("POST /availability", lambda _: [week]),
    ]


def _reference_check(row: Row) -> Check:
    least = _LEAST[row.endpoint]
    return Check(f"{row.endpoint}, {row.callers} callers: of the reference's rate", row.ratio, least, at_least=True)


def _growth_checks(measure: Measure, service: Server, fixtures: Fixtures, size: Size) -> list[Check]:
    checks = []
    for noun in ("customers", "orders"):
        progress(f"{noun}: first and last page of {_SMALL:,} and of {size.large:,}")
        pages = [
            requests.get(access, f"/{noun}?page={page}")
            for access, rows in ((fixtures.small, _SMALL), (fixtures.large, size.large))
            for page in (1, -(-rows // _PAGE))
        ]
        times = measure.typical_ms(service, pages, size.seconds / 2)
        shown = " / ".join(f"{ms:.2f}" for ms in times)
        label = f"GET /{noun}, first/last of {_SMALL:,}, first/last of {size.large:,} ({shown} ms): slowest to fastest"
        checks.append(Check(label, max(times) / min(times), 1.5, at_least=False))
    progress("availability: 1 provider x 7 days, 50 providers x 30 days")
    asked = [
        requests.availability(fixtures.availability_tenant, fixtures.availability_tenant.staff_id, 7),
        requests.availability(fixtures.availability_tenant, None, 30),
    ]
    one, many = measure.typical_ms(service, asked, size.seconds / 2)
    label = f"POST /availability, 50 providers x 30 days to 1 x 7 ({many:.2f} / {one:.2f} ms)"
    return [*checks, Check(label, many / one, 6, at_least=False)]


if __name__ == "__main__":
    main()
