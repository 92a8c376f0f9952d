"""The page of a sandbox: its clock, faults, snapshots and reset; and the line on all pages while it is ahead."""

import re
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from frontdesk.auth.types import Role
from frontdesk.values.ids import uuid7
from tests.factories.changes import change_tenant
from tests.factories.users import make_user
from tests.support.branch import RIYADH
from tests.support.dashboard import DashboardClient, dashboard_of
from tests.support.forms import texts
from tests.support.pagination import json_exact
from tests.support.shop import Shop

HERE = "/settings/sandbox"
DAY = 86_400


async def ahead(shop: Shop) -> int:
    seconds: int = json_exact(await shop.get("/sandbox/clock"))["data"]["seconds_ahead"]
    return seconds


async def listed(shop: Shop, what: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json_exact(await shop.get(f"/sandbox/{what}"))["data"]
    return found


def form(**fields: Any) -> dict[str, Any]:
    return {"id": str(uuid7()), **fields}


async def test_a_button_moves_the_clock_and_pressed_twice_moves_it_once(own_shop: Shop, owner: DashboardClient) -> None:
    assert f'name="ahead" value="{DAY}"' in (await owner.get(HERE)).text
    week = form(ahead=str(7 * DAY))
    for _ in range(2):
        assert (await owner.post(f"{HERE}/clock", week)).status_code == 303
    assert (await owner.post(f"{HERE}/clock", form(ahead=str(7 * DAY)))).status_code == 303
    assert await ahead(own_shop) == 7 * DAY
    page = await owner.get(HERE)
    assert f'name="ahead" value="{7 * DAY + 3600}"' in page.text
    assert "7 days ahead of the real time" in texts(page.text)
    back = await owner.post(f"{HERE}/clock", form(ahead=str(DAY)))
    assert (back.status_code, "the clock is not moved back" in back.text) == (422, True)


async def test_the_clock_is_moved_to_a_time(own_shop: Shop, owner: DashboardClient) -> None:
    there = datetime.combine(datetime.now(RIYADH).date() + timedelta(days=3), datetime.min.time(), RIYADH)
    there = there.replace(hour=10, minute=30)
    moved = await owner.post(f"{HERE}/clock", form(day=str(there.date()), time="10:30"))
    assert moved.status_code == 303
    assert abs(await ahead(own_shop) - (there - datetime.now(UTC)).total_seconds()) < 60
    assert 'id="sandbox-time">10:3' in (await owner.get(HERE)).text


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({}, "day"),
        ({"day": "2020-01-01", "time": "10:00"}, "day"),
        ({"day": "2199-01-01", "time": "10:00"}, "day"),
        ({"day": "2027-01-01", "time": "noon"}, "time"),
    ],
)
async def test_what_is_no_later_time_is_said_at_its_field(
    own_shop: Shop, owner: DashboardClient, fields: dict[str, str], field: str
) -> None:
    answer = await owner.post(f"{HERE}/clock", form(**fields))
    assert (answer.status_code, f'id="f-{field}-e"' in answer.text) == (422, True)
    assert await ahead(own_shop) == 0


async def test_every_page_says_how_far_the_sandbox_is_ahead(own_shop: Shop, owner: DashboardClient) -> None:
    pages = ("/", "/calendar", "/till", "/settings/business", "/customers")
    for path in pages:
        assert 'id="sandbox-ahead"' not in (await owner.get(path)).text, path
    await owner.post(f"{HERE}/clock", form(ahead=str(2 * DAY + 3 * 3600)))
    async with await dashboard_of(own_shop, await make_user(own_shop, Role.RECEPTIONIST)) as desk:
        for path in pages:
            shown = texts((await owner.get(path)).text)
            assert re.search(r"This sandbox is 2 days and 3 hours ahead: \d+ \w+ \d{4}", shown), path
            assert "Set it back" in shown, path
        for path in ("/calendar", "/till"):
            shown = texts((await desk.get(path)).text)
            assert "This sandbox is 2 days and 3 hours ahead" in shown, path
            assert "Set it back" not in shown, path
    await owner.post("/language", {"language": "ar"})
    assert "والفارق يومان و3 ساعات" in texts((await owner.get("/")).text)


async def test_a_fault_is_set_shown_with_what_is_left_and_cleared(own_shop: Shop, owner: DashboardClient) -> None:
    fault = form(kind="error", code="service_unavailable", route="GET /customers", times="2", seconds="")
    for _ in range(2):
        assert (await owner.post(f"{HERE}/faults", fault)).status_code == 303
    assert (await own_shop.get("/customers")).status_code == 503
    shown = texts((await owner.get(HERE)).text)
    for text in ("503 service_unavailable", "GET /customers", "1 of 2"):
        assert text in shown, text
    assert (await owner.post(f"{HERE}/faults", form(kind="webhook_late", route="order.created"))).status_code == 303
    assert "after 60 seconds" in texts((await owner.get(HERE)).text)
    assert (await owner.post(f"{HERE}/faults/clear")).status_code == 303
    assert await listed(own_shop, "faults") == []
    assert (await own_shop.get("/customers")).status_code == 200


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"kind": "slow", "code": "not_found"}, "kind"),
        ({"kind": "slow", "seconds": "13"}, "seconds"),
        ({"kind": "error", "seconds": "3"}, "seconds"),
        ({"kind": "slow", "route": "order.created"}, "route"),
        ({"kind": "webhook_lost", "route": "GET /items"}, "route"),
        ({"kind": "lost_answer", "route": "POST /oauth/token"}, "kind"),
        ({"kind": "error", "code": "timeslot_unavailable", "route": "GET /items"}, "code"),
        ({"kind": "error", "times": "0"}, "times"),
        ({"kind": "nothing"}, "kind"),
    ],
)
async def test_a_fault_that_cannot_happen_is_said_at_its_field(
    own_shop: Shop, owner: DashboardClient, fields: dict[str, str], field: str
) -> None:
    answer = await owner.post(f"{HERE}/faults", form(**fields))
    assert (answer.status_code, f'id="f-{field}-e"' in answer.text) == (422, True), texts(answer.text)
    assert await listed(own_shop, "faults") == []


async def test_a_snapshot_is_kept_gone_back_to_after_a_question_and_deleted(
    own_shop: Shop, owner: DashboardClient
) -> None:
    snapshot = form(name="Before the refunds")
    for _ in range(2):
        assert (await owner.post(f"{HERE}/snapshots", snapshot)).status_code == 303
    (kept,) = await listed(own_shop, "snapshots")
    assert "Before the refunds" in texts((await owner.get(HERE)).text)
    made = json_exact(await own_shop.post("/customers", {"first_name": "Later"}), 201)["data"]
    chosen = {"snapshot": kept["id"]}
    asked = await owner.post(f"{HERE}/snapshots/restore", chosen)
    assert (asked.status_code, "is lost" in asked.text) == (200, True)
    assert (await own_shop.get(f"/customers/{made['id']}")).status_code == 200
    assert (await owner.post(f"{HERE}/snapshots/restore", {**chosen, "sure": "yes"})).status_code == 303
    assert (await own_shop.get(f"/customers/{made['id']}")).status_code == 404
    assert (await owner.post(f"{HERE}/snapshots/delete", chosen)).status_code == 303
    assert await listed(own_shop, "snapshots") == []
    assert (await owner.post(f"{HERE}/snapshots/delete", chosen)).status_code == 404
    unnamed = await owner.post(f"{HERE}/snapshots", form(name=""))
    assert (unnamed.status_code, 'id="f-name-e"' in unnamed.text) == (422, True)


async def test_a_reset_asks_first_and_takes_the_clock_back(own_shop: Shop, owner: DashboardClient) -> None:
    await owner.post(f"{HERE}/clock", form(ahead=str(DAY)))
    await owner.post(f"{HERE}/faults", form(kind="slow", route="GET /staff"))
    made = json_exact(await own_shop.post("/customers", {"first_name": "Ahead"}), 201)["data"]
    asked = await owner.post(f"{HERE}/reset")
    assert (asked.status_code, await ahead(own_shop)) == (200, DAY)
    assert (await owner.post(f"{HERE}/reset", {"sure": "yes"})).status_code == 303
    assert await ahead(own_shop) == 0
    assert await listed(own_shop, "faults") == []
    assert (await own_shop.get(f"/customers/{made['id']}")).status_code == 404
    page = await owner.get("/")
    assert (page.status_code, 'id="sandbox-ahead"' in page.text) == (200, False)


async def test_only_the_office_of_a_sandbox_has_the_page(own_shop: Shop, owner: DashboardClient) -> None:
    forms = {
        "clock": form(ahead="3600"),
        "faults": form(kind="slow"),
        "faults/clear": {},
        "snapshots": form(name="A"),
        "reset": {"sure": "yes"},
    }
    async with await dashboard_of(own_shop, await make_user(own_shop, Role.RECEPTIONIST)) as desk:
        assert (await desk.get(HERE)).status_code == 403
        for path, fields in forms.items():
            assert (await desk.post(f"{HERE}/{path}", fields)).status_code == 403, path
    assert f'href="{HERE}"' in (await owner.get("/settings")).text
    await change_tenant(own_shop, is_sandbox=False)
    assert f'href="{HERE}"' not in (await owner.get("/settings")).text
    refused = await owner.get(HERE)
    assert (refused.status_code, "Only a sandbox can do this." in refused.text) == (403, True)
    for path, fields in forms.items():
        assert (await owner.post(f"{HERE}/{path}", fields)).status_code == 403, path
    rows = await own_shop.sql("SELECT clock_ahead, has_faults FROM tenants WHERE id = $1")
    assert [tuple(row) for row in rows] == [(None, False)]
