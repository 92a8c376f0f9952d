"""The till of a branch as the key interface sees it: sums, sales, drafts, refunds, and the variants of what is sold."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

import httpx2

from tests.factories.changes import change_tenant
from tests.support.branch import BranchFixture, books, method_of
from tests.support.http_errors import assert_error
from tests.support.pagination import Document, json_exact
from tests.support.shop import KEY_API, NO_CERTIFICATES, Shop


class Till:
    """Calls with a key of its own where one is given, else with the shop's."""

    def __init__(self, branch: BranchFixture, key: str | None = None) -> None:
        self.branch = branch
        self.shop = branch.shop
        self._key = key or branch.shop.sandbox.api_key

    async def request(
        self, method: str, path: str, body: object = None, *, headers: Mapping[str, str] | None = None
    ) -> httpx2.Response:
        known = {"x-api-key": self._key, **(headers or {})}
        async with httpx2.AsyncClient(base_url=self.shop.origin + KEY_API, timeout=120, verify=NO_CERTIFICATES) as http:
            return await http.request(method, path, headers=known, json=body)

    async def calculation(self, *items: Document, **more: Any) -> httpx2.Response:
        return await self.request("POST", "/pos/checkout-calculate", {"items": list(items), **more})

    async def calculate(self, *items: Document, **more: Any) -> Document:
        answered: Document = json_exact(await self.calculation(*items, **more))["data"]
        return answered

    async def ring_up(self, total: str, *lines: Document, idempotency_key: str | None = None, **more: Any) -> Document:
        headers = {} if idempotency_key is None else {"idempotency-key": idempotency_key}
        answer = await self.request("POST", "/pos/orders", bill(total, *lines, **more), headers=headers)
        sold: Document = json_exact(answer, 201)["data"]
        return sold

    async def try_to_ring_up(self, total: str, *lines: Document, **more: Any) -> httpx2.Response:
        return await self.request("POST", "/pos/orders", bill(total, *lines, **more))

    async def change(self, order_id: str, total: str, *lines: Document, **more: Any) -> httpx2.Response:
        return await self.request("PUT", f"/pos/orders/{order_id}", bill(total, *lines, **more))

    async def try_to_move(self, order_id: str, status: str, **more: Any) -> httpx2.Response:
        return await self.request("POST", f"/pos/orders/{order_id}/status", {"status": status, **more})

    async def move(self, order_id: str, status: str, **more: Any) -> Document:
        moved: Document = json_exact(await self.try_to_move(order_id, status, **more))["data"]
        return moved

    async def try_to_refund(self, order_id: str, *lines: tuple[str, int], **more: Any) -> httpx2.Response:
        """All that is left of the sale when no lines are named."""
        named: Document = {"whole": True}
        if lines:
            named = {"lines": [{"line_id": line_id, "quantity": quantity} for line_id, quantity in lines]}
        return await self.request("POST", f"/pos/orders/{order_id}/refunds", {**named, **more})

    async def refund(self, order_id: str, *lines: tuple[str, int], **more: Any) -> Document:
        child: Document = json_exact(await self.try_to_refund(order_id, *lines, **more), 201)["data"]
        return child

    async def paid(self, amount: str, slug: str = "cash", tendered: str | None = None) -> Document:
        """One entry of `payment_methods`."""
        entry: Document = {"id": await method_of(self.shop, slug), "amount": float(amount)}
        return entry if tendered is None else {**entry, "total_amount": float(tendered)}


def bill(total: str, *lines: Document, **more: Any) -> Document:
    """What a till sends; without a discount both sums are the same."""
    return {"total": total, "sub_total": total, "services": list(lines), **more}


def item(item_id: UUID | str, quantity: int = 1, **more: Any) -> Document:
    """A line to calculate."""
    return {"item_id": str(item_id), "quantity": quantity, **more}


async def option_stock(branch: BranchFixture, option_id: str) -> int:
    (row,) = await branch.shop.sql(
        "SELECT quantity FROM item_options WHERE tenant_id = $1 AND id = $2", UUID(option_id)
    )
    left: int = row["quantity"]
    return left


async def set_currency(shop: Shop, currency: str, decimals: int) -> None:
    await change_tenant(shop, currency=currency, currency_decimals=decimals)


async def refusal(till: Till, code: str, total: str, *lines: Document, **more: Any) -> Document:
    """The refused sale has left nothing behind."""
    before = await books(till.shop)
    answer = assert_error(await till.try_to_ring_up(total, *lines, **more), 422, code)
    assert await books(till.shop) == before
    return answer


async def faults(till: Till, total: str, *lines: Document, **more: Any) -> list[str]:
    return sorted((await refusal(till, "validation_error", total, *lines, **more))["errors"])
