"""Where tax is added on top, every published price is the one that is charged."""

from decimal import Decimal
from uuid import UUID

import pytest
from hypothesis import given, settings, strategies as st

from frontdesk.orders.tax import add_tax
from frontdesk.postgres.pool import Connection
from tests.factories.catalog import make_option, make_tax_class
from tests.factories.changes import change_row, change_tenant
from tests.support.branch import BranchFixture, day, line, open_branch, start
from tests.support.events import as_in_events
from tests.support.pagination import Document, json_exact
from tests.support.service import Service
from tests.support.till import Till, item

pytestmark = pytest.mark.both_servers

TAX = {"rate": Decimal("15"), "included": False}


@pytest.fixture(scope="module")
async def branch(service: Service) -> BranchFixture:
    branch = await open_branch(await service.new_shop())
    await change_tenant(branch.shop, prices_include_tax=False)
    return branch


async def published(branch: BranchFixture, path: str) -> Document:
    found: Document = json_exact(await branch.shop.get(path))["data"]
    return found


async def test_items_and_options_are_published_with_tax_on_top(branch: BranchFixture) -> None:
    product = await branch.add_product(price="100", offer_price="9.99")
    option = await make_option(branch.shop, product, "200", offer_price="150", quantity=5)
    found = await published(branch, f"/items/{product}")
    assert [found[name] for name in ("price", "offer_price", "tax")] == [Decimal("115.00"), Decimal("11.49"), TAX]
    assert [found["options"][0][name] for name in ("price", "offer_price")] == [Decimal("230.00"), Decimal("172.50")]
    plain, chosen = (await Till(branch).calculate(item(product), item(product, option_id=[option])))["items"]
    assert (plain["unit_amount"], chosen["unit_amount"]) == (found["offer_price"], Decimal("172.50"))
    at_till = json_exact(await Till(branch).request("GET", f"/items?per_page=100&team_id={branch.branch_id}"))["data"]
    assert next(each for each in at_till if each["id"] == str(product)) == as_in_events(found)
    placed = await branch.read((await branch.place(line(product, "product", 2)))["id"])
    assert (placed["items"][0]["price"], placed["total"]) == (found["offer_price"], Decimal("22.98"))
    assert placed["tax_amount"] == Decimal("3.00")


async def test_services_of_staff_are_published_with_tax_on_top(branch: BranchFixture) -> None:
    cut = await branch.add_service(price="100")
    dear, usual = await branch.add_provider(cut, price="140"), await branch.add_provider(cut)
    detail = await published(branch, f"/items/{cut}")
    prices = {each["id"]: each["price"] for each in detail["staff"]}
    assert prices == {str(dear): Decimal("161.00"), str(usual): Decimal("115.00")}
    (service,) = (await published(branch, f"/staff/{dear}"))["services"]
    assert (service["price"], service["tax"]) == (Decimal("161.00"), TAX)
    at_till = json_exact(await Till(branch).request("GET", f"/services/{cut}/staff"))["data"]
    assert {each["id"]: (each["price"], each["tax"]) for each in at_till} == {k: (v, TAX) for k, v in prices.items()}
    placed = await branch.place(line(cut, staff_id=dear), start=start(day(3), "09:00"))
    assert placed["total"] == Decimal("161.00")


async def test_packages_and_tax_classes_of_their_own(branch: BranchFixture) -> None:
    reduced = await make_tax_class(branch.shop, "5")
    product = await branch.add_product(price="10")
    package = await branch.add_package({product: 1}, price="8", offer_price="7")
    for table, id_ in (("items", product), ("packages", package)):
        await change_row(branch.shop, table, id_, tax_class_id=reduced)
    found = await published(branch, f"/packages/{package}")
    tax = {"rate": Decimal("5"), "included": False}
    assert [found[name] for name in ("price", "offer_price", "tax")] == [Decimal("8.40"), Decimal("7.35"), tax]
    assert (await branch.place(line(package, "package")))["total"] == found["offer_price"]
    assert (await published(branch, f"/items/{product}"))["price"] == Decimal("10.50")


async def test_the_start_up_data_of_a_till_says_how_prices_are_taxed(branch: BranchFixture) -> None:
    answer = await Till(branch).request("GET", f"/metadata/{branch.branch_id}")
    assert json_exact(answer)["data"]["tax"] == TAX


async def test_a_sale_of_the_till_says_its_tax(branch: BranchFixture) -> None:
    product = await branch.add_product(price="100")
    assert (await Till(branch).ring_up("115.00", line(product, "product")))["tax_amount"] == Decimal("15.00")


async def test_the_database_adds_the_tax_as_the_pricing_does(conn: Connection) -> None:
    amounts = st.decimals("0", "999999999999", places=3)
    rates = st.decimals("0", "100", places=2)
    samples: list[tuple[Decimal, Decimal, int]] = []

    @settings(max_examples=300, database=None, derandomize=True)
    @given(amounts, rates, st.sampled_from([0, 2, 3]))
    def collect(amount: Decimal, rate: Decimal, decimals: int) -> None:
        samples.append((round(amount, decimals), rate, decimals))

    collect()
    for amount, rate, decimals in samples:
        found = await conn.fetchval("SELECT charged_price($1, $2, false, $3)", amount, rate, decimals)
        assert found == add_tax(amount, rate, decimals), (amount, rate, decimals)


@pytest.mark.parametrize("included", [True, False])
async def test_an_amount_in_a_request_is_charged_as_it_is(branch: BranchFixture, *, included: bool) -> None:
    await change_tenant(branch.shop, prices_include_tax=included)
    product: UUID = await branch.add_product(price="100")
    assert (await branch.place(line(product, "product", unit_amount=50)))["total"] == Decimal("50.00")
    assert (await published(branch, f"/items/{product}"))["tax"]["included"] is included
    await change_tenant(branch.shop, prices_include_tax=False)
