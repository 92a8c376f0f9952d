"""First and last pages of long lists, compared with those of short ones."""

from typing import NamedTuple

from bench import bounds, requests
from bench.large_tenants import make_large_tenant
from bench.report import progress
from bench.results import Check, Result
from bench.run import Run
from bench.tenants import TenantAccess, make_small_tenant
from frontdesk.postgres.pool import Connection

_SMALL_ROWS = 1_000
_PER_PAGE = 25


class _Tenants(NamedTuple):
    small: TenantAccess
    large: TenantAccess


def measure(run: Run) -> Result:
    async def make_tenants(conn: Connection) -> _Tenants:
        for number in range(run.size.tenants):  # the planner expects tenants of average size
            await make_small_tenant(conn, number)
        small = await make_large_tenant(run.dsn, conn, _SMALL_ROWS)
        progress(f"inserting {run.size.large_rows:,} customers and orders")
        return _Tenants(small, await make_large_tenant(run.dsn, conn, run.size.large_rows))

    tenants = run.prepare(make_tenants)
    with run.service() as service:
        checks = []
        for path in ("/customers", "/orders"):
            pages = [
                requests.get(access, f"{path}?page={page}")
                for access, rows in ((tenants.small, _SMALL_ROWS), (tenants.large, run.size.large_rows))
                for page in (1, -(-rows // _PER_PAGE))
            ]
            checks.append(_check(path, run.turns.typical_ms(service, pages, run.size.seconds / 2), run.size.large_rows))
            progress(f"{checks[-1].name}: {checks[-1].value:.2f}")
    return Result(checks=checks)


def _check(path: str, times: list[float], large_rows: int) -> Check:
    shown = " / ".join(f"{ms:.2f}" for ms in times)
    name = f"GET {path}, first and last page of {_SMALL_ROWS:,} and of {large_rows:,} ({shown} ms), slowest to fastest"
    return Check(name, max(times) / min(times), bounds.PAGES)
