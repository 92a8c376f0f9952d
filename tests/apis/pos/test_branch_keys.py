"""A key that is bound to a branch, on every operation of the key interface: nothing outside it is seen or done."""

from collections.abc import Awaitable, Callable
from typing import NamedTuple
from uuid import UUID, uuid4

import pytest

from frontdesk.apis.pos.api import pos_api
from tests.factories.catalog import make_category
from tests.factories.credentials import make_branch_key
from tests.factories.people import assign_service
from tests.support.branch import BranchFixture, books, day, line, open_branch
from tests.support.http_errors import assert_error
from tests.support.pagination import Document, json_exact
from tests.support.shop import Shop
from tests.support.till import Till, bill


class TwoBranches(NamedTuple):
    """Two branches of one business; `till` has a key of the first one."""

    till: Till
    here: BranchFixture
    there: BranchFixture
    own: dict[str, str]
    foreign: dict[str, str]  # the same things of the other branch


async def _things(branch: BranchFixture) -> dict[str, str]:
    service, product = await branch.add_service(), await branch.add_product(price="20")
    found = {
        "branch": branch.branch_id,
        "service": service,
        "product": product,
        "staff": await branch.add_provider(service),
        "category": await make_category(branch.shop, branch_id=branch.branch_id),
    }
    sale = await branch.place(line(product, "product"), payment={"amount": 20, "payment_method_type": "cash"})
    draft = await Till(branch).ring_up("20", line(product, "product"), isDraft=True)
    return {name: str(id_) for name, id_ in found.items()} | {"sale": sale["id"], "draft": draft["id"]}


@pytest.fixture
async def branches(busy_shop: Shop) -> TwoBranches:
    here, there = await open_branch(busy_shop), await open_branch(busy_shop)
    till = Till(here, await make_branch_key(busy_shop, here.branch_id))
    return TwoBranches(till, here, there, await _things(here), await _things(there))


Check = Callable[[TwoBranches], Awaitable[None]]


def _unknown_order(method: str, path: str, thing: str, body: Document | None = None) -> Check:
    """404 for the other branch's order, which stays as it was."""

    async def check(branches: TwoBranches) -> None:
        before = await books(branches.here.shop)
        sent = body
        if method == "PUT":
            sent = bill("20", line(branches.own["product"], "product"))
        assert_error(await branches.till.request(method, path.format(branches.foreign[thing]), sent), 404, "not_found")
        assert await books(branches.here.shop) == before

    return check


async def _calculate(branches: TwoBranches) -> None:
    answer = await branches.till.calculation({"item_id": branches.foreign["product"], "quantity": 1})
    assert list(assert_error(answer, 422, "validation_error")["errors"]) == ["items.0.item_id"]
    json_exact(await branches.till.calculation({"item_id": branches.own["product"], "quantity": 1}))


async def _ring_up(branches: TwoBranches) -> None:
    before = await books(branches.here.shop)
    for lines in ([line(branches.foreign["product"], "product")], [line(branches.foreign["service"])]):
        answer = await branches.till.try_to_ring_up("20", *lines)
        assert list(assert_error(answer, 422, "validation_error")["errors"]) == ["services.0.id"]
    answer = await branches.till.try_to_ring_up("100", line(branches.own["service"], staffId=branches.foreign["staff"]))
    assert list(assert_error(answer, 422, "validation_error")["errors"]) == ["services.0.staffId"]
    assert await books(branches.here.shop) == before
    sold = await branches.till.ring_up("20", line(branches.own["product"], "product"))
    assert (await branches.here.read(sold["id"]))["branch"]["id"] == branches.own["branch"]


async def _list_sales(branches: TwoBranches) -> None:
    found = json_exact(await branches.till.request("GET", "/pos/orders?per_page=100"))
    assert {order["branch"]["id"] for order in found["data"]} == {branches.own["branch"]}
    assert {order["id"] for order in found["data"]} == {branches.own["sale"], branches.own["draft"]}
    (theirs,) = await branches.here.shop.sql(
        "SELECT order_number FROM orders WHERE tenant_id = $1 AND id::text = $2", branches.foreign["sale"]
    )
    assert json_exact(await branches.till.request("GET", f"/pos/orders?number={theirs['order_number']}"))["data"] == []


async def _day_close(branches: TwoBranches) -> None:
    path = f"/pos/day-close?date={day(0)}&team_id="
    assert list(
        assert_error(await branches.till.request("GET", path + branches.foreign["branch"]), 422, "validation_error")[
            "errors"
        ]
    )
    json_exact(await branches.till.request("GET", path + branches.own["branch"]))


async def _close_day(branches: TwoBranches) -> None:
    body = {"team_id": branches.foreign["branch"], "date": str(day(-1))}
    answer = await branches.till.request("POST", "/pos/day-close", body)
    assert list(assert_error(answer, 422, "validation_error")["errors"]) == ["team_id"]


async def _items(branches: TwoBranches) -> None:
    found = json_exact(await branches.till.request("GET", "/items?per_page=100"))
    assert {item["id"] for item in found["data"]} == {branches.own["service"], branches.own["product"]}
    assert found["meta"]["total"] == 2
    for name, thing in (("team_id", "branch"), ("category_id", "category")):
        answer = await branches.till.request("GET", f"/items?{name}={branches.foreign[thing]}")
        assert list(assert_error(answer, 422, "validation_error")["errors"]) == [name]
        assert json_exact(await branches.till.request("GET", f"/items?{name}={branches.own[thing]}"))["meta"][
            "total"
        ] in (
            0,
            2,
        )


async def _performers(branches: TwoBranches) -> None:
    assert_error(await branches.till.request("GET", f"/services/{branches.foreign['service']}/staff"), 404, "not_found")
    await assign_service(branches.here.shop, UUID(branches.foreign["staff"]), UUID(branches.own["service"]))
    found = json_exact(await branches.till.request("GET", f"/services/{branches.own['service']}/staff"))["data"]
    assert [staff["id"] for staff in found] == [branches.own["staff"]]


async def _metadata(branches: TwoBranches) -> None:
    assert_error(await branches.till.request("GET", f"/metadata/{branches.foreign['branch']}"), 404, "not_found")
    found = json_exact(await branches.till.request("GET", f"/metadata/{branches.own['branch']}"))["data"]
    assert [category["id"] for category in found["categories"]] == [branches.own["category"]]


async def _shared(branches: TwoBranches) -> None:
    """Customers and tags have no branch: every key of the business works with them."""
    (customer,) = await branches.there.shop.sql(
        "SELECT phone FROM customers WHERE tenant_id = $1 AND id = $2", branches.there.customer_id
    )
    found = json_exact(await branches.till.request("GET", f"/customers/find?phone=%2B{customer['phone'][1:]}"))["data"]
    assert found["id"] == str(branches.there.customer_id)
    json_exact(await branches.till.request("GET", "/tags"))


async def _requests(branches: TwoBranches) -> None:
    """What was sent with another key stays its own."""
    tag = {"name": str(uuid4())}
    sent = await branches.here.shop.key_call(
        "POST", "/tags?model=customers", json=tag, headers={"idempotency-key": tag["name"]}
    )
    request_id = sent.headers["x-request-id"]
    for path in (f"/requests/{request_id}", f"/requests?idempotency_key={tag['name']}"):
        json_exact(await branches.here.shop.key_call("GET", path))
        assert_error(await branches.till.request("GET", path), 404, "not_found")


STATUS, PAID = {"status": "canceled"}, {"id": "00000000-0000-7000-8000-000000000000", "amount": 1}
CHECKS: dict[str, Check] = {
    "POST /pos/checkout-calculate": _calculate,
    "POST /pos/orders": _ring_up,
    "GET /pos/orders": _list_sales,
    "GET /pos/orders/{orderId}": _unknown_order("GET", "/pos/orders/{}", "sale"),
    "PUT /pos/orders/{orderId}": _unknown_order("PUT", "/pos/orders/{}", "draft"),
    "POST /pos/orders/{orderId}/status": _unknown_order("POST", "/pos/orders/{}/status", "sale", STATUS),
    "POST /pos/orders/{orderId}/payments": _unknown_order("POST", "/pos/orders/{}/payments", "sale", PAID),
    "POST /pos/orders/{orderId}/refunds": _unknown_order("POST", "/pos/orders/{}/refunds", "sale", {"whole": True}),
    "POST /pos/orders/{orderId}/invoice": _unknown_order("POST", "/pos/orders/{}/invoice", "sale"),
    "GET /pos/orders/{orderId}/invoice": _unknown_order("GET", "/pos/orders/{}/invoice", "sale"),
    "GET /pos/orders/{orderId}/credit-note": _unknown_order("GET", "/pos/orders/{}/credit-note", "sale"),
    "GET /pos/day-close": _day_close,
    "POST /pos/day-close": _close_day,
    "GET /items": _items,
    "GET /services/{serviceId}/staff": _performers,
    "GET /metadata/{teamId}": _metadata,
    "GET /customers/find": _shared,
    "GET /tags": _shared,
    "POST /tags": _shared,
    "DELETE /tags/{tagId}": _shared,
    "GET /requests": _requests,
    "GET /requests/{id}": _requests,
}


def test_every_pos_operation_is_tested_with_a_branch_key() -> None:
    assert {f"{one.method} {one.path}" for one in pos_api().operations} == set(CHECKS)


@pytest.mark.parametrize("operation", [name for name, check in CHECKS.items() if check is not _shared])
async def test_a_branch_key_reaches_nothing_of_other_branches(branches: TwoBranches, operation: str) -> None:
    await CHECKS[operation](branches)


async def test_what_has_no_branch_is_open_to_every_key(branches: TwoBranches) -> None:
    await _shared(branches)
