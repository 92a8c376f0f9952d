"""Reads per second of two server processes, compared with one."""

from bench import bounds, requests
from bench.report import progress
from bench.results import Check, Result
from bench.run import Run
from bench.tenants import make_sandbox
from bench.turns import Contender, repeat
from frontdesk.postgres.pool import Connection

_CALLERS = 8


def measure(run: Run) -> Result:
    access = run.prepare(make_sandbox)

    async def list_orders(conn: Connection) -> list[str]:
        """Published, as the acts would have done that created them."""
        rows = await conn.fetch(
            """
            SELECT o.id, publish_order($1, o.id)
            FROM (SELECT id FROM orders WHERE tenant_id = $1 LIMIT 20) o
            """,
            access.tenant_id,
        )
        return [str(row["id"]) for row in rows]

    details = [requests.get(access, f"/orders/{order_id}") for order_id in run.query(list_orders)]
    reads = repeat("GET /orders and /orders/{uuid}", requests.get(access, "/orders"), *details)
    with run.service() as one, run.service(WORKERS="2") as two:
        rows = run.turns.compare(
            [Contender("service, 2 processes", two, reads), Contender("service, 1 process", one, reads)], _CALLERS
        )
    progress(f"2 processes: {rows[0].ratio:.2f} times the reads of one")
    name = f"reads, {_CALLERS} callers, two server processes to one"
    return Result(rows, [Check(name, rows[0].ratio, bounds.PROCESSES)])
