"""The three reads that applications send most, against both references."""

from typing import NamedTuple
from uuid import UUID

from bench import bounds, requests
from bench.reference.bare import ReferenceTenants
from bench.reference.compare import Calls, Servers, compare
from bench.reference.verify import assert_same_response
from bench.results import Result
from bench.run import Run
from bench.tenants import (
    AVAILABILITY_PROVIDERS,
    AvailabilityTenant,
    TenantAccess,
    make_availability_sandbox,
    make_sandbox,
)
from bench.turns import Call, repeat
from frontdesk.postgres.pool import Connection


class ReadTenants(NamedTuple):
    reads: TenantAccess
    order_id: UUID
    old_order_id: UUID  # whose document is not stored any more
    availability: AvailabilityTenant


def measure(run: Run) -> Result:
    tenants = run.prepare(make_tenants)
    ids = ReferenceTenants(reads=tenants.reads.tenant_id, availability=tenants.availability.access.tenant_id)
    results: list[Result] = []
    with run.service() as service, run.full_reference() as full, run.bare_reference(ids) as bare:
        servers = Servers(service, full, bare)
        for call in calls_of(tenants):
            assert_same_response(call, service, full, bare)
            bound = bounds.READS_OF_FULL.get(call.name, {})
            results.append(compare(run.turns, servers, Calls(call, call, call), bound))
    return Result(
        [row for result in results for row in result.rows], [check for result in results for check in result.checks]
    )


async def make_tenants(conn: Connection, providers: int = AVAILABILITY_PROVIDERS) -> ReadTenants:
    """The rows of a sandbox are copied, so the act that would have published the newest order is made up for."""
    reads = await make_sandbox(conn)
    new, old = await _find_typical_orders(conn, reads.tenant_id)
    await conn.execute("SELECT publish_order($1, $2)", reads.tenant_id, new)
    return ReadTenants(reads, new, old, await make_availability_sandbox(conn, providers))


async def _find_typical_orders(conn: Connection, tenant_id: UUID) -> list[UUID]:
    """The two newest orders with a booking and a payment."""
    rows = await conn.fetch(
        """
        SELECT o.id FROM orders o WHERE o.tenant_id = $1 AND o.parent_id IS NULL
            AND EXISTS (SELECT FROM bookings k WHERE k.tenant_id = $1 AND k.order_id = o.id)
            AND EXISTS (SELECT FROM transactions t WHERE t.tenant_id = $1 AND t.order_id = o.id)
        ORDER BY o.order_number DESC LIMIT 2
        """,
        tenant_id,
    )
    return [row["id"] for row in rows]


def calls_of(tenants: ReadTenants) -> list[Call]:
    availability = tenants.availability
    return [
        repeat("GET /orders", requests.get(tenants.reads, "/orders")),
        repeat("GET /orders/{uuid}", requests.get(tenants.reads, f"/orders/{tenants.order_id}")),
        repeat("GET /orders/{uuid}, not stored", requests.get(tenants.reads, f"/orders/{tenants.old_order_id}")),
        repeat("POST /availability", requests.availability(availability, availability.staff_id, 7)),
    ]
