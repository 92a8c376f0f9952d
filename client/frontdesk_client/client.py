"""The synchronous and the asynchronous client."""

from types import TracebackType
from typing import Generic, Self

import httpx2

from frontdesk_client.operations import TransportT
from frontdesk_client.resources.availability import AvailabilitySearch, Holds
from frontdesk_client.resources.catalog import Branches
from frontdesk_client.resources.categories import Categories
from frontdesk_client.resources.changelog import Changelog
from frontdesk_client.resources.customers import Customers
from frontdesk_client.resources.exports import Exports
from frontdesk_client.resources.front_desk import AppointmentSeries, CustomerNotes, WaitingList
from frontdesk_client.resources.items import Items
from frontdesk_client.resources.limits import LimitsOfClient
from frontdesk_client.resources.orders import Orders
from frontdesk_client.resources.packages import Packages
from frontdesk_client.resources.pay import Cashiers, CommissionRates
from frontdesk_client.resources.payments import PaymentMethods, Transactions
from frontdesk_client.resources.pinned_items import PinnedItems
from frontdesk_client.resources.requests import Requests
from frontdesk_client.resources.sandbox import Sandbox
from frontdesk_client.resources.search import Search
from frontdesk_client.resources.settings import Settings
from frontdesk_client.resources.staff import Staff
from frontdesk_client.resources.tax_classes import TaxClasses
from frontdesk_client.resources.time_off import TimeOffOfStaff
from frontdesk_client.resources.webhooks import Deletions, Events, Webhooks
from frontdesk_client.retry import RetryPolicy
from frontdesk_client.session import Credentials, Session
from frontdesk_client.transports import AsyncFieldsTransport, AsyncTransport, Plan, SyncFieldsTransport, SyncTransport

_DEFAULT_RETRY_POLICY = RetryPolicy()


class Resources(Generic[TransportT]):
    def __init__(self, transport: TransportT) -> None:
        self.transport = transport
        self.settings = Settings(transport)
        self.branches = Branches(transport)
        self.categories = Categories(transport)
        self.items = Items(transport)
        self.packages = Packages(transport)
        self.pinned_items = PinnedItems(transport)
        self.tax_classes = TaxClasses(transport)
        self.staff = Staff(transport)
        self.commission_rates = CommissionRates(transport)
        self.cashiers = Cashiers(transport)
        self.time_off = TimeOffOfStaff(transport)
        self.customers = Customers(transport)
        self.notes = CustomerNotes(transport)
        self.payment_methods = PaymentMethods(transport)
        self.availability = AvailabilitySearch(transport)
        self.holds = Holds(transport)
        self.waiting_list = WaitingList(transport)
        self.orders = Orders(transport)
        self.order_series = AppointmentSeries(transport)
        self.transactions = Transactions(transport)
        self.webhooks = Webhooks(transport)
        self.events = Events(transport)
        self.deletions = Deletions(transport)
        self.exports = Exports(transport)
        self.search = Search(transport)
        self.limits = LimitsOfClient(transport)
        self.requests = Requests(transport)
        self.changelog = Changelog(transport)
        self.sandbox = Sandbox(transport)


class DryRun(Resources[TransportT]):
    """The same methods; those that write answer what they would answer, and nothing is written."""

    def __init__(self, transport: TransportT, plan: Plan) -> None:
        super().__init__(transport)
        self.planned_events = plan.events  # that the writes so far would emit
        self.affected_bookings = plan.affected_bookings  # that they would leave outside new hours


class Client(Resources[SyncTransport]):
    """The synchronous client. Threads may share it."""

    def __init__(
        self,
        base_url: str,
        client_id: str | None = None,
        client_secret: str | None = None,
        *,
        token: str | None = None,
        scope: str = "",
        retry_policy: RetryPolicy = _DEFAULT_RETRY_POLICY,
        http_client: httpx2.Client | None = None,
    ) -> None:
        session = Session(base_url, _credentials(client_id, client_secret, scope), token, retry_policy)
        super().__init__(SyncTransport(session, http_client))

    def dry_run(self) -> DryRun[SyncTransport]:
        plan = Plan([], [])
        return DryRun(SyncTransport(self.transport.session, self.transport.http_client, plan), plan)

    def only(self, *fields: str) -> Resources[SyncFieldsTransport]:
        """The same methods for reading; their records are dictionaries with these fields."""
        return Resources(SyncFieldsTransport(self.transport, fields))

    def close(self) -> None:
        self.transport.http_client.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class AsyncClient(Resources[AsyncTransport]):
    """The asynchronous client: the same methods, awaited. Iterate over lists with `async for`."""

    def __init__(
        self,
        base_url: str,
        client_id: str | None = None,
        client_secret: str | None = None,
        *,
        token: str | None = None,
        scope: str = "",
        retry_policy: RetryPolicy = _DEFAULT_RETRY_POLICY,
        http_client: httpx2.AsyncClient | None = None,
    ) -> None:
        session = Session(base_url, _credentials(client_id, client_secret, scope), token, retry_policy)
        super().__init__(AsyncTransport(session, http_client))

    def dry_run(self) -> DryRun[AsyncTransport]:
        plan = Plan([], [])
        return DryRun(AsyncTransport(self.transport.session, self.transport.http_client, plan), plan)

    def only(self, *fields: str) -> Resources[AsyncFieldsTransport]:
        """The same methods for reading; their records are dictionaries with these fields."""
        return Resources(AsyncFieldsTransport(self.transport, fields))

    async def close(self) -> None:
        await self.transport.http_client.aclose()

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
        raise ValueError("client_id and client_secret must be given together")
    return Credentials(client_id, client_secret, scope)
