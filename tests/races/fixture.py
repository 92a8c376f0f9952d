"""A business with providers who are always there, to be fought over: by HTTP from many callers, or act by act."""

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any, NamedTuple
from uuid import UUID, uuid4

import httpx2

from frontdesk.demo_data.create import create_sandbox
from frontdesk.orders.types import LineType, OrderLineRequest, OrderRequest, PaymentRequest, Source
from frontdesk.postgres.pool import Connection
from frontdesk.postgres.snapshot import begin_snapshot
from frontdesk.values.actor import Actor
from frontdesk.values.tenant_context import TenantContext
from tests.factories.catalog import make_product, make_service
from tests.factories.people import assign_service, make_staff, make_working_hours
from tests.support.connections import pooled_connection
from tests.support.invariants import broken_invariants
from tests.support.shop import NO_CERTIFICATES, OPEN_API, Shop
from tests.support.waiting import answered

PLENTY = 1_000_000
SYSTEM = Actor("system", None)
MINUTES = 30
_FIRST_START = datetime.now(UTC).replace(hour=6, minute=0, second=0, microsecond=0) + timedelta(days=400)


class RequestSpec(NamedTuple):
    """One request of a crowd: where to, what, and under which Idempotency-Key."""

    path: str
    body: dict[str, Any]
    key: str | None = None


class RaceFixture:
    def __init__(self, shop: Shop, origins: Sequence[str], tenant: TenantContext, staff: list[UUID]) -> None:
        self.shop = shop
        self.origins = origins
        self.tenant = tenant
        self.tenant_id = shop.tenant_id
        self.staff = staff  # each performs the one service, and nobody has booked them yet
        self.service_id = uuid4()
        self.branch_id = uuid4()
        self.customer_id = uuid4()
        self.method_id = uuid4()

    def start(self, slot: int = 0) -> datetime:
        return _FIRST_START + slot * timedelta(minutes=MINUTES)

    def service_line(self, staff_id: UUID | None = None) -> OrderLineRequest:
        return OrderLineRequest(self.service_id, LineType.SERVICE, 1, staff_id)

    def order_request(self, *lines: OrderLineRequest, slot: int = 0) -> OrderRequest:
        """For an act that is called directly."""
        start = self.start(slot) if any(line.type is LineType.SERVICE for line in lines) else None
        return OrderRequest(self.branch_id, self.customer_id, start, list(lines), None, [], Source.API)

    def payment_request(self, amount: Any) -> PaymentRequest:
        return PaymentRequest(amount, self.method_id, None, None, None, None)

    def order(
        self, *lines: OrderLineRequest, slot: int = 0, key: str | None = None, paid: float | None = None
    ) -> RequestSpec:
        """The same as a request."""
        items = [{"id": str(line.item_id), "type": line.type, "quantity": line.quantity} for line in lines]
        for item, line in zip(items, lines, strict=True):
            if line.staff_id is not None:
                item["staff_id"] = str(line.staff_id)
        body: dict[str, Any] = {"team_id": str(self.branch_id), "customer_id": str(self.customer_id), "items": items}
        if any(line.type is LineType.SERVICE for line in lines):
            body["start"] = self.start(slot).isoformat()
        if paid is not None:
            body["payment"] = {"amount": paid, "payment_method_id": str(self.method_id)}
        return RequestSpec("/orders", body, key)

    async def send_all(self, requests: Sequence[RequestSpec], *, again: bool = True) -> list[httpx2.Response]:
        """All of them at once, spread over the server processes; the answers in the order of the requests.

        A request that is answered "busy" is sent again, unless the test is about that.
        """
        token = {"authorization": f"Bearer {await self.shop.token()}"}
        limits = httpx2.Limits(max_connections=len(requests))
        async with httpx2.AsyncClient(timeout=300, verify=NO_CERTIFICATES, limits=limits, headers=token) as http:
            sending = [partial(self.send, http, n, sent) for n, sent in enumerate(requests)]
            return await asyncio.gather(*(answered(send) if again else send() for send in sending))

    async def send(self, http: httpx2.AsyncClient, place: int, sent: RequestSpec) -> httpx2.Response:
        headers = {} if sent.key is None else {"idempotency-key": sent.key}
        origin = self.origins[place % len(self.origins)]
        return await http.post(f"{origin}{OPEN_API}{sent.path}", json=sent.body, headers=headers)

    async def broken_invariants(self) -> list[str]:
        """Which rules the books of this business break by now."""
        async with pooled_connection(self.shop.dsn) as raw, raw.transaction():
            conn = Connection(raw)
            await begin_snapshot(conn)  # also with as much time as `frontdesk check` has
            return await broken_invariants(conn, self.tenant_id)

    async def add_product(self, stock: int, price: int = 10) -> UUID:
        return await make_product(self.shop, "Soap", price=str(price), stock=stock, branch_id=self.branch_id)

    async def insert_rows(self) -> None:
        """The rows behind the ids above; the staff work day and night, and a service costs 100.00."""
        found = await self.shop.sql(
            """
            SELECT b.id, c.id, m.id FROM branches b, customers c, payment_methods m
            WHERE b.tenant_id = $1 AND c.tenant_id = $1 AND m.tenant_id = $1 AND m.type = 'cash' AND NOT c.blocked
            LIMIT 1
            """
        )
        self.branch_id, self.customer_id, self.method_id = found[0]
        await make_service(self.shop, "Cut", id_=self.service_id, branch_id=self.branch_id, duration=MINUTES)
        for staff_id in self.staff:
            await make_staff(self.shop, "Provider", id_=staff_id, branch_id=self.branch_id)
            await make_working_hours(self.shop, {}, staff_id=staff_id, all_time=True)
            await assign_service(self.shop, staff_id, self.service_id)


async def open_race_fixture(dsn: str, origins: Sequence[str] = ("",), providers: int = 1) -> RaceFixture:
    async with pooled_connection(dsn) as raw:
        sandbox = await create_sandbox(Connection(raw), plan="professional", rate_limit=PLENTY, scopes=None)
    shop = Shop(origins[0], dsn, sandbox)
    race = RaceFixture(shop, origins, await shop.tenant(), sorted(uuid4() for _ in range(providers)))
    await race.insert_rows()
    return race


def statuses(answers: Sequence[httpx2.Response]) -> dict[int, int]:
    """How often each status was answered."""
    counts: dict[int, int] = {}
    for answer in answers:
        counts[answer.status_code] = counts.get(answer.status_code, 0) + 1
    return counts


def codes(answers: Sequence[httpx2.Response]) -> set[str]:
    """The error codes of those that were refused."""
    return {answer.json()["error"] for answer in answers if answer.status_code >= 400}
