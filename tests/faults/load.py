"""People and programs that use every surface at once, and send again what was not answered."""

import asyncio
import random
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from itertools import count
from typing import Any
from uuid import UUID

import httpx2

from frontdesk.demo_data.create import create_sandbox
from frontdesk.postgres.pool import Connection, connect
from frontdesk.ui.booking_page.form_token import read_form_token, write_form_token
from frontdesk.values.ids import uuid7
from tests.factories.changes import change_rows
from tests.factories.users import owner_of
from tests.faults.installation import Installation
from tests.support.branch import BranchFixture, day, line, open_branch
from tests.support.dashboard import DashboardClient
from tests.support.service import PLENTY
from tests.support.shop import KEY_API, NO_CERTIFICATES, OPEN_API, Shop
from tests.support.till import bill
from tests.support.waiting import eventually
from tests.ui.booking_page.test_booking_page import BOX, ENGLISH, HIDDEN, slug_of, starts_of

CLIENT_SECONDS = 60.0  # longer than any request may take
BUSY = (409, 503)  # 409: the first attempt is still at work
CUSTOMER = "Entered under load"
_PAUSE_SECONDS = 0.05
_REFUSED_SECONDS = 0.2
_BOOKINGS_OF_DAY = 40
_FORM_AGE_SECONDS = 7200  # tests fill it in faster than people, and clocks jump by an hour
_WAIT_SECONDS = 180.0

Ask = Callable[[], Awaitable[httpx2.Response]]


class Load:
    """What was sent, and what was acknowledged."""

    def __init__(self, site: Installation, branch: BranchFixture, product: UUID, service: UUID, slug: str) -> None:
        self.site = site
        self.branch = branch
        self.shop = branch.shop
        self.requests = 0
        self.refused = 0  # 503, or no answer at all; it is sent again
        self.unexpected: Counter[str] = Counter()
        self.orders: list[str] = []  # by their ids
        self.customers: list[str] = []  # by their phone numbers
        self.bookings: list[str] = []  # by the addresses of their customers
        self.longest_answer = self.longest_pause = 0.0
        self.slowest = ""
        self._product = product
        self._service = service
        self._slug = slug
        self._numbers = count(1)
        self._done: Counter[str] = Counter()
        self._last = time.monotonic()
        self._closing = False

    @property
    def acknowledged(self) -> int:
        return len(self.orders) + len(self.customers) + len(self.bookings)

    async def send(self, ask: Ask, status: int) -> httpx2.Response | None:
        """The answer with this status; None if another one came, which nobody expects."""
        while True:
            began = time.monotonic()
            self.requests += 1
            try:
                answer = await ask()
            except httpx2.TransportError:
                answer = None
            self._measure(time.monotonic() - began, answer)
            if answer is not None and answer.status_code == status:
                return answer
            if answer is not None and answer.status_code not in BUSY:
                self.unexpected[f"{answer.status_code} of {answer.request.url.path}: {answer.text[:300]}"] += 1
                return None
            self.refused += 1
            await asyncio.sleep(_REFUSED_SECONDS)

    def _measure(self, seconds: float, answer: httpx2.Response | None) -> None:
        if seconds > self.longest_answer:
            self.longest_answer = seconds
            outcome = "no answer" if answer is None else f"{answer.status_code} of {answer.request.url.path}"
            self.slowest = f"{outcome} after {seconds:.1f} s"

    def acknowledge(self, books: list[str], entry: str) -> None:
        books.append(entry)
        now = time.monotonic()
        self.longest_pause, self._last = max(self.longest_pause, now - self._last), now

    def order_body(self) -> Any:
        return self.branch.order(line(self._product, "product"))

    async def place_order(self, http: httpx2.AsyncClient, key: str = "") -> None:
        headers = {"authorization": f"Bearer {await self.shop.token()}", "idempotency-key": key or str(uuid7())}
        await self._sell(http, f"{OPEN_API}/orders", headers, self.order_body())

    async def ring_up(self, http: httpx2.AsyncClient) -> None:
        headers = {"x-api-key": self.shop.sandbox.api_key, "idempotency-key": str(uuid7())}
        await self._sell(http, f"{KEY_API}/pos/orders", headers, bill("20", line(self._product, "product")))

    async def _sell(self, http: httpx2.AsyncClient, path: str, headers: dict[str, str], body: object) -> None:
        answer = await self.send(lambda: http.post(path, json=body, headers=headers), 201)
        if answer is not None:
            self.acknowledge(self.orders, answer.json()["data"]["id"])

    async def enter_customer(self, desk: DashboardClient, token: str) -> None:
        phone = f"+9665{next(self._numbers):08}"
        fields = {"form_token": token, "id": str(uuid7()), "first_name": CUSTOMER, "phone": phone}
        headers = {"origin": self.site.origin}
        if await self.send(lambda: desk.http.post("/customers/new", data=fields, headers=headers), 303):
            self.acknowledge(self.customers, phone)

    async def read_reports(self, desk: DashboardClient) -> None:
        await self.send(lambda: desk.get("/reports"), 200)

    async def book_online(self) -> None:
        """Each customer has an address of their own: one address may not book so often."""
        number = next(self._numbers)
        home = httpx2.AsyncHTTPTransport(local_address=f"127.1.{number // 250}.{number % 250 + 1}", verify=False)
        path, on = f"/book/{self._slug}", day(3 + len(self.bookings) // _BOOKINGS_OF_DAY)
        async with httpx2.AsyncClient(
            base_url=self.site.origin, transport=home, timeout=CLIENT_SECONDS, headers=ENGLISH
        ) as browser:
            choice = {"services": str(self._service), "date": str(on)}
            page = await self.send(lambda: browser.get(path, params=choice), 200)
            if page is None:
                return
            email = f"customer{number}@example.com"
            fields = {
                **dict(HIDDEN.findall(page.text)),
                "start": random.choice(starts_of(page)),
                "name": CUSTOMER,
                "email": email,
            }
            fields["token"] = self._aged(fields["token"])
            headers = {"origin": self.site.origin}
            if await self.send(lambda: browser.post(path, data=fields, headers=headers), 303):
                self.acknowledge(self.bookings, email)

    def _aged(self, token: str) -> str:
        found = read_form_token(BOX, self.shop.tenant_id, token)
        assert found is not None
        return write_form_token(BOX, self.shop.tenant_id, found._replace(shown_at=time.time() - _FORM_AGE_SECONDS))

    async def repeat(self, name: str, work: Callable[[], Awaitable[None]]) -> None:
        while not self._closing:
            await work()
            self._done[name] += 1
            await asyncio.sleep(_PAUSE_SECONDS)

    async def go_on(self) -> None:
        """Until every surface has worked once more."""
        before = dict(self._done)
        await eventually(lambda: all(self._done[name] > done + 1 for name, done in before.items()), _WAIT_SECONDS)

    async def close(self, callers: "list[asyncio.Task[None]]") -> None:
        """Until all that was sent is answered."""
        self._closing = True
        async with asyncio.timeout(_WAIT_SECONDS):
            await asyncio.gather(*callers)


@asynccontextmanager
async def running_load(site: Installation) -> AsyncIterator[Load]:
    """When it ends, everything that was sent is answered."""
    load = await _prepare(site)
    async with (
        httpx2.AsyncClient(base_url=site.origin, timeout=CLIENT_SECONDS, verify=NO_CERTIFICATES) as http,
        DashboardClient(site.origin, site.dsn) as desk,
    ):
        desk.http.timeout = httpx2.Timeout(CLIENT_SECONDS)
        await desk.sign_in_as(await owner_of(load.shop))
        token = await desk.form_token()
        work: dict[str, Callable[[], Awaitable[None]]] = {
            "orders": lambda: load.place_order(http),
            "sales": lambda: load.ring_up(http),
            "forms": lambda: load.enter_customer(desk, token),
            "reports": lambda: load.read_reports(desk),
            "bookings": load.book_online,
        }
        callers = [asyncio.create_task(load.repeat(name, one)) for name, one in work.items()]
        try:
            await eventually(lambda: len(load._done) == len(work), _WAIT_SECONDS)
            load.longest_answer = load.longest_pause = 0.0  # what a fault costs, not the first use of a new process
            yield load
            await load.close(callers)
        finally:
            for caller in callers:
                caller.cancel()
            await asyncio.gather(*callers, return_exceptions=True)


async def _prepare(site: Installation) -> Load:
    raw = await connect(site.dsn)
    sandbox = await create_sandbox(Connection(raw), rate_limit=PLENTY)
    await raw.close()
    shop = Shop(site.origin, site.dsn, sandbox)
    made = await shop.post("/webhooks", {"url": site.receiver.url, "events": ["order.created"]})
    assert made.status_code == 201, made.text
    await change_rows(shop, "branches", status=False)
    branch = await open_branch(shop)
    service = await branch.add_service(duration=15)
    for _ in range(2):
        await branch.add_provider(service)
    return Load(site, branch, await branch.add_product(stock=None), service, await slug_of(shop))
