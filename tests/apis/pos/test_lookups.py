from uuid import UUID, uuid4

import pytest

from tests.factories.catalog import branch_of, make_branch
from tests.factories.changes import change_rows
from tests.support.events import as_in_events
from tests.support.pagination import ids, json_exact, read_all
from tests.support.service import Service
from tests.support.shop import KEY_API, Shop

pytestmark = pytest.mark.both_servers


async def _slugs(shop: Shop, **filters: object) -> list[str]:
    page = json_exact(await shop.key_call("GET", "/items", params=filters))
    assert page["meta"]["total"] == len(page["data"])
    return [item["slug"] for item in page["data"]]


async def _category(shop: Shop, slug: str) -> UUID:
    found: UUID = (await shop.sql("SELECT id FROM categories WHERE tenant_id = $1 AND slug = $2", slug))[0]["id"]
    return found


async def test_a_till_sees_the_same_items_as_the_open_api(shop: Shop, other_shop: Shop) -> None:
    page = json_exact(await shop.key_call("GET", "/items", params={"per_page": 5, "page": 2}))
    open_api = json_exact(await shop.get("/items", params={"per_page": 5, "page": 2}))
    assert page["data"] == [as_in_events(item) for item in open_api["data"]]
    assert page["meta"] == open_api["meta"] == {"current_page": 2, "last_page": 3, "per_page": 5, "total": 14}
    address = f"{shop.origin}{KEY_API}/items?page="
    assert page["links"] == {
        "first": f"{address}1&per_page=5",
        "last": f"{address}3&per_page=5",
        "prev": f"{address}1&per_page=5",
        "next": f"{address}3&per_page=5",
    }


async def test_a_till_narrows_items_down(shop: Shop, other_shop: Shop) -> None:
    care = await _category(shop, "care")
    assert await _slugs(shop, category_id=care) == ["manicure", "pedicure", "facial", "brows"]
    assert await _slugs(shop, category_id=care, name="CURE") == ["manicure", "pedicure"]
    assert await _slugs(shop, category_id=care, type="product") == []
    assert await _slugs(shop, sku="SV-002") == ["blow-dry"]
    assert await _slugs(shop, sku="nothing") == []
    assert len(await _slugs(shop, team_id=await branch_of(shop))) == 14
    assert await _slugs(shop, team_id=await branch_of(shop), type="product", name="hair") == [
        "hair-mask",
        "oud-hair-mist",
    ]


async def test_a_branch_or_category_with_nothing_in_it_is_an_empty_page(service: Service, other_shop: Shop) -> None:
    own = await service.new_shop()
    assert await _slugs(own, team_id=await make_branch(own)) == []
    care = await _category(own, "care")
    await change_rows(own, "items", category_id=None)
    assert await _slugs(own, category_id=care) == []


async def test_item_filters_of_a_till_refuse_unknown_ids(shop: Shop, other_shop: Shop) -> None:
    for team_id, category_id in (
        (uuid4(), uuid4()),
        (await branch_of(other_shop), await _category(other_shop, "care")),
    ):
        wrong = {"team_id": ["is not a branch of this business"], "category_id": ["is not a category of this business"]}
        both = await shop.key_call("GET", "/items", params={"team_id": team_id, "category_id": category_id})
        assert json_exact(both, 422)["errors"] == wrong
        one = await shop.key_call(
            "GET", "/items", params={"team_id": await branch_of(shop), "category_id": category_id}
        )
        assert list(json_exact(one, 422)["errors"]) == ["category_id"]
    malformed = json_exact(await shop.key_call("GET", "/items?team_id=1&category_id=&type=package"), 422)
    assert sorted(malformed["errors"]) == ["category_id", "team_id", "type"]


async def test_links_of_a_till_keep_every_filter(shop: Shop) -> None:
    care = await _category(shop, "care")
    params = {"category_id": care, "team_id": await branch_of(shop), "type": "service", "name": "ي", "per_page": 1}
    page = json_exact(await shop.key_call("GET", "/items", params=params))
    seen = page["data"]
    while onward := page["links"]["next"]:
        page = json_exact(await shop.key_call("GET", onward.removeprefix(shop.origin + KEY_API)))
        seen += page["data"]
    assert [item["slug"] for item in seen] == ["manicure", "pedicure", "facial", "brows"]


async def test_a_till_of_another_business_sees_nothing_of_ours(shop: Shop, other_shop: Shop) -> None:
    theirs = json_exact(await other_shop.key_call("GET", "/items?per_page=100"))["data"]
    assert set(ids(theirs)).isdisjoint(ids(await read_all(shop, "/items", 100)))


@pytest.mark.parametrize(
    "query",
    [
        "phone=%2B966503456038",
        "phone=00966%2050%20345-6038",
        "phone=٩٦٦٥٠٣٤٥٦٠٣٨",
        "email=layla.ghamdi%40example.com",
        "email=LAYLA.Ghamdi@Example.COM",
        "phone=&email=layla.ghamdi@example.com",
    ],
)
async def test_a_customer_is_found_by_phone_or_email(shop: Shop, other_shop: Shop, query: str) -> None:
    (layla,) = await shop.sql("SELECT id FROM customers WHERE tenant_id = $1 AND first_name = 'Layla'")
    found = json_exact(await shop.key_call("GET", f"/customers/find?{query}"))
    assert found == {"data": as_in_events(json_exact(await shop.get(f"/customers/{layla['id']}"))["data"])}
    assert [tag["name"] for tag in found["data"]["tags"]] == ["VIP"]


@pytest.mark.parametrize(
    "query", ["phone=0503456038", "phone=503456038", "phone=x", "email=layla", "email=ghamdi@example.com", "email=%25"]
)
async def test_a_missing_customer_is_null(shop: Shop, query: str) -> None:
    assert (await shop.key_call("GET", f"/customers/find?{query}")).text == '{"data":null}'


@pytest.mark.one_server
@pytest.mark.parametrize("query", ["", "?phone=", "?phone=%20&email=", "?name=Layla"])
async def test_one_of_phone_and_email_must_be_given(shop: Shop, query: str) -> None:
    answer = json_exact(await shop.key_call("GET", f"/customers/find{query}"), 422)
    assert (answer["error"], sorted(answer["errors"])) == ("validation_error", ["email", "phone"])


async def test_of_several_with_one_address_the_newest_is_found(service: Service, other_shop: Shop) -> None:
    own = await service.new_shop()
    for first_name in ("Older", "Newer"):
        json_exact(await own.post("/customers", {"first_name": first_name, "email": "Both@MÜNCHEN.example"}), 201)
    for spelling in ("both@münchen.example", "BOTH@MÜNCHEN.example", "both@xn--mnchen-3ya.example"):
        found = json_exact(await own.key_call("GET", "/customers/find", params={"email": spelling}))["data"]
        assert (found["first_name"], found["email"]) == ("Newer", "Both@münchen.example")
    elsewhere = await other_shop.key_call("GET", "/customers/find", params={"email": "both@münchen.example"})
    assert json_exact(elsewhere)["data"] is None
