import asyncio
import re
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest

from tests.factories.applications import disconnect_installs
from tests.factories.catalog import SOME_DAY, make_payment_method
from tests.factories.changes import change_rows
from tests.support.http_errors import assert_error
from tests.support.pagination import Document, ids, json_exact, read_all, utc
from tests.support.service import Service
from tests.support.shop import Shop
from tests.support.waiting import answered

pytestmark = pytest.mark.both_servers


async def _create(shop: Shop, **body: Any) -> Document:
    document: Document = json_exact(await shop.post("/payment-methods", body), 201)["data"]
    return document


async def test_a_method_is_published_as_it_is_kept(shop: Shop, other_shop: Shop) -> None:
    (kept,) = await shop.sql("SELECT * FROM payment_methods WHERE tenant_id = $1 AND slug = 'bank_transfer'")
    (kind,) = await shop.sql(
        "SELECT id FROM payment_method_types WHERE slug = 'bank_transfer' AND $1::uuid IS NOT NULL"
    )
    expected = {
        "version": kept["version"],
        "id": str(kept["id"]),
        "name": {"ar": "حوالة بنكية", "en": "Bank transfer"},
        "slug": "bank_transfer",
        "type": {"id": str(kind["id"]), "name": "Bank transfer", "slug": "bank_transfer"},
        "status": True,
        "sort_order": kept["sort_order"],
        "created_at": utc(kept["created_at"]),
        "updated_at": utc(kept["updated_at"]),
    }
    assert json_exact(await shop.get(f"/payment-methods/{kept['id']}"))["data"] == expected
    listed = json_exact(await shop.get("/payment-methods"))
    assert expected in listed["data"]
    assert {method["slug"] for method in listed["data"]} == {"cash", "card", "bank_transfer", "mizan-pay"}
    assert listed["meta"] == {"current_page": 1, "last_page": 1, "per_page": 25, "total": 4}


async def test_only_active_payment_methods_are_listed(service: Service, other_shop: Shop) -> None:
    own = await service.new_shop()
    await change_rows(own, "payment_methods", {"slug": "card"}, active=False)
    await disconnect_installs(own)
    listed = json_exact(await own.get("/payment-methods"))
    assert {method["slug"] for method in listed["data"]} == {"cash", "bank_transfer"}
    assert listed["meta"]["total"] == 2
    for row in await own.sql("SELECT id, slug FROM payment_methods WHERE tenant_id = $1"):
        one = json_exact(await own.get(f"/payment-methods/{row['id']}"))["data"]
        assert one["slug"] == row["slug"]
    assert "mizan-pay" in {m["slug"] for m in json_exact(await other_shop.get("/payment-methods"))["data"]}


async def test_methods_come_newest_first_and_each_once(service: Service, other_shop: Shop) -> None:
    own = await service.new_shop()
    for n, day in enumerate((0, 0, 0, 0, 0, 400, -400)):
        await make_payment_method(own, f"voucher-{n}", kind="voucher", created_at=SOME_DAY + timedelta(days=day))
    kept = await own.sql("SELECT id, created_at FROM payment_methods WHERE tenant_id = $1")
    expected = [str(row["id"]) for row in sorted(kept, key=lambda row: (row["created_at"], row["id"]), reverse=True)]
    assert len(expected) == 11
    for per_page in (1, 7, 100):
        assert ids(await read_all(own, "/payment-methods", per_page)) == expected
        assert ids(await read_all(own, "/payment-methods", per_page, backward=True)) == expected
    past = json_exact(await own.get("/payment-methods?page=3&per_page=7"))
    assert (past["data"], past["meta"]["last_page"]) == ([], 2)


async def test_a_business_without_methods_has_one_empty_page(service: Service, other_shop: Shop) -> None:
    own = await service.new_shop()
    await change_rows(own, "payment_methods", active=False)
    page = json_exact(await own.get("/payment-methods"))
    assert page["data"] == []
    assert page["meta"] == {"current_page": 1, "last_page": 1, "per_page": 25, "total": 0}


async def test_a_method_of_another_business_does_not_exist(shop: Shop, other_shop: Shop) -> None:
    (theirs,) = await other_shop.sql("SELECT id FROM payment_methods WHERE tenant_id = $1 AND slug = 'cash'")
    for unknown in (theirs["id"], uuid4(), "cash"):
        assert json_exact(await shop.get(f"/payment-methods/{unknown}"), 404)["error"] == "not_found"


async def test_a_new_method_is_there_at_once_and_in_every_language(service: Service, other_shop: Shop) -> None:
    own = await service.new_shop()
    made = await _create(own, name="  Gift card ", type="other", colour="ignored")
    (kept,) = await own.sql("SELECT * FROM payment_methods WHERE tenant_id = $1 AND slug = 'gift-card'")
    assert made == {
        "id": str(kept["id"]),
        "name": {"ar": "Gift card", "en": "Gift card"},
        "version": 1,
        "slug": "gift-card",
        "type": {"id": made["type"]["id"], "name": "Other", "slug": "other"},
        "status": True,
        "sort_order": kept["sort_order"],
        "created_at": utc(kept["created_at"]),
        "updated_at": utc(kept["updated_at"]),
    }
    assert UUID(made["type"]["id"])
    assert (kept["active"], kept["type"], kept["install_id"]) == (True, "other", None)
    assert json_exact(await own.get(f"/payment-methods/{made['id']}"))["data"] == made
    assert json_exact(await own.get("/payment-methods"))["data"][0] == made
    assert made["id"] not in ids(await read_all(other_shop, "/payment-methods", 100))
    json_exact(await other_shop.get(f"/payment-methods/{made['id']}"), 404)


async def test_a_method_can_be_made_switched_off(service: Service, other_shop: Shop) -> None:
    own = await service.new_shop()
    off = await _create(own, name="Later", type="cash", status=False)
    on = await _create(own, name="Now", type="cash", status=True)
    unsaid = await _create(own, name="Unsaid", type="cash", status=None)
    listed = ids(await read_all(own, "/payment-methods", 100))
    assert off["id"] not in listed
    assert listed[:2] == [unsaid["id"], on["id"]]
    assert json_exact(await own.get(f"/payment-methods/{off['id']}"))["data"] == off


@pytest.mark.one_server
@pytest.mark.parametrize(
    ("body", "errors"),
    [
        ({}, {"name": ["is required"], "type": ["is required"]}),
        ({"name": "Visa", "type": "card"}, {"type": ["must be one of cash, other"]}),
        ({"name": "Wire", "type": "bank_transfer"}, {"type": ["must be one of cash, other"]}),
        ({"name": "App", "type": "third-party"}, {"type": ["must be one of cash, other"]}),
        ({"name": "App", "type": "voucher"}, {"type": ["must be one of cash, other"]}),
        ({"name": "App", "type": "Cash"}, {"type": ["must be one of cash, other"]}),
        ({"name": "App", "type": None}, {"type": ["must be one of cash, other"]}),
        ({"name": "   ", "type": "cash"}, {"name": ["must not be empty"]}),
        ({"name": None, "type": "cash"}, {"name": ["must be a string"]}),
        ({"name": {"en": "Cash"}, "type": "cash"}, {"name": ["must be a string"]}),
        ({"name": "x" * 256, "type": "cash"}, {"name": ["must have at most 255 characters"]}),
        ({"name": "Cash", "type": "cash", "status": "true"}, {"status": ["must be true or false"]}),
        ({"name": "Cash", "type": "cash", "status": 1}, {"status": ["must be true or false"]}),
        (
            {"name": 5, "type": 5, "status": 5},
            {"name": ["must be a string"], "type": ["must be one of cash, other"], "status": ["must be true or false"]},
        ),
    ],
)
async def test_a_wrong_method_is_refused_field_by_field(
    shop: Shop, other_shop: Shop, body: dict[str, Any], errors: dict[str, list[str]]
) -> None:
    before = await shop.sql("SELECT count(*) AS n FROM payment_methods WHERE tenant_id = $1")
    answer = json_exact(await shop.post("/payment-methods", body), 422)
    assert (answer["error"], answer["errors"]) == ("validation_error", errors)
    assert await shop.sql("SELECT count(*) AS n FROM payment_methods WHERE tenant_id = $1") == before


async def test_equal_names_get_slugs_of_their_own(service: Service) -> None:
    own = await service.new_shop()
    names = ["Gift card", "gift  CARD!", "Cash!", "نقدي", "***", "★", "x" * 255]
    slugs = [(await _create(own, name=name, type="cash"))["slug"] for name in names]
    assert slugs[0] == "gift-card"
    assert re.fullmatch(r"gift-card-[0-9a-f]{8}", slugs[1])
    assert re.fullmatch(r"cash-[0-9a-f]{8}", slugs[2])
    assert slugs[6] == "x" * 80
    assert all(slugs)
    assert len(set(slugs)) == len(slugs)
    other = await service.new_shop()
    assert (await _create(other, name="Gift card", type="other", status=False))["slug"] == "gift-card"


async def test_a_name_is_given_once_however_it_is_spelled(service: Service, other_shop: Shop) -> None:
    own = await service.new_shop()
    await _create(own, name="Gift card", type="other")
    for name in ("Gift card", "GIFT CARD", " Gift card ", "Gíft card", "Cash"):
        answer = await own.post("/payment-methods", {"name": name, "type": "cash"})
        errors = assert_error(answer, 422, "validation_error")["errors"]
        assert errors == {"name": ["is the name of another payment method"]}, name
    assert (await _create(await service.new_shop(), name="Gift card", type="other"))["slug"] == "gift-card"


async def test_of_twenty_with_the_same_name_at_once_one_is_made(service: Service, other_shop: Shop) -> None:
    own = await service.new_shop()
    await own.token()
    body = {"name": "Tips", "type": "other"}
    answers = await asyncio.gather(*(answered(lambda: own.post("/payment-methods", body)) for _ in range(20)))
    assert sorted(answer.status_code for answer in answers) == [201, *[422] * 19]
    assert len(await own.sql("SELECT FROM payment_methods WHERE tenant_id = $1 AND slug LIKE 'tips%'")) == 1
