"""Lists of the dashboard, against the JSON of the same rows. What counts is CPU time, of server and database."""

from uuid import UUID

from bench import bounds, requests
from bench.large_tenants import make_large_tenant
from bench.report import progress
from bench.results import Check, Result, Row
from bench.run import Run
from bench.tenants import TenantAccess
from bench.turns import Contender, repeat
from frontdesk.postgres.pool import Connection

_CUSTOMERS, _ITEMS = 10_000, 2_000
# The page, and the call that returns the same rows.
_LISTS = (
    ("/customers", "/customers?per_page=25"),
    ("/customers?page=3", "/customers?per_page=25&page=3"),
    ("/catalogue", "/items?per_page=100"),
    ("/catalogue?page=3", "/items?per_page=100&page=3"),
    ("/orders", "/orders?per_page=25"),
)


def measure(run: Run) -> Result:
    async def make(conn: Connection) -> TenantAccess:
        access = await make_large_tenant(run.dsn, conn, _CUSTOMERS)
        await _add_items(conn, access.tenant_id)
        await _add_tags(conn, access.tenant_id)
        return access

    access = run.prepare(make)
    cookie = f"frontdesk_session={access.session}"
    rows: list[Row] = []
    checks: list[Check] = []
    with run.service() as service:
        for path, call in _LISTS:
            contenders = [
                Contender("service", service, repeat(f"dashboard: {path}", requests.page(path, cookie))),
                Contender("service", service, repeat(f"GET {call}", requests.get(access, call))),
            ]
            page, json = compared = run.turns.compare(contenders, 1)
            rows += compared
            checks += _checks(path, page, json)
            progress(f"{checks[-3].name}: {checks[-3].value:.2f}")
    return Result(rows, checks)


def _checks(path: str, page: Row, json: Row) -> list[Check]:
    ms, json_ms = page.sample.total_cpu, json.sample.total_cpu
    name = f"CPU time of the page {path} to the JSON of its rows ({ms:.2f} / {json_ms:.2f} ms)"
    return [
        Check(name, ms / json_ms, bounds.LIST_PAGES),
        Check(f"CPU time of the page {path}, in ms", ms, bounds.LIST_PAGES_MS),
        Check(f"statements of the page {path}", page.statements or 0, bounds.LIST_PAGES_STATEMENTS),
    ]


async def _add_items(conn: Connection, tenant_id: UUID) -> None:
    await conn.execute(
        """
        INSERT INTO items (tenant_id, id, branch_id, category_id, type, name, name_search, slug, price, duration)
        SELECT $1, gen_random_uuid(), b.id, c.ids[1 + n % cardinality(c.ids)], 'service',
               jsonb_build_object('ar', 'خدمة ' || n, 'en', 'Service ' || n), 'service ' || n, 'service-' || n,
               50 + n % 50, 30
        FROM generate_series(1, $2::integer) n, branches b, (
            SELECT array_agg(id ORDER BY sort_order) AS ids FROM categories WHERE tenant_id = $1) c
        WHERE b.tenant_id = $1
        """,
        tenant_id,
        _ITEMS,
    )
    await conn.execute("SELECT add_row_count($1, 'items', $2)", tenant_id, _ITEMS)


async def _add_tags(conn: Connection, tenant_id: UUID) -> None:
    """To every third customer."""
    await conn.execute(
        """
        INSERT INTO customer_tags (tenant_id, customer_id, tag_id)
        SELECT $1, c.id, t.id
        FROM (SELECT id, row_number() OVER (ORDER BY id) AS n FROM customers WHERE tenant_id = $1) c,
            (SELECT id FROM tags WHERE tenant_id = $1 AND model = 'customers' LIMIT 1) t
        WHERE n % 3 = 0
        """,
        tenant_id,
    )
