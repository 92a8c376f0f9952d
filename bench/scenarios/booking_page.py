"""The booking page of a large business, and what it leaves for the others while strangers open it again and again."""

from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from typing import NamedTuple
from uuid import UUID

from bench import bounds, requests
from bench.callers import LoadSpec
from bench.processes import Server, running_callers
from bench.report import progress
from bench.results import Check, Result
from bench.run import Run
from bench.tenants import TenantAccess, make_small_tenant
from bench.turns import Call, Contender, repeat
from frontdesk.postgres.pool import Connection

_PROVIDERS, _SERVICES = 155, 5
_STRANGERS = 8
_PROXY = {"TRUSTED_PROXIES": "127.0.0.1"}  # each request has an address of its own, so that no limit is met


class _Business(NamedTuple):
    access: TenantAccess
    slug: str
    services: list[UUID]


def measure(run: Run) -> Result:
    async def make(conn: Connection) -> tuple[_Business, TenantAccess]:
        tenant = await make_small_tenant(
            conn, 0, services=_SERVICES, providers=_PROVIDERS - _SERVICES + 1
        )  # and one for each further service
        quiet = await make_small_tenant(conn, 1)
        return await _open_page(conn, tenant.access), quiet.access

    large, quiet = run.prepare(make)
    reads = requests.get(quiet, "/orders?per_page=10")
    with run.service(**_PROXY) as service:
        pages = _Pages(large)
        contenders = [
            Contender("service", service, Call("booking page, 155 providers, 5 services", pages.take, once=True)),
            Contender("service", service, repeat("GET /orders, 10 orders", reads)),
        ]
        rows = run.turns.compare(contenders, 1)
        p99 = _p99_beside_strangers(run, service, pages, reads)
    cpu = rows[0].sample.server_cpu
    checks = [
        Check("CPU time of the booking page of a large business, ms", cpu, bounds.BOOKING_PAGE_CPU_MS),
        Check(f"p99 of another business beside {_STRANGERS} callers of it, ms", p99, bounds.BOOKING_PAGE_OTHERS_P99_MS),
    ]
    for check in checks:
        progress(f"{check.name}: {check.value:.1f}")
    return Result(rows, checks)


def _p99_beside_strangers(run: Run, service: Server, pages: "_Pages", reads: bytes) -> float:
    seconds = run.size.seconds * 5
    flood = LoadSpec(service.port, _STRANGERS, seconds + 0.5, pages.take(int(200 * seconds)), once=True)
    with running_callers() as strangers, ThreadPoolExecutor(1) as thread:
        flooding = thread.submit(strangers.run, flood)
        times = sorted(run.callers.run(LoadSpec(service.port, 1, seconds, [reads])).times)
        flooding.result()
    return times[int(len(times) * 0.99)] * 1000


class _Pages:
    """The same page, each time from another address."""

    def __init__(self, business: _Business) -> None:
        services = ",".join(map(str, business.services))
        self._path = f"/book/{business.slug}?services={services}"
        self._addresses = (f"10.{n >> 16 & 255}.{n >> 8 & 255}.{n & 255}" for n in range(1, 1 << 24))

    def take(self, count: int) -> list[bytes]:
        return [requests.visit(self._path, address) for address in islice(self._addresses, min(count, 1000))]


async def _open_page(conn: Connection, access: TenantAccess) -> _Business:
    """Everybody performs all services, as in a real salon."""
    tenant_id = access.tenant_id
    await conn.execute(
        """
        INSERT INTO staff_services (tenant_id, staff_id, item_id)
        SELECT $1, s.id, i.id FROM staff s, items i WHERE s.tenant_id = $1 AND i.tenant_id = $1 AND i.type = 'service'
        ON CONFLICT DO NOTHING
        """,
        tenant_id,
    )
    slug = await conn.fetchval("SELECT slug FROM tenant_slugs WHERE tenant_id = $1 AND is_current", tenant_id)
    rows = await conn.fetch("SELECT id FROM items WHERE tenant_id = $1 AND type = 'service'", tenant_id)
    return _Business(access, slug, [row["id"] for row in rows])
