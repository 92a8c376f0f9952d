"""The application of an integrator, as a scenario reaches it: it is told to do something, and its calls are watched."""

import asyncio
import time
from collections.abc import Callable, Sequence
from http import HTTPStatus
from itertools import pairwise
from typing import Any, NamedTuple
from uuid import UUID, uuid4

import httpx2
import msgspec

from frontdesk.developer_tools.api import Api, amount
from frontdesk.developer_tools.conformance.events import SampleEvents
from frontdesk.developer_tools.conformance.flow.proxy import Call, Plan, Proxy
from frontdesk.developer_tools.conformance.scenarios import Failed, Skipped
from frontdesk.webhooks.signing import delivery_headers

TASK = "conformance.task"  # the type of the event that tells what to do
ORDERS, CUSTOMERS, TOKENS = "POST /orders", "POST /customers", "POST /oauth/token"
PAYMENTS, AVAILABILITY = "POST /orders/{id}/payments", "POST /availability"
_TIME_LIMIT = 90.0  # seconds, for a task with all its waits
_ROOM = 40  # requests that must be left of the limit when a scenario begins
_NO_DELAY = 0.9  # of the seconds that Retry-After says: clocks differ
Document = dict[str, Any]
Fault = dict[str, object]


class Run(NamedTuple):
    """What the application did for one task."""

    status: int
    answer: Document
    calls: Sequence[Call]

    @property
    def is_done(self) -> bool:
        return 200 <= self.status < 300

    def to(self, route: str) -> list[Call]:
        return [call for call in self.calls if call.is_to(route)]

    def require_done(self) -> None:
        if not self.is_done:
            raise Failed(f"answered {self.status}: the task was not done, after {_requests(len(self.calls))}")

    def require_not_done(self) -> None:
        if self.is_done:
            raise Failed(f"answered {self.status}, although it cannot be done")

    def require_repeated(self, route: str) -> None:
        if len(self.to(route)) < 2:
            raise Failed(f"sent {route} once, and not again")

    def require_at_most(self, most: int, route: str | None = None) -> None:
        found = len(self.calls if route is None else self.to(route))
        if found > most:
            raise Failed(f"sent {route or 'its requests'} {found} times, more than {most}")

    def require_waits(self, route: str, seconds: float) -> None:
        """After every answer of 429 and 503."""
        calls = self.to(route)
        for call, following in pairwise(calls):
            waited = following.at - call.at
            if call.status in (429, 503) and waited < seconds * _NO_DELAY:
                raise Failed(f"sent {route} again after {waited:.2f} s, Retry-After says {seconds:g}")

    def require_pauses(self, route: str, seconds: float) -> None:
        calls = self.to(route)
        for call, following in pairwise(calls):
            if following.at - call.at < seconds:
                raise Failed(f"sent {route} again after {following.at - call.at:.3f} s")

    def require_keys(self) -> None:
        for call in self.calls:
            if call.is_write and not call.key:
                raise Failed(f"sent {call.method} {call.path} without an Idempotency-Key")

    def require_one_key(self, route: str) -> None:
        """The same body is the same request, and has the same key."""
        self.require_keys()
        keys: dict[bytes, set[str | None]] = {}
        for call in self.to(route):
            keys.setdefault(call.body, set()).add(call.key)
        most = max(map(len, keys.values()), default=0)
        if most > 1:
            raise Failed(f"sent the same {route} under {most} keys")


class Booking(NamedTuple):
    run: Run
    customers: list[Document]
    orders: list[Document]

    def require_one(self) -> None:
        self.run.require_done()
        self.require_at_most_one()
        if not self.orders:
            raise Failed("no order was made")

    def require_at_most_one(self) -> None:
        for name, found in (("orders", self.orders), ("customers", self.customers)):
            if len(found) > 1:
                raise Failed(f"made {len(found)} {name} instead of one")

    def require_none(self) -> None:
        self.run.require_not_done()
        if self.orders:
            raise Failed("made an order, and says that it could not")


class Flow:
    """`api` is the kit's own way to the sandbox, which does not lead through the proxy."""

    def __init__(
        self, url: str, secret: str, tenant_id: UUID, api: Api, proxy: Proxy, tell: Callable[[str], None]
    ) -> None:
        self.url, self.api, self.proxy, self._tell_user = url, api, proxy, tell
        self._secret, self._events = secret, SampleEvents(tenant_id)
        self._http = httpx2.AsyncClient(timeout=_TIME_LIMIT)
        self._service: Document | None = None

    async def close(self) -> None:
        await self._http.aclose()

    async def run(self, task: str, *faults: Fault, plan: Plan | None = None, **fields: object) -> Run:
        await self._wait_for_room()
        for fault in faults:
            await self.api.write("POST", "/sandbox/faults", "", **fault)
        before, self.proxy.plan = len(self.proxy.calls), plan or Plan()
        try:
            answered = await self._tell(task, fields)
            return Run(answered.status_code, _decoded(answered.content), self.proxy.calls[before:])
        finally:
            self.proxy.plan = Plan()
            if faults:
                await self.api.write("DELETE", "/sandbox/faults")

    async def _tell(self, task: str, fields: Document) -> httpx2.Response:
        event = self._events.make(TASK, {"do": task, **fields})
        headers = delivery_headers(event.id, int(time.time()), event.body, (self._secret,))
        try:
            answered = await self._http.post(self.url, content=event.body, headers=headers)
        except httpx2.TimeoutException as error:
            raise Failed(f"gave no answer to the task within {_TIME_LIMIT:g} s") from error
        except (httpx2.TransportError, httpx2.InvalidURL) as error:
            raise Failed(f"cannot reach {self.url}: {error}") from error
        if answered.status_code == HTTPStatus.NOT_IMPLEMENTED:
            raise Skipped(f'the application has no task "{task}"')
        return answered

    async def _wait_for_room(self) -> None:
        """The limit is that of the application too: a scenario does not begin when little of it is left."""
        while True:
            rate = (await self.api.get("/limits"))["rate"]
            if rate["remaining"] >= min(_ROOM, rate["limit"] * 2 // 3):
                return
            seconds = max(1, rate["reset"])
            self._tell_user(f"waiting {seconds} s: {rate['remaining']} of {rate['limit']} requests a minute are left")
            await asyncio.sleep(seconds)

    async def service(self) -> Document:
        """One that has free times."""
        if self._service is None:
            now = (await self.api.get("/sandbox/clock"))["now"]
            for service in await self.api.page("/items", type="service", per_page=100):
                asked = {"service_id": service["id"], "date": now[:10], "next_availability": True}
                if service["status"] and any((await self.api.ask("/availability", **asked))["slots"].values()):
                    self._service = service
                    break
            else:
                raise Skipped("the sandbox has no service with free times")
        return self._service

    async def book(self, *faults: Fault, plan: Plan | None = None) -> Booking:
        name = f"Conformance {uuid4().hex[:12]}"
        run = await self.run("book", *faults, plan=plan, service_id=(await self.service())["id"], first_name=name)
        customers = await self.api.page("/customers", name=name)
        orders = [order for one in customers for order in await self.api.page("/orders", customer_id=one["id"])]
        return Booking(run, customers, orders)

    async def booked(self) -> Document:
        """An order to do something with. The kit makes it itself."""
        service = await self.service()
        now = (await self.api.get("/sandbox/clock"))["now"]
        asked = {"service_id": service["id"], "date": now[:10], "next_availability": True}
        slots = (await self.api.ask("/availability", **asked))["slots"]
        start = next(f"{day}T{starts[-1]}:00" for day, starts in slots.items() if starts)
        customer = await self.api.post("/customers", first_name="Conformance")
        return await self.api.post(
            "/orders",
            team_id=service["branch"]["id"],
            customer_id=customer["id"],
            start=start,
            items=[{"id": service["id"], "type": "service", "quantity": 1}],
        )

    async def payments(self, order_id: str) -> list[Document]:
        found: list[Document] = (await self.api.get("/orders/{}", order_id))["transactions"]
        return found

    async def price(self, item_id: str) -> Any:  # noqa: ANN401 - a decimal
        return amount((await self.api.get("/items/{}", item_id))["entered_price"])


def error(status: int, route: str | None = None, *, code: str | None = None, times: int = 1) -> Fault:
    named = {"code": code} if code else {}
    return {"kind": "error", "status": status, "times": times, **named, **({"route": route} if route else {})}


def fault(kind: str, route: str, **more: object) -> Fault:
    return {"kind": kind, "route": route, **more}


def _decoded(body: bytes) -> Document:
    try:
        return msgspec.json.decode(body or b"{}", type=dict[str, Any])
    except msgspec.DecodeError:
        return {}


def _requests(number: int) -> str:
    return "one request" if number == 1 else f"{number} requests"
