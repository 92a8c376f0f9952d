"""The clock of a sandbox: what its surfaces say and do is at its time, and no other business notices."""

from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest

from frontdesk.auth.types import Role
from frontdesk.values.clock import clock_ahead, current_time
from frontdesk.values.durations import parse_duration
from frontdesk.values.ids import lowest_id_at, uuid7
from tests.factories.changes import change_tenant
from tests.factories.users import make_user
from tests.sandbox.conftest import Advance, from_now
from tests.support.branch import RIYADH, BranchFixture, day, line, open_branch, start
from tests.support.dashboard import dashboard_of
from tests.support.http_errors import assert_error
from tests.support.pagination import json_exact
from tests.support.service import Service
from tests.support.shop import Shop

DAY, MINUTE = timedelta(days=1), timedelta(minutes=1)


@pytest.fixture
async def hair(own_shop: Shop) -> BranchFixture:
    return await open_branch(own_shop)


async def test_the_clock_is_moved_by_a_duration_or_to_a_time_and_goes_on(own_shop: Shop, advance: Advance) -> None:
    before = json_exact(await own_shop.get("/sandbox/clock"))["data"]
    assert before["seconds_ahead"] == 0
    assert abs(from_now(datetime.fromisoformat(before["now"]))) < MINUTE
    assert abs(from_now(await advance("P1DT1H")) - DAY - timedelta(hours=1)) < MINUTE
    assert abs(from_now(await advance("PT60M")) - DAY - timedelta(hours=2)) < MINUTE
    there = datetime.now(UTC) + 9 * DAY
    moved = json_exact(await own_shop.post("/sandbox/clock", {"now": there.isoformat()}))["data"]
    assert abs(datetime.fromisoformat(moved["now"]) - there) < MINUTE
    read = json_exact(await own_shop.get("/sandbox/clock"))["data"]
    assert read["seconds_ahead"] == moved["seconds_ahead"]
    assert read["now"] > moved["now"]


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "advance"),
        ({"advance": "P1D", "now": "2099-01-01T00:00:00Z"}, "advance"),
        ({"advance": "1 day"}, "advance"),
        ({"advance": "P1M"}, "advance"),
        ({"advance": "-P1D"}, "advance"),
        ({"advance": "P"}, "advance"),
        ({"advance": "P99999D"}, "advance"),
        ({"now": "2020-01-01T00:00:00Z"}, "now"),
        ({"now": "2199-01-01T00:00:00"}, "now"),
    ],
)
async def test_what_is_no_way_ahead_is_refused(shop: Shop, body: dict[str, str], field: str) -> None:
    answer = await shop.post("/sandbox/clock", body)
    assert list(assert_error(answer, 422, "validation_error")["errors"]) == [field]


async def test_other_businesses_have_no_clock(own_shop: Shop) -> None:
    await change_tenant(own_shop, is_sandbox=False)
    assert_error(await own_shop.get("/sandbox/clock"), 403, "sandbox_only")
    assert_error(await own_shop.post("/sandbox/clock", {"advance": "P1D"}), 403, "sandbox_only")
    assert [tuple(row) for row in await own_shop.sql("SELECT clock_ahead FROM tenants WHERE id = $1")] == [(None,)]


async def test_what_is_written_is_of_then_and_no_other_business_is_moved(
    service: Service, own_shop: Shop, hair: BranchFixture, advance: Advance
) -> None:
    cream = await hair.add_product()
    now = await advance("P3D")
    placed = await hair.place(line(cream, "product"))
    assert abs(datetime.fromisoformat(placed["created_at"]) - now) < MINUTE
    assert UUID(placed["id"]) > lowest_id_at(now - MINUTE)
    customer = json_exact(await own_shop.post("/customers", {"first_name": "Later"}), 201)["data"]
    assert abs(datetime.fromisoformat(customer["created_at"]) - now) < MINUTE
    events = json_exact(await own_shop.get("/events", params={"type": "customer.created", "per_page": 100}))["data"]
    assert abs(datetime.fromisoformat(events[-1]["timestamp"]) - now) < MINUTE
    other = json_exact(await (await service.new_shop()).post("/customers", {"first_name": "Now"}), 201)["data"]
    assert abs(from_now(datetime.fromisoformat(other["created_at"]))) < MINUTE


async def test_what_was_ahead_is_past(hair: BranchFixture, advance: Advance) -> None:
    """No time of yesterday is offered or booked, and one further ahead is."""
    cut = await hair.add_service(duration=30)
    await hair.add_provider(cut)
    assert "10:00" in str(await hair.slots(cut, day(2)))
    await advance("P3D")
    assert not (await hair.slots(cut, day(2))).get(str(day(2)))
    body = hair.order(line(cut), start=start(day(2), "10:00"))
    assert_error(await hair.shop.post("/orders", body), 422, "timeslot_unavailable")
    assert (await hair.place(line(cut), start=start(day(5), "10:00")))["status"] == "confirmed"


async def test_a_change_keeps_times_in_order(hair: BranchFixture, advance: Advance) -> None:
    order = (await hair.place(line(await hair.add_product(), "product")))["id"]
    times = [(await hair.read(order))["updated_at"]]
    for status in ("in-progress", "completed"):
        await advance("P1D")
        await hair.move(order, status)
        times.append((await hair.read(order))["updated_at"])
    assert times == sorted(set(times))


async def test_keys_expire_and_the_rate_limit_does_not_move(
    own_shop: Shop, hair: BranchFixture, advance: Advance
) -> None:
    """A limit protects the machine, whose time is the real one."""
    key = {"idempotency-key": "the-same"}
    first = json_exact(await own_shop.post("/customers", {"first_name": "Once"}, headers=key), 201)["data"]
    await advance("PT23H")
    again = await own_shop.post("/customers", {"first_name": "Once"}, headers=key)
    assert (again.json()["data"]["id"], again.headers["idempotent-replayed"]) == (first["id"], "true")
    await advance("PT2H")
    another = await own_shop.post("/customers", {"first_name": "Once"}, headers=key)
    assert another.json()["data"]["id"] != first["id"]
    assert 0 < int(another.headers["x-ratelimit-reset"]) <= 60


async def test_a_token_ends_after_a_year_and_a_new_one_is_given(own_shop: Shop, advance: Advance) -> None:
    old = await own_shop.token()
    await advance("P366D")
    assert_error(await own_shop.get("/branches", token=old), 401, "authentication_failed")
    json_exact(await own_shop.get("/branches", token=await own_shop.new_token()))


async def test_pages_are_at_the_time_of_the_sandbox(own_shop: Shop, hair: BranchFixture, advance: Advance) -> None:
    """Also the day to close; the session goes on in real time."""
    async with await dashboard_of(own_shop, await make_user(own_shop, Role.OWNER)) as client:
        now = await advance("P40D")
        page = await client.get("/calendar")
        assert now.astimezone(RIYADH).strftime("%Y-%m-%d") in page.text
        drawer = await client.get("/day-close")
        assert now.astimezone(RIYADH).strftime("%Y-%m-%d") in drawer.text
    (session,) = await own_shop.sql(
        "SELECT max(last_seen_at) AS seen FROM sessions WHERE $1::uuid IS NOT NULL AND tenant_id = $1"
    )
    assert abs(from_now(session["seen"])) < MINUTE


async def test_the_day_before_can_be_closed(hair: BranchFixture, advance: Advance) -> None:
    tomorrow = {"team_id": str(hair.branch_id), "date": str(day(1))}
    assert_error(await hair.shop.key_call("POST", "/pos/day-close", json=tomorrow), 422, "validation_error")
    await advance("P2D")
    json_exact(await hair.shop.key_call("POST", "/pos/day-close", json=tomorrow))


def test_durations_have_a_length() -> None:
    assert parse_duration("P1W2DT3H4M5S") == timedelta(weeks=1, days=2, hours=3, minutes=4, seconds=5)
    assert [parse_duration(text) for text in ("", "P", "PT", "P1Y", "P1.5D", "P-1D", "PT1D")] == [None] * 7


def test_ids_follow_the_clock_without_taking_others_along() -> None:
    now = current_time()
    with clock_ahead(86_400):
        later = uuid7()
        assert current_time() > now + DAY - MINUTE
    assert uuid7() < lowest_id_at(now + MINUTE) < later


async def test_a_write_that_reads_the_whole_business_is_at_its_time_too(own_shop: Shop, advance: Advance) -> None:
    await advance("P1D")
    json_exact(await own_shop.request("PATCH", "/settings/booking-page", json={"about": {"en": "Hair"}}))
