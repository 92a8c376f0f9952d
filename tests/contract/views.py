"""Which field table each view of a resource shows, and how to get records of that view."""

from collections.abc import Awaitable, Callable
from typing import Any, NamedTuple

from tests.contract import (
    back_office_fields,
    fields,
    front_desk_fields,
    report_fields,
    start_fields,
    till_fields,
    trace_fields,
    webhook_fields,
)
from tests.contract.api import Api
from tests.contract.endpoints import BY_ID
from tests.contract.kinds import Fields, own
from tests.contract.requests import id_for, request_of, send

Records = list[dict[str, Any]]
Load = Callable[[Api], Awaitable[Records]]


class View(NamedTuple):
    fields: Fields
    load: Load
    written: bool = False  # loading makes something, so that it needs a business of its own
    depth: bool = True  # every place inside its fields has a value in some record of every sandbox


def _listed(path: str, **params: str) -> Load:
    async def load(api: Api) -> Records:
        return await api.list(path, **params)

    return load


def _each(path: str, rest: str = "", **params: str) -> Load:
    """Every record of a list, read one by one."""

    async def load(api: Api) -> Records:
        return [await api.record(f"{path}/{entry['id']}{rest}") for entry in await api.list(path, **params)]

    return load


def _answered(*rows: str) -> Load:
    """What the endpoints answer to their full requests."""

    async def load(api: Api) -> Records:
        found = []
        for name in rows:
            row = BY_ID[name]
            answer = await send(api, row, await request_of(api, row))
            assert answer.status_code == row.status, f"{name}: {answer.status_code} {answer.text}"
            found.append(answer.json()["data"])
        return found

    return load


def _paged(name: str) -> Load:
    """The first page of a list, asked for as its row says."""

    async def load(api: Api) -> Records:
        row = BY_ID[name]
        answer = await send(api, row, await request_of(api, row))
        assert answer.status_code == 200, f"{name}: {answer.status_code} {answer.text}"
        found: Records = answer.json()["data"]
        return found

    return load


async def _some_orders(api: Api) -> Records:
    """The newest, and those that refunds tie together."""
    listed = await api.list("/orders")
    children = [entry for entry in listed if entry["total"] < 0]
    assert children, "the sandbox shows no refund"
    parents = {(await api.record(f"/orders/{entry['id']}"))["parent_id"] for entry in children}
    ids = {entry["id"] for entry in (*listed[:40], *children)} | parents
    return [await api.record(f"/orders/{id_}") for id_ in sorted(ids)]


async def _some_transactions(api: Api) -> Records:
    return [await api.record(f"/transactions/{entry['id']}") for entry in (await api.list("/transactions"))[:60]]


async def _by_phone(api: Api) -> Records:
    known = await api.list("/customers")
    answers = [await api.request("GET", "/customers/phone", params={"phone": entry["phone"]}) for entry in known]
    return [answer.json()["data"] for answer in answers]


async def _found_at_the_till(api: Api) -> Records:
    known = await api.list("/customers")
    answers = [await api.key_call("GET", "/customers/find", params={"phone": entry["phone"]}) for entry in known]
    return [answer.json()["data"] for answer in answers]


def _till_items(kind: str) -> Load:
    async def load(api: Api) -> Records:
        answer = await api.key_call("GET", "/items", params={"type": kind, "per_page": "100"})
        assert answer.status_code == 200, answer.text
        found: Records = answer.json()["data"]
        return found

    return load


async def _till_tags(api: Api) -> Records:
    answer = await api.key_call("GET", "/tags", params={"model": "customers"})
    assert answer.status_code == 200, answer.text
    found: Records = answer.json()["data"]
    return found


async def _till_orders(api: Api) -> Records:
    answer = await api.key_call("GET", "/pos/orders", params={"per_page": "100"})
    assert answer.status_code == 200, answer.text
    found: Records = answer.json()["data"]
    return found


async def _till_order(api: Api) -> Records:
    answers = [await api.key_call("GET", f"/pos/orders/{one['id']}") for one in (await _till_orders(api))[:5]]
    return [answer.json()["data"] for answer in answers]


async def _performers(api: Api) -> Records:
    found: Records = []
    for service in await api.list("/items", type="service"):
        answer = await api.key_call("GET", f"/services/{service['id']}/staff")
        assert answer.status_code == 200, answer.text
        found += answer.json()["data"]
    return found


async def _metadata(api: Api) -> Records:
    answer = await api.key_call("GET", f"/metadata/{await id_for(api, BY_ID['GET /metadata/{teamId}'])}")
    assert answer.status_code == 200, answer.text
    return [answer.json()["data"]]


async def _listed_faults(api: Api) -> Records:
    await _answered("POST /sandbox/faults")(api)
    found: Any = await api.record("/sandbox/faults")
    return list(found)


async def _listed_snapshots(api: Api) -> Records:
    await _answered("POST /sandbox/snapshots")(api)
    found: Any = await api.record("/sandbox/snapshots")
    return list(found)


async def _changelog(api: Api) -> Records:
    found: Any = await api.record("/changelog/me")
    return list(found)


VIEWS: dict[str, View] = {
    "order list item": View(own(fields.ORDER_IN_LIST), _listed("/orders"), depth=False),
    "order detail": View(own(fields.ORDER), _some_orders, depth=False),
    "order after a status change": View(
        own(fields.ORDER), _answered("POST /orders/{uuid}/status"), written=True, depth=False
    ),
    "order trace": View(trace_fields.ORDER_TRACE, _each("/orders", "/trace"), depth=False),
    "order created": View(own(fields.ORDER_CREATED), _answered("POST /orders", "POST /orders + payment"), written=True),
    "customer list item": View(own(fields.CUSTOMER_IN_LIST), _listed("/customers"), depth=False),
    "customer detail": View(own(fields.CUSTOMER), _each("/customers"), depth=False),
    "customer by phone": View(own(fields.CUSTOMER), _by_phone, depth=False),
    "customer created": View(own(fields.CUSTOMER), _answered("POST /customers"), written=True, depth=False),
    "customer note": View(
        front_desk_fields.CUSTOMER_NOTE,
        _answered("POST /customers/{uuid}/notes", "PATCH /customer-notes/{uuid}"),
        written=True,
        depth=False,
    ),
    "waiting list entry": View(
        front_desk_fields.WAITING_LIST_ENTRY,
        _answered("POST /waiting-list", "PUT /waiting-list/{uuid}", "POST /waiting-list/{uuid}/offer"),
        written=True,
    ),
    "customer link": View(
        front_desk_fields.CUSTOMER_LINK,
        _answered("POST /orders/{uuid}/booking-link", "POST /orders/{uuid}/receipt-link"),
        written=True,
    ),
    "order series": View(
        front_desk_fields.ORDER_SERIES,
        _answered("POST /order-series", "GET /orders/{uuid}/series", "POST /orders/{uuid}/series/cancel"),
        written=True,
    ),
    "customer found at the till": View(fields.CUSTOMER, _found_at_the_till),
    "service in a list": View(own(fields.SERVICE), _listed("/items", type="service"), depth=False),
    "service detail": View(own(fields.SERVICE_DETAIL), _each("/items", type="service"), depth=False),
    "product in a list": View(own(fields.PRODUCT), _listed("/items", type="product"), depth=False),
    "product detail": View(own(fields.PRODUCT), _each("/items", type="product"), depth=False),
    "service at the till": View(fields.SERVICE, _till_items("service"), depth=False),
    "product at the till": View(fields.PRODUCT, _till_items("product"), depth=False),
    "package": View(fields.PACKAGE, _each("/packages"), depth=False),
    "staff member in a list": View(own(fields.STAFF_MEMBER), _listed("/staff"), depth=False),
    "staff member": View(own(fields.STAFF_MEMBER), _each("/staff"), depth=False),
    "working hour": View(fields.WORKING_HOUR, _each("/staff", "/working-hour")),
    "branch": View(fields.BRANCH, _listed("/branches")),
    "hour exception": View(
        back_office_fields.HOUR_EXCEPTION,
        _answered("PUT /branches/{uuid}/hour-exceptions", "PUT /staff/{uuid}/hour-exceptions"),
        written=True,
    ),
    "closed days": View(back_office_fields.CLOSED_DAYS, _answered("POST /branches/{uuid}/closed-days"), written=True),
    "time off": View(
        back_office_fields.TIME_OFF,
        _answered("POST /staff/{uuid}/time-off", "POST /time-off/{uuid}/approve"),
        written=True,
    ),
    "pinned item": View(
        back_office_fields.PINNED_ITEM, _answered("PUT /pinned-items/{uuid}"), written=True, depth=False
    ),
    "settings": View(back_office_fields.SETTINGS, _answered("GET /settings", "PATCH /settings"), depth=False),
    "booking page": View(
        back_office_fields.BOOKING_PAGE, _answered("GET /settings/booking-page", "PATCH /settings/booking-page")
    ),
    "drawer settings": View(
        back_office_fields.DRAWER_SETTINGS, _answered("GET /settings/drawers", "PATCH /settings/drawers")
    ),
    "message settings": View(
        back_office_fields.MESSAGE_SETTINGS,
        _answered("GET /settings/messages", "PATCH /settings/messages"),
        depth=False,
    ),
    "commission rate": View(
        back_office_fields.COMMISSION_RATE,
        _answered("POST /commission-rates", "PATCH /commission-rates/{uuid}"),
        written=True,
        depth=False,
    ),
    "cashier": View(
        back_office_fields.CASHIER, _answered("POST /cashiers", "PATCH /cashiers/{uuid}"), written=True, depth=False
    ),
    "tax class": View(fields.TAX_CLASS, _listed("/tax-classes"), depth=False),
    "category": View(fields.CATEGORY, _listed("/categories")),
    "payment method in a list": View(fields.PAYMENT_METHOD, _listed("/payment-methods")),
    "payment method": View(fields.PAYMENT_METHOD, _each("/payment-methods")),
    "payment method created": View(fields.PAYMENT_METHOD, _answered("POST /payment-methods"), written=True),
    "transaction in a list": View(fields.TRANSACTION, _listed("/transactions")),
    "transaction": View(fields.TRANSACTION, _some_transactions, depth=False),
    "payment of an order": View(fields.TRANSACTION, _answered("POST /orders/{id}/payments"), written=True, depth=False),
    "search results": View(fields.SEARCH_RESULTS, _answered("GET /search"), depth=False),
    "limits": View(fields.LIMITS, _answered("GET /limits"), depth=False),
    "request": View(report_fields.REQUEST_REPORT, _answered("GET /requests/{id}"), depth=False),
    "request by its key": View(report_fields.REQUEST_REPORT, _answered("GET /requests"), written=True, depth=False),
    "changelog entry": View(report_fields.CHANGELOG_ENTRY, _changelog, depth=False),
    "sandbox clock": View(webhook_fields.SANDBOX_CLOCK, _answered("GET /sandbox/clock")),
    "sandbox clock moved": View(webhook_fields.SANDBOX_CLOCK, _answered("POST /sandbox/clock"), written=True),
    "sandbox faults": View(webhook_fields.SANDBOX_FAULT, _listed_faults, depth=False),
    "sandbox fault": View(webhook_fields.SANDBOX_FAULT, _answered("POST /sandbox/faults"), written=True, depth=False),
    "sandbox clock after a reset": View(webhook_fields.SANDBOX_CLOCK, _answered("POST /sandbox/reset"), written=True),
    "sandbox snapshots": View(webhook_fields.SANDBOX_SNAPSHOT, _listed_snapshots),
    "sandbox snapshot": View(webhook_fields.SANDBOX_SNAPSHOT, _answered("POST /sandbox/snapshots"), written=True),
    "conformance report": View(report_fields.CONFORMANCE_REPORT, _answered("GET /sandbox/conformance"), depth=False),
    "conformance report stored": View(
        report_fields.CONFORMANCE_REPORT, _answered("POST /sandbox/conformance"), written=True, depth=False
    ),
    "sandbox snapshot restored": View(
        webhook_fields.SANDBOX_SNAPSHOT, _answered("POST /sandbox/snapshots/{id}/restore"), written=True
    ),
    "availability": View(fields.AVAILABILITY, _answered("POST /availability")),
    "explained start": View(start_fields.EXPLAINED_START, _answered("POST /availability/explain"), depth=False),
    "export": View(fields.EXPORT, _answered("POST /exports", "GET /exports/{id}"), written=True),
    "hold": View(fields.HOLD, _answered("POST /holds"), written=True),
    "webhook": View(webhook_fields.WEBHOOK, _paged("GET /webhooks"), depth=False),
    "webhook created": View(webhook_fields.WEBHOOK_WITH_SECRET, _answered("POST /webhooks"), written=True, depth=False),
    "delivery": View(webhook_fields.DELIVERY, _paged("GET /webhooks/{id}/deliveries"), depth=False),
    "event": View(webhook_fields.EVENT, _paged("GET /events")),
    "deletion": View(webhook_fields.DELETION, _paged("GET /deletions"), depth=False),
    "calculation": View(till_fields.CALCULATION, _answered("POST /pos/checkout-calculate"), depth=False),
    "till order created": View(till_fields.POS_ORDER_CREATED, _answered("POST /pos/orders"), written=True, depth=False),
    "till order listed": View(till_fields.POS_ORDER_LISTED, _till_orders, depth=False),
    "till order": View(till_fields.POS_ORDER, _till_order, depth=False),
    "tag": View(till_fields.TAG, _till_tags),
    "tag created": View(till_fields.TAG, _answered("POST /tags"), written=True),
    "performer": View(till_fields.PERFORMER, _performers),
    "metadata": View(till_fields.METADATA, _metadata, depth=False),
}
OPEN_VIEWS = frozenset({"metadata"})  # may show more than their table names
