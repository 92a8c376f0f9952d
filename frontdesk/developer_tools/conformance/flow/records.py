"""Lists with pages, records that others change or delete, payments, and cancellations."""

from urllib.parse import parse_qsl, urlencode
from uuid import uuid4

import msgspec

from frontdesk.developer_tools.conformance.flow.flow import PAYMENTS, Flow, Run, error, fault
from frontdesk.developer_tools.conformance.flow.proxy import Answer, Call, Plan
from frontdesk.developer_tools.conformance.scenarios import Failed, Group, Scenarios
from frontdesk_client.models import Page
from frontdesk_client.request import ApiRequest, read

scenarios = Scenarios(Group.FLOW, "open-api#pagination-and-filters")
_PAGES = 4
_LIST, _ITEM, _CHANGE = "GET /customers", "GET /items/{uuid}", "PATCH /items/{uuid}"
_TO_THE_END = "Follow `links.next` until it is null."
_VERSION = "Send the `version` that you read. On `version_conflict` read again, and decide again."


class _SmallPages:
    """Whatever is asked for, a page has so few records that there are several."""

    def __init__(self, per_page: int) -> None:
        self._per_page = str(per_page)

    async def __call__(self, call: Call) -> Answer | None:
        if call.is_to(_LIST):
            call.query = urlencode({**dict(parse_qsl(call.query)), "per_page": self._per_page})
        return None


async def _number_of_customers(flow: Flow) -> int:
    request: ApiRequest[Page[msgspec.Raw]] = read("/customers", Page[msgspec.Raw], per_page=1)
    return (await flow.api.transport.send(request)).meta.total


async def _require_all(flow: Flow, *faults: dict[str, object]) -> Run:
    expected = await _number_of_customers(flow)
    small = min(100, max(2, -(-expected // _PAGES)))
    run = await flow.run("list", *faults, plan=Plan(before=_SmallPages(small)))
    run.require_done()
    if run.answer.get("count") != expected:
        raise Failed(f"found {run.answer.get('count')} customers of {expected}")
    return run


@scenarios.add(
    "all-pages",
    "A list of several pages",
    expected="all customers are found",
    advice=_TO_THE_END,
)
async def _all_pages(flow: Flow) -> None:
    await _require_all(flow)


@scenarios.add(
    "pages-rate-limited",
    "429 in a list",
    expected="waits as long as Retry-After says, and all customers are found",
    advice="Ask for the same page again after the wait; do not begin anew, and do not leave it out.",
    guide="rate-limits#handle-429-responses",
)
async def _pages_rate_limited(flow: Flow) -> None:
    run = await _require_all(flow, error(429, _LIST))
    run.require_waits(_LIST, 1.0)


@scenarios.add(
    "pages-failing",
    "500 in a list, twice",
    expected="all customers are found",
    advice="Ask for the same page again; a list with a hole is worse than none.",
    guide="idempotency#when-to-retry",
)
async def _pages_failing(flow: Flow) -> None:
    await _require_all(flow, error(500, _LIST, times=2))


@scenarios.add(
    "pages-cut-off",
    "The answer with a page is lost",
    expected="all customers are found",
    advice="A read can be sent again at any time.",
    guide="idempotency#when-to-retry",
)
async def _pages_cut_off(flow: Flow) -> None:
    await _require_all(flow, fault("lost_answer", _LIST))


async def _new_item(flow: Flow) -> dict[str, object]:
    branch = (await flow.service())["branch"]["id"]
    name = {"en": f"Conformance {uuid4().hex[:8]}"}
    return await flow.api.post("/items", type="product", name=name, price=10, branch_id=branch)


async def _require_price(flow: Flow, item: dict[str, object], run: Run, price: int) -> None:
    run.require_done()
    found = await flow.price(str(item["id"]))
    if found != price:
        raise Failed(f"the price is {found}, and should be {price}")


def _require_read_between(run: Run) -> None:
    calls = [call for call in run.calls if call.is_to(_ITEM) or call.is_to(_CHANGE) or call.is_to("GET /items")]
    changes = [index for index, call in enumerate(calls) if call.is_to(_CHANGE)]
    if len(changes) < 2:
        raise Failed("did not change the price after the conflict")
    if all(call.is_to(_CHANGE) for call in calls[changes[0] : changes[1]]):
        raise Failed("sent the change again and did not read what the other one had changed")


@scenarios.add(
    "version-sent",
    "A change has the version that was read",
    expected="`version` is in the PATCH, and the price is changed",
    advice=_VERSION,
    guide="open-api#set-up-the-catalog",
)
async def _version_sent(flow: Flow) -> None:
    item = await _new_item(flow)
    run = await flow.run("price", item_id=item["id"], price=20)
    if any("version" not in call.fields for call in run.to(_CHANGE)):
        raise Failed("sent a change without the version that it had read")
    await _require_price(flow, item, run, 20)


@scenarios.add(
    "version-conflict",
    "409 to a change: the record has a newer version",
    expected="reads the record again, and changes it then",
    advice=_VERSION,
    guide="open-api#set-up-the-catalog",
)
async def _version_conflict(flow: Flow) -> None:
    item = await _new_item(flow)
    run = await flow.run("price", error(409, _CHANGE, code="version_conflict"), item_id=item["id"], price=20)
    _require_read_between(run)
    await _require_price(flow, item, run, 20)


@scenarios.add(
    "changed-meanwhile",
    "The record changes between the read and the change",
    expected="the other change is read before the price is changed",
    advice=_VERSION,
    guide="open-api#set-up-the-catalog",
)
async def _changed_meanwhile(flow: Flow) -> None:
    item = await _new_item(flow)
    is_changed = False

    async def change_first(call: Call) -> Answer | None:
        nonlocal is_changed
        if call.is_to(_CHANGE) and not is_changed:
            is_changed = True
            await flow.api.write("PATCH", "/items/{}", str(item["id"]), sku=str(uuid4()))
        return None

    run = await flow.run("price", plan=Plan(before=change_first), item_id=item["id"], price=20)
    _require_read_between(run)
    await _require_price(flow, item, run, 20)


@scenarios.add(
    "deleted-item",
    "A record that was deleted meanwhile",
    expected="reads it once, and says that it is not found",
    advice="404 means that it is gone: delete your copy, and do not ask again.",
    guide="in-step#ask-for-what-is-gone",
)
async def _deleted_item(flow: Flow) -> None:
    item = await _new_item(flow)
    await flow.api.write("DELETE", "/items/{}", str(item["id"]))
    run = await flow.run("show", item_id=item["id"])
    run.require_done()
    run.require_at_most(1, _ITEM)
    if run.answer.get("found") is not False:
        raise Failed(f'answered "found": {run.answer.get("found")} of a deleted item')


@scenarios.add(
    "pay-exactly",
    "A payment with a fraction",
    expected="the amount is recorded exactly",
    advice="Calculate with decimals: a binary fraction cannot hold 10.10.",
    guide="payments#amounts",
)
async def _pay_exactly(flow: Flow) -> None:
    order = await flow.booked()
    run = await flow.run("pay", order_id=order["id"], amount=10.1)
    run.require_done()
    found = [payment["amount"] for payment in await flow.payments(order["id"])]
    if [float(amount) for amount in found] != [10.1]:
        raise Failed(f"recorded {', '.join(map(str, found)) or 'nothing'} instead of 10.1")


@scenarios.add(
    "pay-once",
    "The payment is recorded, and the answer is lost",
    expected="sends the same payment with the same key again, and ends with one",
    advice="Make the key once for each payment, not for each attempt.",
    guide="idempotency#after-a-timeout",
)
async def _pay_once(flow: Flow) -> None:
    order = await flow.booked()
    run = await flow.run("pay", fault("lost_answer", PAYMENTS), order_id=order["id"], amount=10)
    found = len(await flow.payments(order["id"]))
    if found > 1:
        raise Failed(f"recorded {found} payments instead of one")
    run.require_one_key(PAYMENTS)
    run.require_done()


@scenarios.add(
    "cancel-again",
    "A cancellation that the desk has made already",
    expected="the task is done, and the order is canceled",
    advice="Setting a status again changes nothing, and is no error.",
    guide="booking#order-status",
)
async def _cancel_again(flow: Flow) -> None:
    order = await flow.booked()
    await flow.api.post("/orders/{}/status", order["id"], status="canceled")
    run = await flow.run("cancel", order_id=order["id"])
    run.require_done()


@scenarios.add(
    "cancel-lost",
    "The order is canceled, and the answer is lost",
    expected="the task is done, and the order is canceled",
    advice="Send the same request with the same key again.",
    guide="idempotency#after-a-timeout",
)
async def _cancel_lost(flow: Flow) -> None:
    order = await flow.booked()
    run = await flow.run("cancel", fault("lost_answer", "POST /orders/{uuid}/status"), order_id=order["id"])
    run.require_done()
    status = (await flow.api.get("/orders/{}", order["id"]))["status"]
    if status != "canceled":
        raise Failed(f"the order is {status}")
