"""`updated_since` for the waiting list and time off; of hours the branch or staff member changes."""

from typing import Any

import pytest

from tests.support.branch import BranchFixture, day
from tests.support.pagination import Document, json_exact
from tests.support.shop import Shop

_WEEK = {"all_time": False, "intervals": [{"day": "sun", "from": "09:00", "to": "17:00"}]}
_DAY = str(day(4))
_OTHER_HOURS = {"day": _DAY, "intervals": [{"from": "10:00", "to": "12:00"}]}


async def _changed(shop: Shop, path: str, since: str) -> list[Document]:
    found: list[Document] = json_exact(await shop.get(path, params={"updated_since": since}))["data"]
    return found


async def _answered(shop: Shop, method: str, path: str, body: Any = None) -> None:
    answer = await shop.request(method, path, json=body)
    assert answer.status_code < 300, answer.text


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
