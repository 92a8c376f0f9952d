from datetime import timedelta
from decimal import Decimal

import pytest

from tests.factories.catalog import SOME_DAY, make_branch
from tests.factories.changes import change_row
from tests.support.pagination import ids, json_exact, read_all, utc
from tests.support.service import Service
from tests.support.shop import Shop

pytestmark = pytest.mark.both_servers


async def test_a_branch_is_published_as_it_is_kept(shop: Shop, other_shop: Shop) -> None:
    (kept,) = await shop.sql("SELECT * FROM branches WHERE tenant_id = $1")
    page = json_exact(await shop.get("/branches"))
    assert page["data"] == [
        {
            "id": str(kept["id"]),
            "name": "لمسة – حي الياسمين",
            "names": {"en": "Lamsa – Al Yasmin"},
            "slug": "lamsa-alyasmin",
            "phone": "+966501180240",
            "phone_country": "SA",
            "address": kept["address"],
            "latitude": Decimal("24.8234"),
            "longitude": Decimal("46.6417"),
            "location": "https://maps.example/lamsa-alyasmin",
            "status": True,
            "created_at": utc(kept["created_at"]),
            "updated_at": utc(kept["updated_at"]),
        }
    ]
    assert page["meta"] == {"current_page": 1, "last_page": 1, "per_page": 25, "total": 1}
    assert (await other_shop.first("/branches"))["id"] != str(kept["id"])


async def test_missing_fields_of_a_branch_are_null(service: Service) -> None:
    own = await service.new_shop()
    bare = str(await make_branch(own))
    await change_row(own, "branches", bare, status=False)
    (found,) = [branch for branch in json_exact(await own.get("/branches"))["data"] if branch["id"] == bare]
    empty = ["phone", "phone_country", "address", "latitude", "longitude", "location"]
    assert [found[field] for field in empty] == [None] * len(empty)
    assert found["status"] is False


async def test_branches_come_newest_first_and_each_once(service: Service, other_shop: Shop) -> None:
    own = await service.new_shop()
    for day in (0, 0, 0, 0, 400, 400, -400):
        await make_branch(own, created_at=SOME_DAY + timedelta(days=day))
    kept = await own.sql("SELECT id, created_at FROM branches WHERE tenant_id = $1")
    expected = [str(row["id"]) for row in sorted(kept, key=lambda row: (row["created_at"], row["id"]), reverse=True)]
    for per_page in (1, 7, 100):
        assert ids(await read_all(own, "/branches", per_page)) == expected
        assert ids(await read_all(own, "/branches", per_page, backward=True)) == expected


@pytest.mark.parametrize("page", [2, 2**31 - 1])
async def test_past_the_last_page_of_branches_there_is_nothing(shop: Shop, page: int) -> None:
    answer = json_exact(await shop.get(f"/branches?page={page}&per_page=100"))
    assert answer["data"] == []
    assert answer["meta"] == {"current_page": page, "last_page": 1, "per_page": 100, "total": 1}
    address = f"{shop.origin}/open-api/v1/branches?page=1&per_page=100"
    assert answer["links"] == {"first": address, "last": address, "prev": address, "next": None}
