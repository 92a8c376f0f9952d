"""Applications serve customers by the acts of the front desk: notes, the waiting list."""

import asyncio
from datetime import datetime, timedelta

import msgspec

from tests.factories.changes import ago, change_rows
from tests.support.branch import BranchFixture, day
from tests.support.events import record_events
from tests.support.http_errors import assert_error
from tests.support.pagination import json_exact
from tests.support.set_up_requests import made
from tests.support.shop import Shop


async def test_the_life_of_a_note(own_shop: Shop) -> None:
    shop = own_shop
    customer = await made(shop, "/customers", {"first_name": "Joud"})
    path, events = f"/customers/{customer['id']}/notes", await record_events(shop)
    drink = await made(shop, path, {"text": "Drinks tea"})
    latex = await made(shop, path, {"text": "Allergic to latex", "is_warning": True})
    assert (latex["customer_id"], latex["author"], latex["version"]) == (customer["id"], None, 1)
    assert json_exact(await shop.get(path))["data"] == [latex, drink]
    warning = {"is_warning": True, "version": 1}
    changed = json_exact(await shop.request("PATCH", f"/customer-notes/{drink['id']}", json=warning))["data"]
    assert changed == {**drink, "is_warning": True, "version": 2}
    stale = await shop.request("PATCH", f"/customer-notes/{drink['id']}", json={"is_warning": False, "version": 1})
    assert assert_error(stale, 409, "version_conflict")["details"] == {"version": 2}
    assert (await shop.request("DELETE", f"/customer-notes/{latex['id']}")).status_code == 204
    assert json_exact(await shop.get(path))["data"] == [changed]
    assert await events.types() == [], "notes are private"
    recorded = await shop.sql(
        """SELECT action FROM activity WHERE tenant_id = $1 AND subject_id = $2 AND action LIKE 'customer.note%'
        ORDER BY id""",
        customer["id"],
    )
    assert [row["action"].split("_")[1] for row in recorded] == ["added", "added", "changed", "deleted"]


async def test_the_life_of_an_entry_of_the_waiting_list(own_branch: BranchFixture) -> None:
    shop = own_branch.shop
    cut = await own_branch.add_service(duration=45)
    staff_id = await own_branch.add_provider(cut)
    customer = await made(shop, "/customers", {"first_name": "Joud", "email": "joud@example.com"})
    wish = {"service_ids": [str(cut)], "first_day": str(day(5)), "customer_id": customer["id"]}
    entry = await made(shop, "/waiting-list", wish)
    assert (entry["last_day"], entry["part_of_day"], entry["staff_id"]) == (str(day(5)), "any", None)
    again = assert_error(await shop.post("/waiting-list", wish), 422, "validation_error")
    assert again["errors"] == {"first_day": ["overlaps an entry of this customer for the same services"]}
    for days, found in (({"from": day(6)}, []), ({"from": day(4), "to": day(5)}, [entry]), ({"to": day(4)}, [])):
        params = {"customer_id": customer["id"], **{name: str(value) for name, value in days.items()}}
        assert json_exact(await shop.get("/waiting-list", params=params))["data"] == found
    path = f"/waiting-list/{entry['id']}"
    evening = {**wish, "staff_id": str(staff_id), "part_of_day": "evening", "version": 1}
    changed = json_exact(await shop.request("PUT", path, json=evening))["data"]
    wishes = {"staff_id": str(staff_id), "part_of_day": "evening"}
    assert changed == {**entry, **wishes, "version": 2, "updated_at": changed["updated_at"]}
    assert changed["updated_at"] > entry["updated_at"]
    assert_error(await shop.request("PUT", path, json=evening), 409, "version_conflict")
    offer = {"staff_id": str(staff_id), "start": f"{day(5)}T18:00:00"}
    for _ in range(2):
        assert json_exact(await shop.post(f"{path}/offer", offer))["data"] == changed
    (sent,) = await shop.sql("SELECT data FROM messages WHERE tenant_id = $1 AND customer_id = $2", customer["id"])
    start, end = (msgspec.json.decode(sent["data"])[field] for field in ("starts_at", "ends_at"))
    assert datetime.fromisoformat(end) - datetime.fromisoformat(start) == timedelta(minutes=45)
    others = [{**offer, "start": f"{day(5)}T18:0{minute}:00"} for minute in range(1, 6)]
    *sent, refused = [await shop.post(f"{path}/offer", other) for other in others]
    assert [answer.status_code for answer in sent] == [200] * 4
    said = "The customer got 5 offers within 24 hours, which is the most."
    assert said in assert_error(refused, 422, "validation_error")["message"]
    json_exact(await shop.post(f"{path}/offer", offer))
    await change_rows(shop, "messages", {"customer_id": customer["id"]}, created_at=ago(hours=24))
    json_exact(await shop.post(f"{path}/offer", others[-1]))
    assert (await shop.request("DELETE", path)).status_code == 204
    assert_error(await shop.request("DELETE", path), 404, "not_found")


async def test_nobody_waits_for_a_day_that_has_passed(own_branch: BranchFixture) -> None:
    """A customer who is on the list already stays on it for the rest of the days."""
    shop = own_branch.shop
    cut = await own_branch.add_service()
    await own_branch.add_provider(cut)
    customer = await made(shop, "/customers", {"first_name": "Joud"})
    wish = {"service_ids": [str(cut)], "customer_id": customer["id"], "last_day": str(day(3))}
    past = {"first_day": ["must not be in the past"]}
    refused = await shop.post("/waiting-list", {**wish, "first_day": str(day(-1))})
    assert assert_error(refused, 422, "validation_error")["errors"] == past
    entry = await made(shop, "/waiting-list", {**wish, "first_day": str(day(0))})
    path = f"/waiting-list/{entry['id']}"
    begun = {**wish, "first_day": str(day(-2))}
    assert json_exact(await shop.request("PUT", path, json=begun))["data"]["first_day"] == str(day(-2))
    over = await shop.request("PUT", path, json={**begun, "last_day": str(day(-1))})
    assert assert_error(over, 422, "validation_error")["errors"] == {"last_day": past["first_day"]}
    one_day = await shop.request("PUT", path, json={**begun, "last_day": None})
    assert assert_error(one_day, 422, "validation_error")["errors"] == past


async def test_offers_that_are_sent_at_once_stay_within_the_limit(own_branch: BranchFixture) -> None:
    shop = own_branch.shop
    cut = await own_branch.add_service()
    offer = {"staff_id": str(await own_branch.add_provider(cut))}
    customer = await made(shop, "/customers", {"first_name": "Joud", "email": "joud@example.com"})
    wish = {"service_ids": [str(cut)], "first_day": str(day(5)), "customer_id": customer["id"]}
    path = f"/waiting-list/{(await made(shop, '/waiting-list', wish))['id']}/offer"
    starts = [f"{day(5)}T18:0{minute}:00" for minute in range(10)]
    answers = await asyncio.gather(*(shop.post(path, {**offer, "start": start}) for start in starts))
    assert sorted(answer.status_code for answer in answers) == [200] * 5 + [422] * 5
    assert len(await shop.sql("SELECT FROM messages WHERE tenant_id = $1 AND customer_id = $2", customer["id"])) == 5
