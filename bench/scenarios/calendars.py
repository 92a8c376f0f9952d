"""The availability of many providers over many days, when every calendar has changed since the previous request."""

from statistics import median
from uuid import UUID

from bench import bounds, requests
from bench.callers import LoadSpec
from bench.processes import Server
from bench.report import progress
from bench.results import Check, Result
from bench.run import Run
from bench.tenants import (
    AVAILABILITY_DAYS,
    AVAILABILITY_PROVIDERS,
    AvailabilityTenant,
    TenantAccess,
    make_availability_sandbox,
)
from frontdesk.postgres.pool import Connection

_CALLERS = 8


def measure(run: Run) -> Result:
    tenant = run.prepare(make_availability_sandbox)
    cancellations = run.query(
        lambda conn: _list_cancellations(conn, tenant.access.tenant_id, run.size.calendar_samples)
    )
    one = requests.availability(tenant, tenant.staff_id, 7)
    many = requests.availability(tenant, None, AVAILABILITY_DAYS)
    times: dict[bytes, list[float]] = {one: [], many: []}
    with run.service() as service:
        for order_ids in cancellations:
            for request in (one, many):
                run.callers.send_all(service.port, _cancel(tenant.access, order_ids[request == many]), callers=_CALLERS)
                times[request].append(_time_of(run, service, tenant, request))
    one_ms, many_ms = median(times[one]) * 1000, median(times[many]) * 1000
    name = (
        f"POST /availability, every calendar changed in between, {AVAILABILITY_PROVIDERS} providers x "
        f"{AVAILABILITY_DAYS} days to 1 x 7 ({many_ms:.2f} / {one_ms:.2f} ms)"
    )
    progress(f"{name}: {many_ms / one_ms:.2f}")
    return Result(checks=[Check(name, many_ms / one_ms, bounds.CALENDARS)])


async def _list_cancellations(conn: Connection, tenant_id: UUID, samples: int) -> list[tuple[list[UUID], list[UUID]]]:
    """For each sample two orders of every provider. Their bookings are on Fridays, when the branch is closed: canceling
    them changes the calendars and leaves the number of free slots as it is.
    """
    rows = await conn.fetch(
        """
        SELECT array_agg(order_id) AS order_ids FROM (
            SELECT order_id, row_number() OVER (PARTITION BY staff_id ORDER BY during) AS number
            FROM bookings WHERE tenant_id = $1 AND reference LIKE 'bench-%'
                AND extract(dow FROM lower(during) AT TIME ZONE 'Asia/Riyadh') = 5) b
        GROUP BY number ORDER BY number LIMIT $2
        """,
        tenant_id,
        samples * 2,
    )
    batches = [row["order_ids"] for row in rows]
    return list(zip(batches[::2], batches[1::2], strict=True))


def _cancel(access: TenantAccess, order_ids: list[UUID]) -> list[bytes]:
    body = {"status": "canceled"}
    return [requests.post(access, f"/orders/{order_id}/status", body, key=True) for order_id in order_ids]


def _time_of(run: Run, server: Server, tenant: AvailabilityTenant, request: bytes) -> float:
    """On a connection that is open already: the first request waits until the server has accepted it."""
    first = requests.get(tenant.access, "/branches")
    outcome = run.callers.run(LoadSpec(server.port, 1, 10, [first, request], once=True))
    return outcome.times[1]
