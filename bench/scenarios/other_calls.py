"""Other calls that tills, applications and the dashboard send. No bound; the ratio is against an empty statement.

The empty statement (through the bare reference) makes runs comparable: it costs one HTTP request and one round trip to
the database.
"""

from datetime import UTC, datetime, timedelta
from itertools import cycle, islice
from typing import NamedTuple
from uuid import UUID

from bench import requests
from bench.report import progress
from bench.results import Result, Row
from bench.run import Run
from bench.tenants import BookableTenant, add_product, make_bookable_sandbox
from bench.turns import Call, Contender, repeat
from frontdesk.postgres.pool import Connection

_PAYMENTS_PER_ORDER = 25


class _Fixture(NamedTuple):
    tenant: BookableTenant
    product_id: UUID
    phone: str


def measure(run: Run) -> Result:
    fixture = run.prepare(_make_fixture)
    rows: list[Row] = []
    with run.service() as service, run.bare_reference() as reference:
        payments = _Payments(run, service.port, fixture.tenant)
        contenders = [
            *(Contender("service", service, call) for call in (*_reads(fixture), *_writes(fixture, payments))),
            Contender("bare reference", reference, repeat("an empty statement", _EMPTY)),
        ]
        for callers in (1, 8):
            rows += run.turns.compare(contenders, callers)
            progress(f"{len(contenders) - 1} calls, {callers} callers")
    return Result(rows)


_EMPTY = b"GET /empty HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n"


async def _make_fixture(conn: Connection) -> _Fixture:
    tenant = await make_bookable_sandbox(conn)
    tenant_id = tenant.access.tenant_id
    phone = await conn.fetchval("SELECT phone FROM customers WHERE tenant_id = $1 AND phone IS NOT NULL", tenant_id)
    return _Fixture(tenant, await add_product(conn, tenant_id), phone)


def _reads(fixture: _Fixture) -> list[Call]:
    access, today = fixture.tenant.access, datetime.now(UTC).date()
    phone, customer_id = fixture.phone.replace("+", "%2B"), fixture.tenant.customer_ids[0]
    week = f"from={today - timedelta(days=7)}&to={today}"
    return [
        repeat("GET /customers/phone", requests.get(access, f"/customers/phone?phone={phone}")),
        repeat("GET /items", requests.get(access, "/items")),
        repeat("GET /orders?customer_id=", requests.get(access, f"/orders?customer_id={customer_id}")),
        repeat("GET /orders?from=&to=", requests.get(access, f"/orders?{week}")),
        repeat("dashboard: list of orders", requests.page("/orders", f"frontdesk_session={access.session}")),
    ]


def _writes(fixture: _Fixture, payments: "_Payments") -> list[Call]:
    tenant = fixture.tenant
    sale = {
        "total": "50.00",
        "sub_total": "50.00",
        "services": [{"id": fixture.product_id, "type": "product", "quantity": 1}],
        "payment_methods": [{"id": tenant.method_id, "amount": 50}],
    }

    def sales(count: int) -> list[bytes]:
        return [requests.pos_post(tenant.access, "/pos/orders", sale) for _ in range(count)]

    return [
        Call("POST /pos/orders", sales, once=True, status=201),
        Call("POST /orders/{id}/payments", payments.take, once=True, status=201),
    ]


class _Payments:
    """Small payments of orders that are created for them."""

    def __init__(self, run: Run, port: int, tenant: BookableTenant) -> None:
        self._run, self._port, self._tenant = run, port, tenant
        self._orders = requests.Orders([tenant])

    def take(self, count: int) -> list[bytes]:
        needed = -(-count // _PAYMENTS_PER_ORDER)
        body = {"amount": 1, "payment_method_id": self._tenant.method_id}
        return [
            requests.post(self._tenant.access, f"/orders/{order_id}/payments", body, key=True)
            for order_id in islice(cycle(self._create_orders(needed)), count)
        ]

    def _create_orders(self, count: int) -> list[UUID]:
        self._run.callers.send_all(self._port, self._orders.unpaid(count), status=201, callers=8)

        async def newest(conn: Connection) -> list[UUID]:
            rows = await conn.fetch(
                """
                SELECT id FROM orders WHERE tenant_id = $1 AND source = 'api' AND paid_amount = 0
                ORDER BY order_number DESC LIMIT $2
                """,
                self._tenant.access.tenant_id,
                count,
            )
            return [row["id"] for row in rows]

        return self._run.query(newest)
