"""One interface to both clients, so that every test runs with each of them."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import httpx2

from frontdesk_client import AsyncClient, Client, RetryPolicy
from tests.factories.credentials import ApiClient
from tests.support.shop import NO_CERTIFICATES, OPEN_API, Shop

KINDS = ("sync", "async")
FAST_RETRIES = RetryPolicy(initial_delay=0.01)


class AnyClient:
    def __init__(self, client: Any, *, is_sync: bool | None = None) -> None:
        """Of a client, or what it makes, which is as it says."""
        self.client = client
        self._is_sync = isinstance(client, Client) if is_sync is None else is_sync

    async def call(self, path: str, *args: Any, **fields: Any) -> Any:
        """`call("orders.get", id)`. A list is read to its end."""
        method: Callable[..., Any] = self.client
        for name in path.split("."):
            method = getattr(method, name)
        if self._is_sync:
            return await asyncio.to_thread(_read_all, method, args, fields)
        result = method(*args, **fields)
        return [record async for record in result] if hasattr(result, "__aiter__") else await result


def _read_all(method: Callable[..., Any], args: tuple[Any, ...], fields: dict[str, Any]) -> Any:
    result = method(*args, **fields)
    return list(result) if hasattr(result, "__iter__") and not isinstance(result, dict) else result


@asynccontextmanager
async def client_at(base_url: str, kind: str, *credentials: str, **options: Any) -> AsyncIterator[AnyClient]:
    options = {"retry_policy": FAST_RETRIES, **options}
    if kind == "sync":
        sync_http = httpx2.Client(verify=NO_CERTIFICATES, timeout=120)
        with Client(base_url, *credentials, http_client=sync_http, **options) as client:
            yield AnyClient(client)
    else:
        async_http = httpx2.AsyncClient(verify=NO_CERTIFICATES, timeout=120)
        async with AsyncClient(base_url, *credentials, http_client=async_http, **options) as async_client:
            yield AnyClient(async_client)


@asynccontextmanager
async def client_of(
    shop: Shop, kind: str, *, by: ApiClient | None = None, origin: str | None = None, **options: Any
) -> AsyncIterator[AnyClient]:
    """With the credentials of an API client of the shop; by default the sandbox's."""
    credentials = (by.name, by.secret) if by else (shop.sandbox.client_id, shop.sandbox.client_secret)
    async with client_at(f"{origin or shop.origin}{OPEN_API}", kind, *credentials, **options) as client:
        yield client
