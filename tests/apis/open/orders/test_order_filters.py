"""The filters of the list of orders, alone and together: the same orders that reading all of them would give."""

from collections.abc import Callable, Collection
from datetime import datetime
from itertools import combinations
from typing import Any
from urllib.parse import parse_qs, urlsplit
from uuid import UUID, uuid4

import pytest

from tests.factories.catalog import make_branch
from tests.support.branch import RIYADH, BranchFixture, day, line, open_branch, start
from tests.support.http_errors import assert_error
from tests.support.pagination import Document, json_exact
from tests.support.shop import Shop

pytestmark = pytest.mark.both_servers

CASH = {"payment_method_type": "cash"}


class OrderSamples:
    """Two branches, providers and customers, and orders that differ in everything that can be asked for."""

    def __init__(self, branch: BranchFixture, values: dict[str, str], orders: list[Document]) -> None:
        self.branch = branch
        self.values = values
        self.orders = orders  # in detail, newest first


@pytest.fixture(scope="module")
async def samples(service: Any, other_shop: Shop) -> OrderSamples:
    shop = await service.new_shop()
    branch, elsewhere = await open_branch(shop), await open_branch(shop)
    cut, there = await branch.add_service(price="100"), await elsewhere.add_service(price="100")
    first, second = await branch.add_provider(cut), await branch.add_provider(cut)
    await elsewhere.add_provider(there)
    soap = await branch.add_product(price="20", stock=50)
    placed = [
        await branch.place(line(cut, staff_id=first), start=start(day(3), "10:00"), payment={"amount": 100, **CASH}),
        await branch.place(line(cut, staff_id=second), line(cut, staff_id=first), start=start(day(4), "09:00")),
        await branch.place(line(cut, staff_id=second), start=start(day(4), "16:30"), payment={"amount": 40, **CASH}),
        await branch.place(line(soap, "product", 2), payment={"amount": 40, **CASH}),
        await elsewhere.place(line(there), start=start(day(4), "10:00")),
        await elsewhere.place(line(there), start=start(day(5), "10:00"), payment={"amount": 1, **CASH}),
        await branch.place(line(soap, "product")),
    ]
    changed = await branch.move(placed[1]["id"], "in-progress")
    await branch.move(placed[6]["id"], "canceled")
    values = {
        "customer_id": str(branch.customer_id),
        "staff_id": str(first),
        "branch_id": str(branch.branch_id),
        "payment_status": "unpaid",
        "status": "confirmed",
        "starts_from": str(day(4)),
        "starts_to": str(day(4)),
        "updated_since": changed["updated_at"],
        "from": str(day(0)),
    }
    details = [
        await branch.read(row["id"])
        for row in await shop.sql("SELECT id FROM orders WHERE tenant_id = $1 ORDER BY order_number DESC")
    ]
    return OrderSamples(branch, values, details)


FITS: dict[str, Callable[[Document, str], bool]] = {
    "customer_id": lambda order, value: order["customer"] is not None and order["customer"]["id"] == value,
    "staff_id": lambda order, value: value in [item["staff_id"] for item in order["items"]],
    "branch_id": lambda order, value: order["branch"]["id"] == value,
    "payment_status": lambda order, value: order["payment_status"] == value,
    "status": lambda order, value: order["status"] == value,
    "starts_from": lambda order, value: order["start"] is not None and order["start"][:10] >= value,
    "starts_to": lambda order, value: order["start"] is not None and order["start"][:10] <= value,
    "updated_since": lambda order, value: order["updated_at"] >= value,
    "from": lambda order, value: _local_day(order["created_at"]) >= value,
}


def _local_day(moment: str) -> str:
    return str(datetime.fromisoformat(moment).astimezone(RIYADH).date())


def _sorted(samples: OrderSamples, filters: Collection[str]) -> list[Document]:
    """Newest first; those that have changed since a moment, by their changes."""
    if "updated_since" not in filters:
        return samples.orders
    return sorted(samples.orders, key=lambda order: (order["updated_at"], int(order["order_number"])))


@pytest.mark.parametrize("count", [1, 2, 3])
async def test_order_filters_agree_with_filtering_all_orders(samples: OrderSamples, count: int) -> None:
    for names in combinations(FITS, count):
        asked = {name: samples.values[name] for name in names}
        expected = [o["id"] for o in _sorted(samples, asked) if all(FITS[n](o, value) for n, value in asked.items())]
        answer = json_exact(await samples.branch.shop.get("/orders", params={**asked, "per_page": 100}))
        assert [order["id"] for order in answer["data"]] == expected[:100], asked
        assert answer["meta"]["total"] == len(expected), asked


@pytest.mark.parametrize("name", FITS)
async def test_every_page_of_a_filter_from_both_ends(samples: OrderSamples, name: str) -> None:
    value = samples.values[name]
    everything = [order["id"] for order in _sorted(samples, [name]) if FITS[name](order, value)]
    assert everything
    first = json_exact(await samples.branch.shop.get("/orders", params={name: value, "per_page": 2}))
    last_page = first["meta"]["last_page"]
    assert last_page == -(-first["meta"]["total"] // 2)
    last = json_exact(await samples.branch.shop.get("/orders", params={name: value, "per_page": 2, "page": last_page}))
    assert [order["id"] for order in first["data"]] == everything[:2]
    assert [order["id"] for order in last["data"]] == everything[2 * (last_page - 1) :]
    assert parse_qs(urlsplit(first["links"]["last"]).query)[name] == [value] or name == "updated_since"


async def test_the_next_page_of_changed_orders_begins_behind_the_last_one(samples: OrderSamples) -> None:
    query = {"updated_since": samples.values["updated_since"], "per_page": 1}
    first = json_exact(await samples.branch.shop.get("/orders", params=query))
    onward = parse_qs(urlsplit(first["links"]["next"]).query)
    assert onward["updated_since"] == [query["updated_since"]]
    assert onward["after"] == [f"{first['data'][0]['updated_at']}_{first['data'][0]['id']}"]


@pytest.mark.parametrize("name", ["customer_id", "staff_id", "branch_id"])
async def test_an_order_filter_refuses_unknown_ids(samples: OrderSamples, other_shop: Shop, name: str) -> None:
    shop = samples.branch.shop
    theirs = {"customer_id": "/customers", "staff_id": "/staff", "branch_id": "/branches"}[name]
    for value in (str(uuid4()), (await other_shop.first(theirs))["id"]):
        answer = assert_error(await shop.get("/orders", params={name: value}), 422, "validation_error")
        assert list(answer["errors"]) == [name]
    made: dict[str, Callable[[], Any]] = {
        "customer_id": lambda: _customer(shop),
        "staff_id": samples.branch.add_provider,
        "branch_id": lambda: make_branch(shop),
    }
    empty = json_exact(await shop.get("/orders", params={name: str(await made[name]())}))
    assert (empty["data"], empty["meta"]["total"], empty["meta"]["last_page"]) == ([], 0, 1)


async def _customer(shop: Shop) -> UUID:
    return UUID((await shop.post("/customers", {"first_name": "Nobody"})).json()["data"]["id"])


async def test_an_order_filter_reports_all_unknown_ids(samples: OrderSamples) -> None:
    asked = {name: str(uuid4()) for name in ("customer_id", "staff_id", "branch_id")}
    answer = assert_error(await samples.branch.shop.get("/orders", params=asked), 422, "validation_error")
    assert set(answer["errors"]) == set(asked)


@pytest.mark.parametrize("path", ["/orders", "/transactions"])
async def test_order_filters_take_days_between_1970_and_2200(samples: OrderSamples, path: str) -> None:
    shop = samples.branch.shop
    for name in ("from", "to"):
        for on, status in (("1969-12-31", 422), ("1970-01-01", 200), ("2200-12-31", 200), ("2201-01-01", 422)):
            answer = await shop.get(f"{path}?{name}={on}")
            assert answer.status_code == status, (name, on, answer.text)
            if status == 422:
                assert answer.json()["errors"] == {name: ["must be between 1970 and 2200"]}
    whole = (await shop.get(f"{path}?from=1970-01-01&to=2200-12-31")).json()["meta"]["total"]
    assert whole == (await shop.get(path)).json()["meta"]["total"] > 0


async def test_the_days_of_an_appointment_are_in_order(samples: OrderSamples) -> None:
    asked = {"starts_from": str(day(5)), "starts_to": str(day(4))}
    answer = assert_error(await samples.branch.shop.get("/orders", params=asked), 422, "validation_error")
    assert list(answer["errors"]) == ["starts_from"]
