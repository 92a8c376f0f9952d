"""One request for every operation that takes an Idempotency-Key, and another one that it would accept as well."""

from collections.abc import Awaitable, Callable
from itertools import count
from typing import NamedTuple
from uuid import uuid4

from tests.factories.changes import delete_rows
from tests.support.branch import BranchFixture, day, line, method_of, start
from tests.support.full_requests.made import MAKE, MakeForShop
from tests.support.pagination import Document

CREAM = "20.00"


class Request(NamedTuple):
    path: str
    body: Document
    another: Document  # a body that would be accepted as well


async def customer_request(branch: BranchFixture) -> Request:
    contact = {"email": "joud@corp.com"}
    return Request("/customers", {"first_name": "Joud", **contact}, {"first_name": "Jude", **contact})


async def _customer_id(branch: BranchFixture) -> str:
    made = await branch.shop.post("/customers", {"first_name": "Joud"})
    return str(made.json()["data"]["id"])


async def customer_tag_request(branch: BranchFixture) -> Request:
    path = f"/customers/{await _customer_id(branch)}/tags"
    return Request(path, {"name": f"T {uuid4()}"}, {"name": f"U {uuid4()}"})


async def block_request(branch: BranchFixture) -> Request:
    return Request(f"/customers/{await _customer_id(branch)}/block", {"reason": "Late"}, {"reason": "Absent"})


async def unblock_request(branch: BranchFixture) -> Request:
    return Request(f"/customers/{await _customer_id(branch)}/unblock", {}, {"another": "body"})


async def merge_request(branch: BranchFixture) -> Request:
    kept, *others = [await _customer_id(branch) for _ in range(3)]
    return Request(f"/customers/{kept}/merge", *({"customer_id": other} for other in others))


async def method_request(branch: BranchFixture) -> Request:
    return Request("/payment-methods", {"name": f"Tips {uuid4()}", "type": "cash"}, {"name": "Coins", "type": "cash"})


async def order_request(branch: BranchFixture) -> Request:
    cream = await branch.add_product()
    return Request("/orders", branch.order(line(cream, "product")), branch.order(line(cream, "product", 2)))


async def new_order_id(branch: BranchFixture) -> str:
    order_id: str = (await branch.place(line(await branch.add_product(), "product")))["id"]
    return order_id


async def status_request(branch: BranchFixture) -> Request:
    path = f"/orders/{await new_order_id(branch)}/status"
    return Request(path, {"status": "completed"}, {"status": "in-progress"})


async def cancel_request(branch: BranchFixture) -> Request:
    path = f"/orders/{await new_order_id(branch)}/cancel"
    return Request(path, {"reason": "The customer is ill"}, {"note_for_status": "By phone"})


async def reschedule_request(branch: BranchFixture) -> Request:
    cut = await branch.add_service()
    await branch.add_provider(cut)
    placed = await branch.place(line(cut), start=start(day(3), "10:00"))
    path = f"/orders/{placed['id']}/reschedule"
    return Request(path, {"start": start(day(3), "14:00")}, {"start": start(day(3), "15:00")})


async def hold_request(branch: BranchFixture) -> Request:
    cut = await branch.add_service()
    await branch.add_provider(cut)
    bodies = [{"service_id": str(cut), "start": start(day(3), at)} for at in ("10:00", "11:00")]
    return Request("/holds", *bodies)


async def export_request(branch: BranchFixture) -> Request:
    await delete_rows(branch.shop, "record_exports")  # below the limits
    return Request("/exports", {"resources": ["branches"]}, {"resources": ["items"]})


async def payment_request(branch: BranchFixture) -> Request:
    cash = await method_of(branch.shop)
    path = f"/orders/{await new_order_id(branch)}/payments"
    return Request(path, {"amount": 1, "payment_method_id": cash}, {"amount": 2, "payment_method_id": cash})


async def tag_request(branch: BranchFixture) -> Request:
    return Request("/tags?model=customers", {"name": f"T {uuid4()}"}, {"name": f"U {uuid4()}"})


async def sale_request(branch: BranchFixture) -> Request:
    cream = await branch.add_product()
    sale = {"total": CREAM, "sub_total": CREAM, "services": [line(cream, "product")]}
    return Request("/pos/orders", sale, {**sale, "cashier": "Mona"})


async def till_status_request(branch: BranchFixture) -> Request:
    path = f"/pos/orders/{await new_order_id(branch)}/status"
    return Request(path, {"status": "completed"}, {"status": "in-progress"})


async def refund_request(branch: BranchFixture) -> Request:
    payment = {"amount": 20, "payment_method_type": "card"}
    placed = await branch.place(line(await branch.add_product(), "product"), payment=payment)
    return Request(f"/pos/orders/{placed['id']}/refunds", {"whole": True}, {"whole": True, "reason": "Torn"})


async def open_refund_request(branch: BranchFixture) -> Request:
    request = await refund_request(branch)
    return request._replace(path=request.path.removeprefix("/pos"))


async def till_payment_request(branch: BranchFixture) -> Request:
    cash = await method_of(branch.shop)
    path = f"/pos/orders/{await new_order_id(branch)}/payments"
    return Request(path, {"id": cash, "amount": 1}, {"id": cash, "amount": 2})


async def invoice_request(branch: BranchFixture) -> Request:
    return Request(f"/pos/orders/{await new_order_id(branch)}/invoice", {}, {"another": "body"})


_past_days = count(400)


async def day_close_request(branch: BranchFixture) -> Request:
    """Each time another day: one that is closed stays so."""
    body, another = ({"team_id": str(branch.branch_id), "date": str(day(-next(_past_days)))} for _ in range(2))
    return Request("/pos/day-close", body, another)


HOOK = {"url": "https://hooks.example.com", "events": ["order.created"]}


async def webhook_request(_branch: BranchFixture) -> Request:
    return Request("/webhooks", HOOK, {**HOOK, "active": False})


async def _webhook_id(branch: BranchFixture) -> str:
    """One for all: a client has room for few."""
    known = (await branch.shop.get("/webhooks")).json()["data"] or [
        (await branch.shop.post("/webhooks", HOOK)).json()["data"]
    ]
    return str(known[-1]["id"])


async def ping_request(branch: BranchFixture) -> Request:
    return Request(f"/webhooks/{await _webhook_id(branch)}/ping", {}, {"another": "body"})


async def rotation_request(branch: BranchFixture) -> Request:
    return Request(f"/webhooks/{await _webhook_id(branch)}/rotate-secret", {}, {"another": "body"})


async def retry_request(branch: BranchFixture) -> Request:
    ping = await branch.shop.post((await ping_request(branch)).path)
    return Request(f"/webhooks/deliveries/{ping.json()['data']['id']}/retry", {}, {"another": "body"})


async def clock_request(_branch: BranchFixture) -> Request:
    return Request("/sandbox/clock", {"advance": "PT1S"}, {"advance": "PT2S"})


async def fault_request(_branch: BranchFixture) -> Request:
    return Request("/sandbox/faults", {"kind": "webhook_lost"}, {"kind": "webhook_doubled"})


async def snapshot_request(_branch: BranchFixture) -> Request:
    return Request("/sandbox/snapshots", {"name": "One"}, {"name": "Another"})


async def restore_request(branch: BranchFixture) -> Request:
    kept = await branch.shop.post("/sandbox/snapshots", {"name": "One"})
    return Request(f"/sandbox/snapshots/{kept.json()['data']['id']}/restore", {}, {"another": "body"})


Make = Callable[[BranchFixture], Awaitable[Request]]


def _set_up(make: MakeForShop) -> Make:
    async def request(branch: BranchFixture) -> Request:
        path, body = await make(branch.shop)
        another = (await make(branch.shop)).body
        return Request(path, body or {}, another if another != body and another else {"another": "body"})

    return request


SET_UP_REQUESTS = {name.removeprefix("POST "): _set_up(make) for name, make in MAKE.items() if name.startswith("POST ")}
OPEN_REQUESTS: dict[str, Make] = {
    **SET_UP_REQUESTS,
    "/customers": customer_request,
    "/customers/{uuid}/tags": customer_tag_request,
    "/customers/{uuid}/block": block_request,
    "/customers/{uuid}/unblock": unblock_request,
    "/customers/{uuid}/merge": merge_request,
    "/exports": export_request,
    "/holds": hold_request,
    "/payment-methods": method_request,
    "/orders": order_request,
    "/orders/{uuid}/status": status_request,
    "/orders/{uuid}/cancel": cancel_request,
    "/orders/{uuid}/reschedule": reschedule_request,
    "/orders/{id}/payments": payment_request,
    "/orders/{uuid}/refunds": open_refund_request,
    "/webhooks": webhook_request,
    "/webhooks/{id}/ping": ping_request,
    "/webhooks/{id}/rotate-secret": rotation_request,
    "/webhooks/deliveries/{id}/retry": retry_request,
    "/sandbox/clock": clock_request,
    "/sandbox/faults": fault_request,
    "/sandbox/snapshots": snapshot_request,
    "/sandbox/snapshots/{id}/restore": restore_request,
}
KEY_REQUESTS: dict[str, Make] = {
    "/tags": tag_request,
    "/pos/orders": sale_request,
    "/pos/orders/{orderId}/status": till_status_request,
    "/pos/orders/{orderId}/payments": till_payment_request,
    "/pos/orders/{orderId}/refunds": refund_request,
    "/pos/orders/{orderId}/invoice": invoice_request,
    "/pos/day-close": day_close_request,
}
