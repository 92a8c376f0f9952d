"""A business to which anything happens, over several days that go by at once."""

from collections.abc import Awaitable, Callable
from datetime import datetime, time, timedelta
from decimal import Decimal
from random import Random
from uuid import UUID

import msgspec

from frontdesk.customers.merge import MergeCustomers
from frontdesk.customers.merge_queries import customers_to_merge
from frontdesk.invoices.money_types import RefundRequest
from frontdesk.orders.change_status import SettableStatus
from frontdesk.orders.drafts import ChangeDraft
from frontdesk.orders.edit import OrderEdit
from frontdesk.orders.edit_lines import LineChange
from frontdesk.orders.types import LineType, OrderLineRequest, OrderRequest, PaymentRequest, Source
from frontdesk.postgres.pool import Connection
from frontdesk.postgres.query import fetch
from frontdesk.postgres.write import run
from frontdesk.problems import Problem
from frontdesk.scheduling.reschedule import RequestedProvider
from frontdesk.values.ids import uuid7
from frontdesk.values.tenant_context import TenantContext
from tests.factories.changes import age_rows
from tests.factories.people import make_customer
from tests.factories.reports import SUMS_OF_MONTHS, sum_months
from tests.orders.drivers import SYSTEM
from tests.support.acts import change_status, create_order, edit_order, pay_order, refund_order, reschedule_order
from tests.support.branch import BranchFixture, day, method_of, open_branch
from tests.support.shop import Shop

_TIMES = (
    *("orders", "order_status_history", "transactions", "tips", "sale_changes", "bookings"),
    "refunds",
)
_SUMS = ("item_sums", "source_sums", "customer_sums", "method_sums")


class BusyDays:
    """Acts on orders, drawn by a seed. What the rules refuse does not happen, as at any counter."""

    def __init__(self, branch: BranchFixture, conn: Connection, tenant: TenantContext, rng: Random) -> None:
        self.branch, self.conn, self.tenant, self.rng = branch, conn, tenant, rng
        self.lines: list[OrderLineRequest] = []
        self.customers: list[UUID | None] = [None, branch.customer_id]
        self.methods: list[UUID] = []
        self.staff: list[UUID] = []
        self.orders: list[UUID] = []
        self.drafts: list[UUID] = []
        self.today: list[UUID] = []  # the orders that were placed today
        self.done: set[str] = set()
        self.slot = 0

    async def prepare(self) -> None:
        await self.branch.set_hours({}, all_time=True)
        cut, color = await self.branch.add_service(price="35.55"), await self.branch.add_service(price="120")
        self.staff = [await self.branch.add_provider(cut, color) for _ in range(2)]
        oil = await self.branch.add_product(price="9.99", stock=10_000)
        kit = await self.branch.add_package({oil: 2, cut: 1}, price="47.50")
        services = [OrderLineRequest(item, LineType.SERVICE, 1, who) for item in (cut, color) for who in self.staff]
        goods = [OrderLineRequest(oil, LineType.PRODUCT, 3), OrderLineRequest(kit, LineType.PACKAGE, 1)]
        self.lines = [*services, *goods]
        self.customers += [await make_customer(self.branch.shop) for _ in range(2)]
        self.methods = [UUID(await method_of(self.branch.shop, slug)) for slug in ("cash", "card")]

    async def pass_day(self) -> None:
        """All that happened is a day older, in the ledger and in the sums."""
        self.today = []
        for table in _TIMES:
            await age_rows(self.branch.shop, table, "created_at", by=timedelta(days=1))
        await age_rows(self.branch.shop, "tenant_counters", "assigned_at", by=timedelta(days=1))
        await self.branch.shop.sql("UPDATE orders SET version = version + 1 WHERE tenant_id = $1")
        for table in _SUMS:
            # Rows move one after the other, oldest first, so that no two have the same key in between.
            days = "AND NOT is_month" if table in SUMS_OF_MONTHS else ""
            await self.branch.shop.sql(f"UPDATE {table} SET day = day - 10000 WHERE tenant_id = $1 {days}")
            await self.branch.shop.sql(f"UPDATE {table} SET day = day + 9999 WHERE tenant_id = $1 {days}")
        await self.branch.shop.sql("UPDATE customer_sums SET first_day = first_day - 1 WHERE tenant_id = $1")
        await sum_months(self.branch.shop)

    def acts(self) -> list[Callable[[], Awaitable[object]]]:
        return [
            *(self.place, self.place, self.draft, self.finish, self.move, self.move, self.move),
            *(self.pay, self.pay, self.edit, self.edit, self.tip),
            *(self.refund, self.refund, self.refund, self.reassign, self.merge),
        ]

    async def step(self) -> None:
        await self.step_of(self.rng.choice(self.acts()) if self.orders else self.place)

    async def step_of(self, act: Callable[[], Awaitable[object]]) -> None:
        try:
            await act()
        except Problem:
            return
        self.done.add(act.__name__)

    def some_order(self) -> UUID:
        return self.rng.choice(self.orders[-8:])

    def _request(self, *, draft: bool = False) -> OrderRequest:
        self.slot += 1
        lines = self.rng.sample(self.lines, self.rng.randint(1, 3))
        starts = datetime.combine(day(2 + self.slot // 4), time(self.slot % 4 * 6))
        paid = Decimal(self.rng.choice(["5", "9.99"])) if not draft and self.rng.random() < 0.4 else None
        payments = [PaymentRequest(paid, self.rng.choice(self.methods), None, None, None, None)] if paid else []
        has_service = any(line.type is LineType.SERVICE for line in lines)
        return OrderRequest(
            self.branch.branch_id,
            self.rng.choice(self.customers),
            starts if has_service else None,
            lines,
            None,
            payments,
            self.rng.choice([Source.API, Source.POS, Source.DASHBOARD]),
            draft=draft,
        )

    async def place(self, *, draft: bool = False) -> None:
        self.orders.append((await create_order(self.conn, self.tenant, self._request(draft=draft))).id)
        self.today.append(self.orders[-1])

    async def draft(self) -> None:
        await self.place(draft=True)
        self.drafts.append(self.orders[-1])

    async def finish(self) -> None:
        order = self._request()
        draft_id = self.drafts.pop() if self.drafts else self.some_order()
        await run(self.conn, self.tenant, ChangeDraft(draft_id, order), actor=SYSTEM)

    async def move(self) -> None:
        status = self.rng.choice([SettableStatus.CANCELED, SettableStatus.CANCELED, *SettableStatus])
        await change_status(self.conn, self.tenant, self.some_order(), status, None, SYSTEM)

    async def pay(self) -> None:
        payment = PaymentRequest(Decimal("7.77"), self.rng.choice(self.methods), None, None, None, None)
        await pay_order(self.conn, self.tenant, self.some_order(), payment)

    async def tip(self) -> None:
        tip = {"id": uuid7(), "method_id": self.methods[0], "staff_id": self.rng.choice([None, *self.staff])}
        argument = {"order_id": self.some_order(), "currency": "SAR", "payments": [], "actor": {"type": "system"}}
        await self.conn.execute(
            "SELECT take_payments($1, $2::jsonb)",
            self.tenant.tenant_id,
            msgspec.json.encode({**argument, "tips": [{**tip, "amount": 3.25}]}).decode(),
        )

    async def refund(self) -> None:
        order_id = self.some_order()
        amount = Decimal("3.33") if self.rng.random() < 0.5 else None
        request = RefundRequest(lines=None, amount=amount, restock=False, cancel_order=self.rng.random() < 0.3)
        await refund_order(self.conn, self.tenant, order_id, request, SYSTEM)

    async def reassign(self) -> None:
        order_id, self.slot = self.some_order(), self.slot + 1
        rows = await self.conn.fetch(
            "SELECT line_id FROM bookings WHERE tenant_id = $1 AND order_id = $2", self.tenant.tenant_id, order_id
        )
        providers = [RequestedProvider(row["line_id"], self.rng.choice(self.staff)) for row in rows]
        start = datetime.combine(day(2 + self.slot // 4), time(self.slot % 4 * 6))
        await reschedule_order(self.conn, self.tenant, order_id, start, providers, SYSTEM)

    async def edit(self) -> None:
        """Of today's orders only: an open day close knows an order's total as it is now, whenever it was changed."""
        order_id = self.rng.choice(self.today[-8:] or [uuid7()])
        rows = await self.conn.fetch(
            "SELECT o.version, o.starts_at, l.id, l.type, coalesce(l.item_id, l.package_id) AS item_id, l.staff_id "
            "FROM orders o JOIN order_lines l ON l.tenant_id = $1 AND l.order_id = o.id "
            "WHERE o.tenant_id = $1 AND o.id = $2",
            self.tenant.tenant_id,
            order_id,
        )
        kept = [
            LineChange(row["id"], LineType(row["type"]), row["item_id"], self.rng.randint(1, 3), row["staff_id"])
            for row in rows[: self.rng.randint(1, 3)]
        ]
        oil = next(line for line in self.lines if line.type is LineType.PRODUCT)
        changed = [*kept, LineChange(None, LineType.PRODUCT, oil.item_id, 1)]
        edit = OrderEdit(rows[0]["version"] if rows else 0, changed, None, rows[0]["starts_at"] if rows else None)
        await edit_order(self.conn, self.tenant, order_id, edit, SYSTEM)

    async def merge(self) -> None:
        """The newest customer goes into the first one, once in a while."""
        if self.rng.random() < 0.8 or len(self.customers) < 4:
            return
        kept, other = self.customers[1], self.customers.pop()
        assert kept is not None
        assert other is not None
        pair = await fetch(self.conn, self.tenant.tenant_id, customers_to_merge(kept, other))
        act = MergeCustomers(kept, other, frozenset(), pair.customer.version, pair.other.version)
        await run(self.conn, self.tenant, act, actor=SYSTEM)


async def open_busy_days(shop: Shop, conn: Connection, seed: int) -> BusyDays:
    days = BusyDays(await open_branch(shop), conn, await shop.tenant(), Random(seed))
    await days.prepare()
    return days
