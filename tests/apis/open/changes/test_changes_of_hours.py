"""`updated_since` for the waiting list and time off; of hours the branch or staff member changes."""

from typing import Any

import pytest
from asyncpg import Range

from tests.factories.changes import ago, change_row
from tests.support.branch import BranchFixture, day
from tests.support.full_requests.absence import made_time_off
from tests.support.pagination import Document, ids, json_exact
from tests.support.set_up_requests import made
from tests.support.shop import Shop

_WEEK = {"all_time": False, "intervals": [{"day": "sun", "from": "09:00", "to": "17:00"}]}
_DAY = str(day(4))
_OTHER_HOURS = {"day": _DAY, "intervals": [{"from": "10:00", "to": "12:00"}]}


async def _changed(shop: Shop, path: str, since: str) -> list[Document]:
    found: list[Document] = json_exact(await shop.get(path, params={"updated_since": since}))["data"]
    return found


async def _gone(shop: Shop, since: str) -> list[tuple[str, str]]:
    page = json_exact(await shop.get("/deletions", params={"since": since}))
    return [(record["resource"], record["id"]) for record in page["data"]]


async def _now(shop: Shop) -> str:
    since: str = json_exact(await shop.get("/branches?updated_since=2000-01-01T00:00:00Z"))["meta"]["next_since"]
    return since


async def _answered(shop: Shop, method: str, path: str, body: Any = None) -> None:
    answer = await shop.request(method, path, json=body)
    assert answer.status_code < 300, answer.text


async def test_changed_time_off_is_listed_whenever_it_is(own_shop: Shop) -> None:
    first, second = await made_time_off(own_shop), await made_time_off(own_shop)
    assert ids(await _changed(own_shop, "/time-off", first["updated_at"])) == ids([first, second])
    await change_row(own_shop, "time_off", first["id"], during=Range(ago(days=9), ago(days=8)))
    assert json_exact(await own_shop.get("/time-off"))["data"] == []
    assert ids(await _changed(own_shop, "/time-off", first["updated_at"])) == ids([first, second])
    page = json_exact(await own_shop.get("/time-off?from=2098-01-01&per_page=1"))
    assert page["meta"]["total"] == 1
    await _answered(own_shop, "POST", f"/time-off/{first['id']}/approve", {})
    behind = second["updated_at"]
    assert ids(await _changed(own_shop, "/time-off", behind)) == ids([second, first])
    page = json_exact(await own_shop.get("/time-off", params={"updated_since": behind, "from": "2098-01-01"}))
    assert ids(page["data"]) == ids([second])
    await _answered(own_shop, "DELETE", f"/time-off/{first['id']}")
    assert ("time_off", first["id"]) in await _gone(own_shop, behind)


async def test_who_leaves_the_waiting_list_is_told(own_branch: BranchFixture) -> None:
    shop, cut = own_branch.shop, await own_branch.add_service(name="Fade")
    await own_branch.add_provider(cut)
    wish = {"service_ids": [str(cut)], "first_day": _DAY}
    people = [await made(shop, "/customers", {"first_name": name}) for name in ("Joud", "Rana", "Huda")]
    entries = [await made(shop, "/waiting-list", {**wish, "customer_id": person["id"]}) for person in people]
    since = entries[0]["updated_at"]
    assert await _changed(shop, "/waiting-list", since) == entries
    later = {**wish, "first_day": str(day(5)), "version": 1}
    await _answered(shop, "PUT", f"/waiting-list/{entries[0]['id']}", later)
    assert ids(await _changed(shop, "/waiting-list", since)) == ids([*entries[1:], entries[0]])
    await _answered(shop, "POST", f"/customers/{people[1]['id']}/merge", {"customer_id": people[2]["id"]})
    newest = (await _changed(shop, "/waiting-list", since))[-1]
    assert (newest["id"], newest["customer_id"]) == (entries[2]["id"], people[1]["id"])
    await _answered(shop, "DELETE", f"/waiting-list/{entries[0]['id']}")
    await _answered(shop, "DELETE", f"/items/{cut}")
    assert await _changed(shop, "/waiting-list", since) == []
    gone = [id_ for resource, id_ in await _gone(shop, since) if resource == "waiting_list_entry"]
    assert (gone[0], set(gone)) == (entries[0]["id"], set(ids(entries)))


@pytest.mark.parametrize(
    ("method", "act", "body"),
    [
        ("PUT", "working-hours", _WEEK),
        ("PUT", "hour-exceptions", _OTHER_HOURS),
        ("DELETE", f"hour-exceptions?day={_DAY}", None),
        ("POST", "closed-days", {"from": str(day(6))}),
        ("DELETE", f"closed-days?day={day(5)}", None),
    ],
)
async def test_a_branch_has_changed_if_its_hours_have(
    own_branch: BranchFixture, method: str, act: str, body: Any
) -> None:
    shop, path = own_branch.shop, f"/branches/{own_branch.branch_id}"
    await _answered(shop, "PUT", f"{path}/hour-exceptions", {**_OTHER_HOURS, "note": "Fair"})
    await _answered(shop, "POST", f"{path}/closed-days", {"from": str(day(5))})
    (before,) = [b for b in json_exact(await shop.get("/branches"))["data"] if b["id"] == str(own_branch.branch_id)]
    await _answered(shop, method, f"{path}/{act}", body)
    (after,) = [b for b in await _changed(shop, "/branches", before["updated_at"]) if b["id"] == before["id"]]
    assert after["updated_at"] > before["updated_at"]
    assert {**after, "updated_at": before["updated_at"]} == before


@pytest.mark.parametrize(
    ("method", "act", "body"),
    [
        ("PUT", "working-hours", _WEEK),
        ("PUT", "hour-exceptions", _OTHER_HOURS),
        ("DELETE", f"hour-exceptions?day={_DAY}", None),
    ],
)
async def test_a_staff_member_has_changed_if_their_hours_have(
    own_branch: BranchFixture, method: str, act: str, body: Any
) -> None:
    shop = own_branch.shop
    path = f"/staff/{await own_branch.add_provider(await own_branch.add_service())}"
    if method == "DELETE":
        await _answered(shop, "PUT", f"{path}/hour-exceptions", _OTHER_HOURS)
    before = json_exact(await shop.get(path))["data"]
    await _answered(shop, method, f"{path}/{act}", body)
    after = json_exact(await shop.get(path))["data"]
    assert after["updated_at"] > before["updated_at"]
    assert after in await _changed(shop, "/staff", before["updated_at"])
    assert {**after, "updated_at": before["updated_at"]} == before
