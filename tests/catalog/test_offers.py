"""An offer counts on its days only, in the time zone of the business."""

from datetime import date, datetime, timedelta
from uuid import UUID
from zoneinfo import ZoneInfo

import pytest

from tests.factories.catalog import make_option, make_product
from tests.factories.changes import change_row
from tests.support.branch import BranchFixture, open_branch
from tests.support.pagination import json_exact
from tests.support.service import Service
from tests.support.shop import Shop
from tests.support.till import Till, item

pytestmark = pytest.mark.both_servers

AHEAD, BEHIND = "Pacific/Kiritimati", "Pacific/Midway"  # they are never on the same day


@pytest.fixture(scope="module")
async def branch(service: Service) -> BranchFixture:
    return await open_branch(await service.new_shop())


async def set_days(shop: Shop, table: str, id_: UUID, first: date | None, last: date | None) -> None:
    await change_row(shop, table, id_, offer_from=first, offer_until=last)


@pytest.mark.parametrize(
    ("first", "last", "counts"),
    [(None, None, True), (0, 0, True), (None, -1, False), (1, None, False), (-3, None, True), (-3, 3, True)],
)
async def test_an_offer_price_counts_on_its_days_only(
    branch: BranchFixture, first: int | None, last: int | None, *, counts: bool
) -> None:
    today = datetime.now(ZoneInfo("Asia/Riyadh")).date()
    days = [None if ahead is None else today + timedelta(days=ahead) for ahead in (first, last)]
    product = await branch.add_product(price="100", offer_price="80")
    option = await make_option(branch.shop, product, "200", offer_price="150", quantity=10)
    package = await branch.add_package({product: 1}, price="90", offer_price="70")
    for table, id_ in (("items", product), ("packages", package)):
        await set_days(branch.shop, table, id_, *days)
    published = json_exact(await branch.shop.get(f"/items/{product}"))["data"]
    assert [bool(found["offer_price"]) for found in (published, published["options"][0])] == [counts] * 2
    assert bool(json_exact(await branch.shop.get(f"/packages/{package}"))["data"]["offer_price"]) == counts
    asked = [item(product), item(product, option_id=[option]), item(package)]
    calculated = await Till(branch).calculate(*asked)
    assert calculated["total"] == ("300.00" if counts else "390.00")


@pytest.mark.parametrize("zone", [AHEAD, BEHIND])
async def test_an_offer_day_is_in_the_time_zone_of_the_business(service: Service, zone: str) -> None:
    shop = await service.new_shop(timezone=zone)
    here = datetime.now(ZoneInfo(zone)).date()
    product = await make_product(shop, price="100", offer_price="80")
    for day, counts in ((here, True), (here - timedelta(days=1), False), (here + timedelta(days=1), False)):
        await set_days(shop, "items", product, day, day)
        published = json_exact(await shop.get(f"/items/{product}"))["data"]
        assert bool(published["offer_price"]) == counts
