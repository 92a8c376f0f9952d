"""An application that subscribes to events, with a client and a token of its own."""

from typing import Any

import httpx2

from tests.factories.credentials import ApiClient, make_client
from tests.support.pagination import Document, json_exact
from tests.support.shop import Shop

URL = "https://hooks.example.com/frontdesk"
ORDERS = ["order.created", "order.status_changed"]


class Subscriber:
    """A client of a business with webhooks of its own."""

    def __init__(self, shop: Shop, client: ApiClient, token: str) -> None:
        self.shop = shop
        self.client = client
        self._token = token

    async def request(self, method: str, path: str, body: Any = None, **rest: Any) -> httpx2.Response:
        return await self.shop.request(method, path, token=self._token, json=body, **rest)

    async def subscribe(self, events: list[str] = ORDERS, url: str = URL, **more: Any) -> Document:
        made: Document = json_exact(
            await self.request("POST", "/webhooks", {"url": url, "events": events, **more}), 201
        )["data"]
        return made

    async def read(self, webhook_id: str) -> Document:
        found: Document = json_exact(await self.request("GET", f"/webhooks/{webhook_id}"))["data"]
        return found

    async def deliveries(self, webhook_id: str) -> list[Document]:
        found: list[Document] = json_exact(await self.request("GET", f"/webhooks/{webhook_id}/deliveries"))["data"]
        return found


async def subscriber(shop: Shop, *scopes: str, **more: Any) -> Subscriber:
    client = await make_client(shop, scopes=scopes or ("*",), rate_limit=1_000_000, **more)
    return Subscriber(shop, client, await client.token())
