from uuid import uuid4

import pytest

from tests.factories.catalog import branch_of, make_branch, make_category
from tests.factories.changes import change_rows, delete_rows
from tests.support.pagination import ids, json_exact, read_all, text, utc
from tests.support.service import Service
from tests.support.shop import Shop

pytestmark = pytest.mark.both_servers


async def test_a_category_is_published_as_it_is_kept(shop: Shop, other_shop: Shop) -> None:
    kept = await shop.sql(
        """
        SELECT c.*, b.name AS branch_name
        FROM categories c JOIN branches b ON (b.tenant_id, b.id) = (c.tenant_id, c.branch_id)
        WHERE c.tenant_id = $1 ORDER BY c.sort_order
        """
    )
    assert [row["slug"] for row in kept] == ["hair", "care", "shop"]
    assert json_exact(await shop.get("/categories"))["data"] == [
        {
            "id": str(row["id"]),
            "version": row["version"],
            "name": text(row["name"]),
            "slug": row["slug"],
            "description": text(row["description"]),
            "status": True,
            "sort_order": row["sort_order"],
            "branch": {"id": str(row["branch_id"]), "name": row["branch_name"]},
            "created_at": utc(row["created_at"]),
            "updated_at": utc(row["updated_at"]),
        }
        for row in kept
    ]


async def test_categories_come_in_the_order_of_the_business_and_each_once(service: Service, other_shop: Shop) -> None:
    own = await service.new_shop()
    branch_id = await branch_of(own)
    added = [
        str(await make_category(own, branch_id=branch_id, active=False, sort_order=sort_order))
        for sort_order in (1, 1, 1, -5, 0, 2, 1, 1)
    ]
    kept = await own.sql("SELECT id, sort_order FROM categories WHERE tenant_id = $1")
    expected = [str(row["id"]) for row in sorted(kept, key=lambda row: (row["sort_order"], row["id"]))]
    assert len(expected) == 11
    for per_page in (1, 7, 100):
        assert ids(await read_all(own, "/categories", per_page)) == expected
        assert ids(await read_all(own, "/categories", per_page, backward=True)) == expected
    bare = [c for c in await read_all(own, "/categories", 100) if c["id"] in added]
    assert [(c["description"], c["status"]) for c in bare] == [(None, False)] * 8


async def test_categories_can_be_asked_for_by_branch(service: Service, other_shop: Shop) -> None:
    own = await service.new_shop()
    first, second, empty = await branch_of(own), await make_branch(own), await make_branch(own)
    added = str(await make_category(own, branch_id=second, active=False, sort_order=0))
    found = json_exact(await own.get(f"/categories?branch_id={second}&per_page=1"))
    assert (ids(found["data"]), found["meta"]["total"]) == ([added], 1)
    assert f"branch_id={second}&" in found["links"]["first"]
    assert added not in ids(json_exact(await own.get(f"/categories?branch_id={first}"))["data"])
    nothing = json_exact(await own.get(f"/categories?branch_id={empty}"))
    assert nothing["data"] == []
    assert nothing["meta"] == {"current_page": 1, "last_page": 1, "per_page": 25, "total": 0}
    assert (nothing["links"]["prev"], nothing["links"]["next"]) == (None, None)


async def test_a_branch_of_another_business_is_unknown(shop: Shop, other_shop: Shop) -> None:
    for wrong in (uuid4(), await branch_of(other_shop)):
        answer = json_exact(await shop.get(f"/categories?branch_id={wrong}"), 422)
        assert answer["error"] == "validation_error"
        assert answer["errors"] == {"branch_id": ["is not a branch of this business"]}
    answer = json_exact(await shop.get("/categories?branch_id=first"), 422)
    assert answer["errors"] == {"branch_id": ["must be a UUID"]}


async def test_a_business_without_categories_has_one_empty_page(service: Service, other_shop: Shop) -> None:
    own = await service.new_shop()
    await change_rows(own, "items", category_id=None)
    await delete_rows(own, "categories")
    answer = json_exact(await own.get("/categories"))
    assert answer["data"] == []
    assert answer["meta"] == {"current_page": 1, "last_page": 1, "per_page": 25, "total": 0}
