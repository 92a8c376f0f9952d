"""The error table, each row with a scenario that brings the error about over HTTP."""

from collections.abc import Awaitable, Callable
from typing import Any, NamedTuple
from uuid import uuid4

import httpx2

from frontdesk.postgres.pool import connect
from tests.contract.api import Api, unknown_id
from tests.contract.requests import (
    method_of,
    offered_start,
    order_body,
    placed_sale,
    sale_body,
    service_and_staff,
    tag_name,
    till_order_body,
)
from tests.factories.applications import disconnect_installs
from tests.factories.changes import delete_rows
from tests.support.service import Service
from tests.support.shop import OPEN_API


class ScenarioContext(NamedTuple):
    """The businesses of a test: its own, another one, and the service to create a third."""

    api: Api
    stranger: Api
    service: Service


Scenario = Callable[[ScenarioContext], Awaitable[httpx2.Response]]


async def _no_token(context: ScenarioContext) -> httpx2.Response:
    return await context.api.send("GET", f"{OPEN_API}/branches", {})


async def _wrong_token(context: ScenarioContext) -> httpx2.Response:
    return await context.api.request("GET", "/branches", token=f"{await context.api.token()}x")


async def _expired_token(context: ScenarioContext) -> httpx2.Response:
    token = await context.api.shop.new_token()
    assert (await context.api.request("GET", "/branches", token=token)).status_code == 200
    await context.api.shop.sql(
        """
        UPDATE access_tokens SET expires_at = now() WHERE tenant_id = $1 AND created_at = (
            SELECT max(created_at) FROM access_tokens WHERE tenant_id = $1)
        """
    )
    return await context.api.request("GET", "/branches", token=token)


async def _lacking_scope(context: ScenarioContext) -> httpx2.Response:
    return await context.api.request("GET", "/branches", token=await context.api.token("items:read"))


async def _lacking_plan(context: ScenarioContext) -> httpx2.Response:
    starter = Api(context.service, await context.service.new_shop(plan="starter"))
    return await starter.request("GET", "/branches")


async def _wrong_data(context: ScenarioContext) -> httpx2.Response:
    return await context.api.post("/customers", {"first_name": "R", "city": 7})


async def _taken_slot(context: ScenarioContext) -> httpx2.Response:
    body = await order_body(context.api)
    answer = await context.api.post("/orders", body)
    assert answer.status_code == 201, answer.text
    return await context.api.post("/orders", body)


async def _pay(context: ScenarioContext, **payment: Any) -> httpx2.Response:
    return await context.api.post("/orders", await sale_body(context.api, payment={"amount": 81, **payment}))


async def _unknown_method(context: ScenarioContext) -> httpx2.Response:
    return await _pay(context, payment_method_id=unknown_id(), payment_method_type="cash")


async def _method_of_another(context: ScenarioContext) -> httpx2.Response:
    return await _pay(context, payment_method_id=await method_of(context.stranger, "cash"))


async def _type_without_method(context: ScenarioContext) -> httpx2.Response:
    return await _pay(context, payment_method_type="voucher")


async def _ambiguous_type(context: ScenarioContext) -> httpx2.Response:
    for name in ("Gift card", "Points"):
        made = await context.api.post("/payment-methods", {"name": name, "type": "other"})
        assert made.status_code == 201, made.text
    return await _pay(context, payment_method_type="other")


async def _old_version(context: ScenarioContext) -> httpx2.Response:
    category = await context.api.first("/categories")
    path = f"/categories/{category['id']}"
    for status in (False, True):
        answer = await context.api.request("PATCH", path, body={"status": status, "version": category["version"]})
    return answer


async def _no_method(context: ScenarioContext) -> httpx2.Response:
    return await _pay(context)


async def _uninstalled_method(context: ScenarioContext) -> httpx2.Response:
    method = await method_of(context.api, "third-party")
    await disconnect_installs(context.api.shop)
    return await _pay(context, payment_method_id=method)


async def _cancel(context: ScenarioContext, order_id: str) -> httpx2.Response:
    return await context.api.post(f"/orders/{order_id}/status", {"status": "canceled"})


async def _cancel_invoiced(context: ScenarioContext) -> httpx2.Response:
    order_id = await placed_sale(context.api)
    invoiced = await context.api.key_call("POST", f"/pos/orders/{order_id}/invoice")
    assert invoiced.status_code == 201, invoiced.text
    return await _cancel(context, order_id)


async def _cancel_refunded(context: ScenarioContext) -> httpx2.Response:
    """The sandbox comes with refunds."""
    [refunded, *_] = await context.api.shop.sql(
        """
        SELECT r.order_id FROM refunds r
        WHERE r.tenant_id = $1 AND NOT EXISTS (
            SELECT FROM invoices i WHERE i.tenant_id = r.tenant_id AND i.order_id = r.order_id)
        """
    )
    return await _cancel(context, str(refunded["order_id"]))


async def _too_many(context: ScenarioContext) -> httpx2.Response:
    hasty = Api(context.service, await context.service.new_shop(rate_limit=1))
    assert (await hasty.request("GET", "/branches")).status_code == 200
    return await hasty.request("GET", "/branches")


async def _check_that_cannot_run(context: ScenarioContext) -> httpx2.Response:
    """Locks the table of bookings for longer than the check may wait."""
    body = await order_body(context.api)
    other = await connect(context.service.dsn)
    try:
        async with other.transaction():
            await other.execute("LOCK TABLE bookings IN ACCESS EXCLUSIVE MODE")
            return await context.api.post("/orders", body)
    finally:
        await other.close()


async def _no_working_hour(context: ScenarioContext) -> httpx2.Response:
    shop = await context.service.new_shop()
    await delete_rows(shop, "working_hours")
    bare = Api(context.service, shop)
    member = await bare.first("/staff")
    return await bare.request("GET", f"/staff/{member['id']}/working-hour")


async def _unknown_address(context: ScenarioContext) -> httpx2.Response:
    return await context.api.request("GET", "/nothing")


async def _wrong_method(context: ScenarioContext) -> httpx2.Response:
    answer = await context.api.request("DELETE", "/customers", headers={})
    assert set(answer.headers["allow"].split(", ")) == {"GET", "HEAD", "POST"}, answer.headers["allow"]
    return answer


async def _too_large(context: ScenarioContext) -> httpx2.Response:
    return await context.api.post("/customers", {"first_name": "Rana", "note": "x" * 1024 * 1024})


async def _above_total(context: ScenarioContext) -> httpx2.Response:
    return await _pay(context, amount=81.01, payment_method_type="cash")


async def _pay_later(context: ScenarioContext, order_id: str, amount: float) -> httpx2.Response:
    body = {"amount": amount, "payment_method_id": await method_of(context.api, "cash")}
    return await context.api.post(f"/orders/{order_id}/payments", body)


async def _above_remainder(context: ScenarioContext) -> httpx2.Response:
    order_id = await placed_sale(context.api)
    paid = await _pay_later(context, order_id, 80)
    assert paid.status_code == 201, paid.text
    return await _pay_later(context, order_id, 1.01)


async def _pay_draft(context: ScenarioContext) -> httpx2.Response:
    """The sandbox comes with a draft."""
    draft = await context.api.first("/orders", status="draft")
    return await _pay_later(context, draft["id"], 1)


async def _pay_canceled(context: ScenarioContext) -> httpx2.Response:
    order_id = await placed_sale(context.api)
    canceled = await _cancel(context, order_id)
    assert canceled.status_code == 200, canceled.text
    return await _pay_later(context, order_id, 1)


async def _move_completed(context: ScenarioContext) -> httpx2.Response:
    order_id = await placed_sale(context.api)
    await context.api.post(f"/orders/{order_id}/status", {"status": "completed"})
    return await context.api.post(f"/orders/{order_id}/reschedule", {"start": "2030-01-01T10:00:00"})


async def _hold_too_much(context: ScenarioContext) -> httpx2.Response:
    """Each time another one, of the same provider."""
    while True:
        service, staff = await service_and_staff(context.api)
        body = {"service_id": service["id"], "staff_id": staff["id"], "start": await offered_start(context.api)}
        answer = await context.api.post("/holds", body)
        if answer.status_code != 201:
            return answer


async def _bad_tag(context: ScenarioContext) -> httpx2.Response:
    return await context.api.key_call("POST", "/tags", params={"model": "orders"}, body={"name": tag_name()})


async def _same_tag(context: ScenarioContext) -> httpx2.Response:
    name = tag_name()
    made = await context.api.key_call("POST", "/tags", params={"model": "customers"}, body={"name": name})
    assert made.status_code == 201, made.text
    return await context.api.key_call("POST", "/tags", params={"model": "customers"}, body={"name": name.upper()})


async def _other_total(context: ScenarioContext) -> httpx2.Response:
    return await context.api.key_call(
        "POST", "/pos/orders", body={**await till_order_body(context.api), "total": "72.91"}
    )


async def _reused_key(context: ScenarioContext) -> httpx2.Response:
    headers = {"idempotency-key": uuid4().hex}
    made = await context.api.request("POST", "/customers", body={"first_name": "Rana"}, headers=headers)
    assert made.status_code == 201, made.text
    return await context.api.request("POST", "/customers", body={"first_name": "Rania"}, headers=headers)


# The name of a row is its status and code; behind a colon, which of several ways into it.
ERRORS: dict[str, Scenario] = {
    "401 authentication_failed: no token": _no_token,
    "401 authentication_failed: wrong token": _wrong_token,
    "401 authentication_failed: expired token": _expired_token,
    "403 insufficient_scope": _lacking_scope,
    "403 feature_disabled": _lacking_plan,
    "422 validation_error": _wrong_data,
    "422 timeslot_unavailable": _taken_slot,
    "422 payment_method_not_found: unknown id": _unknown_method,
    "422 payment_method_not_found: of another business": _method_of_another,
    "422 payment_method_not_found: type without a method": _type_without_method,
    "422 payment_method_type_ambiguous": _ambiguous_type,
    "422 payment_method_required": _no_method,
    "422 payment_method_unavailable": _uninstalled_method,
    "422 order_has_invoice": _cancel_invoiced,
    "422 invalid_status_transition": _cancel_refunded,
    "429 rate_limit_exceeded": _too_many,
    "502 availability_check_failed": _check_that_cannot_run,
    "404 not_found: no working hour": _no_working_hour,
    # Where the specification leaves the code open.
    "404 not_found: unknown address": _unknown_address,
    "405 method_not_allowed": _wrong_method,
    "413 payload_too_large": _too_large,
    "422 validation_error: above the total": _above_total,
    "422 validation_error: above the remainder": _above_remainder,
    "422 order_is_draft": _pay_draft,
    "422 order_canceled": _pay_canceled,
    "422 order_not_reschedulable": _move_completed,
    "422 hold_limit_reached": _hold_too_much,
    "400 bad_request": _bad_tag,
    "400 tag_already_exists": _same_tag,
    "422 total_mismatch": _other_total,
    "409 version_conflict": _old_version,
    "422 idempotency_key_reused": _reused_key,
}

# What an answer must say besides its code, by the row's code.
HEADERS = {"authentication_failed": "www-authenticate", "insufficient_scope": "www-authenticate"}
HEADERS |= {"rate_limit_exceeded": "retry-after", "method_not_allowed": "allow"}
