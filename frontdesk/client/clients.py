"""The whole interface, once for programs that block and once for those that await."""

from types import TracebackType
from typing import Generic, Self

import httpx2

from frontdesk.client.catalogue import Branches, Categories, Items, Packages, Staff
from frontdesk.client.customers import Customers
from frontdesk.client.exchange import Credentials, RetryPolicy, Session
from frontdesk.client.operations import TransportT
from frontdesk.client.sales import Availability, Orders, PaymentMethods, Transactions
from frontdesk.client.telling import Events, Webhooks
from frontdesk.client.transports import AsyncTransport, SyncTransport

_PATIENCE = RetryPolicy()


class Interface(Generic[TransportT]):
    def __init__(self, way: TransportT) -> None:
        self.way = way
        self.branches = Branches(way)
        self.categories = Categories(way)
        self.items = Items(way)
        self.packages = Packages(way)
        self.staff = Staff(way)
        self.customers = Customers(way)
        self.payment_methods = PaymentMethods(way)
        self.availability = Availability(way)
        self.orders = Orders(way)
        self.transactions = Transactions(way)
        self.webhooks = Webhooks(way)
        self.events = Events(way)


class Client(Interface[SyncTransport]):
    """Blocks. May be shared by threads, as httpx2's client may."""

    def __init__(
        self,
        base_url: str,
        client_id: str | None = None,
        client_secret: str | None = None,
        *,
        token: str | None = None,
        scope: str = "",
        patience: RetryPolicy = _PATIENCE,
        http: httpx2.Client | None = None,
    ) -> None:
        session = Session(base_url, _credentials(client_id, client_secret, scope), token, patience)
        super().__init__(SyncTransport(session, http))

    def close(self) -> None:
        self.way.http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class AsyncClient(Interface[AsyncTransport]):
    """Awaits. The same methods; lists are gone through with `async for`."""

    def __init__(
        self,
        base_url: str,
        client_id: str | None = None,
        client_secret: str | None = None,
        *,
        token: str | None = None,
        scope: str = "",
        patience: RetryPolicy = _PATIENCE,
        http: httpx2.AsyncClient | None = None,
    ) -> None:
        session = Session(base_url, _credentials(client_id, client_secret, scope), token, patience)
        super().__init__(AsyncTransport(session, http))

    async def close(self) -> None:
        await self.way.http.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()


def _credentials(client_id: str | None, client_secret: str | None, scope: str) -> Credentials | None:
    if client_id is None and client_secret is None:
        return None
    if client_id is None or client_secret is None:
        raise ValueError("client_id and client_secret go together")
    return Credentials(client_id, client_secret, scope)
