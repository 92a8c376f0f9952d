"""Requests to every endpoint of both APIs, each with what it needs beforehand."""

from collections.abc import Awaitable, Callable
from typing import Any, NamedTuple
from uuid import UUID, uuid4

from tests.contract.sent_requests import REPORTS
from tests.factories.changes import delete_rows
from tests.sandbox import requests as sandbox_requests
from tests.support.branch import EVERY_DAY, BranchFixture, day, line, method_of, start
from tests.support.full_requests.made import MAKE, MakeForShop
from tests.support.pagination import Document, json_exact
from tests.support.till import Till, bill, item
from tests.support.waiting import eventually

_TAGS = "/tags?model=customers"
_HOOK = {"url": "https://hooks.example.com", "events": ["customer.created", "order.created"]}


class Sample(NamedTuple):
    """One request of an operation: a path under the prefix of its API, and a body."""

    path: str
    body: Document | None = None


class FullTenant:
    """A business with something of everything."""

    def __init__(self, branch: BranchFixture) -> None:
        self.branch = branch
        self.shop = branch.shop
        self.till = Till(branch)
        self.service_id = self.product_id = self.package_id = self.staff_id = uuid4()
        self._slots = iter(range(10_000))

    async def fill(self) -> None:
        await self.branch.set_hours({on: [("00:00", "00:00")] for on in EVERY_DAY})
        self.service_id = await self.branch.add_service(duration=15)
        self.product_id = await self.branch.add_product(stock=10_000, price="10")
        self.package_id = await self.branch.add_package({self.product_id: 2, self.service_id: 1})
        self.staff_id = await self.branch.add_provider(self.service_id)

    def next_slot(self) -> int:
        return next(self._slots)

    def start(self) -> str:
        """A time that no request has asked for yet."""
        slot = self.next_slot()
        return start(day(3 + slot // 48), f"{slot % 48 // 2:02}:{slot % 2 * 30:02}")

    @property
    def goods(self) -> Document:
        return line(self.product_id, "product")

    async def order_id(self, *lines: Document, **more: Any) -> str:
        return str((await self.branch.place(*(lines or (self.goods,)), **more))["id"])

    async def booked(self) -> str:
        return await self.order_id(line(self.service_id), start=self.start())

    async def sale(self, *, is_paid: bool = False) -> str:
        payments = [await self.till.paid("10")] if is_paid else []
        return str((await self.till.ring_up("10", self.goods, payment_methods=payments))["id"])

    async def invoiced(self) -> str:
        order_id = await self.sale(is_paid=True)
        json_exact(await self.till.request("POST", f"/pos/orders/{order_id}/invoice"), 201)
        return order_id

    async def webhook_id(self) -> str:
        return str(json_exact(await self.shop.post("/webhooks", _HOOK), 201)["data"]["id"])

    async def id_of(self, table: str) -> UUID:
        (row,) = await self.shop.sql(f"SELECT id FROM {table} WHERE tenant_id = $1 ORDER BY id LIMIT 1")
        found: UUID = row["id"]
        return found


Make = Callable[[FullTenant], Awaitable[Sample]]


def _at(path: str) -> Make:
    async def make(_tenant: FullTenant) -> Sample:
        return Sample(path)

    return make


def _set_up(make: MakeForShop) -> Make:
    async def sample(tenant: FullTenant) -> Sample:
        return Sample(*await make(tenant.shop))

    return sample


def _record(path: str, table: str, rest: str = "") -> Make:
    async def make(tenant: FullTenant) -> Sample:
        return Sample(f"{path}/{await tenant.id_of(table)}{rest}")

    return make


async def _token(tenant: FullTenant) -> Sample:
    return Sample("/oauth/token", {"grant_type": "client_credentials", **_client(tenant)})


async def _revoke(tenant: FullTenant) -> Sample:
    return Sample("/oauth/revoke", {"token": await tenant.shop.new_token(), **_client(tenant)})


async def _introspect(tenant: FullTenant) -> Sample:
    return Sample("/oauth/introspect", {"token": await tenant.shop.token(), **_client(tenant)})


def _client(tenant: FullTenant) -> Document:
    return {"client_id": tenant.shop.sandbox.client_id, "client_secret": tenant.shop.sandbox.client_secret}


async def _create_customer(_tenant: FullTenant) -> Sample:
    return Sample("/customers", {"first_name": "Joud"})


async def _update_customer(tenant: FullTenant) -> Sample:
    return Sample(f"/customers/{tenant.branch.customer_id}", {"first_name": f"Joud {uuid4()}"})


def _on_customer(rest: str, body: Document | None = None) -> Make:
    async def make(tenant: FullTenant) -> Sample:
        return Sample(f"/customers/{tenant.branch.customer_id}{rest}", body)

    return make


async def _tag_customer(tenant: FullTenant) -> Sample:
    return Sample(f"/customers/{tenant.branch.customer_id}/tags", {"name": f"Tag {uuid4()}"})


async def _block_customer(tenant: FullTenant) -> Sample:
    """Another one than the customer of the other samples."""
    made = json_exact(await tenant.shop.post("/customers", {"first_name": "Joud"}), 201)["data"]
    return Sample(f"/customers/{made['id']}/block", {"reason": "Did not come"})


async def _merge_customers(tenant: FullTenant) -> Sample:
    other = json_exact(await tenant.shop.post("/customers", {"first_name": "Joud"}), 201)["data"]
    return Sample(f"/customers/{tenant.branch.customer_id}/merge", {"customer_id": other["id"]})


async def _create_method(_tenant: FullTenant) -> Sample:
    return Sample("/payment-methods", {"name": f"Tip {uuid4()}", "type": "cash"})


async def _availability(tenant: FullTenant) -> Sample:
    body = {"service_id": str(tenant.service_id), "date": str(day(3)), "visible_days": 30, "next_availability": True}
    return Sample("/availability", body)


async def _hold(tenant: FullTenant) -> Sample:
    await delete_rows(tenant.shop, "holds")  # below the limits
    return Sample("/holds", {"service_id": str(tenant.service_id), "start": tenant.start()})


async def _export(tenant: FullTenant) -> Sample:
    await delete_rows(tenant.shop, "record_exports")  # below the limits
    return Sample("/exports", {"resources": ["branches", "items"]})


async def _made_export(tenant: FullTenant) -> Sample:
    """One that is done."""
    made = json_exact(await tenant.shop.post(*await _export(tenant)), 201)["data"]

    async def is_done() -> bool:
        sql = "SELECT FROM record_exports WHERE tenant_id = $1 AND id = $2 AND status = 'done'"
        return bool(await tenant.shop.sql(sql, made["id"]))

    await eventually(is_done)
    return Sample(f"/exports/{made['id']}")


async def _export_file(tenant: FullTenant) -> Sample:
    return Sample(f"{(await _made_export(tenant)).path}/records")


async def _end_hold(tenant: FullTenant) -> Sample:
    held = json_exact(await tenant.shop.post(*await _hold(tenant)), 201)["data"]
    return Sample(f"/holds/{held['id']}")


async def _order(tenant: FullTenant) -> Sample:
    services = [line(tenant.service_id)] * 4
    goods = [tenant.goods, line(tenant.package_id, "package")]
    payment = {"amount": 1, "payment_method_id": await method_of(tenant.shop)}
    begin, *_ = [tenant.start() for _ in services]
    return Sample("/orders", tenant.branch.order(*services, *goods, start=begin, payment=payment))


async def _order_status(tenant: FullTenant) -> Sample:
    return Sample(f"/orders/{await tenant.booked()}/status", {"status": "canceled"})


async def _cancel(tenant: FullTenant) -> Sample:
    return Sample(f"/orders/{await tenant.booked()}/cancel", {"reason": "The customer is ill"})


async def _reschedule(tenant: FullTenant) -> Sample:
    return Sample(f"/orders/{await tenant.booked()}/reschedule", {"start": tenant.start()})


async def _pay(tenant: FullTenant) -> Sample:
    body = {"amount": 1, "payment_method_id": await method_of(tenant.shop)}
    return Sample(f"/orders/{await tenant.order_id()}/payments", body)


async def _refund(tenant: FullTenant) -> Sample:
    order_id = await tenant.order_id(payment={"amount": 1, "payment_method_id": await method_of(tenant.shop)})
    return Sample(f"/orders/{order_id}/refunds", {"whole": True})


async def _transaction(tenant: FullTenant) -> Sample:
    await tenant.sale(is_paid=True)
    return Sample(f"/transactions/{await tenant.id_of('transactions')}")


async def _create_webhook(tenant: FullTenant) -> Sample:
    await delete_rows(tenant.shop, "webhooks")  # below the limit
    return Sample("/webhooks", _HOOK)


def _webhook(rest: str = "", body: Document | None = None) -> Make:
    async def make(tenant: FullTenant) -> Sample:
        await delete_rows(tenant.shop, "webhooks")
        return Sample(f"/webhooks/{await tenant.webhook_id()}{rest}", body)

    return make


async def _retry(tenant: FullTenant) -> Sample:
    webhook_id = await tenant.webhook_id()
    ping = json_exact(await tenant.shop.post(f"/webhooks/{webhook_id}/ping"), 201)["data"]
    return Sample(f"/webhooks/deliveries/{ping['id']}/retry")


async def _calculate(tenant: FullTenant) -> Sample:
    return Sample("/pos/checkout-calculate", {"items": [item(tenant.product_id)]})


async def _sell(tenant: FullTenant) -> Sample:
    return Sample("/pos/orders", bill("10", tenant.goods, payment_methods=[await tenant.till.paid("10")]))


async def _finish_draft(tenant: FullTenant) -> Sample:
    draft = await tenant.till.ring_up("10", tenant.goods, isDraft=True)
    paid = bill("10", tenant.goods, isDraft=False, payment_methods=[await tenant.till.paid("10")])
    return Sample(f"/pos/orders/{draft['id']}", paid)


def _pos(path: str, body: Document | None = None, *, is_paid: bool = False) -> Make:
    async def make(tenant: FullTenant) -> Sample:
        return Sample(path.format(await tenant.sale(is_paid=is_paid)), body)

    return make


async def _pos_pay(tenant: FullTenant) -> Sample:
    return Sample(f"/pos/orders/{await tenant.sale()}/payments", await tenant.till.paid("1"))


async def _day_close(tenant: FullTenant) -> Sample:
    return Sample(f"/pos/day-close?team_id={tenant.branch.branch_id}&date={day(0)}")


async def _close_day(tenant: FullTenant) -> Sample:
    """Another day each time; a closed one is returned as it is."""
    return Sample(
        "/pos/day-close", {"team_id": str(tenant.branch.branch_id), "date": str(day(-1 - tenant.next_slot()))}
    )


async def _invoice(tenant: FullTenant) -> Sample:
    return Sample(f"/pos/orders/{await tenant.invoiced()}/invoice")


async def _credit_note(tenant: FullTenant) -> Sample:
    refund = await tenant.till.refund(await tenant.invoiced())
    return Sample(f"/pos/orders/{refund['id']}/credit-note")


async def _create_tag(_tenant: FullTenant) -> Sample:
    return Sample(_TAGS, {"name": f"Tag {uuid4()}"})


async def _delete_tag(tenant: FullTenant) -> Sample:
    tag = json_exact(await tenant.till.request("POST", _TAGS, {"name": f"Tag {uuid4()}"}), 201)["data"]
    return Sample(_TAGS.replace("?", f"/{tag['id']}?"))


async def _find_customer(tenant: FullTenant) -> Sample:
    return Sample("/customers/find?email=layla.ghamdi@example.com")


async def _metadata(tenant: FullTenant) -> Sample:
    return Sample(f"/metadata/{tenant.branch.branch_id}")


async def _performers(tenant: FullTenant) -> Sample:
    return Sample(f"/services/{tenant.service_id}/staff")


SAMPLES: dict[str, Make] = {
    **{f"open {name}": _set_up(make) for name, make in MAKE.items()},
    **{name: _set_up(make) for name, make in REPORTS.items()},
    "open POST /oauth/token": _token,
    "open POST /oauth/revoke": _revoke,
    "open POST /oauth/introspect": _introspect,
    "open GET /branches": _at("/branches?per_page=100"),
    "open GET /branches/{uuid}/working-hour": _record("/branches", "branches", "/working-hour"),
    "open GET /tax-classes": _at("/tax-classes?per_page=100"),
    "open GET /categories": _at("/categories?per_page=100"),
    "open GET /items": _at("/items?type=service&name=a&page=2&per_page=3"),
    "open GET /items/{uuid}": _record("/items", "items"),
    "open GET /packages": _at("/packages?per_page=100"),
    "open GET /packages/{uuid}": _record("/packages", "packages"),
    "open GET /staff": _at("/staff?per_page=100"),
    "open GET /staff/{uuid}": _record("/staff", "staff"),
    "open GET /staff/{uuid}/working-hour": _record("/staff", "staff", "/working-hour"),
    "open GET /customers": _at("/customers?name=a&phone=9&email=e&per_page=100"),
    "open GET /customers/phone": _at("/customers/phone?phone=966503456038"),
    "open GET /customers/{uuid}": _record("/customers", "customers"),
    "open POST /customers": _create_customer,
    "open PATCH /customers/{uuid}": _update_customer,
    "open POST /customers/{uuid}/tags": _tag_customer,
    "open DELETE /customers/{uuid}/tags": _on_customer(f"/tags?tag_id={uuid4()}"),
    "open POST /customers/{uuid}/block": _block_customer,
    "open POST /customers/{uuid}/unblock": _on_customer("/unblock"),
    "open POST /customers/{uuid}/merge": _merge_customers,
    "open GET /payment-methods": _at("/payment-methods?per_page=100"),
    "open GET /payment-methods/{id}": _record("/payment-methods", "payment_methods"),
    "open POST /payment-methods": _create_method,
    "open POST /availability": _availability,
    "open POST /exports": _export,
    "open GET /exports/{id}": _made_export,
    "open GET /exports/{id}/records": _export_file,
    "open POST /holds": _hold,
    "open DELETE /holds/{id}": _end_hold,
    "open GET /orders": _at(f"/orders?from={day(-30)}&to={day(0)}&status=completed&per_page=100"),
    "open GET /orders/{uuid}": _record("/orders", "orders"),
    "open GET /orders/{uuid}/trace": _record("/orders", "orders", "/trace"),
    "open POST /orders": _order,
    "open POST /orders/{uuid}/status": _order_status,
    "open POST /orders/{uuid}/cancel": _cancel,
    "open POST /orders/{uuid}/reschedule": _reschedule,
    "open POST /orders/{id}/payments": _pay,
    "open POST /orders/{uuid}/refunds": _refund,
    "open GET /transactions": _at(f"/transactions?status=confirmed&from={day(-1)}&per_page=100"),
    "open GET /transactions/{id}": _transaction,
    "open GET /webhooks": _at("/webhooks"),
    "open POST /webhooks": _create_webhook,
    "open GET /webhooks/{id}": _webhook(),
    "open PATCH /webhooks/{id}": _webhook(body={"active": True}),
    "open DELETE /webhooks/{id}": _webhook(),
    "open POST /webhooks/{id}/ping": _webhook("/ping"),
    "open POST /webhooks/{id}/rotate-secret": _webhook("/rotate-secret"),
    "open GET /webhooks/{id}/deliveries": _webhook("/deliveries?per_page=100"),
    "open POST /webhooks/deliveries/{id}/retry": _retry,
    "open GET /search": _at("/search?q=a&limit=25"),
    "open GET /limits": _at("/limits"),
    "open GET /changelog/me": _at("/changelog/me"),
    "open GET /sandbox/clock": _at("/sandbox/clock"),
    "open POST /sandbox/clock": _set_up(sandbox_requests.move_clock),
    "open GET /sandbox/faults": _at("/sandbox/faults"),
    "open POST /sandbox/faults": _set_up(sandbox_requests.add_fault),
    "open DELETE /sandbox/faults": _at("/sandbox/faults"),
    "open GET /sandbox/snapshots": _at("/sandbox/snapshots"),
    "open POST /sandbox/snapshots": _set_up(sandbox_requests.keep_snapshot),
    "open POST /sandbox/snapshots/{id}/restore": _set_up(sandbox_requests.restore_snapshot),
    "open DELETE /sandbox/snapshots/{id}": _set_up(sandbox_requests.delete_snapshot),
    "open GET /deletions": _at("/deletions?resource=customer&per_page=100"),
    "open GET /events": _at("/events?after=1&type=customer.created&per_page=100"),
    "pos POST /pos/checkout-calculate": _calculate,
    "pos POST /pos/orders": _sell,
    "pos GET /pos/orders": _at("/pos/orders?per_page=100"),
    "pos GET /pos/orders/{orderId}": _pos("/pos/orders/{}"),
    "pos PUT /pos/orders/{orderId}": _finish_draft,
    "pos POST /pos/orders/{orderId}/status": _pos("/pos/orders/{}/status", {"status": "canceled"}),
    "pos POST /pos/orders/{orderId}/payments": _pos_pay,
    "pos POST /pos/orders/{orderId}/refunds": _pos("/pos/orders/{}/refunds", {"whole": True}, is_paid=True),
    "pos GET /pos/day-close": _day_close,
    "pos POST /pos/day-close": _close_day,
    "pos POST /pos/orders/{orderId}/invoice": _pos("/pos/orders/{}/invoice"),
    "pos GET /pos/orders/{orderId}/invoice": _invoice,
    "pos GET /pos/orders/{orderId}/credit-note": _credit_note,
    "pos GET /tags": _at(_TAGS),
    "pos POST /tags": _create_tag,
    "pos DELETE /tags/{tagId}": _delete_tag,
    "pos GET /items": _at("/items?per_page=100"),
    "pos GET /customers/find": _find_customer,
    "pos GET /metadata/{teamId}": _metadata,
    "pos GET /services/{serviceId}/staff": _performers,
}
