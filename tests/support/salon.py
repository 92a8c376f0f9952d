"""A branch of a shop whose people, hours and goods a test decides itself; and days that lie ahead of today."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from typing import Any
from uuid import UUID, uuid4
from zoneinfo import ZoneInfo

from asyncpg import Record

from tests.support.connections import pooled_connection
from tests.support.pagination import Document, json_exact
from tests.support.rows import add_branch
from tests.support.shop import Shop

RIYADH = ZoneInfo("Asia/Riyadh")
EVERY_DAY = range(7)
NINE_TO_FIVE = {day: [("09:00", "17:00")] for day in EVERY_DAY}

Week = Mapping[int, list[tuple[str, str]]]  # 0 is Sunday


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


class Salon:
    def __init__(self, shop: Shop, branch_id: UUID, customer_id: UUID) -> None:
        self.shop = shop
        self.branch_id = branch_id
        self.customer_id = customer_id

    async def add_service(
        self,
        *,
        price: str = "100",
        offer_price: str | None = None,
        duration: int = 30,
        active: bool = True,
        branch_id: UUID | None = None,
    ) -> UUID:
        return await self._add_item("service", price, offer_price, active, branch_id, duration=duration)

    async def add_product(
        self,
        *,
        price: str = "20",
        offer_price: str | None = None,
        stock: int = 10,
        active: bool = True,
        branch_id: UUID | None = None,
    ) -> UUID:
        return await self._add_item("product", price, offer_price, active, branch_id, stock=stock)

    async def _add_item(
        self,
        kind: str,
        price: str,
        offer_price: str | None,
        active: bool,
        branch_id: UUID | None,
        *,
        duration: int | None = None,
        stock: int | None = None,
    ) -> UUID:
        id_ = uuid4()
        await self.shop.sql(
            """
            INSERT INTO items (tenant_id, id, branch_id, type, name, name_search, slug, price, offer_price, duration,
                stock, status)
            VALUES ($1, $2, $3, $4, '{"ar": "شيء", "en": "A thing"}', 'a thing', $5, $6, $7, $8, $9, $10)
            """,
            id_,
            branch_id or self.branch_id,
            kind,
            str(id_),
            Decimal(price),
            None if offer_price is None else Decimal(offer_price),
            duration,
            stock,
            active,
        )
        return id_

    async def add_package(
        self, contents: Mapping[UUID, int], *, price: str = "50", offer_price: str | None = None, active: bool = True
    ) -> UUID:
        id_ = uuid4()
        await self.shop.sql(
            """
            INSERT INTO packages (tenant_id, id, branch_id, name, slug, price, offer_price, status)
            VALUES ($1, $2, $3, '{"ar": "باقة", "en": "A package"}', $4, $5, $6, $7)
            """,
            id_,
            self.branch_id,
            str(id_),
            Decimal(price),
            None if offer_price is None else Decimal(offer_price),
            active,
        )
        for item_id, quantity in contents.items():
            await self.shop.sql(
                "INSERT INTO package_items (tenant_id, package_id, item_id, quantity) VALUES ($1, $2, $3, $4)",
                id_,
                item_id,
                quantity,
            )
        return id_

    async def add_provider(
        self,
        *services: UUID,
        price: str | None = None,
        duration: int | None = None,
        active: bool = True,
        branch_id: UUID | None = None,
    ) -> UUID:
        id_ = uuid4()
        await self.shop.sql(
            """
            INSERT INTO staff (tenant_id, id, branch_id, name, name_search, active)
            VALUES ($1, $2, $3, 'Somebody', 'somebody', $4)
            """,
            id_,
            branch_id or self.branch_id,
            active,
        )
        for service_id in services:
            await self.shop.sql(
                """
                INSERT INTO staff_services (tenant_id, staff_id, item_id, price, duration)
                VALUES ($1, $2, $3, $4, $5)
                """,
                id_,
                service_id,
                None if price is None else Decimal(price),
                duration,
            )
        return id_

    async def set_hours(
        self, week: Week, *, staff_id: UUID | None = None, all_time: bool = False, active: bool = True
    ) -> None:
        """Of the branch unless somebody is named, in place of those there were."""
        owner, owner_id = ("branch_id", self.branch_id) if staff_id is None else ("staff_id", staff_id)
        id_ = uuid4()
        await self.shop.sql(f"DELETE FROM working_hours WHERE tenant_id = $1 AND {owner} = $2", owner_id)
        await self.shop.sql(
            f"INSERT INTO working_hours (tenant_id, id, {owner}, all_time, active) VALUES ($1, $2, $3, $4, $5)",
            id_,
            owner_id,
            all_time,
            active,
        )
        for on, intervals in week.items():
            for opens, closes in intervals:
                await self.shop.sql(
                    """
                    INSERT INTO working_intervals (tenant_id, id, working_hour_id, day, opens, closes)
                    VALUES ($1, $2, $3, $4, $5, $6)
                    """,
                    uuid4(),
                    id_,
                    on,
                    _minute(opens),
                    _minute(closes),
                )

    async def take_off(self, staff_id: UUID, begin: datetime, end: datetime) -> None:
        await self.shop.sql(
            "INSERT INTO time_off (tenant_id, id, staff_id, during) VALUES ($1, $2, $3, tstzrange($4, $5))",
            uuid4(),
            staff_id,
            begin,
            end,
        )

    async def close(self, on: date) -> None:
        await self.shop.sql(
            "INSERT INTO closed_days (tenant_id, branch_id, day) VALUES ($1, $2, $3)", self.branch_id, on
        )

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


async def open_salon(shop: Shop) -> Salon:
    """A new branch that works from nine to five on every day, and somebody who buys there."""
    (customer,) = await shop.sql(
        """
        INSERT INTO customers (tenant_id, id, first_name, last_name, name_search, phone, phone_country)
        VALUES ($1, gen_random_uuid(), 'Sara', 'Buyer', 'sara buyer', $2, 'SA') RETURNING id
        """,
        f"+9665{uuid4().int % 10**8:08}",
    )
    salon = Salon(shop, await add_branch(shop), customer["id"])
    await salon.set_hours(NINE_TO_FIVE)
    return salon


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
            (SELECT count(*) FROM bookings WHERE tenant_id = $1 AND live) AS live_bookings,
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
async def holding(dsn: str, statement: str, *args: object) -> AsyncIterator[None]:
    """Somebody else's transaction that has run this statement and does not end."""
    async with pooled_connection(dsn) as raw:
        transaction = raw.transaction()
        await transaction.start()
        await raw.execute(statement, *args)
        yield
        await transaction.rollback()


def now() -> datetime:
    return datetime.now(UTC)


def _minute(hh_mm: str) -> int:
    at = time.fromisoformat(hh_mm)
    return at.hour * 60 + at.minute


def _texts(values: Mapping[str, Any]) -> Document:
    """Ids and dates as JSON has them."""
    return {name: str(value) if isinstance(value, UUID | date) else value for name, value in values.items()}


async def make_draft(salon: Salon, order_id: str, *, nobody_chosen: bool = False) -> None:
    """Turn an order into the draft that it might have been: no time and no goods are taken for it yet."""
    await salon.shop.sql("DELETE FROM bookings WHERE tenant_id = $1 AND order_id = $2", UUID(order_id))
    await salon.shop.sql(
        """
        UPDATE items i SET stock = i.stock + held.pieces
        FROM (SELECT s.item_id, sum(s.pieces * l.quantity) AS pieces
              FROM order_line_stock s JOIN order_lines l ON l.tenant_id = $1 AND l.id = s.line_id
              WHERE s.tenant_id = $1 AND s.order_id = $2 GROUP BY s.item_id) held
        WHERE i.tenant_id = $1 AND i.id = held.item_id
        """,
        UUID(order_id),
    )
    await salon.shop.sql("UPDATE orders SET status = 'draft' WHERE tenant_id = $1 AND id = $2", UUID(order_id))
    await salon.shop.sql(
        "UPDATE order_status_history SET to_status = 'draft' WHERE tenant_id = $1 AND order_id = $2", UUID(order_id)
    )
    if nobody_chosen:
        await salon.shop.sql(
            "UPDATE order_lines SET staff_id = NULL, duration = NULL WHERE tenant_id = $1 AND order_id = $2",
            UUID(order_id),
        )
