"""What happens at each arrival: the requests that an application, the desk, the till or a customer sends."""

import asyncio
import random
import re
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from itertools import count
from zoneinfo import ZoneInfo

import msgspec

from bench import requests
from bench.day.businesses import Business
from bench.day.client import Client
from bench.day.plan import Kind
from bench.tenants import AvailabilityTenant
from frontdesk.ui.booking_page.details import MIN_SECONDS
from frontdesk.ui.shell.csrf import CSRF_FIELD
from frontdesk.values.ids import uuid7

_ZONE = ZoneInfo("Asia/Riyadh")
_DAYS_AHEAD = 14
_TOKEN = re.compile(rb'name="token" value="([^"]+)"')
_START = re.compile(rb'name="start" value="([^"]+)"')
_ORDER_ID = re.compile(rb"order=([0-9a-f-]{36})")
_visitors = count(1)


class _Created(msgspec.Struct):
    id: str


class _CreatedAnswer(msgspec.Struct):
    data: _Created


class _Event(msgspec.Struct):
    sequence: int


class _EventsAnswer(msgspec.Struct):
    data: list[_Event]


async def _api_booking(client: Client, business: Business) -> None:
    tenant = business.tenant
    asked = AvailabilityTenant(tenant.access, tenant.service_id, tenant.staff_ids[0], tenant.first_day)
    await client.send("POST /availability", requests.availability(asked, None, 7), 200)
    body = requests.order_body(tenant, *next(business.slots), paid=False)
    answer = await client.send("POST /orders", requests.post(tenant.access, "/orders", body, key=True), 201)
    if answer is not None:
        business.unpaid.append(msgspec.json.decode(answer.body, type=_CreatedAnswer).data.id)


async def _desk_booking(client: Client, business: Business) -> None:
    number, staff_id, start = next(business.slots)
    tenant = business.tenant
    await client.send("calendar", requests.page(f"/calendar?date={start.date()}", business.cookie), 200)
    fields = {
        "id": uuid7(),
        "act": "book",
        "branch": tenant.branch_id,
        "date": start.date(),
        "time": f"{start:%H:%M}",
        "customer": tenant.customer_ids[number % len(tenant.customer_ids)],
        "service": tenant.service_id,
        "option": "",
        "provider": staff_id,
        "price": "",
        CSRF_FIELD: business.csrf,
    }
    sent = {name: str(value) for name, value in fields.items()}
    answer = await client.send("calendar: book", requests.form("/calendar/new", business.cookie, sent), 303)
    found = _ORDER_ID.search(answer.head) if answer else None
    if found:
        business.unpaid.append(found[1].decode())


async def _online_booking(client: Client, business: Business) -> None:
    number, tenant = next(_visitors), business.tenant
    address, dice = f"10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}", random.Random(number)
    path, services = f"/book/{business.slug}", f"services={tenant.service_id}"
    day = tenant.first_day + timedelta(days=dice.randrange(_DAYS_AHEAD))
    await client.send("booking page: what", requests.visit(path, address), 200)
    await client.send("booking page: who", requests.visit(f"{path}?{services}", address), 200)
    when = await client.send("booking page: when", requests.visit(f"{path}?{services}&date={day}", address), 200)
    starts = _START.findall(when.body) if when else []
    if when and not starts:
        client.failures["booking page: no time"] += 1
    if not starts:
        return
    start = dice.choice(starts[len(starts) // 2 :])  # applications and the desk take the first times
    form = {"services": str(tenant.service_id), "day": str(day), "start": start.decode()}
    # 422: another visitor has chosen the same time.
    kept = await client.send("booking page: keep", requests.visitor_form(f"{path}/hold", address, form), 200, 422)
    token = _TOKEN.search(kept.body) if kept else None
    if token is None:
        return
    await asyncio.sleep(MIN_SECONDS * 1.1)  # the page refuses a faster visitor
    form |= {"name": f"Visitor {number}", "email": f"visitor{number}@bench.example", "token": token[1].decode()}
    await client.send("booking page: book", requests.visitor_form(path, address, form), 303, 422)


async def _till_sale(client: Client, business: Business) -> None:
    tenant = business.tenant
    sale = {
        "total": "50.00",
        "sub_total": "50.00",
        "services": [{"id": business.product_id, "type": "product", "quantity": 1}],
        "payment_methods": [{"id": tenant.method_id, "amount": 50}],
    }
    await client.send("POST /pos/orders", requests.pos_post(tenant.access, "/pos/orders", sale), 201)


async def _checkout(client: Client, business: Business) -> None:
    if not business.unpaid:  # nobody has come yet
        return
    path, access = f"/orders/{business.unpaid.popleft()}", business.tenant.access
    payment = {"amount": 50, "payment_method_id": business.tenant.method_id}
    await client.send("POST /orders/…/payments", requests.post(access, f"{path}/payments", payment, key=True), 201)
    done = {"status": "completed"}
    await client.send("POST /orders/…/status", requests.post(access, f"{path}/status", done, key=True), 200)


async def _calendar(client: Client, business: Business) -> None:
    day = business.tenant.first_day
    await client.send("calendar", requests.page(f"/calendar?date={day}", business.cookie), 200)


async def _order_list(client: Client, business: Business) -> None:
    await client.send("list of orders", requests.page("/orders", business.cookie), 200)


async def _customer(client: Client, business: Business) -> None:
    number = random.randrange(1, len(business.tenant.customer_ids))
    path = f"/customers/phone?phone=%2B9665{number:08}"
    await client.send("GET /customers/phone", requests.get(business.tenant.access, path), 200)


async def _poll(client: Client, business: Business) -> None:
    path = f"/events?after={business.last_event}&per_page=100"
    answer = await client.send("GET /events", requests.get(business.tenant.access, path), 200)
    if answer is not None:
        events = msgspec.json.decode(answer.body, type=_EventsAnswer).data
        business.last_event = max((event.sequence for event in events), default=business.last_event)


async def _report(client: Client, business: Business) -> None:
    await client.send("report", requests.page("/reports", business.cookie), 200)


async def _day_close(client: Client, business: Business) -> None:
    body = {"team_id": business.tenant.branch_id, "date": datetime.now(UTC).astimezone(_ZONE).date()}
    await client.send("POST /pos/day-close", requests.pos_post(business.tenant.access, "/pos/day-close", body), 200)


VISITS: dict[Kind, Callable[[Client, Business], Awaitable[None]]] = {
    Kind.API_BOOKING: _api_booking,
    Kind.DESK_BOOKING: _desk_booking,
    Kind.ONLINE_BOOKING: _online_booking,
    Kind.TILL_SALE: _till_sale,
    Kind.CHECKOUT: _checkout,
    Kind.CALENDAR: _calendar,
    Kind.ORDER_LIST: _order_list,
    Kind.CUSTOMER: _customer,
    Kind.POLL: _poll,
    Kind.REPORT: _report,
    Kind.DAY_CLOSE: _day_close,
}
