"""Frontdesk-Dry-Run: what the header means, beside what `tests/apis/test_dry_run.py` shows of every operation."""

import asyncio
from collections.abc import AsyncIterator
from uuid import uuid4

import pytest

from tests.support.branch import BranchFixture, books, day, holding, line, open_branch, start
from tests.support.http_errors import assert_error
from tests.support.service import Service, patient_service
from tests.support.shop import Shop
from tests.support.waiting import eventually

DRY = {"frontdesk-dry-run": "true"}


@pytest.fixture(scope="module")
async def branch(service: Service, other_shop: Shop) -> BranchFixture:
    return await open_branch(await service.new_shop())


@pytest.mark.parametrize("value", ["1", "", "True", "yes"])
async def test_a_value_that_is_neither_true_nor_false_is_refused(branch: BranchFixture, value: str) -> None:
    body = branch.order(line(await branch.add_product(), "product"))
    before = await books(branch.shop)
    answer = await branch.shop.post("/orders", body, headers={"frontdesk-dry-run": value})
    errors = assert_error(answer, 422, "validation_error")["errors"]
    assert errors == {"Frontdesk-Dry-Run": ["must be true or false; nothing was done"]}
    assert await books(branch.shop) == before
    assert (await branch.shop.get("/orders", headers={"frontdesk-dry-run": value})).status_code == 200


async def test_false_is_a_write_like_any_other(branch: BranchFixture) -> None:
    body = branch.order(line(await branch.add_product(), "product"))
    answer = await branch.shop.post("/orders", body, headers={"frontdesk-dry-run": "false"})
    assert (answer.status_code, answer.json().keys()) == (201, {"data"})
    assert (await branch.shop.get(f"/orders/{answer.json()['data']['id']}")).status_code == 200


async def test_a_dry_run_needs_token_and_scope_first(branch: BranchFixture) -> None:
    assert_error(await branch.shop.post("/orders", {}, token="wrong", headers=DRY), 401, "authentication_failed")
    weak = await branch.shop.new_token("items:read")
    assert_error(await branch.shop.post("/orders", {}, token=weak, headers=DRY), 403, "insufficient_scope")


async def test_a_dry_run_is_refused_as_the_write_would_be(branch: BranchFixture) -> None:
    cut = await branch.add_service()
    await branch.add_provider(cut)
    body = branch.order(line(cut), start=start(day(4), "03:00"))
    dry, real = await branch.shop.post("/orders", body, headers=DRY), await branch.shop.post("/orders", body)
    assert assert_error(dry, 422, "timeslot_unavailable") == assert_error(real, 422, "timeslot_unavailable")
    assert dry.headers["frontdesk-dry-run"] == "true"


async def test_a_dry_run_neither_stores_under_a_key_nor_reads_what_is_stored(branch: BranchFixture) -> None:
    cut, key = await branch.add_service(), {"idempotency-key": str(uuid4())}
    await branch.add_provider(cut)
    tried, booked = (branch.order(line(cut), start=start(day(5), at)) for at in ("10:00", "11:00"))
    assert (await branch.shop.post("/orders", tried, headers={**DRY, **key})).status_code == 201
    assert (await branch.shop.post("/orders", booked, headers=key)).status_code == 201
    again = await branch.shop.post("/orders", booked, headers={**DRY, **key})
    assert_error(again, 422, "timeslot_unavailable")
    assert (await branch.shop.post("/orders", booked, headers=key)).headers["idempotent-replayed"] == "true"


async def test_a_dry_run_shows_only_the_events_that_the_token_may_read(branch: BranchFixture) -> None:
    body = branch.order(line(await branch.add_product(), "product"))
    events = {}
    for scopes in ("orders:write", "orders:write orders:read", "orders:write orders:read customers:read"):
        token = await branch.shop.new_token(scopes)
        answer = await branch.shop.post("/orders", body, token=token, headers=DRY)
        events[scopes] = {event["type"]: event["data"] for event in answer.json()["dry_run"]["events"]}
    hidden, redacted, whole = (found["order.created"] for found in events.values())
    assert hidden is None
    assert whole["order"]["customer"].keys() > redacted["order"]["customer"].keys() or whole != redacted


@pytest.fixture
async def patient(dsn: str) -> AsyncIterator[BranchFixture]:
    async with patient_service(dsn) as service:
        yield await open_branch(await service.new_shop())


async def test_what_others_emit_meanwhile_is_not_told_as_of_the_dry_run(patient: BranchFixture) -> None:
    order = await patient.place(line(await patient.add_product(), "product"))
    other = """
        WITH held AS (SELECT FROM orders WHERE tenant_id = $2 AND id = $1 FOR UPDATE)
        SELECT emit_events($2, ARRAY['webhook.ping'], ARRAY['{}'::json]) FROM held"""

    async def is_waiting() -> bool:
        rows = await patient.shop.sql(
            "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE 'SELECT try_act%' "
            "AND datname = current_database() AND $1::uuid IS NOT NULL"
        )
        return bool(rows)

    await patient.shop.token()
    path = f"/orders/{order['id']}/status"
    async with holding(patient.shop.dsn, other, order["id"], patient.shop.tenant_id, commit=True):
        trying = asyncio.ensure_future(patient.shop.post(path, {"status": "completed"}, headers=DRY))
        await eventually(is_waiting)
    answer = await trying
    assert answer.status_code == 200, answer.text
    assert [event["type"] for event in answer.json()["dry_run"]["events"]] == ["order.status_changed"]
    listed = await patient.shop.sql("SELECT 1 FROM events WHERE tenant_id = $1 AND type = 'webhook.ping'")
    assert len(listed) == 1
