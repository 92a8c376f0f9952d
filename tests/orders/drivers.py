"""The ways to deal with orders, each the same from outside: the acts themselves, and HTTP."""

import json
from dataclasses import dataclass
from decimal import Decimal
from typing import Protocol
from uuid import UUID

import msgspec

from frontdesk.orders.change_status import SettableStatus
from frontdesk.orders.filters import OrderFilter
from frontdesk.orders.queries.reading import get_order, list_orders
from frontdesk.orders.types import OrderRequest, PaymentRequest
from frontdesk.postgres.pool import Connection
from frontdesk.postgres.query import fetch
from frontdesk.problems import Problem
from frontdesk.values.actor import Actor
from frontdesk.values.pagination import PageRequest
from frontdesk.values.tenant_context import TenantContext
from tests.support.acts import change_status, create_order, pay_order
from tests.support.pagination import Document, json_exact
from tests.support.problems import code_of
from tests.support.shop import Shop

SYSTEM = Actor("system", None)


class OrderDriver(Protocol):
    """The ways in which an order can be placed, changed, paid and read; a refusal comes back as its code."""

    async def place(self, asked: OrderRequest) -> Document | str: ...
    async def move(self, order_id: UUID, status: SettableStatus) -> str | None: ...
    async def pay(self, order_id: UUID, payment: PaymentRequest) -> str | None: ...
    async def read(self, order_id: UUID) -> Document: ...
    async def newest(self) -> list[Document]: ...


def read_exactly(document: str | bytes) -> Document:
    found: Document = json.loads(document, parse_float=Decimal)
    return found


@dataclass
class ActDriver:
    """By the acts themselves."""

    conn: Connection
    tenant: TenantContext

    async def place(self, asked: OrderRequest) -> Document | str:
        try:
            return read_exactly((await create_order(self.conn, self.tenant, asked)).document)
        except Problem as refused:
            return code_of(refused)

    async def move(self, order_id: UUID, status: SettableStatus) -> str | None:
        try:
            await change_status(self.conn, self.tenant, order_id, status, None, SYSTEM)
        except Problem as refused:
            return code_of(refused)
        return None

    async def pay(self, order_id: UUID, payment: PaymentRequest) -> str | None:
        try:
            await pay_order(self.conn, self.tenant, order_id, payment)
        except Problem as refused:
            return code_of(refused)
        return None

    async def read(self, order_id: UUID) -> Document:
        return read_exactly(await fetch(self.conn, self.tenant.tenant_id, get_order(order_id)))

    async def newest(self) -> list[Document]:
        page = await fetch(self.conn, self.tenant.tenant_id, list_orders(OrderFilter(), PageRequest(1, 100)))
        found: list[Document] = json.loads(page.documents, parse_float=Decimal)
        return found


@dataclass
class HttpDriver:
    """By HTTP, as far as the Open API goes; drafts and discounts on a whole order are the till's."""

    shop: Shop
    acts: ActDriver

    async def place(self, asked: OrderRequest) -> Document | str:
        if asked.draft or asked.discount:
            return await self.acts.place(asked)
        items = [
            {"id": line.item_id, "type": line.type, "quantity": line.quantity, "staff_id": line.staff_id}
            | {"unit_amount": line.unit_amount, "discount_amount": line.discount_amount}
            for line in asked.lines
        ]
        body: Document = {"team_id": asked.branch_id, "customer_id": asked.customer_id, "items": items}
        body |= {"start": asked.start and asked.start.isoformat(), "payment": None}
        for payment in asked.payments:
            body["payment"] = {"amount": payment.amount, "payment_method_id": payment.method_id}
        return await self._send("/orders", body)

    async def move(self, order_id: UUID, status: SettableStatus) -> str | None:
        answered = await self._send(f"/orders/{order_id}/status", {"status": status})
        return answered if isinstance(answered, str) else None

    async def pay(self, order_id: UUID, payment: PaymentRequest) -> str | None:
        body = {"amount": payment.amount, "payment_method_id": payment.method_id}
        answered = await self._send(f"/orders/{order_id}/payments", body)
        return answered if isinstance(answered, str) else None

    async def read(self, order_id: UUID) -> Document:
        found: Document = json_exact(await self.shop.get(f"/orders/{order_id}"))["data"]
        return found

    async def newest(self) -> list[Document]:
        found: list[Document] = json_exact(await self.shop.get("/orders?per_page=100"))["data"]
        return found

    async def _send(self, path: str, body: Document) -> Document | str:
        content = msgspec.json.Encoder(decimal_format="number").encode(body)
        answer = await self.shop.request("POST", path, content=content)
        if answer.status_code == 422:
            code: str = answer.json()["error"]
            return code
        found: Document = json_exact(answer, answer.status_code)["data"]
        return found
