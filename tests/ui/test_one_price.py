"""What an item costs, and whether an option must be chosen, is the same on every page."""

import re
from collections.abc import AsyncIterator
from typing import NamedTuple
from uuid import UUID

import httpx2
import pytest

from frontdesk.ui.booking_page.choice import WITHOUT
from frontdesk.values.ids import uuid7
from tests.factories.catalog import make_option, make_product
from tests.factories.changes import change_row, change_rows, change_tenant
from tests.factories.users import owner_of
from tests.support.branch import BranchFixture, day, open_branch
from tests.support.dashboard import DashboardClient, dashboard_of
from tests.support.pages.counter import Counter
from tests.support.service import Service
from tests.support.shop import NO_CERTIFICATES, Shop

NAME = "Balayage"


class Shown(NamedTuple):
    branch: BranchFixture
    owner: DashboardClient
    colour: UUID
    long: str
    staff_id: UUID

    async def pages(self) -> dict[str, str]:
        public = httpx2.AsyncClient(base_url=self.branch.shop.origin, timeout=120, verify=NO_CERTIFICATES)
        (row,) = await self.branch.shop.sql("SELECT slug FROM tenant_slugs WHERE tenant_id = $1 AND is_current")
        async with public:
            page = await public.get(f"/book/{row['slug']}", params={"branch": str(self.branch.branch_id), "lang": "en"})
        return {
            "public": page.text,
            "till": (await self.owner.get(f"/till?branch={self.branch.branch_id}&search={NAME.lower()}")).text,
            "booking": (await self.owner.get(f"/calendar/new?branch={self.branch.branch_id}")).text,
            "catalogue": (await self.owner.get(f"/catalogue?search={NAME}")).text,
            "search": (await self.owner.get("/search?search=bal")).text,
            "staff": (await self.owner.get(f"/staff/{self.staff_id}")).text,
            "set-up": (await self.owner.get("/setup")).text,
        }


def _shown(page: str, value: str) -> list[str]:
    """What the page shows for the service, from its name on."""
    words = re.sub("</?mark>|[\u2066\u2069]", "", page.split("<main", 1)[-1]).replace("SAR ", "")
    text = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", words))
    found = re.search(rf"{NAME}.{{0,160}}?(from )?({value})", text)
    assert found, text
    return [word.strip() for word in found.groups() if word]


@pytest.fixture(scope="module")
async def shown(service: Service) -> AsyncIterator[Shown]:
    shop = await service.new_shop()
    branch = await open_branch(shop)
    await change_rows(shop, "items", status=False)
    await change_tenant(shop, setup_hidden_at=None, country=None)
    colour = await branch.add_service(name={"en": NAME}, price="150.50", duration=45, base_sellable=False)
    long = await make_option(shop, colour, "200", duration=90)
    staff_id = await branch.add_provider(colour)
    await branch.add_product(name={"en": "Balm"})  # a search with one result opens it
    async with await dashboard_of(shop, await owner_of(shop)) as owner:
        yield Shown(branch, owner, colour, long, staff_id)


async def set_rules(shop: Shop, item_id: UUID, *, base_sellable: bool, included: bool) -> None:
    await change_row(shop, "items", item_id, base_sellable=base_sellable)
    await change_tenant(shop, prices_include_tax=included)


@pytest.mark.parametrize(
    ("base_sellable", "included", "expected"),
    [
        (False, True, ["200.00"]),
        (True, True, ["from", "150.50"]),
        (False, False, ["230.00"]),
        (True, False, ["from", "173.08"]),
    ],
)
async def test_every_page_shows_the_same_price(
    shown: Shown, expected: list[str], *, base_sellable: bool, included: bool
) -> None:
    await set_rules(shown.branch.shop, shown.colour, base_sellable=base_sellable, included=included)
    found = {name: _shown(text, r"\d+\.\d\d") for name, text in (await shown.pages()).items()}
    assert found == dict.fromkeys(found, expected)


@pytest.mark.parametrize(("base_sellable", "expected"), [(False, ["90 min"]), (True, ["from", "45 min"])])
async def test_every_page_shows_the_same_duration(shown: Shown, expected: list[str], *, base_sellable: bool) -> None:
    await set_rules(shown.branch.shop, shown.colour, base_sellable=base_sellable, included=True)
    found = {name: _shown(text, r"\d+ min") for name, text in (await shown.pages()).items()}
    assert found == dict.fromkeys(found, expected)


@pytest.mark.parametrize("base_sellable", [False, True])
async def test_every_page_asks_for_an_option_by_the_same_rule(shown: Shown, *, base_sellable: bool) -> None:
    shop, owner = shown.branch.shop, shown.owner
    await set_rules(shop, shown.colour, base_sellable=base_sellable, included=False)
    till = await Counter(owner).open(f"/till?branch={shown.branch.branch_id}")
    await till.press(add=str(shown.colour))
    assert f"Choose an option of {NAME}" in till.text
    assert ("Without an option" in till.text) == base_sellable
    await till.press(plain=str(shown.colour))
    assert (f"Choose an option of {NAME}" in till.text) != base_sellable
    form = {
        "id": str(uuid7()),
        "act": "book",
        "branch": str(shown.branch.branch_id),
        "date": str(day(3)),
        "time": "10:00",
        "service": str(shown.colour),
        "option": "",
    }
    booked = await owner.post("/calendar/new", form)
    assert booked.status_code == (303 if base_sellable else 422)
    assert ("Choose an option." in booked.text) != base_sellable
    (row,) = await shop.sql("SELECT slug FROM tenant_slugs WHERE tenant_id = $1 AND is_current")
    query = {"branch": str(shown.branch.branch_id), "services": str(shown.colour), "lang": "en"}
    async with httpx2.AsyncClient(base_url=shop.origin, timeout=120, verify=NO_CERTIFICATES) as public:
        page = (await public.get(f"/book/{row['slug']}", params=query)).text
        plain = {**query, "services": f"{shown.colour}:{WITHOUT}", "step": "when"}
        when = (await public.get(f"/book/{row['slug']}", params=plain)).text
    assert ("Without an option" in page) == ("Choose an option" in page) == base_sellable
    assert (f"{shown.colour}:{shown.long}" in when) != base_sellable  # the only option is chosen by itself


async def test_the_till_charges_what_its_tile_shows(shown: Shown) -> None:
    await set_rules(shown.branch.shop, shown.colour, base_sellable=False, included=False)
    soap = await make_product(shown.branch.shop, "Plainsoap", price="9.99", branch_id=shown.branch.branch_id)
    till = await Counter(shown.owner).open(f"/till?branch={shown.branch.branch_id}&search=plainsoap")
    assert "11.49" in till.text
    await till.press(add=str(soap))
    await till.press(add=shown.long)
    assert f"{till.total:.2f}" == "241.49"


async def test_the_owner_decides_whether_an_option_is_required(shown: Shown) -> None:
    shop, owner = shown.branch.shop, shown.owner
    await set_rules(shop, shown.colour, base_sellable=False, included=False)
    page = await owner.get(f"/catalogue/{shown.colour}")
    assert "Also sold without an option" in page.text
    assert "The customer pays" in page.text
    assert "173.08" in page.text
    new = {"id": str(uuid7()), "type": "product", "name_en": "Two sizes", "price": "5", "active": "yes"}
    new |= {"branch": str(shown.branch.branch_id)}
    option = {"option_id": str(uuid7()), "option_name_en": "Small", "option_name_ar": "", "option_price": "5"}
    option |= {f"option_{name}": "" for name in ("offer", "low", "sku", "barcode", "stock")}
    option |= {"option_active": option["option_id"]}
    assert (await owner.post("/catalogue/new", new | option)).status_code == 303
    (made,) = await shop.sql("SELECT base_sellable FROM items WHERE tenant_id = $1 AND id = $2", UUID(new["id"]))
    assert made["base_sellable"] is False
    changed = await owner.post(f"/catalogue/{new['id']}", new | option | {"version": "1", "base_sellable": "yes"})
    assert changed.status_code == 303
    (made,) = await shop.sql("SELECT base_sellable FROM items WHERE tenant_id = $1 AND id = $2", UUID(new["id"]))
    assert made["base_sellable"] is True
