"""The three reads that applications send most, against the reference."""

from typing import NamedTuple
from uuid import UUID

from bench import requests
from bench.reference.app import ReferenceTenants
from bench.reference.verify import assert_same_response
from bench.report import progress
from bench.results import Check, Result, Row
from bench.run import Run
from bench.tenants import AvailabilityTenant, TenantAccess, make_availability_sandbox, make_sandbox
from bench.turns import Call, Contender, repeat
from frontdesk.postgres.pool import Connection

_BOUNDS = {"GET /orders": 0.8, "GET /orders/{uuid}": 0.7, "POST /availability": 0.75}


class _Tenants(NamedTuple):
    reads: TenantAccess
    order_id: UUID
    old_order_id: UUID  # whose document is not stored any more
    availability: AvailabilityTenant


def measure(run: Run) -> Result:
    tenants = run.prepare(_make_tenants)
    ids = ReferenceTenants(reads=tenants.reads.tenant_id, availability=tenants.availability.access.tenant_id)
    rows: list[Row] = []
    with run.service() as service, run.reference(ids) as reference:
        for call in _calls(tenants):
            assert_same_response(call, service, reference)
            contenders = [Contender("service", service, call), Contender("reference", reference, call)]
            for callers in (1, 8):
                rows += run.turns.compare(contenders, callers)
                progress(f"{call.name}, {callers} callers: {rows[-2].ratio:.2f} of the reference")
    return Result(rows, [_check(row) for row in rows if row.server == "service" and row.call in _BOUNDS])


async def _make_tenants(conn: Connection) -> _Tenants:
    """The rows of a sandbox are copied, so the act that would have published the newest order is made up for."""
    reads = await make_sandbox(conn)
    new, old = await _find_typical_orders(conn, reads.tenant_id)
    await conn.execute("SELECT publish_order($1, $2)", reads.tenant_id, new)
    return _Tenants(reads, new, old, await make_availability_sandbox(conn))


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


def _calls(tenants: _Tenants) -> list[Call]:
    availability = tenants.availability
    return [
        repeat("GET /orders", requests.get(tenants.reads, "/orders")),
        repeat("GET /orders/{uuid}", requests.get(tenants.reads, f"/orders/{tenants.order_id}")),
        repeat("GET /orders/{uuid}, not stored", requests.get(tenants.reads, f"/orders/{tenants.old_order_id}")),
        repeat("POST /availability", requests.availability(availability, availability.staff_id, 7)),
    ]


def _check(row: Row) -> Check:
    return Check(f"{row.call}, {row.callers} callers, of the reference", row.ratio, _BOUNDS[row.call], at_least=True)
