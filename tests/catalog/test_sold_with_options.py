"""A service or product with options is sold with one of them; without one only if the owner says so. Both APIs."""

from decimal import Decimal
from uuid import UUID

import pytest

from tests.factories.catalog import make_option
from tests.factories.changes import change_row
from tests.support.branch import BranchFixture, day, line, open_branch, start
from tests.support.http_errors import assert_error
from tests.support.pagination import Document, json_exact
from tests.support.service import Service
from tests.support.shop import Shop
from tests.support.till import Till, item

pytestmark = pytest.mark.both_servers

REQUIRED = "is required: this item is sold with an option"


class Colour:
    """A service of half an hour with a long option of an hour and a half, and who performs it."""

    def __init__(self, branch: BranchFixture, id_: UUID, long: str, staff_id: UUID) -> None:
        self.branch, self.id, self.long, self.staff_id = branch, id_, long, staff_id
        self.option = {"id": long, "name": "A variant"}


@pytest.fixture(scope="module")
async def branch(service: Service) -> BranchFixture:
    return await open_branch(await service.new_shop())


@pytest.fixture
async def colour(branch: BranchFixture) -> Colour:
    id_ = await branch.add_service(price="100", base_sellable=False)
    long = await make_option(branch.shop, id_, "400", duration=90)
    return Colour(branch, id_, long, await branch.add_provider(id_))


def only(order: Document) -> Document:
    (found,) = order["items"]
    return dict(found)


async def test_the_open_api_takes_an_option_and_publishes_it(colour: Colour) -> None:
    branch, at = colour.branch, start(day(3), "09:00")
    plain = await branch.shop.post("/orders", branch.order(line(colour.id), start=at))
    assert assert_error(plain, 422, "validation_error")["errors"] == {"items.0.option_id": [REQUIRED]}
    other = line(colour.id, option_id="018f3c1e-7d2a-7b1c-9a40-5f6e7d8c9b0a")
    assert_error(await branch.shop.post("/orders", branch.order(other, start=at)), 422, "validation_error")
    placed = await branch.place(line(colour.id, option_id=colour.long), start=at)
    assert placed["total"] == Decimal("400.00")
    read = await branch.read(placed["id"])
    assert only(read)["option"] == colour.option
    assert read["bookings"][0]["end"].startswith(start(day(3), "10:30"))
    listed = json_exact(await branch.shop.get("/orders?per_page=1"))["data"][0]
    assert only(listed)["option"] == colour.option
    events = json_exact(await branch.shop.get("/events?type=order.created&per_page=100"))["data"]
    (told,) = [event["data"]["order"] for event in events if event["data"]["order"]["id"] == placed["id"]]
    assert only(told)["option"] == colour.option


async def test_a_sold_option_keeps_its_name(colour: Colour) -> None:
    placed = await colour.branch.place(line(colour.id, option_id=colour.long), start=start(day(4), "09:00"))
    await change_row(colour.branch.shop, "item_options", UUID(colour.long), name='{"en": "Another"}')
    await colour.branch.move(placed["id"], "completed")
    assert only(await colour.branch.read(placed["id"]))["option"] == colour.option


async def test_the_till_requires_an_option_and_keeps_it_in_a_draft(colour: Colour) -> None:
    till = Till(colour.branch)
    for answer in (await till.calculation(item(colour.id)), await till.try_to_ring_up("100.00", line(colour.id))):
        ((field, texts),) = assert_error(answer, 422, "validation_error")["errors"].items()
        assert (field.split(".", 1)[1], texts) == ("0.option_id", [REQUIRED])
    calculated = await till.calculate(item(colour.id, option_id=[colour.long]))
    assert (calculated["total"], calculated["items"][0]["option"]) == ("400.00", colour.option)
    draft = await till.ring_up("400.00", line(colour.id, option_id=[colour.long]), isDraft=True)
    assert only(draft)["option"] == colour.option
    held = json_exact(await till.request("GET", f"/pos/orders/{draft['id']}"))["data"]
    assert only(held)["option"] == colour.option
    listed = json_exact(await till.request("GET", "/pos/orders?status=draft&per_page=1"))["data"][0]
    assert only(listed)["option"] == colour.option


async def test_a_refund_has_the_option_of_the_sale(colour: Colour) -> None:
    till = Till(colour.branch)
    lines = line(colour.id, option_id=[colour.long])
    sold = await till.ring_up("400.00", lines, payment_methods=[await till.paid("400")])
    child = await till.refund(sold["id"], (only(sold)["line_id"], 1))
    assert only(child)["option"] == only(sold)["option"] == colour.option


async def test_availability_offers_what_books(colour: Colour) -> None:
    branch, on = colour.branch, day(5)
    body = {"service_id": str(colour.id), "date": str(on)}
    answer = assert_error(await branch.shop.post("/availability", body), 422, "validation_error")
    assert answer["errors"] == {"option_id": [REQUIRED]}
    starts = await branch.starts(colour.id, on, option_id=colour.long)
    assert starts[-1] == "15:30"
    await branch.place(line(colour.id, option_id=colour.long), start=start(on, starts[-1]))
    unknown = {**body, "option_id": str(colour.id)}
    answer = assert_error(await branch.shop.post("/availability", unknown), 422, "validation_error")
    assert answer["errors"] == {"option_id": ["is not an option of this service"]}
    order = branch.order(line(colour.id, option_id=colour.id), start=start(on, "09:00"))
    answer = assert_error(await branch.shop.post("/orders", order), 422, "validation_error")
    assert answer["errors"] == {"items.0.option_id": ["is not an option of this item"]}


async def test_an_item_is_sold_without_an_option_only_if_the_owner_allows_it(branch: BranchFixture) -> None:
    till = Till(branch)
    for sellable, expected in ((True, 201), (False, 422)):
        service = await branch.add_service(base_sellable=sellable)
        product = await branch.add_product(price="20", base_sellable=sellable)
        await branch.add_provider(service)
        for id_ in (service, product):
            await make_option(branch.shop, id_, "400", quantity=3 if id_ == product else None)
            published = json_exact(await branch.shop.get(f"/items/{id_}"))["data"]
            assert published["base_sellable"] == sellable
        for sold in (line(service), line(product, "product")):
            answer = await branch.shop.post("/orders", branch.order(sold, start=start(day(6), "09:00")))
            assert answer.status_code == expected, answer.text
        assert (await till.calculation(item(product))).status_code == {201: 200, 422: 422}[expected]


async def test_an_item_is_not_sold_while_all_its_options_are_off_sale(branch: BranchFixture) -> None:
    """Unless it is also sold without one."""
    id_ = await branch.add_product(price="20", base_sellable=False)
    off = await make_option(branch.shop, id_, "30", active=False)
    assert json_exact(await branch.shop.get(f"/items/{id_}"))["data"]["base_sellable"] is False
    for sold in (line(id_, "product"), line(id_, "product", option_id=off)):
        assert_error(await branch.shop.post("/orders", branch.order(sold)), 422, "validation_error")
    await change_row(branch.shop, "items", id_, base_sellable=True)
    assert json_exact(await branch.shop.get(f"/items/{id_}"))["data"]["base_sellable"] is True
    assert (await branch.place(line(id_, "product")))["total"] == Decimal("20.00")


async def test_everything_in_the_sandbox_can_be_ordered_without_naming_an_option(shop: Shop) -> None:
    """As the specification describes an order."""
    items = json_exact(await shop.get("/items?per_page=100"))["data"]
    with_options = [found for found in items if found["options"] and found["sku"]]
    assert {found["type"] for found in with_options} == {"service", "product"}
    assert all(found["base_sellable"] for found in with_options)
