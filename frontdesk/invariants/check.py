"""Reads the data of businesses and finds what breaks a rule. It changes nothing, and the service may be running."""

from collections.abc import AsyncIterator, Mapping
from typing import Final, NamedTuple
from uuid import UUID

from asyncpg import Record

from frontdesk.invariants import bookings, events, invoices, orders, reports, shifts, sums
from frontdesk.postgres.pool import Connection
from frontdesk.postgres.snapshot import begin_snapshot

RULES: Final = {
    **bookings.RULES,
    **orders.RULES,
    **sums.RULES,
    **shifts.RULES,
    **invoices.RULES,
    **events.RULES,
    **reports.RULES,
}
SHOWN_ROWS = 10


class Broken(NamedTuple):
    rule: str
    row_count: int
    rows: list[str]  # the first ones


async def find_broken(conn: Connection, tenant_id: UUID, rules: Mapping[str, str] = RULES) -> list[Broken]:
    found = []
    for rule, query in rules.items():
        rows = await conn.fetch(
            f"SELECT b.*, count(*) OVER () AS broken_rows FROM ({query}) b LIMIT {SHOWN_ROWS}", tenant_id
        )
        if rows:
            found.append(Broken(rule, rows[0]["broken_rows"], [_line(row) for row in rows]))
    return found


async def list_checked(conn: Connection) -> list[UUID]:
    """Without deleted businesses: what is not required by law has been erased from them."""
    rows = await conn.fetch("SELECT id FROM tenants WHERE deleted_at IS NULL ORDER BY id")
    return [row["id"] for row in rows]


async def check_businesses(conn: Connection, tenant_ids: list[UUID]) -> AsyncIterator[tuple[UUID, list[Broken]]]:
    """One transaction for each business: a long one would keep PostgreSQL from removing old rows."""
    for tenant_id in tenant_ids:
        async with conn.transaction():
            await begin_snapshot(conn)
            broken = await find_broken(conn, tenant_id)
        yield tenant_id, broken


def _line(row: Record) -> str:
    return ", ".join(f"{column} {value}" for column, value in row.items() if column != "broken_rows")
