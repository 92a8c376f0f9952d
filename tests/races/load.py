"""Callers who do everything that can be done to orders, in no order at all."""

import asyncio
import time
from collections import Counter
from decimal import Decimal
from random import Random
from typing import Any
from uuid import UUID

import asyncpg
import httpx2

from frontdesk.customers.change import UpdateCustomer
from frontdesk.invoices.money_types import RefundRequest
from frontdesk.orders.drafts import ChangeDraft
from frontdesk.orders.edit import OrderEdit
from frontdesk.orders.edit_lines import LineChange
from frontdesk.orders.types import LineType, OrderLineRequest
from frontdesk.postgres.pool import Connection, connect
from frontdesk.postgres.write import run
from frontdesk.problems import Problem
from frontdesk.security.encryption import SecretBox
from frontdesk.webhooks.change import DeleteWebhook
from frontdesk.webhooks.event_types import EventType
from frontdesk.webhooks.resend import PingWebhook
from tests.races.counter import exchange, sell
from tests.races.fixture import SYSTEM, RaceFixture, RequestSpec
from tests.races.settings import SettingsChanges
from tests.support.acts import create_order, edit_order, issue_invoice, refund_order, subscribe
from tests.support.problems import status_of
from tests.support.shop import NO_CERTIFICATES
from tests.support.waiting import BUSY

SLOTS = 12  # few, so that everybody wants the same ones
RECENT = 40
PRICES = {LineType.SERVICE: 100, LineType.PRODUCT: 10, LineType.PACKAGE: 0}  # at least
_VAULT = SecretBox(["a key that opens nothing else in these tests"])
WAITED_TOO_LONG = (asyncpg.LockNotAvailableError, asyncpg.QueryCanceledError)  # a statement may wait for several locks
STATUSES = ("confirmed", "in-progress", "completed", "canceled", "canceled", "confirmed")


class LoadGenerator:
    def __init__(self, race: RaceFixture, products: list[UUID], packages: list[UUID], seconds: float) -> None:
        self.race = race
        self.products = products
        self.packages = packages
        self.done: Counter[str] = Counter()  # "place 201": how often
        self.failures: list[str] = []
        self._orders: list[UUID] = []
        self._drafts: list[UUID] = []
        self._client_id: UUID | None = None
        self._sent: list[RequestSpec] = []  # with a key, to be sent again
        self._until = time.monotonic() + seconds
        self._settings = SettingsChanges(race)

    async def run(self, callers: int, insiders: int, managers: int) -> None:
        """Callers come over HTTP; insiders do what only the business itself can; managers change settings."""
        headers = {"authorization": f"Bearer {await self.race.shop.token()}"}
        async with httpx2.AsyncClient(timeout=120, verify=NO_CERTIFICATES, headers=headers) as http:
            await asyncio.gather(
                *(self._call(http, Random(n), n) for n in range(callers)),
                *(self._act(Random(1000 + n)) for n in range(insiders)),
                *(self._manage(Random(2000 + n)) for n in range(managers)),
            )

    async def _call(self, http: httpx2.AsyncClient, rng: Random, place: int) -> None:
        while time.monotonic() < self._until:
            kind, sent = self._next(rng)
            answer = await self.race.send(http, place, sent)
            self.done[f"{kind} {answer.status_code}"] += 1
            if answer.status_code >= 500 and answer.status_code not in BUSY:
                self.failures.append(f"{kind}: {answer.text}")
            elif kind == "place" and answer.status_code == 201:
                self._orders.append(UUID(answer.json()["data"]["id"]))

    def _next(self, rng: Random) -> tuple[str, RequestSpec]:
        kind = rng.choices(["place", "status", "pay", "again", "customer", "reschedule"], [4, 4, 2, 1, 1, 3])[0]
        if kind == "customer":
            return kind, RequestSpec("/customers", {"first_name": f"Guest {rng.getrandbits(30)}"})
        if kind == "again" and self._sent:
            return kind, rng.choice(self._sent[-RECENT:])
        if kind in ("place", "again") or not self._orders:
            return "place", self._order(rng)
        path = f"/orders/{rng.choice(self._orders[-RECENT:])}"
        if kind == "status":
            return kind, RequestSpec(f"{path}/status", {"status": rng.choice(STATUSES)})
        if kind == "reschedule":
            return kind, RequestSpec(f"{path}/reschedule", {"start": self.race.start(rng.randrange(SLOTS)).isoformat()})
        amount = rng.choice([5, 10, 50, 100, 7.25])
        return kind, RequestSpec(f"{path}/payments", {"amount": amount, "payment_method_id": str(self.race.method_id)})

    def _order(self, rng: Random) -> RequestSpec:
        lines = self._lines(rng)
        key = f"key-{rng.getrandbits(60)}" if rng.random() < 0.4 else None
        paid = rng.choice([None, 10, sum(PRICES[line.type] * line.quantity for line in lines)])
        sent = self.race.order(*lines, slot=rng.randrange(SLOTS), key=key, paid=paid)
        if key is not None:
            self._sent.append(sent)
        return sent

    def _lines(self, rng: Random) -> list[OrderLineRequest]:
        services = [self.race.service_line(rng.choice([None, *self.race.staff])) for _ in range(rng.randint(0, 3))]
        goods = rng.sample(self.products, rng.randint(0 if services else 1, len(self.products)))
        lines = [*services, *(OrderLineRequest(i, LineType.PRODUCT, rng.randint(1, 2)) for i in goods)]
        if rng.random() < 0.2:
            lines.append(OrderLineRequest(rng.choice(self.packages), LineType.PACKAGE, 1))
        rng.shuffle(lines)
        return lines

    async def _manage(self, rng: Random) -> None:
        raw = await connect(self.race.shop.dsn)
        try:
            while time.monotonic() < self._until:
                await asyncio.sleep(0.02)
                kind = self._settings.next(rng)
                try:
                    await self._settings.change(kind, Connection(raw), rng)
                except Problem:
                    self.done[f"{kind} refused"] += 1
                except WAITED_TOO_LONG:
                    self.done[f"{kind} busy"] += 1
                except asyncpg.PostgresError as failed:
                    self.failures.append(f"{kind}: {failed}")
                else:
                    self.done[f"{kind} done"] += 1
        finally:
            raw.terminate()

    async def _act(self, rng: Random) -> None:
        raw = await connect(self.race.shop.dsn)
        try:
            while time.monotonic() < self._until:
                await asyncio.sleep(0.005)
                if self._orders:
                    await self._try(Connection(raw), rng, rng.choice(self._orders[-RECENT:]))
        finally:
            raw.terminate()

    async def _try(self, conn: Connection, rng: Random, order_id: UUID) -> None:
        kind = rng.choice(
            [
                "refund",
                "refund part",
                "refund amount",
                "invoice",
                "draft",
                "finish",
                "sale",
                "exchange",
                "phone",
                "subscribe",
                "edit",
                "edit",
            ]
        )
        try:
            if kind == "phone":
                await self._change_phone(conn, rng)
            elif kind == "subscribe":
                await self._subscribe_and_leave(conn, rng)
            elif kind == "invoice":
                await issue_invoice(conn, self.race.tenant, order_id, None)
            elif kind == "draft":
                asked = self.race.order_request(*self._lines(rng), slot=rng.randrange(SLOTS))._replace(draft=True)
                self._drafts.append((await create_order(conn, self.race.tenant, asked)).id)
                self._orders.append(self._drafts[-1])
            elif kind == "edit":
                await self._edit(conn, rng, order_id)
            elif kind == "finish":
                await self._finish_draft(conn, rng)
            elif kind == "sale":
                await sell(conn, self.race, rng, self.products)
            elif kind == "exchange":
                lines = await self._some_lines(conn, rng, order_id)
                await exchange(conn, self.race, rng, self.products, order_id, lines)
            else:
                request = RefundRequest(
                    lines=await self._some_lines(conn, rng, order_id) if kind == "refund part" else None,
                    amount=Decimal(rng.randint(1, 20)) if kind == "refund amount" else None,
                    restock=kind != "refund amount" and rng.random() < 0.5,
                    cancel_order=rng.random() < 0.3,
                )
                await refund_order(conn, self.race.tenant, order_id, request, SYSTEM)
        except Problem as refusal:
            self.done[f"{kind} {status_of(refusal)}"] += 1
        except WAITED_TOO_LONG:
            self.done[f"{kind} busy"] += 1
        else:
            self.done[f"{kind} done"] += 1

    async def _finish_draft(self, conn: Connection, rng: Random) -> None:
        """Replaces a draft, confirms it and pays a part of it."""
        draft_id = rng.choice(self._drafts[-RECENT:] or self._orders)
        order = self.race.order_request(*self._lines(rng), slot=rng.randrange(SLOTS))
        order = order._replace(payments=[self.race.payment_request(Decimal(1))])
        await run(conn, self.race.tenant, ChangeDraft(draft_id, order), actor=SYSTEM)

    async def _edit(self, conn: Connection, rng: Random, order_id: UUID) -> None:
        """Takes lines away, changes how many, and adds others."""
        rows: list[Any] = await conn.fetch(
            """
            SELECT l.*, o.version, o.starts_at
            FROM order_lines l JOIN orders o ON (o.tenant_id, o.id) = (l.tenant_id, l.order_id)
            WHERE l.tenant_id = $1 AND l.order_id = $2 ORDER BY l.position
            """,
            self.race.tenant_id,
            order_id,
        )
        kept = [
            LineChange(
                row["id"],
                LineType(row["type"]),
                row["item_id"] or row["package_id"],
                rng.choice([row["quantity"], 1, 2]),
                row["staff_id"],
            )
            for row in rows
            if rng.random() < 0.8
        ]
        added = [
            LineChange(None, line.type, line.item_id, line.quantity, line.staff_id)
            for line in self._lines(rng)
            if rng.random() < 0.5
        ]
        start = rows[0]["starts_at"] and rng.choice([rows[0]["starts_at"], self.race.start(rng.randrange(SLOTS))])
        await edit_order(
            conn, self.race.tenant, order_id, OrderEdit(rows[0]["version"], kept + added, None, start), SYSTEM
        )

    async def _change_phone(self, conn: Connection, rng: Random) -> None:
        """Of the one who buys everything here, which locks them against everybody's foreign keys."""
        phone = f"+9665{rng.randrange(10**8):08}"
        await run(conn, self.race.tenant, UpdateCustomer(self.race.customer_id, {"phone": phone}), actor=SYSTEM)

    async def _subscribe_and_leave(self, conn: Connection, rng: Random) -> None:
        """A webhook that receives every event for a short while, is pinged, and is deleted while others write."""
        tenant, client_id = self.race.tenant, self._client_id or await self._find_client(conn)
        events, url = rng.sample(list(EventType), 4), "https://hooks.example.com"
        webhook_id = await subscribe(conn, tenant, client_id, _VAULT, url, events)
        await run(conn, tenant, PingWebhook(webhook_id, client_id), actor=SYSTEM)
        await asyncio.sleep(rng.random() / 10)
        await run(conn, tenant, DeleteWebhook(webhook_id, client_id), actor=SYSTEM)

    async def _find_client(self, conn: Connection) -> UUID:
        """The first one, which nobody deletes; guests come and go."""
        self._client_id = await conn.fetchval(
            "SELECT id FROM api_clients WHERE tenant_id = $1 AND install_id IS NULL ORDER BY created_at LIMIT 1",
            self.race.tenant_id,
        )
        return self._client_id

    async def _some_lines(self, conn: Connection, rng: Random, order_id: UUID) -> dict[UUID, int]:
        rows: list[Any] = await conn.fetch(
            "SELECT id FROM order_lines WHERE tenant_id = $1 AND order_id = $2", self.race.tenant_id, order_id
        )
        return {rng.choice(rows)["id"]: 1}
