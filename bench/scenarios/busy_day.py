"""The calendar of a busy day, against the JSON of the same orders. What counts is CPU time, of server and database."""

from datetime import UTC, datetime, time, timedelta

from bench import bounds, requests
from bench.report import progress
from bench.results import Check, Result
from bench.run import Run
from bench.tenants import BookableTenant, add_member, make_small_tenant
from bench.turns import Contender, repeat
from frontdesk.postgres.pool import Connection

_PROVIDERS, _BOOKINGS_EACH, _EVERY_MINUTES = 20, 15, 45
_PER_PAGE = 100  # as many orders as one response has at most


def measure(run: Run) -> Result:
    async def make(conn: Connection) -> tuple[BookableTenant, str]:
        tenant = await make_small_tenant(conn, 0, services=1, providers=_PROVIDERS)
        return tenant, await add_member(conn, tenant.access.tenant_id, "receptionist")

    tenant, session = run.prepare(make)
    pages = _PROVIDERS * _BOOKINGS_EACH // _PER_PAGE
    orders = [requests.get(tenant.access, f"/orders?per_page={_PER_PAGE}&page={page}") for page in range(1, pages + 1)]
    calendar = requests.page(f"/calendar?date={tenant.first_day}", f"frontdesk_session={session}")
    with run.service() as service:
        run.callers.send_all(service.port, _bookings(tenant), status=201, callers=8)
        run.query(lambda conn: conn.execute("ANALYZE"))
        contenders = [
            Contender("service", service, repeat("dashboard: calendar of a busy day", calendar)),
            Contender("service", service, repeat(f"GET /orders, {_PER_PAGE} orders", *orders)),
        ]
        rows = run.turns.compare(contenders, 1)
    page, json = (row.sample.total_cpu for row in rows)
    name = f"CPU time of the calendar of a busy day to the JSON of its orders ({page:.2f} / {pages} x {json:.2f} ms)"
    progress(f"{name}: {page / json / pages:.2f}")
    return Result(rows, [Check(name, page / json / pages, bounds.BUSY_DAY)])


def _bookings(tenant: BookableTenant) -> list[bytes]:
    first = datetime.combine(tenant.first_day, time(6), tzinfo=UTC)
    starts = [first + timedelta(minutes=_EVERY_MINUTES * number) for number in range(_BOOKINGS_EACH)]
    places = [(staff_id, start) for staff_id in tenant.staff_ids for start in starts]
    return [
        requests.post(tenant.access, "/orders", requests.order_body(tenant, number, *place, paid=number % 3 == 0))
        for number, place in enumerate(places)
    ]
