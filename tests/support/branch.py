"""A branch of a shop whose people, hours and goods a test decides itself; and days that lie ahead of today."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from datetime import date, datetime, time, timedelta
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

from asyncpg import Record

from tests.factories.catalog import make_branch, make_package, make_product, make_service
from tests.factories.changes import delete_rows
from tests.factories.people import (
    Week,
    assign_service,
    make_closed_day,
    make_customer,
    make_staff,
    make_time_off,
    make_working_hours,
)
from tests.support.connections import pooled_connection
from tests.support.pagination import Document, json_exact
from tests.support.shop import Shop

RIYADH = ZoneInfo("Asia/Riyadh")
EVERY_DAY = range(7)
NINE_TO_FIVE = {day: [("09:00", "17:00")] for day in EVERY_DAY}


def day(ahead: int) -> date:
    """So many days from now, by the clock of the sandbox's shops."""
    return datetime.now(RIYADH).date() + timedelta(days=ahead)


def local(on: date, hh_mm: str, zone: ZoneInfo = RIYADH) -> datetime:
    return datetime.combine(on, time.fromisoformat(hh_mm), tzinfo=zone)


def start(on: date, hh_mm: str) -> str:
    """As the interface shows it: local, without an offset."""
    return f"{on}T{hh_mm}:00"


def weekday(on: date) -> int:
    return on.isoweekday() % 7


def grid(first: str, last: str, minutes: int = 15) -> list[str]:
    """Every reading from the first to the last of them."""
    at, end = (
        datetime.combine(date.min, time.fromisoformat(first)),
        datetime.combine(date.min, time.fromisoformat(last)),
    )
    readings = []
    while at <= end:
        readings.append(f"{at:%H:%M}")
        at += timedelta(minutes=minutes)
    return readings


def line(item_id: UUID | str, kind: str = "service", quantity: int = 1, **more: Any) -> Document:
    return {"id": str(item_id), "type": kind, "quantity": quantity, **_texts(more)}


class BranchFixture:
    """A branch of a shop, with what a test does there over the Open API."""

    def __init__(self, shop: Shop, branch_id: UUID, customer_id: UUID) -> None:
        self.shop = shop
        self.branch_id = branch_id
        self.customer_id = customer_id

    async def add_service(self, *, branch_id: UUID | None = None, **more: Any) -> UUID:
        return await make_service(self.shop, branch_id=branch_id or self.branch_id, **more)

    async def add_product(self, *, branch_id: UUID | None = None, **more: Any) -> UUID:
        return await make_product(self.shop, branch_id=branch_id or self.branch_id, **more)

    async def add_package(self, contents: Mapping[UUID, int], **more: Any) -> UUID:
        return await make_package(self.shop, contents, branch_id=self.branch_id, **more)

    async def add_provider(
        self,
        *services: UUID,
        price: str | None = None,
        duration: int | None = None,
        active: bool = True,
        branch_id: UUID | None = None,
    ) -> UUID:
        staff_id = await make_staff(self.shop, branch_id=branch_id or self.branch_id, active=active)
        for service_id in services:
            await assign_service(self.shop, staff_id, service_id, price=price, duration=duration)
        return staff_id

    async def set_hours(
        self, week: Week, *, staff_id: UUID | None = None, all_time: bool = False, active: bool = True
    ) -> None:
        """Replace the hours of the branch, or of one of its staff."""
        owner, owner_id = ("branch_id", self.branch_id) if staff_id is None else ("staff_id", staff_id)
        await delete_rows(self.shop, "working_hours", **{owner: owner_id})
        branch_id = self.branch_id if staff_id is None else None
        await make_working_hours(
            self.shop, week, branch_id=branch_id, staff_id=staff_id, all_time=all_time, active=active
        )

    async def take_off(self, staff_id: UUID, begin: datetime, end: datetime) -> None:
        await make_time_off(self.shop, staff_id, begin, end)

    async def close(self, on: date) -> None:
        await make_closed_day(self.shop, self.branch_id, on)

    async def slots(self, service_id: UUID, on: date, **more: Any) -> dict[str, list[str]]:
        found: dict[str, list[str]] = (await self.availability(service_id, on, **more))["slots"]
        return found

    async def availability(self, service_id: UUID, on: date, **more: Any) -> Document:
        body = {"service_id": str(service_id), "date": str(on), **_texts(more)}
        answered: Document = json_exact(await self.shop.post("/availability", body))["data"]
        return answered

    async def starts(self, service_id: UUID, on: date, **more: Any) -> list[str]:
        """What one day offers."""
        return (await self.slots(service_id, on, visible_days=1, **more))[str(on)]

    def order(self, *lines: Document, **more: Any) -> Document:
        return {
            "team_id": str(self.branch_id),
            "customer_id": str(self.customer_id),
            "items": list(lines),
            **_texts(more),
        }

    async def place(self, *lines: Document, **more: Any) -> Document:
        placed: Document = json_exact(await self.shop.post("/orders", self.order(*lines, **more)), 201)["data"]
        return placed

    async def read(self, order_id: str | UUID) -> Document:
        order: Document = json_exact(await self.shop.get(f"/orders/{order_id}"))["data"]
        return order

    async def move(self, order_id: str | UUID, status: str, **more: Any) -> Document:
        answer = await self.shop.post(f"/orders/{order_id}/status", {"status": status, **more})
        order: Document = json_exact(answer)["data"]
        return order

    async def stock(self, item_id: UUID) -> int:
        (row,) = await self.shop.sql("SELECT stock FROM items WHERE tenant_id = $1 AND id = $2", item_id)
        left: int = row["stock"]
        return left


async def open_branch(shop: Shop) -> BranchFixture:
    """A new branch that works from nine to five on every day, and a customer."""
    branch = BranchFixture(shop, await make_branch(shop), await make_customer(shop))
    await branch.set_hours(NINE_TO_FIVE)
    return branch


async def method_of(shop: Shop, slug: str = "cash") -> str:
    """The id of one of the payment methods that the sandbox came with."""
    (row,) = await shop.sql("SELECT id FROM payment_methods WHERE tenant_id = $1 AND slug = $2", slug)
    return str(row["id"])


async def books(shop: Shop) -> list[Record]:
    """Everything that an order may leave behind, counted and summed up; equal before and after a refusal."""
    return await shop.sql(
        """
        SELECT (SELECT count(*) FROM orders WHERE tenant_id = $1) AS orders,
            (SELECT count(*) FROM order_lines WHERE tenant_id = $1) AS lines,
            (SELECT count(*) FROM order_line_stock WHERE tenant_id = $1) AS line_stock,
            (SELECT count(*) FROM order_status_history WHERE tenant_id = $1) AS history,
            (SELECT count(*) FROM bookings WHERE tenant_id = $1) AS bookings,
            (SELECT count(*) FROM bookings WHERE tenant_id = $1 AND is_active) AS active_bookings,
            (SELECT coalesce(sum(bit_count(minutes)), 0) FROM staff_busy_days WHERE tenant_id = $1) AS busy_minutes,
            (SELECT count(*) FROM transactions WHERE tenant_id = $1) AS transactions,
            (SELECT sum(paid_amount) FROM orders WHERE tenant_id = $1) AS paid,
            (SELECT sum(stock) FROM items WHERE tenant_id = $1) AS stock,
            (SELECT count(*) FROM idempotency_records WHERE tenant_id = $1) AS kept_answers,
            (SELECT count(*) FROM events WHERE tenant_id = $1) AS events,
            (SELECT array_agg(value ORDER BY name) FROM tenant_counters WHERE tenant_id = $1) AS counters
        """
    )


@asynccontextmanager
async def holding(dsn: str, statement: str, *args: object, commit: bool = False) -> AsyncIterator[None]:
    """Another transaction that has run this statement and stays open; at the end it is rolled back, or committed."""
    async with pooled_connection(dsn) as raw:
        transaction = raw.transaction()
        await transaction.start()
        await raw.execute(statement, *args)
        yield
        await (transaction.commit() if commit else transaction.rollback())


def _texts(values: Mapping[str, Any]) -> Document:
    """Ids and dates as JSON has them."""
    return {name: str(value) if isinstance(value, UUID | date) else value for name, value in values.items()}
