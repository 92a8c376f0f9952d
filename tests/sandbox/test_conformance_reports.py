"""Reports of `frontdesk conformance`: the newest of each client, only in sandboxes."""

from typing import Any

import pytest

from tests.factories.changes import change_tenant
from tests.factories.credentials import make_client
from tests.support.http_errors import assert_error
from tests.support.pagination import json_exact
from tests.support.shop import Shop

PATH = "/sandbox/conformance"


def scenario(id_: str, outcome: str, **more: Any) -> dict[str, Any]:
    return {"id": id_, "group": "flow", "outcome": outcome, "title": "A title", "expected": "one order", **more}


def report(*scenarios: dict[str, Any], kit: str = "frontdesk 1.0.0") -> dict[str, Any]:
    return {"kit": kit, "scenarios": list(scenarios) or [scenario("books", "passed")]}


async def test_each_client_has_its_newest_report(own_shop: Shop) -> None:
    """Another client of the same sandbox has its own."""
    first, second = [await make_client(own_shop) for _ in range(2)]
    token, other = await first.token(), await second.token()
    assert_error(await own_shop.get(PATH, token=token), 404, "not_found")
    failed = scenario("lost-answer", "failed", message="made 2 orders")
    stored = json_exact(await own_shop.post(PATH, report(failed, scenario("books", "passed")), token=token))["data"]
    assert (stored["passed"], stored["failed"], stored["skipped"]) == (1, 1, 0)
    assert stored["scenarios"][0]["message"] == "made 2 orders"
    assert stored["scenarios"][1]["message"] is None
    assert json_exact(await own_shop.get(PATH, token=token))["data"] == stored
    json_exact(await own_shop.post(PATH, report(kit="frontdesk 2.0.0"), token=token))
    newest = json_exact(await own_shop.get(PATH, token=token))["data"]
    assert (newest["kit"], newest["failed"]) == ("frontdesk 2.0.0", 0)
    assert_error(await own_shop.get(PATH, token=other), 404, "not_found")


async def test_a_report_stays_when_the_sandbox_is_reset_and_is_at_the_real_time(own_shop: Shop) -> None:
    before = json_exact(await own_shop.post(PATH, report()))["data"]
    json_exact(await own_shop.post("/sandbox/clock", {"advance": "P30D"}))
    later = json_exact(await own_shop.post(PATH, report()))["data"]
    assert later["created_at"][:4] == before["created_at"][:4]
    rows = await own_shop.sql(
        "SELECT created_at < pg_catalog.now() + interval '1 day' AS is_real FROM conformance_reports "
        "WHERE tenant_id = $1"
    )
    assert [row["is_real"] for row in rows] == [True]
    json_exact(await own_shop.post("/sandbox/reset"))
    assert json_exact(await own_shop.get(PATH))["data"] == later


async def test_other_businesses_have_none(own_shop: Shop) -> None:
    await change_tenant(own_shop, is_sandbox=False)
    assert_error(await own_shop.post(PATH, report()), 403, "sandbox_only")
    assert_error(await own_shop.get(PATH), 403, "sandbox_only")


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"kit": "x", "scenarios": []}, "scenarios"),
        (report(scenario("books", "good")), "scenarios.0.outcome"),
        (report(scenario("No id", "passed")), "scenarios.0.id"),
        (report(scenario("books", "passed", message="x" * 1001)), "scenarios.0.message"),
        (report(kit=""), "kit"),
    ],
)
async def test_a_report_that_cannot_be_is_refused(shop: Shop, body: dict[str, Any], field: str) -> None:
    answer = await shop.post(PATH, body)
    assert list(assert_error(answer, 422, "validation_error")["errors"]) == [field]
