"""What an order may hold, what it costs, and what it takes from stock."""

import re
from decimal import Decimal
from typing import Any
from uuid import UUID, uuid4

import pytest

from tests.factories.changes import change_row, change_tenant
from tests.support.branch import BranchFixture, books, day, line, local, start
from tests.support.events import NO_CUSTOM_DATA
from tests.support.http_errors import assert_error
from tests.support.pagination import Document, json_exact, utc
from tests.support.shop import Shop

pytestmark = pytest.mark.both_servers

UNKNOWN = str(uuid4())


async def _refusal(branch: BranchFixture, *lines: Document, code: str = "validation_error", **more: Any) -> Document:
    """An order that is refused for any reason leaves no rows."""
    before = await books(branch.shop)
    answer = assert_error(await branch.shop.post("/orders", branch.order(*lines, **more)), 422, code)
    assert await books(branch.shop) == before
    return answer


async def _faults(branch: BranchFixture, *lines: Document, **more: Any) -> dict[str, list[str]]:
    errors: dict[str, list[str]] = (await _refusal(branch, *lines, **more))["errors"]
    return errors


async def test_an_order_is_confirmed_numbered_and_kept_as_sent(own_branch: BranchFixture) -> None:
    service_id, product = await own_branch.add_service(), await own_branch.add_product()
    provider = await own_branch.add_provider(service_id)
    last = json_exact(await own_branch.shop.get("/orders?per_page=1"))["data"][0]
    placed = await own_branch.place(
        line(service_id, staff_id=provider), line(product, "product", 2), start=start(day(3), "10:00"), note=" Hello "
    )
    (kept,) = await own_branch.shop.sql("SELECT * FROM orders WHERE tenant_id = $1 AND id = $2", UUID(placed["id"]))
    assert placed == {
        "id": str(kept["id"]),
        "order_number": str(int(last["order_number"]) + 1),
        "status": "confirmed",
        "payment_status": "unpaid",
        "currency": "SAR",
        "total": Decimal("140.00"),
        "created_at": utc(kept["created_at"]),
        "transaction": None,
        **NO_CUSTOM_DATA,
    }
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z", placed["created_at"])
    (client,) = await own_branch.shop.sql("SELECT id FROM api_clients WHERE tenant_id = $1 AND install_id IS NULL")
    assert (kept["source"], kept["note"], kept["branch_id"], kept["customer_id"]) == (
        "api",
        "Hello",
        own_branch.branch_id,
        own_branch.customer_id,
    )
    assert (kept["starts_at"], kept["created_by_type"], kept["created_by_id"]) == (
        local(day(3), "10:00"),
        "app",
        client["id"],
    )


async def test_order_numbers_are_consecutive(own_branch: BranchFixture) -> None:
    product = await own_branch.add_product()
    numbers = []
    for quantity in (1, 2, 99, 3):
        answer = await own_branch.shop.post("/orders", own_branch.order(line(product, "product", quantity)))
        if answer.status_code == 201:
            numbers.append(int(answer.json()["data"]["order_number"]))
    assert numbers == list(range(numbers[0], numbers[0] + 3))


@pytest.mark.one_server
@pytest.mark.parametrize(
    ("change", "errors"),
    [
        ({"team_id": None}, {"team_id": ["must be a UUID"]}),
        (
            {"team_id": UNKNOWN},
            {"team_id": ["is not a branch of this business"], "items.0.id": ["belongs to another branch"]},
        ),
        ({"customer_id": None}, {"customer_id": ["must be a UUID"]}),
        ({"customer_id": UNKNOWN}, {"customer_id": ["is not a customer of this business"]}),
        ({"items": None}, {"items": ["must be a list"]}),
        ({"items": []}, {"items": ["must have at least 1 entry"]}),
        ({"items": ["x"]}, {"items.0": ["must be an object"]}),
        (
            {"start": "tomorrow"},
            {"start": ["must be a date and time in the format YYYY-MM-DDTHH:MM:SS, with or without an offset"]},
        ),
        ({"start": "2026-02-30T10:00:00"}, {"start": ["is not a valid date and time"]}),
        ({"note": 5}, {"note": ["must be a string"]}),
        ({"note": "x" * 5001}, {"note": ["must have at most 5000 characters"]}),
        ({"payment": 5}, {"payment": ["must be an object"]}),
    ],
)
async def test_a_wrong_order_is_refused_at_its_field(
    branch: BranchFixture, change: dict[str, Any], errors: dict[str, list[str]]
) -> None:
    product = await branch.add_product()
    before = await books(branch.shop)
    body = {**branch.order(line(product, "product")), **change}
    assert assert_error(await branch.shop.post("/orders", body), 422, "validation_error")["errors"] == errors
    assert await books(branch.shop) == before


@pytest.mark.one_server
@pytest.mark.parametrize(
    ("change", "field", "message"),
    [
        ({"id": None}, "id", "must be a UUID"),
        ({"id": UNKNOWN}, "id", "is not a product of this business"),
        ({"type": "robot"}, "type", "must be one of service, product, package"),
        ({"type": "package"}, "id", "is not a package of this business"),
        ({"quantity": 0}, "quantity", "must be at least 1"),
        ({"quantity": None}, "quantity", "must be an integer"),
        ({"quantity": 1.0}, "quantity", "must be an integer"),
        ({"quantity": 10**20}, "quantity", "must be at most 1000000"),
        ({"quantity": 11}, "quantity", "exceeds the quantity in stock"),
        ({"staff_id": "Sara"}, "staff_id", "must be a UUID"),
        ({"staff_id": UNKNOWN}, "staff_id", "is not a staff member of this business"),
        ({"unit_amount": "5"}, "unit_amount", "must be a number"),
        ({"unit_amount": -1}, "unit_amount", "must not be negative"),
        ({"unit_amount": 1.005}, "unit_amount", "has more decimals than the currency"),
        ({"unit_amount": 10**12}, "unit_amount", "must have at most 12 digits before the decimal point"),
        ({"unit_amount": 999_999_999_999, "quantity": 2}, "quantity", "makes the amount too large"),
        ({"discount_amount": -1}, "discount_amount", "must not be negative"),
        ({"discount_amount": 0.001}, "discount_amount", "has more decimals than the currency"),
        ({"discount_amount": 20.01}, "discount_amount", "must not exceed the amount of the line"),
    ],
)
async def test_a_wrong_line_is_refused_at_its_field(
    branch: BranchFixture, change: dict[str, Any], field: str, message: str
) -> None:
    product, good = await branch.add_product(), line(await branch.add_product(), "product")
    errors = await _faults(branch, good, {**line(product, "product"), **change})
    assert errors == {f"items.1.{field}": [message]}


async def test_every_invalid_field_is_reported_at_once(branch: BranchFixture) -> None:
    product = await branch.add_product(active=False)
    errors = await _faults(
        branch,
        line(product, "product", 11),
        line(UNKNOWN, "package"),
        line(UNKNOWN),
        team_id=branch.branch_id,
        customer_id=UNKNOWN,
    )
    assert errors == {
        "customer_id": ["is not a customer of this business"],
        "items.0.id": ["is not available for sale"],
        "items.1.id": ["is not a package of this business"],
        "items.2.id": ["is not a service of this business"],
        "start": ["is required when an item is a service"],
        "items.0.quantity": ["exceeds the quantity in stock"],
    }


async def test_a_start_is_needed_for_services_only(branch: BranchFixture) -> None:
    service_id, product = await branch.add_service(), await branch.add_product()
    await branch.add_provider(service_id)
    package = await branch.add_package({service_id: 1})
    assert await _faults(branch, line(service_id)) == {"start": ["is required when an item is a service"]}
    assert await _faults(branch, line(service_id), start=None) == {"start": ["is required when an item is a service"]}
    order = await branch.place(line(product, "product"), line(package, "package"))
    detail = await branch.read(order["id"])
    assert (detail["start"], detail["bookings"]) == (None, [])


async def test_a_blocked_customer_is_refused(branch: BranchFixture) -> None:
    product = await branch.add_product()
    await change_row(branch.shop, "customers", branch.customer_id, blocked=True)
    assert await _faults(branch, line(product, "product")) == {"customer_id": ["is blocked by the business"]}


async def test_an_order_of_another_branchs_item_is_refused(busy_shop: Shop, branch: BranchFixture) -> None:
    (elsewhere,) = await busy_shop.sql("SELECT id FROM branches WHERE tenant_id = $1 AND slug = 'lamsa-alyasmin'")
    (package,) = await busy_shop.sql("SELECT id FROM packages WHERE tenant_id = $1 AND slug = 'evening-ready'")
    product = await branch.add_product(branch_id=elsewhere["id"])
    service_id = await branch.add_service(branch_id=elsewhere["id"])
    errors = await _faults(
        branch,
        line(product, "product"),
        line(service_id),
        line(package["id"], "package"),
        start=start(day(3), "10:00"),
    )
    assert errors == {f"items.{n}.id": ["belongs to another branch"] for n in range(3)}


async def test_an_order_of_inactive_records_is_refused(branch: BranchFixture) -> None:
    service_id = await branch.add_service(active=False)
    await branch.add_provider(service_id)
    errors = await _faults(
        branch,
        line(service_id),
        line(await branch.add_product(active=False), "product"),
        line(await branch.add_package({}, active=False), "package"),
        start=start(day(3), "10:00"),
    )
    assert errors == {f"items.{n}.id": ["is not available for sale"] for n in range(3)}


async def test_another_business_s_records_are_unknown(branch: BranchFixture, other_shop: Shop) -> None:
    async def theirs(table: str) -> UUID:
        (row,) = await other_shop.sql(f"SELECT id FROM {table} WHERE tenant_id = $1 LIMIT 1")
        found: UUID = row["id"]
        return found

    (product,) = await other_shop.sql("SELECT id FROM items WHERE tenant_id = $1 AND slug = 'hand-cream'")
    mine = await branch.add_product()
    errors = await _faults(
        branch,
        line(product["id"], "product"),
        line(await theirs("packages"), "package"),
        line(mine, "product", staff_id=await theirs("staff")),
        team_id=await theirs("branches"),
        customer_id=await theirs("customers"),
    )
    assert errors == {
        "team_id": ["is not a branch of this business"],
        "customer_id": ["is not a customer of this business"],
        "items.0.id": ["is not a product of this business"],
        "items.1.id": ["is not a package of this business"],
        "items.2.id": ["belongs to another branch"],
        "items.2.staff_id": ["is not a staff member of this business"],
    }


# Prices


async def _one_line(branch: BranchFixture, bought: Document, **more: Any) -> Document:
    order = await branch.read((await branch.place(bought, **more))["id"])
    (only,) = order["items"]
    assert (order["total"], order["discount_amount"]) == (only["total"], only["discount_amount"])
    item: Document = only
    return item


async def test_an_order_price_is_requested_then_provider_then_offer_then_catalogue(
    branch: BranchFixture,
) -> None:
    plain = await branch.add_service(price="100")
    offered = await branch.add_service(price="100", offer_price="80.50")
    cheap = await branch.add_provider(plain, offered)
    dear = await branch.add_provider(plain, offered, price="120.25")
    free = await branch.add_provider(offered, price="0")

    async def price(service_id: UUID, on: int, **more: Any) -> Decimal:
        bought = line(service_id, **more)
        charged: Decimal = (await _one_line(branch, bought, start=start(day(on), "09:00")))["price"]
        return charged

    assert await price(plain, 3, staff_id=cheap) == Decimal("100.00")
    assert await price(offered, 4, staff_id=cheap) == Decimal("80.50")
    assert await price(offered, 5, staff_id=dear) == Decimal("120.25")
    assert await price(offered, 6, staff_id=free) == 0
    assert await price(offered, 7, staff_id=dear, unit_amount=7.5) == Decimal("7.50")
    assert await price(offered, 8, staff_id=dear, unit_amount=0) == 0
    assert await price(offered, 9, staff_id=dear, unit_amount=None) == Decimal("120.25")


async def test_a_provider_found_by_the_service_is_charged_at_their_own_price(branch: BranchFixture) -> None:
    service_id = await branch.add_service(price="100", offer_price="90")
    provider = await branch.add_provider(service_id, price="130")
    item = await _one_line(branch, line(service_id), start=start(day(3), "10:00"))
    assert (item["staff_id"], item["price"], item["total"]) == (str(provider), Decimal("130.00"), Decimal("130.00"))


async def test_goods_and_packages_have_offer_prices_too(branch: BranchFixture) -> None:
    cream = await branch.add_product(price="20", offer_price="15.15")
    assert (await _one_line(branch, line(cream, "product", 3)))["total"] == Decimal("45.45")
    package = await branch.add_package({cream: 1}, price="50", offer_price="44")
    assert (await _one_line(branch, line(package, "package", 2)))["total"] == Decimal("88.00")
    assert (await _one_line(branch, line(package, "package", unit_amount=1)))["total"] == Decimal("1.00")


async def test_a_discount_is_for_the_whole_line_and_adds_up(branch: BranchFixture) -> None:
    cream = await branch.add_product(price="20")
    placed = await branch.place(
        line(cream, "product", 3, discount_amount=10),
        line(cream, "product", 2, discount_amount=40),
        line(cream, "product", 1, discount_amount=None),
    )
    order = await branch.read(placed["id"])
    assert [item["total"] for item in order["items"]] == [Decimal("50.00"), 0, Decimal("20.00")]
    assert [item["discount_amount"] for item in order["items"]] == [Decimal("10.00"), Decimal("40.00"), 0]
    assert (order["total"], order["discount_amount"], placed["total"]) == (70, 50, 70)


async def test_an_order_for_nothing_is_paid(branch: BranchFixture) -> None:
    cream = await branch.add_product(price="20")
    placed = await branch.place(line(cream, "product", unit_amount=0))
    assert (placed["total"], placed["payment_status"]) == (0, "paid")


@pytest.mark.parametrize(("currency", "decimals", "amount"), [("KWD", 3, "1.125"), ("JPY", 0, "7"), ("SAR", 2, "1.25")])
async def test_amounts_have_the_currencys_decimals(
    own_branch: BranchFixture, currency: str, decimals: int, amount: str
) -> None:
    await change_tenant(own_branch.shop, currency=currency, currency_decimals=decimals)
    cream = await own_branch.add_product(price="20")
    answer = await own_branch.shop.post("/orders", own_branch.order(line(cream, "product", unit_amount=float(amount))))
    total = json_exact(answer, 201)["data"]["total"]
    assert (str(total), answer.json()["data"]["currency"]) == (amount, currency)
    (item,) = (await own_branch.read(answer.json()["data"]["id"]))["items"]
    assert [str(item[name]) for name in ("price", "total")] == [amount] * 2
    finer = float(amount) + 10.0 ** -(decimals + 1)
    assert await _faults(own_branch, line(cream, "product", unit_amount=finer)) == {
        "items.0.unit_amount": [
            "must have at most 3 decimals" if decimals == 3 else "has more decimals than the currency"
        ]
    }


# Stock


async def test_products_are_taken_from_stock_to_the_last_one(branch: BranchFixture) -> None:
    cream = await branch.add_product(stock=5)
    await branch.place(line(cream, "product", 2), line(cream, "product", 2))
    assert await branch.stock(cream) == 1
    errors = await _faults(branch, line(cream, "product", 1), line(cream, "product", 1))
    assert errors == {"items.1.quantity": ["exceeds the quantity in stock"]}
    await branch.place(line(cream, "product"))
    assert await branch.stock(cream) == 0
    assert await _faults(branch, line(cream, "product")) == {"items.0.quantity": ["exceeds the quantity in stock"]}


async def test_a_package_takes_its_products_and_books_nothing(branch: BranchFixture) -> None:
    service_id, cream, soap = await branch.add_service(), await branch.add_product(), await branch.add_product(stock=3)
    await branch.add_provider(service_id)
    package = await branch.add_package({service_id: 1, cream: 2, soap: 1})
    placed = await branch.place(line(package, "package", 2), line(cream, "product", 1), start=start(day(3), "10:00"))
    assert (await branch.stock(cream), await branch.stock(soap)) == (5, 1)
    order = await branch.read(placed["id"])
    assert order["bookings"] == []
    assert [(item["id"], item["type"], item["total"]) for item in order["items"]] == [
        (str(package), "package", 100),
        (str(cream), "product", 20),
    ]
    errors = await _faults(branch, line(soap, "product"), line(package, "package"))
    assert errors == {"items.1.quantity": ["exceeds the quantity in stock"]}


async def test_a_line_carries_the_name_in_the_businesss_first_language(branch: BranchFixture) -> None:
    cream = await branch.add_product()
    nameless = await branch.add_product()
    await change_row(branch.shop, "items", nameless, name='{"fr": "Savon"}')
    package = await branch.add_package({})
    placed = await branch.place(line(cream, "product"), line(nameless, "product"), line(package, "package"))
    assert [item["name"] for item in (await branch.read(placed["id"]))["items"]] == ["شيء", "Savon", "باقة"]


async def test_a_product_may_name_who_sold_it(branch: BranchFixture) -> None:
    cream, seller = await branch.add_product(), await branch.add_provider()
    placed = await branch.place(line(cream, "product", staff_id=seller), line(cream, "product"))
    assert [item["staff_id"] for item in (await branch.read(placed["id"]))["items"]] == [str(seller), None]
    gone = await branch.add_provider(active=False)
    assert await _faults(branch, line(cream, "product", staff_id=gone)) == {
        "items.0.staff_id": ["is not a staff member of this business"]
    }
