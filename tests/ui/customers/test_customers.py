"""Customers as people find, enter and annotate them in the dashboard."""

import re
from uuid import UUID, uuid4

import pytest

from frontdesk.auth.types import Role
from frontdesk.values.ids import uuid7
from frontdesk.values.text import fold, search_key
from tests.factories.changes import ago, ahead, change_row, change_rows
from tests.factories.orders import change_order, make_order
from tests.factories.people import make_customer, make_staff
from tests.factories.users import link_to_staff, make_user
from tests.support.dashboard import DashboardClient, dashboard_of
from tests.support.forms import texts
from tests.support.shop import Shop

_ROW = re.compile(r'class="rowlink" href="/customers/([0-9a-f-]{36})"')
_VERSION = re.compile(r'name="version" value="(\d+)"')


async def found(desk: DashboardClient, query: str = "") -> list[UUID]:
    answer = await desk.get(f"/customers{query}")
    assert answer.status_code == 200, answer.text
    return [UUID(id_) for id_ in _ROW.findall(answer.text)]


async def add(
    own_shop: Shop, first: str, last: str | None = None, *, phone: str | None = None, email: str | None = None
) -> UUID:
    return await make_customer(own_shop, first, last, phone=phone, email=email)


async def events_of(own_shop: Shop, customer_id: UUID) -> list[str]:
    rows = await own_shop.sql(
        "SELECT type FROM events WHERE tenant_id = $1 AND data -> 'customer' ->> 'id' = $2 ORDER BY sequence",
        str(customer_id),
    )
    return [row["type"] for row in rows]


async def actions_of(own_shop: Shop, customer_id: UUID) -> list[str]:
    rows = await own_shop.sql(
        "SELECT action FROM activity WHERE tenant_id = $1 AND subject_id = $2 ORDER BY created_at, id", customer_id
    )
    return [row["action"] for row in rows]


async def column(own_shop: Shop, customer_id: UUID, name: str) -> object:
    (row,) = await own_shop.sql(f"SELECT {name} FROM customers WHERE tenant_id = $1 AND id = $2", customer_id)
    return row[name]


async def test_search_folds_letters_and_reads_phones_as_they_are_dialed(
    own_shop: Shop, neighbour: Shop, owner: DashboardClient
) -> None:
    sara = await add(own_shop, "سارة", "القحطاني", phone="+966557770147")
    ahmad = await add(own_shop, "أَحمـد", "يحيى", email="Ahmad.Y@Letters.example")
    zoe = await add(own_shop, "Zoë", "Łukasz-Ångström")
    await add(neighbour, "سارة", "القحطاني")
    for typed, expected in (
        ("ساره", sara),
        ("القحطانى سارة", sara),  # the last name first
        ("0557770147", sara),
        ("٠٥٥ ٧٧٧ ٠١٤٧", sara),
        ("%2B966 55 777 0147", sara),
        ("00966557770147", sara),
        ("ساره 05577", sara),
        ("احمد", ahmad),
        ("يحيي", ahmad),
        ("ahmad.y@letters", ahmad),
        ("zoe", zoe),
        ("lukasz-angstrom ZOË", zoe),
    ):
        assert (await found(owner, f"?search={typed}"))[:1] == [expected], typed
    for nobody in ("ساره zoe", "%25", "_", "no such", "x" * 255):
        assert await found(owner, f"?search={nobody}") == [], nobody
    marked = (await owner.get("/customers?search=ساره")).text
    assert "<mark>سارة</mark>" in marked
    assert "+966 <mark>55 777</mark> 0147" in (await owner.get("/customers?search=055777")).text
    empty = (await owner.get("/customers?search=Shahad 0566")).text
    assert "Nobody called “Shahad 0566”" in empty
    assert 'href="/customers/new?name=Shahad&amp;phone=0566"' in empty
    assert (await owner.get(f"/customers?search={'x' * 256}")).status_code == 422


async def test_the_api_customer_search_is_unchanged_by_folding(own_shop: Shop) -> None:
    sara = await add(own_shop, "سارة", "القحطاني")
    assert str(sara) in [c["id"] for c in (await own_shop.get("/customers?name=سارة الق")).json()["data"]]
    assert (await own_shop.get("/customers?name=ساره")).json()["data"] == []


async def test_python_folds_as_the_database_does(own_shop: Shop) -> None:
    for text in ("أحمد إيمان آمنة ٱلله ؤئ ىی ک ة ء ـَّ", "ÅÉÎõü ßẞ Øøłđıİ ﬁ Ⅷ ﷺ", "a\u200bb\u2067c", "Ελλάδα ΣΑΣ й ё"):
        (row,) = await own_shop.sql("SELECT fold_text($2) AS folded WHERE $1::uuid IS NOT NULL", search_key(text))
        assert row["folded"] == fold(text), text


async def test_the_list_is_sorted_paged_and_filtered(own_shop: Shop, owner: DashboardClient) -> None:
    (total,) = await own_shop.sql("SELECT count(*) FROM customers WHERE tenant_id = $1")
    last = await add(own_shop, "zzz")
    seen: list[UUID] = []
    for page in (1, 2):
        seen += await found(owner, f"?sort=name&page={page}")
    assert len(seen) == len(set(seen)) == total["count"] + 1
    assert (await found(owner))[0] == last
    assert (await owner.get("/customers?page=99")).headers["location"] == "/customers"
    order_id = await make_order(own_shop, 1)
    await change_row(own_shop, "orders", order_id, customer_id=last, starts_at=ago(seconds=1), status="completed")
    assert (await found(owner, "?sort=last_visit"))[0] == last
    assert last not in await found(owner, "?show=away")
    await change_row(own_shop, "orders", order_id, starts_at=ago(days=91))
    assert last in await found(owner, "?show=away")
    assert (await owner.post(f"/customers/{last}/block", {"reason": "Never pays"})).status_code == 303
    assert last in await found(owner, "?show=blocked")
    assert (await owner.post(f"/customers/{last}/tags", {"tag": "Bride"})).status_code == 303
    (tag,) = await own_shop.sql("SELECT id FROM tags WHERE tenant_id = $1 AND name = 'Bride'")
    assert await found(owner, f"?tag={tag['id']}") == [last]
    assert await found(owner, f"?tag={uuid4()}") == []


async def test_a_customer_is_entered_in_people_s_words_once(own_shop: Shop, owner: DashboardClient) -> None:
    wrong = await owner.post(
        "/customers/new",
        {"id": str(uuid7()), "phone": "12", "email": "nobody", "city": "x", "tax_registration_number": "7"},
    )
    assert wrong.status_code == 422
    for text in (
        "Enter a name.",
        "Enter a phone number as it is dialed here, or with + and the country code.",
        "Enter an e-mail address such as name@example.com.",
        "Enter at least three characters.",
        "Enter the fifteen digits of the tax number.",
    ):
        assert text in wrong.text, text
    fields = {"id": str(uuid7()), "first_name": "Huda", "phone": "٠٥٥٣١٨٢٠٤٧", "type": "company", "note": "VIP"}
    token = await owner.form_token()
    answers = [
        await owner.http.post("/customers/new", data={"form_token": token, **fields}, headers={"origin": owner.origin})
        for _ in range(2)
    ]
    assert len({answer.headers["location"] for answer in answers}) == 1
    customer_id = UUID(answers[0].headers["location"].rsplit("/", 1)[1])
    assert await column(own_shop, customer_id, "phone") == "+966553182047"
    assert await column(own_shop, customer_id, "phone_country") == "SA"
    assert await events_of(own_shop, customer_id) == ["customer.created"]
    assert await actions_of(own_shop, customer_id) == ["customer.created"]
    taken = await owner.post("/customers/new", {"id": str(uuid7()), "first_name": "Hud", "phone": "+966 55 318 2047"})
    assert taken.status_code == 422
    assert "Huda already has this phone number." in taken.text
    assert f'href="/customers/{customer_id}"' in taken.text


async def test_an_outdated_edit_changes_nothing(own_shop: Shop, owner: DashboardClient) -> None:
    customer_id = await add(own_shop, "Rana", "Haddad")
    fields = {"first_name": "Rana", "last_name": "Haddad", "type": "individual", "version": "1"}
    saved = await owner.post(f"/customers/{customer_id}/edit", {**fields, "city": "Amman"})
    assert saved.status_code == 303
    stale = await owner.post(f"/customers/{customer_id}/edit", {**fields, "city": "Irbid"})
    assert stale.status_code == 422
    assert 'value="Irbid"' in stale.text
    assert _VERSION.search(stale.text).group(1) == "2"  # type: ignore[union-attr]
    assert await column(own_shop, customer_id, "city") == "Amman"
    again = await owner.post(f"/customers/{customer_id}/edit", {**fields, "city": "Irbid", "version": "2"})
    assert again.status_code == 303
    same = await owner.post(f"/customers/{customer_id}/edit", {**fields, "city": "Irbid", "version": "3"})
    assert same.status_code == 303
    assert await events_of(own_shop, customer_id) == ["customer.updated"] * 2


async def test_notes_tags_consent_and_block_are_kept_with_their_author(own_shop: Shop, owner: DashboardClient) -> None:
    customer_id = await add(own_shop, "Nouf")
    path = f"/customers/{customer_id}"
    assert "Write a note." in (await owner.post(f"{path}/notes", {"id": str(uuid7()), "text": " "})).text
    await owner.post(f"{path}/notes", {"id": str(uuid7()), "text": "Prefers the window chair"})
    await owner.post(f"{path}/notes", {"id": str(uuid7()), "text": "Allergic to ammonia", "is_warning": "yes"})
    notes = await own_shop.sql(
        "SELECT * FROM customer_notes WHERE tenant_id = $1 AND customer_id = $2 ORDER BY id", customer_id
    )
    assert [(note["text"], note["is_warning"]) for note in notes] == [
        ("Prefers the window chair", False),
        ("Allergic to ammonia", True),
    ]
    shown = (await owner.get(path)).text
    assert shown.index("Allergic to ammonia") < shown.index("Visits so far") < shown.index("Prefers the window chair")
    await owner.post(f"{path}/notes/{notes[1]['id']}/warning")
    for status in (303, 404):  # a double click
        assert (await owner.post(f"{path}/notes/{notes[0]['id']}/delete")).status_code == status
    (left,) = await own_shop.sql("SELECT * FROM customer_notes WHERE tenant_id = $1 AND customer_id = $2", customer_id)
    assert (left["text"], left["is_warning"]) == ("Allergic to ammonia", False)

    await owner.post(f"{path}/tags", {"tag": "Loyal"})
    await owner.post(f"{path}/tags", {"tag": "LOYAL"})
    (tag,) = await own_shop.sql(
        "SELECT tag_id FROM customer_tags WHERE tenant_id = $1 AND customer_id = $2", customer_id
    )
    await owner.post(f"{path}/tags/{tag['tag_id']}/remove")
    assert await events_of(own_shop, customer_id) == ["customer.updated"] * 2

    for how in ("phone", "online"):
        await owner.post(f"{path}/consent", {"how": how})
    assert "Agreed on" in (await owner.get(path)).text
    await owner.post(f"{path}/consent/withdraw")
    (consent,) = await own_shop.sql(
        "SELECT * FROM customer_consents WHERE tenant_id = $1 AND customer_id = $2", customer_id
    )
    assert consent["how"] == "phone"
    assert consent["recorded_by"] == consent["withdrawn_by"] is not None
    assert "Consent was withdrawn" in (await owner.get(path)).text

    assert (await owner.post(f"{path}/block")).status_code == 422
    await owner.post(f"{path}/block", {"reason": "Shouted at Noura"})
    assert "Shouted at Noura" in (await owner.get(path)).text
    assert (await own_shop.get(path)).json()["data"]["blocked"] is True
    await owner.post(f"{path}/unblock")
    assert (await own_shop.get(path)).json()["data"]["blocked"] is False
    assert await actions_of(own_shop, customer_id) == [
        "customer.note_added",
        "customer.note_added",
        "customer.note_changed",
        "customer.note_deleted",
        "customer.tagged",
        "customer.untagged",
        "customer.consent_given",
        "customer.consent_withdrawn",
        "customer.blocked",
        "customer.unblocked",
    ]


async def test_the_card_adds_up_visits_and_money(own_shop: Shop, owner: DashboardClient) -> None:
    customer_id = await add(own_shop, "Hessa")
    orders = [await make_order(own_shop, 1) for _ in range(4)]
    visit = {"customer_id": customer_id, "total": 40, "sub_total": 40, "paid_amount": 15, "starts_at": ago(days=1)}
    for order_id in orders:
        await change_row(own_shop, "orders", order_id, status="completed", **visit)
    await change_row(own_shop, "orders", orders[0], status="canceled")
    await change_row(own_shop, "orders", orders[1], refunded_amount=5)
    await change_row(own_shop, "orders", orders[3], starts_at=ahead(days=1), status="confirmed")
    await change_rows(own_shop, "order_status_history", {"order_id": orders[0]}, to_status="canceled", created_at=ago())
    shown = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", (await owner.get(f"/customers/{customer_id}")).text))
    for text in (
        "Visits 2 since",
        "Spent, SAR 55.00",
        "To pay, SAR 75.00",
        "Refunded, SAR 5.00",
        "Missed 1 of 4 booked",
    ):
        assert text in shown, (text, shown)
    assert "Coming visits" in shown
    assert f'href="/customers/{customer_id}"' in (await owner.get(f"/orders/{orders[0]}")).text
    assert "comes every" not in shown
    for number, order_id in enumerate(orders, 1):
        await change_row(own_shop, "orders", order_id, status="completed", starts_at=ago(days=15 * number))
    shown = (await owner.get(f"/customers/{customer_id}")).text
    assert "comes every 2 weeks" in shown
    assert re.search("next due Today|due since", shown)
    assert "Programs that see this customer" in shown
    assert "Read customers, Read orders" in shown
    await change_rows(own_shop, "api_clients", scopes=["items:read"])
    assert "Programs that see" not in (await owner.get(f"/customers/{customer_id}")).text


async def test_a_booking_that_was_canceled_ahead_of_its_time_is_no_visit_until_now(
    own_shop: Shop, owner: DashboardClient
) -> None:
    customer_id = await add(own_shop, "Maha")
    past, coming_id = [await make_order(own_shop, 1) for _ in range(2)]
    for order_id, start in ((past, ago(days=1)), (coming_id, ahead(days=1))):
        await change_order(own_shop, order_id, customer_id=customer_id, starts_at=start, status="canceled")
    shown = (await owner.get(f"/customers/{customer_id}")).text
    coming, until_now = shown.split("Visits so far")
    assert f"/orders/{coming_id}" in coming
    assert f"/orders/{coming_id}" not in until_now
    assert f"/orders/{past}" in until_now
    assert "coming visit" not in (await owner.get(f"/customers/{customer_id}/erase")).text


async def test_a_provider_sees_the_customers_of_own_visits_and_no_takings(own_shop: Shop) -> None:
    user_id, staff_id = await make_user(own_shop, Role.PROVIDER), await make_staff(own_shop)
    await link_to_staff(own_shop, user_id, staff_id)
    mine, other = await make_customer(own_shop), await make_customer(own_shop)
    for customer_id, performer in ((mine, staff_id), (other, None)):
        order_id = await make_order(own_shop, 1)
        await change_row(own_shop, "orders", order_id, customer_id=customer_id)
        await change_rows(own_shop, "order_lines", {"order_id": order_id}, staff_id=performer)
    async with await dashboard_of(own_shop, await make_user(own_shop, Role.OWNER)) as owner:
        await owner.post(f"/customers/{mine}/tags", {"tag": "Bride"})
    async with await dashboard_of(own_shop, user_id) as desk:
        assert await found(desk) == [mine]
        listed = (await desk.get("/customers")).text
        assert "<bdi>Bride</bdi>" in listed
        assert "Which customers" not in listed  # the counts are those of the business
        assert "Spent" not in listed
        shown = (await desk.get(f"/customers/{mine}")).text
        assert "Spent" not in shown
        assert "To pay" not in shown
        assert (await desk.get(f"/customers/{other}")).status_code == 404
        assert (await desk.post(f"/customers/{mine}/notes", {"id": str(uuid7()), "text": "6.1"})).status_code == 303
        assert (await desk.post(f"/customers/{other}/notes", {"id": str(uuid7()), "text": "no"})).status_code == 404
        assert (await desk.get("/customers/new")).status_code == 403


@pytest.mark.parametrize("role", [Role.RECEPTIONIST, Role.CASHIER])
async def test_the_desk_edits_but_neither_merges_nor_erases(own_shop: Shop, role: Role) -> None:
    customer_id = await add(own_shop, "Wejdan")
    async with await dashboard_of(own_shop, await make_user(own_shop, role)) as desk:
        assert (await desk.get(f"/customers/{customer_id}/edit")).status_code == 200
        shown = (await desk.get(f"/customers/{customer_id}")).text
        assert (f"/calendar/new?customer={customer_id}" in shown) is (role is Role.RECEPTIONIST)
        assert "customers:read" not in shown  # in words, not by its scope
        assert "Merge a duplicate" not in shown
        assert "Erase personal data" not in shown
        assert (await desk.post(f"/customers/{customer_id}/erase", {"version": "1"})).status_code == 403


async def test_a_comparison_leaves_out_what_neither_record_has(owner: DashboardClient, own_shop: Shop) -> None:
    one, other = [await make_customer(own_shop, first_name="Sara") for _ in range(2)]
    await change_rows(own_shop, "customers", city=None, tax_registration_number=None)
    await change_row(own_shop, "customers", other, city="Jeddah")
    page = (await owner.get(f"/customers/{one}/merge/{other}")).text
    assert ("City" in page, "Tax registration number" in page) == (True, False)


async def test_a_name_with_a_number_that_nobody_has_becomes_a_new_customer(owner: DashboardClient) -> None:
    page = texts((await owner.get("/customers?search=Shahad+0566000001")).text)
    assert re.search("New customer “Shahad” ?, 0566000001", page)


async def test_counts_follow_the_list(owner: DashboardClient, own_shop: Shop) -> None:
    one = await add(own_shop, "Sara", "Otaibi", phone="+966553182047")
    other = await add(own_shop, "Sārah", "Otaibi", phone="+966113182047", email="Sara@example.com")
    third = await add(own_shop, "Huda", email="sara@example.com")
    order_id = await make_order(own_shop, 1)
    await change_order(own_shop, order_id, customer_id=one, starts_at=ago(days=91), status="completed")
    assert "2 customers look as if they were in the list twice." in texts((await owner.get("/customers/counts")).text)
    assert 'id="away">1</span>' in (await owner.get("/customers/counts")).text
    duplicates = (await owner.get("/customers/duplicates")).text
    assert (duplicates.count("/merge/"), "Sara@example.com" in duplicates) == (2, True)
    await owner.post(f"/customers/{one}/not-the-same/{other}", {})
    await owner.post(f"/customers/{other}/not-the-same/{third}", {})
    assert "twice" not in (await owner.get("/customers/counts")).text
    assert "No duplicates" in (await owner.get("/customers/duplicates")).text
    await add(own_shop, "HUDA")
    async with await dashboard_of(own_shop, await make_user(own_shop, Role.CASHIER)) as desk:
        counts = await desk.get("/customers/counts")
        assert (counts.status_code, "twice" in counts.text) == (200, False)  # who may not merge
