"""Orders per second of many tenants, compared with those of one tenant of the same kind."""

from bench import bounds, requests
from bench.report import progress
from bench.results import Check, Result, Row
from bench.run import Run
from bench.tenants import BookableTenant, make_small_tenant
from bench.turns import Call, Contender
from frontdesk.postgres.pool import Connection


def measure(run: Run) -> Result:
    count = run.size.tenants

    async def make_tenants(conn: Connection) -> list[BookableTenant]:
        return [await make_small_tenant(conn, number) for number in range(count + 1)]

    first, *others = run.prepare(make_tenants)
    one, many = requests.Orders([first]), requests.Orders(others)
    rows: list[Row] = []
    with run.service() as service:
        contenders = [
            Contender(f"service, {count} tenants", service, Call("POST /orders", many.with_key, once=True, status=201)),
            Contender("service, 1 tenant", service, Call("POST /orders", one.with_key, once=True, status=201)),
        ]
        for callers in (1, 8):
            rows += run.turns.compare(contenders, callers)
            progress(f"POST /orders, {callers} callers: {count} tenants {rows[-2].ratio:.2f} times one tenant")
    name = f"POST /orders with a key, 8 callers, {count} tenants to one"
    return Result(rows, [Check(name, rows[-2].ratio, bounds.TENANTS)])
