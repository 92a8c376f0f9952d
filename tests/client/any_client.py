"""Both clients behind one way of asking, so that what holds for one is held for the other."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import httpx2

from frontdesk.client import AsyncClient, Client, RetryPolicy
from tests.support.clients import ApiClient
from tests.support.shop import NO_CERTIFICATES, OPEN_API, Shop

KINDS = ("blocking", "awaiting")
QUICK = RetryPolicy(first_wait=0.01)


class AnyClient:
    def __init__(self, client: Client | AsyncClient) -> None:
        self.client: Any = client

    async def ask(self, path: str, *args: Any, **fields: Any) -> Any:
        """`ask("orders.get", id)`; lists are gone through to their end."""
        method: Callable[..., Any] = self.client
        for name in path.split("."):
            method = getattr(method, name)
        if isinstance(self.client, Client):
            return await asyncio.to_thread(_finished, method, args, fields)
        found = method(*args, **fields)
        return [record async for record in found] if hasattr(found, "__aiter__") else await found


def _finished(method: Callable[..., Any], args: tuple[Any, ...], fields: dict[str, Any]) -> Any:
    found = method(*args, **fields)
    return list(found) if hasattr(found, "__iter__") else found


@asynccontextmanager
async def client_at(base_url: str, kind: str, *credentials: str, **options: Any) -> AsyncIterator[AnyClient]:
    options = {"patience": QUICK, **options}
    if kind == "blocking":
        http = httpx2.Client(verify=NO_CERTIFICATES, timeout=20)
        with Client(base_url, *credentials, http=http, **options) as blocking:
            yield AnyClient(blocking)
    else:
        ahttp = httpx2.AsyncClient(verify=NO_CERTIFICATES, timeout=20)
        async with AsyncClient(base_url, *credentials, http=ahttp, **options) as awaiting:
            yield AnyClient(awaiting)


@asynccontextmanager
async def client_of(
    shop: Shop, kind: str, *, by: ApiClient | None = None, origin: str | None = None, **options: Any
) -> AsyncIterator[AnyClient]:
    """With the credentials of one of the shop's clients; the sandbox's where none is named."""
    credentials = (by.name, by.secret) if by else (shop.sandbox.client_id, shop.sandbox.client_secret)
    async with client_at(f"{origin or shop.origin}{OPEN_API}", kind, *credentials, **options) as client:
        yield client
