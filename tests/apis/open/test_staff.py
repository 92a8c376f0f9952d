from decimal import Decimal
from uuid import UUID, uuid4

import httpx2
import pytest

from tests.factories.catalog import branch_of, make_branch, make_service
from tests.factories.changes import change_row, change_tenant
from tests.factories.people import add_intervals, assign_service, make_staff, make_working_hours
from tests.support.events import NO_CUSTOM_DATA
from tests.support.pagination import Document, ids, json_exact, read_all, text, utc
from tests.support.service import Service
from tests.support.shop import Shop

pytestmark = pytest.mark.both_servers


async def _id(shop: Shop, name: str) -> UUID:
    found: UUID = (await shop.sql("SELECT id FROM staff WHERE tenant_id = $1 AND name = $2", name))[0]["id"]
    return found


async def _member(shop: Shop, staff_id: UUID) -> Document:
    document: Document = json_exact(await shop.get(f"/staff/{staff_id}"))["data"]
    return document


async def test_a_member_of_staff_is_published_as_kept(shop: Shop, other_shop: Shop) -> None:
    (kept,) = await shop.sql("SELECT * FROM staff WHERE tenant_id = $1 AND name = 'ريم القحطاني'")
    items = await shop.sql(
        """
        SELECT i.slug, i.id, s.price, s.duration
        FROM staff_services s JOIN items i ON (i.tenant_id, i.id) = (s.tenant_id, s.item_id)
        WHERE s.tenant_id = $1 AND s.staff_id = $2
        """,
        kept["id"],
    )
    by_slug = {row["slug"]: str(row["id"]) for row in items}
    own = {row["slug"]: {"own_price": row["price"], "own_duration": row["duration"]} for row in items}
    expected = {
        "id": str(kept["id"]),
        "name": "ريم القحطاني",
        "names": {"en": "Reem Al-Qahtani"},
        "phone": "+966535561027",
        "phone_country": "SA",
        "email": "reem@lamsa-studio.example",
        "image": None,
        "version": kept["version"],
        "title": text(kept["title"]),
        "status": True,
        "sort_order": kept["sort_order"],
        "branch": {"id": str(kept["branch_id"]), "name": "لمسة – حي الياسمين"},
        "services": [
            {
                "id": by_slug[slug],
                "name": {"ar": ar, "en": en},
                "price": Decimal(price),
                "tax": {"rate": Decimal(15), "included": True},
                "duration": duration,
                **own[slug],
            }
            for slug, ar, en, price, duration in (
                ("haircut", "قص شعر", "Haircut", "160", 60),
                ("blow-dry", "استشوار", "Blow-dry", "95", 45),
                ("protein-treatment", "علاج بالبروتين", "Protein treatment", "549.5", 150),
                ("facial", "تنظيف بشرة عميق", "Deep facial", "240", 90),
            )
        ],
        "created_at": utc(kept["created_at"]),
        "updated_at": utc(kept["updated_at"]),
        **NO_CUSTOM_DATA,
    }
    assert await _member(shop, kept["id"]) == expected
    assert expected in json_exact(await shop.get("/staff"))["data"]


async def test_staff_prices_and_durations_default_to_those_of_the_service(service: Service, other_shop: Shop) -> None:
    own = await service.new_shop()
    someone = await make_staff(own, "Someone")
    for name, price, duration in (("A", None, None), ("B", "7.25", None), ("C", None, 20), ("D", "0", 5)):
        await assign_service(own, someone, await make_service(own, name, price="50"), price=price, duration=duration)
    offered = await make_service(own, "E", price="50")
    await change_row(own, "items", offered, offer_price=40)
    await assign_service(own, someone, offered)
    found = {s["name"]["en"]: (s["price"], s["duration"]) for s in (await _member(own, someone))["services"]}
    assert found == {
        "A": (Decimal(50), 30),
        "B": (Decimal("7.25"), 30),
        "C": (Decimal(50), 20),
        "D": (Decimal(0), 5),
        "E": (Decimal(40), 30),
    }


@pytest.mark.parametrize(("currency", "decimals", "written"), [("KWD", 3, "549.500"), ("JPY", 0, "550")])
async def test_prices_have_the_decimals_of_the_currency(
    service: Service, other_shop: Shop, currency: str, decimals: int, written: str
) -> None:
    own = await service.new_shop()
    await change_tenant(own, currency=currency, currency_decimals=decimals)
    services = (await _member(own, await _id(own, "ريم القحطاني")))["services"]
    assert str(services[2]["price"]) == written


async def test_empty_fields_of_staff_are_null(service: Service, other_shop: Shop) -> None:
    own = await service.new_shop()
    bare = await _member(own, await make_staff(own, "Bare"))
    assert [bare[field] for field in ("phone", "phone_country", "email", "image")] == [None] * 4
    assert bare["services"] == []


async def test_the_picture_is_an_address_that_answers(shop: Shop) -> None:
    image = (await _member(shop, await _id(shop, "نورة الحربي")))["image"]
    assert image == f"{shop.origin}/static/avatars/1.svg"
    async with httpx2.AsyncClient(timeout=120) as http:
        answer = await http.get(image)
    assert (answer.status_code, answer.headers["content-type"]) == (200, "image/svg+xml")
    assert "<svg" in answer.text


async def test_a_picture_that_lives_elsewhere_keeps_its_address(service: Service, other_shop: Shop) -> None:
    own = await service.new_shop()
    someone = await make_staff(own, "Pictured")
    await change_row(own, "staff", someone, image="https://cdn.example/a.png")
    assert (await _member(own, someone))["image"] == "https://cdn.example/a.png"


async def test_staff_who_left_are_not_listed_but_can_be_read(service: Service, other_shop: Shop) -> None:
    own = await service.new_shop()
    gone = await make_staff(own, "Gone", active=False)
    page = json_exact(await own.get("/staff"))
    assert page["meta"]["total"] == 4
    assert str(gone) not in ids(page["data"])
    assert json_exact(await own.get("/staff?name=gone"))["meta"]["total"] == 0
    assert (await _member(own, gone))["name"] == "Gone"


async def test_staff_come_by_name_and_each_once(service: Service, other_shop: Shop) -> None:
    own = await service.new_shop()
    for name in ("Zed", "amal", "Amal", "AMAL", "بدر", "Élise", "Zed"):
        await make_staff(own, name)
    kept = await own.sql("SELECT id, name FROM staff WHERE tenant_id = $1")
    expected = [str(row["id"]) for row in sorted(kept, key=lambda row: (row["name"].casefold(), row["id"]))]
    assert len(expected) == 11
    for per_page in (1, 7, 100):
        assert ids(await read_all(own, "/staff", per_page)) == expected
        assert ids(await read_all(own, "/staff", per_page, backward=True)) == expected
    past = json_exact(await own.get("/staff?page=3&per_page=7"))
    assert (past["data"], past["meta"]["last_page"]) == ([], 2)


@pytest.mark.parametrize(
    ("wanted", "names"),
    [
        ("AL-", ["Joud Al-Shehri", "Maha Al-Otaibi"]),
        ("ha al", ["Maha Al-Otaibi"]),
        ("القح", ["ريم القحطاني"]),
        ("%", []),
        ("_", []),
        ("", ["Joud Al-Shehri", "Maha Al-Otaibi", "ريم القحطاني", "نورة الحربي"]),
    ],
)
async def test_staff_can_be_asked_for_by_a_part_of_the_name(shop: Shop, wanted: str, names: list[str]) -> None:
    answer = json_exact(await shop.get("/staff", params={"name": wanted}))
    assert [member["name"] for member in answer["data"]] == names
    assert answer["meta"]["total"] == len(names)


async def test_staff_can_be_asked_for_by_branch(service: Service, other_shop: Shop) -> None:
    own = await service.new_shop()
    second, empty = await make_branch(own), await make_branch(own)
    there = [str(await make_staff(own, name, branch_id=second)) for name in ("Aa &", "Ab", "B")]
    found = json_exact(await own.get(f"/staff?branch_id={second}&name=a&per_page=1"))
    assert (ids(found["data"]), found["meta"]["total"]) == (there[:1], 2)
    assert ids(await read_all(own, f"/staff?branch_id={second}", 1)) == there
    assert json_exact(await own.get(f"/staff?branch_id={await branch_of(own)}"))["meta"]["total"] == 4
    assert json_exact(await own.get(f"/staff?branch_id={empty}"))["meta"] == {
        "current_page": 1,
        "last_page": 1,
        "per_page": 25,
        "total": 0,
    }


async def test_a_branch_of_another_business_is_unknown(shop: Shop, other_shop: Shop) -> None:
    for wrong in (uuid4(), await branch_of(other_shop)):
        answer = json_exact(await shop.get(f"/staff?branch_id={wrong}"), 422)
        assert answer["errors"] == {"branch_id": ["is not a branch of this business"]}
    json_exact(await shop.get("/staff?branch_id=1"), 422)


async def test_staff_of_another_business_do_not_exist(shop: Shop, other_shop: Shop) -> None:
    theirs = await _id(other_shop, "نورة الحربي")
    for unknown in (theirs, uuid4()):
        for path in (f"/staff/{unknown}", f"/staff/{unknown}/working-hour"):
            assert json_exact(await shop.get(path), 404)["error"] == "not_found"
    assert str(theirs) not in ids(await read_all(shop, "/staff", 100))


async def test_own_hours_come_before_those_of_the_branch(shop: Shop, other_shop: Shop) -> None:
    maha = await _id(shop, "Maha Al-Otaibi")
    (kept,) = await shop.sql("SELECT id FROM working_hours WHERE tenant_id = $1 AND staff_id = $2", maha)
    hour = json_exact(await shop.get(f"/staff/{maha}/working-hour"))["data"]
    intervals = hour.pop("intervals")
    assert hour == {
        "id": str(kept["id"]),
        "version": 1,
        "source": "staff",
        "all_time": False,
        "active": True,
    }
    assert all(sorted(interval) == ["active", "day", "from", "id", "to"] for interval in intervals)
    assert [(i["day"], i["from"], i["to"], i["active"]) for i in intervals] == [
        ("sun", "11:30", "19:00", True),
        ("tue", "11:30", "19:00", True),
        ("wed", "11:30", "19:00", True),
        ("thu", "16:30", "22:30", True),
        ("sat", "11:30", "19:00", True),
    ]
    rows = await shop.sql("SELECT id FROM working_intervals WHERE tenant_id = $1 AND working_hour_id = $2", kept["id"])
    assert {i["id"] for i in intervals} == {str(row["id"]) for row in rows}


async def test_staff_without_hours_publish_those_of_the_branch(shop: Shop, other_shop: Shop) -> None:
    noura = await _id(shop, "نورة الحربي")
    branch_id = await branch_of(shop)
    (kept,) = await shop.sql("SELECT id FROM working_hours WHERE tenant_id = $1 AND branch_id = $2", branch_id)
    hour = json_exact(await shop.get(f"/staff/{noura}/working-hour"))["data"]
    assert (hour["id"], hour["source"]) == (str(kept["id"]), "branch")
    assert [(i["day"], i["from"], i["to"]) for i in hour["intervals"]] == [
        ("sun", "10:00", "21:00"),
        ("mon", "10:00", "13:00"),
        ("mon", "16:00", "22:00"),
        ("tue", "10:00", "21:00"),
        ("wed", "10:00", "21:00"),
        ("thu", "10:00", "14:00"),
        ("thu", "16:00", "23:00"),
        ("sat", "10:00", "13:00"),
        ("sat", "16:00", "22:00"),
    ]


async def test_hours_past_midnight_and_switched_off_are_published_as_they_are(
    service: Service, other_shop: Shop
) -> None:
    own = await service.new_shop()
    someone = await make_staff(own, "Night")
    hours_id = await make_working_hours(own, {}, staff_id=someone, all_time=True, active=False)
    await add_intervals(own, hours_id, [(6, 1320, 120, True), (0, 0, 0, False), (0, 1439, 1, True)])
    hour = json_exact(await own.get(f"/staff/{someone}/working-hour"))["data"]
    assert (hour["source"], hour["all_time"], hour["active"]) == ("staff", True, False)
    assert [(i["day"], i["from"], i["to"], i["active"]) for i in hour["intervals"]] == [
        ("sun", "00:00", "00:00", False),
        ("sun", "23:59", "00:01", True),
        ("sat", "22:00", "02:00", True),
    ]


async def test_hours_that_are_not_the_default_do_not_count(service: Service, other_shop: Shop) -> None:
    own = await service.new_shop()
    someone = await make_staff(own, "Summer")
    await make_working_hours(own, {}, staff_id=someone, is_default=False)
    assert json_exact(await own.get(f"/staff/{someone}/working-hour"))["data"]["source"] == "branch"
    default = await make_working_hours(own, {}, staff_id=someone)
    hour = json_exact(await own.get(f"/staff/{someone}/working-hour"))["data"]
    assert (hour["id"], hour["source"], hour["intervals"]) == (str(default), "staff", [])


async def test_staff_hours_without_hours_of_the_branch_are_not_found(service: Service, other_shop: Shop) -> None:
    own = await service.new_shop()
    someone = await make_staff(own, "Lost", branch_id=await make_branch(own))
    answer = json_exact(await own.get(f"/staff/{someone}/working-hour"), 404)
    assert answer["error"] == "not_found"
