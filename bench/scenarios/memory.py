"""Memory of the service after a thousand and after many mixed requests of many tenants."""

from itertools import cycle, islice

from bench import bounds, requests
from bench.report import progress
from bench.results import Check, Result
from bench.run import Run
from bench.tenants import AvailabilityTenant, BookableTenant, make_small_tenant
from bench.usage import rss_bytes
from frontdesk.postgres.pool import Connection

_FIRST = 1_000
_BATCH = 1_000
_CALLERS = 8
_ORDER_SHARE = 5  # every fifth request creates an order


def measure(run: Run) -> Result:
    async def make_tenants(conn: Connection) -> list[BookableTenant]:
        return [await make_small_tenant(conn, number) for number in range(run.size.tenants)]

    tenants, total = run.prepare(make_tenants), run.size.memory_requests
    orders, reads = requests.Orders(tenants), cycle([read for tenant in tenants for read in _reads(tenant)])
    sizes = {}
    with run.service() as service:
        for sent in range(_BATCH, total + 1, _BATCH):
            run.callers.send_all(service.port, orders.with_key(_BATCH // _ORDER_SHARE), status=201, callers=_CALLERS)
            run.callers.send_all(service.port, list(islice(reads, _BATCH - _BATCH // _ORDER_SHARE)), callers=_CALLERS)
            if sent in (_FIRST, total):
                sizes[sent] = rss_bytes(service.pid) / 1e6
                progress(f"{sent:,} requests: {sizes[sent]:.1f} MB")
    name = f"memory after {total:,} mixed requests to {_FIRST:,} ({sizes[total]:.1f} / {sizes[_FIRST]:.1f} MB)"
    return Result(checks=[Check(name, sizes[total] / sizes[_FIRST], bounds.MEMORY)])


def _reads(tenant: BookableTenant) -> list[bytes]:
    access = tenant.access
    available = AvailabilityTenant(access, tenant.service_id, tenant.staff_ids[0], tenant.first_day)
    return [
        requests.get(access, "/orders"),
        requests.get(access, f"/orders?customer_id={tenant.customer_ids[0]}"),
        requests.get(access, "/items"),
        requests.get(access, "/customers"),
        requests.get(access, f"/customers/{tenant.customer_ids[-1]}"),
        requests.availability(available, tenant.staff_ids[0], 7),
        requests.availability(available, None, 30),
    ]
