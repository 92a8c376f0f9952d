"""Creating customers."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from tests.support.events import NO_CUSTOM_DATA
from tests.support.pagination import Document, ids, json_exact, utc
from tests.support.servers.dns import Zone, running_name_server
from tests.support.service import Service, running_service
from tests.support.shop import Shop
from tests.support.waiting import answered

_COUNT = "SELECT count(*) AS n FROM customers WHERE tenant_id = $1"


@pytest.fixture(scope="module")
async def own(service: Service) -> Shop:
    """One for this file: each test brings customers that no other has."""
    return await service.new_shop()


@pytest.fixture(scope="module")
async def checked(dsn: str) -> AsyncIterator[Shop]:
    """A business whose service asks a name server about the domains of e-mails."""
    with running_name_server(Zone()) as resolver:
        async with running_service(dsn, email_dns=True, email_resolver=resolver) as asking:
            yield await asking.new_shop()


async def _create(shop: Shop, **body: Any) -> Document:
    document: Document = json_exact(await shop.post("/customers", body), 201)["data"]
    return document


async def _refusal(shop: Shop, **body: Any) -> dict[str, list[str]]:
    before = await shop.sql(_COUNT)
    answer = json_exact(await shop.post("/customers", body), 422)
    assert answer["error"] == "validation_error"
    assert await shop.sql(_COUNT) == before
    errors: dict[str, list[str]] = answer["errors"]
    return errors


async def test_a_customer_is_created_as_sent(own: Shop, other_shop: Shop) -> None:
    made = await _create(
        own,
        first_name="  نورة ",
        last_name="\tAl-Saud\n",
        email=" Noura@CORP.com ",
        phone=" 055 123-4567 ",
        phone_country="sa",
        type="company",
        city=" الرياض ",
        address="  King Fahd Road ",
        note="  Comes late\nbut comes ",
        tax_registration_number=" 310122393500003 ",
        blocked=True,
        id="01a1dd75-8eb3-7cbb-9914-fabd7643db35",
        tags=["VIP"],
    )
    (kept,) = await own.sql("SELECT * FROM customers WHERE tenant_id = $1 AND phone = '+966551234567'")
    assert made == {
        "id": str(kept["id"]),
        "first_name": "نورة",
        "last_name": "Al-Saud",
        "email": "Noura@corp.com",
        "phone": "+966551234567",
        "type": "company",
        "city": "الرياض",
        "address": "King Fahd Road",
        "note": "Comes late\nbut comes",
        "blocked": False,
        "tax_registration_number": "310122393500003",
        "tags": [],
        "created_at": utc(kept["created_at"]),
        "updated_at": utc(kept["updated_at"]),
        **NO_CUSTOM_DATA,
    }
    assert made["id"] != "01a1dd75-8eb3-7cbb-9914-fabd7643db35"
    assert kept["phone_country"] == "SA"
    assert json_exact(await own.get(f"/customers/{made['id']}"))["data"] == made
    assert ids(json_exact(await own.get("/customers?per_page=1"))["data"]) == [made["id"]]
    json_exact(await other_shop.get(f"/customers/{made['id']}"), 404)


async def test_a_first_name_is_enough(own: Shop, other_shop: Shop) -> None:
    optional = ["last_name", "email", "phone", "city", "address", "note", "tax_registration_number"]
    bare = await _create(own, first_name="Jo")
    nulls = await _create(own, first_name="Jo", type=None, phone_country=None, **dict.fromkeys(optional))
    for made in (bare, nulls):
        assert [made[field] for field in optional] == [None] * len(optional)
        assert (made["type"], made["blocked"], made["tags"]) == ("individual", False, [])


@pytest.mark.parametrize(
    ("body", "errors"),
    [
        ({}, {"first_name": ["is required"]}),
        ({"first_name": None}, {"first_name": ["must be a string"]}),
        ({"first_name": 12}, {"first_name": ["must be a string"]}),
        ({"first_name": " J "}, {"first_name": ["must have at least 2 characters"]}),
        ({"first_name": "x" * 101}, {"first_name": ["must have at most 100 characters"]}),
        ({"last_name": "J"}, {"last_name": ["must have at least 2 characters"]}),
        ({"city": "Jo"}, {"city": ["must have at least 3 characters"]}),
        ({"city": " Jo  "}, {"city": ["must have at least 3 characters"]}),
        ({"address": "Jo"}, {"address": ["must have at least 3 characters"]}),
        ({"address": "x" * 256}, {"address": ["must have at most 255 characters"]}),
        ({"note": "x" * 5001}, {"note": ["must have at most 5000 characters"]}),
        ({"type": "person"}, {"type": ["must be one of individual, company"]}),
        ({"tax_registration_number": "31012239350000"}, {"tax_registration_number": ["must be 15 digits"]}),
        ({"tax_registration_number": "3101223935000033"}, {"tax_registration_number": ["must be 15 digits"]}),
        ({"tax_registration_number": "31012239350000x"}, {"tax_registration_number": ["must be 15 digits"]}),
        ({"tax_registration_number": "٣١٠١٢٢٣٩٣٥٠٠٠٠٣"}, {"tax_registration_number": ["must be 15 digits"]}),
        ({"tax_registration_number": 310122393500003}, {"tax_registration_number": ["must be a string"]}),
        ({"email": "nobody"}, {"email": ["is not a valid e-mail address"]}),
        ({"email": "a b@corp.com"}, {"email": ["is not a valid e-mail address"]}),
        ({"email": ""}, {"email": ["must not be empty"]}),
        ({"phone": "0501234567"}, {"phone_country": ["is required with phone"]}),
        ({"phone": "+966501234567"}, {"phone_country": ["is required with phone"]}),
        ({"phone": "0501234567", "phone_country": None}, {"phone_country": ["is required with phone"]}),
        ({"phone": "", "phone_country": "SA"}, {"phone": ["must not be empty"]}),
        ({"phone": "123", "phone_country": "SA"}, {"phone": ["is not a valid phone number for SA"]}),
        ({"phone": 966501234567, "phone_country": "SA"}, {"phone": ["must be a string"]}),
        ({"phone": "0501234567", "phone_country": "SAU"}, {"phone_country": ["must be a two-letter country code"]}),
        ({"phone": "0501234567", "phone_country": "S1"}, {"phone_country": ["must be a two-letter country code"]}),
        (
            {"phone": "0501234567", "phone_country": "XX"},
            {"phone_country": ["must be a two-letter country code, such as SA"]},
        ),
        (
            {"phone": "0501234567", "email": "nobody"},
            {"email": ["is not a valid e-mail address"], "phone_country": ["is required with phone"]},
        ),
        (
            {"first_name": "J", "last_name": 1, "city": "x", "type": "", "tax_registration_number": ""},
            {
                "first_name": ["must have at least 2 characters"],
                "last_name": ["must be a string"],
                "city": ["must have at least 3 characters"],
                "type": ["must be one of individual, company"],
                "tax_registration_number": ["must be 15 digits"],
            },
        ),
    ],
)
async def test_a_wrong_customer_is_refused_field_by_field(
    own: Shop, other_shop: Shop, body: dict[str, Any], errors: dict[str, list[str]]
) -> None:
    given = body if "first_name" in body or not body else {"first_name": "Joud", **body}
    assert await _refusal(own, **given) == errors


async def test_lengths_are_counted_in_characters(own: Shop) -> None:
    made = await _create(own, first_name="نو", last_name="x" * 100, city="جدة", address="أبها", note="")
    assert (made["first_name"], made["city"], made["address"]) == ("نو", "جدة", "أبها")


@pytest.mark.parametrize(
    ("phone", "country", "stored"),
    [
        ("0561110001", "SA", "+966561110001"),
        ("561110002", "SA", "+966561110002"),
        ("+966 (56) 111-00.03", "SA", "+966561110003"),
        ("00966561110004", "SA", "+966561110004"),
        ("٠٥٦١١١٠٠٠٥", "SA", "+966561110005"),
        ("+971 50 111 0006", "sa", "+971501110006"),
        ("07911 123456", "GB", "+447911123456"),
    ],
)
async def test_a_phone_is_stored_in_international_form(own: Shop, phone: str, country: str, stored: str) -> None:
    made = await _create(own, first_name="Joud", phone=phone, phone_country=country)
    assert made["phone"] == stored
    assert json_exact(await own.get(f"/customers/phone?phone={stored.removeprefix('+')}"))["data"] == made


async def test_a_phone_belongs_to_one_customer_of_a_business(own: Shop, other_shop: Shop) -> None:
    await _create(own, first_name="First", phone="0562220001", phone_country="SA")
    for spelling in ("0562220001", "+966562220001", "00966 56 222 0001", "٠٥٦٢٢٢٠٠٠١"):
        errors = await _refusal(own, first_name="Second", phone=spelling, phone_country="SA")
        assert errors == {"phone": ["already belongs to another customer"]}
    elsewhere = json_exact(await other_shop.get("/customers/phone?phone=966562220001"))["data"]
    assert elsewhere is None


async def test_another_business_may_have_the_same_phone(own: Shop, service: Service) -> None:
    another = await service.new_shop()
    for shop in (own, another):
        made = await _create(shop, first_name="Both", phone="0562220002", phone_country="SA")
        assert json_exact(await shop.get("/customers/phone?phone=966562220002"))["data"] == made


async def test_of_concurrent_new_customers_with_one_phone_one_is_created(own: Shop) -> None:
    body = {"first_name": "Racer", "phone": "0563330001", "phone_country": "SA"}
    await own.token()
    before = json_exact(await own.get("/customers"))["meta"]["total"]
    answers = await asyncio.gather(*(answered(lambda: own.post("/customers", body)) for _ in range(20)))
    assert sorted(answer.status_code for answer in answers) == [201] + [422] * 19
    for answer in answers:
        if answer.status_code == 422:
            assert answer.json()["errors"] == {"phone": ["already belongs to another customer"]}
    assert json_exact(await own.get("/customers"))["meta"]["total"] == before + 1
    assert len(await own.sql("SELECT FROM customers WHERE tenant_id = $1 AND first_name = 'Racer'")) == 1


async def test_concurrent_new_customers_are_all_created(own: Shop) -> None:
    await own.token()
    before = json_exact(await own.get("/customers"))["meta"]["total"]
    bodies = [{"first_name": "Crowd", "phone": f"05644400{n}", "phone_country": "SA"} for n in range(10, 30)]
    made = await asyncio.gather(*(_create(own, **body) for body in bodies))
    assert len({customer["id"] for customer in made}) == 20
    assert json_exact(await own.get("/customers"))["meta"]["total"] == before + 20
    assert json_exact(await own.get("/customers?name=crowd"))["meta"]["total"] == 20


@pytest.mark.parametrize(
    ("email", "stored"),
    [
        ("User+tag@CORP.com", "User+tag@corp.com"),
        ("user@xn--mnchen-3ya.corp.com", "user@münchen.corp.com"),
        ("مستخدم@corp.com", "مستخدم@corp.com"),
    ],
)
async def test_an_email_is_stored_in_one_spelling(own: Shop, email: str, stored: str) -> None:
    made = await _create(own, first_name="Joud", email=email)
    assert made["email"] == stored
    assert made["id"] in ids(json_exact(await own.get("/customers", params={"email": stored}))["data"])


@pytest.mark.parametrize("domain", ["mail.corp.com", "a-only.corp.com", "münchen.corp.com"])
async def test_an_email_at_a_domain_that_takes_mail_is_accepted(checked: Shop, domain: str) -> None:
    assert (await _create(checked, first_name="Joud", email=f"joud@{domain}"))["email"] == f"joud@{domain}"


@pytest.mark.parametrize(
    ("domain", "why"),
    [
        ("missing.corp.com", "has a domain that does not exist"),
        ("null-mx.corp.com", "has a domain that does not receive e-mail"),
        ("empty.corp.com", "has a domain that does not receive e-mail"),
    ],
)
async def test_an_email_at_a_domain_that_takes_none_is_refused(
    checked: Shop, other_shop: Shop, domain: str, why: str
) -> None:
    assert await _refusal(checked, first_name="Joud", email=f"joud@{domain}") == {"email": [why]}
    both = await _refusal(checked, first_name="Joud", email=f"joud@{domain}", phone="12", phone_country="SA")
    assert both == {"email": [why], "phone": ["is not a valid phone number for SA"]}


async def test_an_email_is_accepted_if_the_name_server_fails(checked: Shop) -> None:
    assert (await _create(checked, first_name="Joud", email="joud@broken.corp.com"))["email"] == "joud@broken.corp.com"


async def test_a_silent_name_server_delays_only_the_customer_that_needs_it(checked: Shop) -> None:
    await checked.token()
    waiting = asyncio.create_task(_create(checked, first_name="Patient", email="joud@silent.corp.com"))
    await _create(checked, first_name="Quick", email="joud@mail.corp.com")
    assert not waiting.done()
    assert (await waiting)["first_name"] == "Patient"


async def test_every_broken_field_is_named_at_once(shop: Shop) -> None:
    wrong = {"first_name": "J", "email": "nobody", "phone": "12", "phone_country": "SA", "city": 5}
    refused = await shop.post("/customers", wrong)
    assert refused.status_code == 422
    assert set(refused.json()["errors"]) == {"first_name", "email", "phone", "city"}
