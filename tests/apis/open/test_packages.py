"""Packages: what is sold together at one price."""

from decimal import Decimal

import pytest

from tests.support.branch import BranchFixture, line
from tests.support.http_errors import assert_error
from tests.support.pagination import json_exact, utc
from tests.support.shop import Shop

pytestmark = pytest.mark.both_servers


async def test_a_package_has_exactly_these_fields_and_can_be_ordered(own_branch: BranchFixture) -> None:
    cut, soap = await own_branch.add_service(), await own_branch.add_product()
    package_id = await own_branch.add_package({cut: 1, soap: 3}, price="50", offer_price="45.5")
    (kept,) = await own_branch.shop.sql("SELECT * FROM packages WHERE tenant_id = $1 AND id = $2", package_id)
    name = {"ar": "شيء", "en": "A thing"}
    items = [
        {"id": str(cut), "name": name, "type": "service", "quantity": 1},
        {"id": str(soap), "name": name, "type": "product", "quantity": 3},
    ]
    expected = {
        "id": str(package_id),
        "version": 1,
        "sku": None,
        "name": {"ar": "باقة", "en": "A package"},
        "description": None,
        "branch": {"id": str(own_branch.branch_id), "name": "Bare"},
        "price": Decimal("50.00"),
        "offer_price": Decimal("45.50"),
        "entered_price": Decimal("50.00"),
        "entered_offer_price": Decimal("45.50"),
        "offer_from": None,
        "offer_until": None,
        "tax_class_id": None,
        "tax": {"rate": Decimal("15"), "included": True},
        "status": True,
        "items": sorted(items, key=lambda item: str(item["id"])),
        "created_at": utc(kept["created_at"]),
        "updated_at": utc(kept["updated_at"]),
    }
    assert json_exact(await own_branch.shop.get(f"/packages/{package_id}"))["data"] == expected
    assert json_exact(await own_branch.shop.get("/packages"))["data"][0] == expected
    assert (await own_branch.place(line(package_id, "package")))["total"] == Decimal("45.50")


async def test_packages_come_page_by_page_newest_first(own_branch: BranchFixture) -> None:
    made = [str(await own_branch.add_package({})) for _ in range(5)]
    first = json_exact(await own_branch.shop.get("/packages", params={"per_page": 4}))
    total = first["meta"]["total"]
    last = json_exact(await own_branch.shop.get("/packages", params={"per_page": 4, "page": 2}))
    found = [package["id"] for package in (*first["data"], *last["data"])]
    assert found[:5] == made[::-1]
    assert len(found) == len(set(found)) == total


async def test_a_package_of_another_business_is_unknown(own_branch: BranchFixture, other_shop: Shop) -> None:
    package_id = await own_branch.add_package({})
    assert_error(await other_shop.get(f"/packages/{package_id}"), 404, "not_found")
    listed = json_exact(await other_shop.get("/packages"))["data"]
    assert str(package_id) not in [package["id"] for package in listed]


async def test_reading_packages_needs_the_scope_of_items(own_branch: BranchFixture) -> None:
    token = await own_branch.shop.new_token("orders:read")
    assert_error(await own_branch.shop.get("/packages", token=token), 403, "insufficient_scope")
