"""Reading customers."""

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest

from tests.factories.catalog import SOME_DAY
from tests.factories.changes import change_rows
from tests.factories.people import make_customers
from tests.support.events import NO_CUSTOM_DATA
from tests.support.pagination import Document, ids, json_exact, read_all, utc
from tests.support.service import Service
from tests.support.shop import Shop

pytestmark = pytest.mark.both_servers


async def _found(shop: Shop, **filters: str) -> list[str]:
    page = json_exact(await shop.get("/customers", params={"per_page": 100, **filters}))
    assert page["meta"]["total"] == len(page["data"])
    return sorted(customer["first_name"] for customer in page["data"])


def _brief(kept: Any) -> Document:
    return {
        "id": str(kept["id"]),
        "first_name": kept["first_name"],
        "last_name": kept["last_name"],
        "email": kept["email"],
        "phone": kept["phone"],
        "type": kept["type"],
        "city": kept["city"],
        "created_at": utc(kept["created_at"]),
        "updated_at": utc(kept["updated_at"]),
        **NO_CUSTOM_DATA,
    }


async def test_customers_are_published_as_they_are_kept(shop: Shop, other_shop: Shop) -> None:
    kept = await shop.sql("SELECT * FROM customers WHERE tenant_id = $1 ORDER BY created_at DESC, id DESC")
    page = json_exact(await shop.get("/customers?per_page=100"))
    assert page["data"] == [_brief(row) for row in kept]
    assert page["meta"] == {"current_page": 1, "last_page": 1, "per_page": 100, "total": 30}
    for row in kept:
        detail = json_exact(await shop.get(f"/customers/{row['id']}"))["data"]
        assert [tag["name"] for tag in detail.pop("tags")] == await _tags(shop, row["id"])
        assert detail == {
            **_brief(row),
            "address": row["address"],
            "note": row["note"],
            "blocked": row["blocked"],
            "tax_registration_number": row["tax_registration_number"],
        }


async def _tags(shop: Shop, customer_id: object) -> list[str]:
    rows = await shop.sql(
        """
        SELECT t.name FROM customer_tags c JOIN tags t ON t.tenant_id = c.tenant_id AND t.id = c.tag_id
        WHERE c.tenant_id = $1 AND c.customer_id = $2 ORDER BY t.name_folded COLLATE "C"
        """,
        customer_id,
    )
    return [row["name"] for row in rows]


async def test_tags_are_named_by_id_and_name(shop: Shop) -> None:
    (sara,) = await shop.sql("SELECT id FROM customers WHERE tenant_id = $1 AND first_name = 'سارة'")
    kept = await shop.sql("SELECT id, name FROM tags WHERE tenant_id = $1")
    tags = json_exact(await shop.get(f"/customers/{sara['id']}"))["data"]["tags"]
    assert [tag["name"] for tag in tags] == ["VIP", "عميلة دائمة"]
    assert {(tag["id"], tag["name"]) for tag in tags} == {(str(row["id"]), row["name"]) for row in kept}


async def test_customers_come_newest_first_and_each_once(service: Service, other_shop: Shop) -> None:
    own = await service.new_shop()
    await make_customers(own, 12)
    await make_customers(own, 9, created_at=SOME_DAY + timedelta(days=900))
    kept = await own.sql("SELECT id, first_name, created_at FROM customers WHERE tenant_id = $1")
    kept.sort(key=lambda row: (row["created_at"], row["id"]), reverse=True)
    strangers = [row for row in kept if row["first_name"] == "Stranger"]
    for path, rows in (("/customers", kept), ("/customers?name=stranger", strangers)):
        expected = [str(row["id"]) for row in rows]
        for per_page in (1, 7, 100):
            assert ids(await read_all(own, path, per_page)) == expected
            assert ids(await read_all(own, path, per_page, backward=True)) == expected
    assert (len(kept), len(strangers)) == (51, 21)


async def test_the_total_follows_what_comes_and_goes(service: Service, other_shop: Shop) -> None:
    own = await service.new_shop()
    elsewhere = json_exact(await other_shop.get("/customers"))["meta"]["total"]
    await make_customers(own, 70)
    assert json_exact(await own.get("/customers?page=4"))["meta"] == {
        "current_page": 4,
        "last_page": 4,
        "per_page": 25,
        "total": 100,
    }
    await own.sql(
        """
        WITH deleted AS (DELETE FROM customers WHERE tenant_id = $1 AND first_name = 'Stranger' RETURNING id)
        SELECT add_row_count($1, 'customers', (SELECT -count(*) FROM deleted)::integer)
        """
    )
    page = json_exact(await own.get("/customers?page=4"))
    assert (page["data"], page["meta"]["last_page"], page["meta"]["total"]) == ([], 2, 30)
    assert json_exact(await other_shop.get("/customers"))["meta"]["total"] == elsewhere


async def test_a_customer_search_without_results_is_one_empty_page(shop: Shop) -> None:
    page = json_exact(await shop.get("/customers?name=nobody&per_page=7"))
    assert page["data"] == []
    assert page["meta"] == {"current_page": 1, "last_page": 1, "per_page": 7, "total": 0}
    address = f"{shop.origin}/open-api/v1/customers?name=nobody&page=1&per_page=7"
    assert page["links"] == {"first": address, "last": address, "prev": None, "next": None}


@pytest.mark.parametrize(
    ("wanted", "first_names"),
    [
        ("layla", ["Layla"]),
        ("LAYLA", ["Layla"]),
        ("gham", ["Layla"]),
        ("Layla Al-Ghamdi", ["Layla"]),
        ("yla al-g", ["Layla"]),
        ("Al-Ghamdi Layla", []),
        ("سارة العتيبي", ["سارة"]),
        ("العتي", ["سارة"]),
        ("ريما", ["ريما"]),
        ("%", []),
        ("_", []),
        ("L_yla", []),
        ("L%a", []),
        ("\\", []),
        ("'", []),
    ],
)
async def test_a_name_is_looked_for_in_first_last_and_both(shop: Shop, wanted: str, first_names: list[str]) -> None:
    assert await _found(shop, name=wanted) == first_names


@pytest.mark.parametrize(
    "wanted",
    [
        "+966503456038",
        "966503456038",
        "00966503456038",
        "+966 50 345 6038",
        "(966) 50-345.6038",
        "503456038",
        "3456 03",
        "٥٠٣٤٥٦٠٣٨",
        "+٩٦٦ ٥٠ ٣٤٥ ٦٠٣٨",
    ],
)
async def test_a_phone_is_looked_for_by_its_digits(shop: Shop, wanted: str) -> None:
    assert await _found(shop, phone=wanted) == ["Layla"]


@pytest.mark.parametrize("wanted", ["abc", "+", "%", "---", "00"])
async def test_a_phone_without_digits_finds_nobody(shop: Shop, wanted: str) -> None:
    assert await _found(shop, phone=wanted) == []


@pytest.mark.parametrize(
    ("wanted", "first_names"),
    [
        ("layla.ghamdi@example.com", ["Layla"]),
        ("LAYLA.Ghamdi@EXAMPLE.com", ["Layla"]),
        (".ORG", ["Aisha", "Lina", "Mariam", "Noor"]),
        ("%", []),
        ("l_yla", []),
    ],
)
async def test_an_email_is_looked_for_in_any_case(shop: Shop, wanted: str, first_names: list[str]) -> None:
    assert await _found(shop, email=wanted) == first_names


async def test_letters_beyond_ascii_are_found_as_they_were_written(service: Service, other_shop: Shop) -> None:
    own = await service.new_shop()
    for first_name, email in (
        ("İlkay", "İlkay@corp.com"),
        ("STRASSE 50%_&", "straße@corp.com"),
        ("Élan", "ÉLAN@corp.com"),
    ):
        json_exact(await own.post("/customers", {"first_name": first_name, "email": email}), 201)
        assert await _found(own, name=first_name) == [first_name]
        assert await _found(own, email=email) == [first_name]
    assert await _found(own, name="straße") == ["STRASSE 50%_&"]
    assert await _found(own, name="50%_&") == ["STRASSE 50%_&"]
    assert await _found(own, name="e\u0301LAN") == ["Élan"]
    assert await _found(own, email="élan@CORP") == ["Élan"]


async def test_filters_together_must_all_hold(shop: Shop) -> None:
    assert await _found(shop, name="l", phone="9665", email="example.org") == ["Lina", "Noor"]
    assert await _found(shop, name="noor", phone="0", email="example.com") == []
    assert len(await _found(shop, name="", phone="", email=" ")) == 30


async def test_links_keep_every_filter(shop: Shop) -> None:
    path = "/customers?name=ا&phone=%2B966%2050&email=%40example"
    found = await read_all(shop, path, 1)
    assert len(found) > 1
    assert found == await read_all(shop, path, 100) == await read_all(shop, path, 1, backward=True)


@pytest.mark.parametrize(
    "wanted",
    [
        "966503456038",
        "%2B966503456038",
        "+966503456038",
        "00966503456038",
        "%2B966%2050-345.6038",
        "(966)%20503456038",
        "%2B٩٦٦٥٠٣٤٥٦٠٣٨",
    ],
)
async def test_a_customer_is_found_by_an_international_number(shop: Shop, wanted: str) -> None:
    (layla,) = await shop.sql("SELECT id FROM customers WHERE tenant_id = $1 AND first_name = 'Layla'")
    found = json_exact(await shop.get(f"/customers/phone?phone={wanted}"))
    assert found == json_exact(await shop.get(f"/customers/{layla['id']}"))


@pytest.mark.parametrize(
    "wanted",
    ["0503456038", "503456038", "3456038", "96650345603", "9665034560381", "000966503456038", "none", "%2B", "9" * 255],
)
async def test_a_phone_that_is_not_international_finds_no_customer(shop: Shop, wanted: str) -> None:
    assert (await shop.get(f"/customers/phone?phone={wanted}")).text == '{"data":null}'


async def test_a_number_kept_with_punctuation_is_found_by_its_digits(service: Service, other_shop: Shop) -> None:
    own = await service.new_shop()
    await change_rows(own, "customers", {"first_name": "Layla"}, phone="+966 (50) 999-88.77")
    found = json_exact(await own.get("/customers/phone?phone=00966-50-9998877"))["data"]
    assert (found["first_name"], found["phone"]) == ("Layla", "+966 (50) 999-88.77")
    assert json_exact(await other_shop.get("/customers/phone?phone=966509998877"))["data"] is None


async def test_finding_a_customer_requires_a_phone(shop: Shop) -> None:
    assert json_exact(await shop.get("/customers/phone"), 422)["errors"] == {"phone": ["is required"]}
    assert json_exact(await shop.get("/customers/phone?phone=%20"), 422)["errors"] == {"phone": ["must not be empty"]}


async def test_a_customer_of_another_business_does_not_exist(service: Service, shop: Shop) -> None:
    own = await service.new_shop()
    made = json_exact(
        await own.post("/customers", {"first_name": "Onlyhere", "phone": "+971501234567", "phone_country": "AE"}), 201
    )["data"]
    assert json_exact(await own.get("/customers/phone?phone=971501234567"))["data"] == made
    assert json_exact(await shop.get("/customers/phone?phone=971501234567"))["data"] is None
    assert await _found(shop, name="onlyhere") == await _found(shop, phone="971501234567") == []
    for unknown in (made["id"], uuid4(), "phones"):
        assert json_exact(await shop.get(f"/customers/{unknown}"), 404)["error"] == "not_found"
