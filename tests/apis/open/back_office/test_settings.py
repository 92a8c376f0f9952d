"""Applications read and change the settings of a business."""

import asyncio

from frontdesk.postgres.time_zones import zone_offsets
from tests.support.branch import BranchFixture, holding, line
from tests.support.events import record_events
from tests.support.full_requests.settings import read_settings
from tests.support.http_errors import assert_error
from tests.support.pagination import Document, json_exact
from tests.support.service import served_patiently
from tests.support.shop import Shop
from tests.support.waiting import eventually


async def _changed(shop: Shop, **changes: object) -> Document:
    found: Document = json_exact(await shop.request("PATCH", "/settings", json=changes))["data"]
    return found


async def test_settings_are_read_and_changed(own_shop: Shop) -> None:
    before = await read_settings(own_shop)
    recorder = await record_events(own_shop)
    wanted = {
        "cancel_reasons": [{"en": "Rain", "ar": "مطر"}, {"en": "Snow"}],
        "commission_basis": "booked",
        "charges_no_tax": True,
        "names": {"ar": "ليان"},
        "accent": "#7A4B2F",
        "tax_registration_number": "310123456700003",
        "invoice_note": {"en": "Thank you."},
        "notice_hours": 3,
    }
    after = await _changed(own_shop, **wanted, version=before["version"])
    told = {
        **before,
        **wanted,
        "accent": "#7a4b2f",
        "version": before["version"] + 1,
        "updated_at": after["updated_at"],
    }
    assert after == await read_settings(own_shop) == told
    (event,) = await recorder.new_events()
    assert (event["type"], event["data"]["settings"]) == ("settings.updated", after)
    assert event["tenant_id"] == after["tenant_id"] == str(own_shop.tenant_id)
    assert event["data"]["changed"] == sorted(name for name in wanted if before[name] != after[name])
    assert await _changed(own_shop, **wanted) == after  # nothing changes
    stale = await own_shop.request("PATCH", "/settings", json={"notice_hours": 4, "version": before["version"]})
    assert_error(stale, 409, "version_conflict")
    cleared = await _changed(own_shop, cancel_reasons=None, names=None, invoice_note=None, accent=None)
    assert [cleared[name] for name in ("cancel_reasons", "names", "invoice_note", "accent")] == [None, {}, {}, None]


async def test_a_new_slug_leads_to_the_business_and_so_does_the_one_before(own_shop: Shop) -> None:
    before = await read_settings(own_shop)
    await _changed(own_shop, slug=f"{before['slug']}-2")
    assert (await _changed(own_shop, slug=before["slug"]))["slug"] == before["slug"]


async def test_settings_that_harm_what_is_booked_or_sold_are_refused(own_branch: BranchFixture) -> None:
    shop = own_branch.shop
    await own_branch.place(line(await own_branch.add_product(), "product"))
    wrong: dict[str, object] = {
        "currency": "USD",
        "notice_hours": 8000,
        "cancel_reasons": [{"en": "Rain"}, {"en": "Rain"}],
    }
    for field, value in wrong.items():
        answer = await shop.request("PATCH", "/settings", json={field: value})
        (named,) = assert_error(answer, 422, "validation_error")["errors"]
        assert named.split(".")[0] == field
    service = await own_branch.add_service()
    await own_branch.add_provider(service)
    await own_branch.place(line(service), start="2098-03-04T10:00:00")
    moved = await shop.request("PATCH", "/settings", json={"timezone": "Asia/Tokyo"})
    assert list(assert_error(moved, 422, "validation_error")["errors"]) == ["timezone"]
    assert (await _changed(shop, timezone="Asia/Tokyo", move_times=True))["timezone"] == "Asia/Tokyo"


async def test_the_booking_page_is_changed(own_shop: Shop) -> None:
    path = "/settings/booking-page"
    before = await read_settings(own_shop, path)
    wanted = {"shown": False, "about": {"en": "Hair"}, "embedding_origins": ["https://www.layan.example"]}
    answer = await own_shop.request("PATCH", path, json={**wanted, "version": before["version"]})
    after = json_exact(answer)["data"]
    assert after == await read_settings(own_shop, path) == {**before, **wanted, "version": before["version"] + 1}
    stale = await own_shop.request("PATCH", path, json={"shown": True, "version": before["version"]})
    assert_error(stale, 409, "version_conflict")
    assert json_exact(await own_shop.request("PATCH", path, json={"about": None}))["data"]["about"] == {}


async def test_several_drawers_need_shifts(own_shop: Shop) -> None:
    path = "/settings/drawers"
    before = await read_settings(own_shop, path)
    two = [{"branch_id": before["branches"][0]["branch_id"], "drawers": 2}]
    refused = await own_shop.request("PATCH", path, json={"branches": two})
    assert list(assert_error(refused, 422, "validation_error")["errors"]) == ["branches.0.drawers"]
    refused = await own_shop.request("PATCH", path, json={"own_shifts": True, "branches": two * 2})
    assert list(assert_error(refused, 422, "validation_error")["errors"]) == ["branches.1.branch_id"]
    answer = await own_shop.request("PATCH", path, json={"own_shifts": True, "branches": two})
    after = json_exact(answer)["data"]
    assert after == {**before, "own_shifts": True, "branches": [*two, *before["branches"][1:]]}
    refused = await own_shop.request("PATCH", path, json={"own_shifts": False})
    assert list(assert_error(refused, 422, "validation_error")["errors"]) == ["own_shifts"]


async def test_settings_of_page_drawers_and_messages_have_events(own_shop: Shop) -> None:
    events = await record_events(own_shop)
    for path, record, change in (
        ("booking-page", "booking_page", {"customers_move": False}),
        ("drawers", "drawer_settings", {"blind_count": True}),
        ("messages", "message_settings", {"reminder_hours": 12}),
    ):
        for _ in range(2):  # the second time nothing changes
            answer = await own_shop.request("PATCH", f"/settings/{path}", json=change)
        after = json_exact(answer)["data"]
        (event,) = await events.new_events()
        assert (event["type"], event["data"]) == (f"{record}.updated", {record: after, "changed": list(change)})


async def test_drawers_that_need_shifts_are_refused_where_shifts_end_meanwhile(own_shop: Shop) -> None:
    path = "/settings/drawers"
    three = [{**(await read_settings(own_shop, path))["branches"][0], "drawers": 3}]
    assert (await own_shop.request("PATCH", path, json={"own_shifts": True})).status_code == 200
    other = """SELECT save_drawer_settings($1, '{"own_shifts": false, "blind_count": true, "branches": [],
        "actor": {"type": "system"}}')"""

    async def is_waiting() -> bool:
        rows = await own_shop.sql(
            "SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database() "
            "AND query LIKE 'SELECT run_act%save_drawer_settings%' AND $1::uuid IS NOT NULL"
        )
        return bool(rows)

    async with served_patiently(own_shop) as patient:
        async with holding(own_shop.dsn, other, own_shop.tenant_id, commit=True):
            saving = asyncio.ensure_future(patient.request("PATCH", path, json={"branches": three}))
            await eventually(is_waiting)
        assert list(assert_error(await saving, 422, "validation_error")["errors"]) == ["branches.0.drawers"]
    after = await read_settings(own_shop, path)
    assert (after["own_shifts"], after["blind_count"], after["branches"][0]["drawers"]) == (False, True, 1)


async def test_messages_are_switched_timed_and_written(own_shop: Shop) -> None:
    path = "/settings/messages"

    async def change(**changes: object) -> Document:
        found: Document = json_exact(await own_shop.request("PATCH", path, json=changes))["data"]
        return found

    before = await read_settings(own_shop, path)
    words = {"subject": "Soon", "opening": "Dear {name},", "words": ""}
    reminder = {"on": False, "texts": {"en": words, "ar": {"words": "أهلا"}}}
    after = await change(
        messages={"reminder": reminder}, quiet_from="21:30", quiet_until="08:00", version=before["version"]
    )
    written = {"en": words, "ar": {"subject": "", "opening": "", "words": "أهلا"}}
    assert after["messages"] == {**before["messages"], "reminder": {"on": False, "texts": written}}
    assert (after["quiet_from"], after["quiet_until"], after["version"]) == ("21:30", "08:00", before["version"] + 1)
    assert after == await read_settings(own_shop, path) == await change(quiet_from="21:30")
    cleared = await change(messages={"reminder": {"texts": {"en": None}}}, quiet_from=None, quiet_until=None)
    assert cleared["messages"]["reminder"] == {"on": False, "texts": {"ar": written["ar"]}}
    stale = await own_shop.request("PATCH", path, json={"reminder_hours": 3, "version": before["version"]})
    assert_error(stale, 409, "version_conflict")
    for wrong, field in ((({"quiet_from": "21:30"}), "quiet_until"), ({"quiet_until": "08:00"}, "quiet_from")):
        answer = await own_shop.request("PATCH", path, json=wrong)
        assert list(assert_error(answer, 422, "validation_error")["errors"]) == [field]


async def test_an_application_does_not_change_the_currency(own_shop: Shop) -> None:
    kept = await read_settings(own_shop)
    refused = await own_shop.request("PATCH", "/settings", json={"currency": "USD"})
    (message,) = assert_error(refused, 422, "validation_error")["errors"]["currency"]
    assert message == "is not changed by applications: an owner changes it in the dashboard, before the first sale"
    assert await _changed(own_shop, currency=kept["currency"].lower()) == kept


async def test_a_dry_run_leaves_no_rules_of_a_time_zone(own_shop: Shop) -> None:
    zone = "Pacific/Chatham"
    change = {"timezone": zone, "move_times": True}

    async def stored() -> list[tuple[object, ...]]:
        sql = "SELECT starts, shift, form FROM time_zone_offsets WHERE zone = $2 AND $1::uuid IS NOT NULL ORDER BY 1"
        return [tuple(row) for row in await own_shop.sql(sql, zone)]

    before = await stored()
    tried = await own_shop.request("PATCH", "/settings", json=change, headers={"frontdesk-dry-run": "true"})
    assert (json_exact(tried)["data"]["timezone"], await stored()) == (zone, before)
    assert (await _changed(own_shop, **change))["timezone"] == zone
    assert await stored() == [tuple(offset) for offset in zone_offsets(zone)]
