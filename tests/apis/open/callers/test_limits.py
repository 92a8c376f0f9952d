"""`GET /limits`: what a client may do, and how much of it is used."""

import re
from datetime import datetime, timedelta

import pytest

from frontdesk.scheduling.hold import HELD_AT_ONCE, HELD_MINUTES, HELD_MINUTES_IN_AN_HOUR
from frontdesk.tenants.quotas import LIMITS, Quota
from frontdesk.tenants.types import Plan
from tests.factories.credentials import make_client
from tests.support.branch import BranchFixture, day, start
from tests.support.pagination import Document, json_exact
from tests.support.shop import Shop

pytestmark = pytest.mark.both_servers


async def limits_of(shop: Shop, token: str | None = None) -> Document:
    found: Document = json_exact(await shop.get("/limits", token=token))["data"]
    return found


async def test_the_rate_is_that_of_the_headers(own_shop: Shop) -> None:
    token = await (await make_client(own_shop, scopes=(), rate_limit=7)).token()
    for remaining in (6, 5):
        answer = await own_shop.get("/limits", token=token)
        rate = json_exact(answer)["data"]["rate"]
        assert (rate["limit"], rate["remaining"], rate["window"]) == (7, remaining, 60)
        for name in ("limit", "remaining"):
            assert int(answer.headers[f"x-ratelimit-{name}"]) == rate[name]
        assert 0 <= int(answer.headers["x-ratelimit-reset"]) - rate["reset"] <= 1


async def test_quotas_count_what_the_business_has(own_shop: Shop, other_shop: Shop) -> None:
    (row,) = await own_shop.sql("SELECT plan FROM tenants WHERE id = $1")
    before = {one["quota"]: one for one in (await limits_of(own_shop))["quotas"]}
    assert {name: one["limit"] for name, one in before.items()} == dict(LIMITS[Plan(row["plan"])])
    await make_client(own_shop)
    await make_client(other_shop)
    after = {one["quota"]: one["used"] for one in (await limits_of(own_shop))["quotas"]}
    assert after == {name: one["used"] + (name == Quota.API_CLIENTS) for name, one in before.items()}


async def test_a_client_without_budgets_has_none(shop: Shop) -> None:
    assert (await limits_of(shop))["budgets"] == []


async def test_the_limits_of_holds_are_those_that_are_kept(own_branch: BranchFixture) -> None:
    cut = await own_branch.add_service()
    await own_branch.add_provider(cut)
    body = {"service_id": str(cut), "start": start(day(3), "10:00")}
    hold = json_exact(await own_branch.shop.post("/holds", body), 201)["data"]
    (row,) = await own_branch.shop.sql(
        "SELECT created_at, expires_at FROM holds WHERE tenant_id = $1 AND id = $2", hold["id"]
    )
    published = (await limits_of(own_branch.shop))["fixed"]["holds"]
    assert row["expires_at"] - row["created_at"] == timedelta(minutes=published["minutes"])
    assert datetime.fromisoformat(hold["expires_at"]) == row["expires_at"]
    # The others are tested beside holds; here they are compared with the function.
    ((text,),) = await own_branch.shop.sql(
        "SELECT prosrc FROM pg_proc WHERE proname = 'hold_time' AND $1::uuid IS NOT NULL"
    )
    values = dict(re.findall(r"(c_\w+) CONSTANT \w+ := '?(\d+)", text))
    assert (int(values["c_hold"]), int(values["c_times"])) == (HELD_MINUTES, HELD_AT_ONCE)
    assert int(values["c_of_hour"]) * 60 == HELD_MINUTES_IN_AN_HOUR == published["minutes_in_an_hour"]
