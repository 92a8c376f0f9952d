"""`GET /requests`: what happened to a request, by its id or by its Idempotency-Key."""

import asyncio
from collections.abc import AsyncIterator
from uuid import uuid4

import httpx2
import pytest

from frontdesk.auth import request_log
from frontdesk.auth.credentials import parse_client_id
from tests.factories.changes import ago, change_rows
from tests.factories.credentials import make_client
from tests.support.branch import BranchFixture, holding, line, open_branch
from tests.support.http_errors import assert_error
from tests.support.pagination import Document, json_exact
from tests.support.service import Service, running_service
from tests.support.shop import KEY_API, OPEN_API, Shop
from tests.support.waiting import eventually


async def report(shop: Shop, *, key: str = "", request_id: str = "", token: str | None = None) -> Document:
    path = f"/requests/{request_id}" if request_id else f"/requests?idempotency_key={key}"
    found: Document = json_exact(await shop.get(path, token=token))["data"]
    return found


async def create(branch: BranchFixture, key: str, **more: object) -> httpx2.Response:
    body = branch.order(line(await branch.add_product(), "product"), **more)
    return await branch.shop.post("/orders", body, headers={"idempotency-key": key})


@pytest.mark.both_servers
async def test_a_key_tells_at_once_which_order_exists(branch: BranchFixture) -> None:
    key = str(uuid4())
    order = await create(branch, key)
    found = await report(branch.shop, key=key)
    order_id, request_id = order.json()["data"]["id"], order.headers["x-request-id"]
    assert (found["state"], found["status"], found["request_id"]) == ("completed", 201, request_id)
    assert (found["operation"], found["path"]) == ("POST /orders", f"{OPEN_API}/orders")
    assert (found["error"], found["replayed"], found["dry_run"]) == (None, False, False)
    (created,) = found["created"]
    assert (created["type"], created["id"]) == ("order", order_id)
    assert created["url"] == f"{branch.shop.origin}{OPEN_API}/orders/{order_id}"
    timing = found["timing"]
    assert timing["statements"] == 2
    assert 0 < timing["database_ms"] <= timing["total_ms"]


@pytest.mark.both_servers
async def test_an_id_is_found_before_and_after_it_is_written(branch: BranchFixture) -> None:
    order = await create(branch, str(uuid4()))
    request_id = order.headers["x-request-id"]
    first = await report(branch.shop, request_id=request_id)

    async def is_written() -> bool:
        return bool(
            await branch.shop.sql("SELECT FROM request_log WHERE tenant_id = $1 AND request_id = $2", request_id)
        )

    await eventually(is_written)
    assert await report(branch.shop, request_id=request_id) == first
    assert first["created"][0]["id"] == order.json()["data"]["id"]


async def test_a_refused_request_has_its_error_as_it_was_answered(branch: BranchFixture) -> None:
    key = str(uuid4())
    refused = await create(branch, key, customer_id=uuid4())
    assert_error(refused, 422, "validation_error")
    body = refused.json()
    for found in (
        await report(branch.shop, key=key),
        await report(branch.shop, request_id=refused.headers["x-request-id"]),
    ):
        assert (found["state"], found["status"], found["created"]) == ("failed", 422, [])
        assert found["error"] == {
            "code": "validation_error",
            "message": body["message"],
            "field": "customer_id",
            "errors": body["errors"],
            "doc_url": body["doc_url"],
        }


async def test_a_read_has_a_report_without_a_key_and_without_its_query(branch: BranchFixture) -> None:
    order = await create(branch, str(uuid4()))
    path = f"/orders/{order.json()['data']['id']}"
    read = await branch.shop.get(f"{path}?name=Maha")
    found = await report(branch.shop, request_id=read.headers["x-request-id"])
    assert (found["state"], found["idempotency_key"], found["attempts"]) == ("completed", None, [])
    assert (found["operation"], found["path"]) == ("GET /orders/{uuid}", OPEN_API + path)
    unreadable = await branch.shop.get("/orders/+966500000000")
    found = await report(branch.shop, request_id=unreadable.headers["x-request-id"])
    assert (found["state"], found["path"]) == ("failed", f"{OPEN_API}/orders/{{uuid}}")


async def test_attempts_with_the_same_key_are_told_apart(branch: BranchFixture) -> None:
    key, product = str(uuid4()), await branch.add_product(stock=1)
    bodies = [branch.order(line(product, "product", quantity)) for quantity in (2, 1, 1, 2)]
    answers = [await branch.shop.post("/orders", body, headers={"idempotency-key": key}) for body in bodies]
    assert [answer.status_code for answer in answers] == [422, 201, 201, 422]
    ids = [answer.headers["x-request-id"] for answer in answers]
    found = await report(branch.shop, key=key)
    assert (found["state"], found["request_id"]) == ("completed", ids[1])
    assert [attempt["request_id"] for attempt in found["attempts"]] == ids[::-1]
    assert [attempt["replayed"] for attempt in found["attempts"]] == [False, True, False, False]
    replay = await report(branch.shop, request_id=ids[2])
    assert (replay["replayed"], replay["created"]) == (True, found["created"])
    reused = await report(branch.shop, request_id=ids[3])
    assert (reused["state"], reused["error"]["code"], reused["created"]) == ("failed", "idempotency_key_reused", [])


async def test_a_dry_run_leaves_nothing_under_its_key(branch: BranchFixture) -> None:
    key = str(uuid4())
    body = branch.order(line(await branch.add_product(), "product"))
    headers = {"idempotency-key": key, "frontdesk-dry-run": "true"}
    tried = await branch.shop.post("/orders", body, headers=headers)
    found = await report(branch.shop, request_id=tried.headers["x-request-id"])
    assert (found["dry_run"], found["state"], found["created"]) == (True, "completed", [])
    assert_error(await branch.shop.get(f"/requests?idempotency_key={key}"), 404, "not_found")


async def test_a_key_that_another_process_holds_is_in_progress(branch: BranchFixture) -> None:
    key = str(uuid4())
    parsed = parse_client_id(branch.shop.sandbox.client_id)
    assert parsed is not None
    claim = "SELECT claim_idempotency_key($1, $2, $3)"
    async with holding(branch.shop.dsn, claim, branch.shop.tenant_id, parsed[1], key):
        found = await report(branch.shop, key=key)
        assert (found["state"], found["status"], found["request_id"]) == ("in_progress", None, None)
    assert_error(await branch.shop.get(f"/requests?idempotency_key={key}"), 404, "not_found")


async def test_a_request_that_waits_is_in_progress_and_then_completed(branch: BranchFixture) -> None:
    key, request_id = str(uuid4()), f"waits-{uuid4()}"
    body = branch.order(line(await branch.add_product(), "product"))
    lock = "SELECT FROM tenant_counters WHERE tenant_id = $1 FOR UPDATE"
    headers = {"idempotency-key": key, "x-request-id": request_id}
    async with holding(branch.shop.dsn, lock, branch.shop.tenant_id):
        sending = asyncio.create_task(branch.shop.post("/orders", body, headers=headers))

        async def runs() -> bool:
            answer = await branch.shop.get(f"/requests?idempotency_key={key}")
            return answer.status_code == 200

        await eventually(runs)
        for found in (await report(branch.shop, key=key), await report(branch.shop, request_id=request_id)):
            assert (found["state"], found["request_id"]) == ("in_progress", request_id)
            assert (found["operation"], found["timing"]["total_ms"]) == ("POST /orders", None)
    await sending
    found = await report(branch.shop, request_id=request_id)
    assert found["state"] in ("completed", "failed")  # on a slow machine it did not get its lock in time


async def test_a_lost_answer_was_saved(own_branch: BranchFixture) -> None:
    shop, key = own_branch.shop, str(uuid4())
    await shop.post("/sandbox/faults", {"kind": "lost_answer", "route": "POST /orders"})
    with pytest.raises(httpx2.TransportError):
        await create(own_branch, key)
    found = await report(shop, key=key)
    assert (found["state"], found["status"]) == ("completed", 201)
    (order,) = (await shop.get("/orders")).json()["data"][:1]
    assert found["created"][0]["id"] == order["id"]


async def test_a_request_that_ended_badly_after_it_was_saved_is_completed(branch: BranchFixture) -> None:
    key = str(uuid4())
    order = await create(branch, key)
    request_id = order.headers["x-request-id"]
    await report(branch.shop, key=key)

    async def is_written() -> bool:
        return bool(
            await branch.shop.sql("SELECT FROM request_log WHERE tenant_id = $1 AND request_id = $2", request_id)
        )

    await eventually(is_written)
    values = {"status": 503, "error": "service_unavailable", "created_id": None}
    await change_rows(branch.shop, "request_log", {"request_id": request_id}, **values)
    for found in (await report(branch.shop, key=key), await report(branch.shop, request_id=request_id)):
        assert (found["state"], found["created"][0]["id"]) == ("completed", order.json()["data"]["id"])


async def test_a_key_is_known_longer_than_its_response(branch: BranchFixture) -> None:
    key = str(uuid4())
    order = await create(branch, key)
    await change_rows(branch.shop, "idempotency_records", {"key": key}, created_at=ago(hours=25))
    found = await report(branch.shop, key=key)
    assert (found["state"], found["created"][0]["id"]) == ("completed", order.json()["data"]["id"])


async def test_a_request_is_shown_to_nobody_else(branch: BranchFixture, other_shop: Shop) -> None:
    key = str(uuid4())
    order = await create(branch, key)
    request_id = order.headers["x-request-id"]
    neighbour = await (await make_client(branch.shop)).token()
    for path in (f"/requests?idempotency_key={key}", f"/requests/{request_id}"):
        assert_error(await branch.shop.get(path, token=neighbour), 404, "not_found")
        assert_error(await other_shop.get(path), 404, "not_found")
        assert_error(await branch.shop.key_call("GET", path), 404, "not_found")
        assert (await branch.shop.get(path, token=await branch.shop.new_token("items:read"))).status_code == 200


async def test_a_till_asks_for_its_own_requests(branch: BranchFixture) -> None:
    key = str(uuid4())
    tag = await branch.shop.key_call(
        "POST", "/tags?model=customers", json={"name": key}, headers={"idempotency-key": key}
    )
    for path in (f"/requests?idempotency_key={key}", f"/requests/{tag.headers['x-request-id']}"):
        found = json_exact(await branch.shop.key_call("GET", path))["data"]
        assert (found["operation"], found["path"]) == ("POST /tags", f"{KEY_API}/tags")
        assert found["created"] == [{"type": "tag", "id": tag.json()["data"]["id"], "url": None}]


@pytest.mark.parametrize("query", ["", "?idempotency_key=", "?idempotency_key=two%20words"])
async def test_a_key_is_checked(shop: Shop, query: str) -> None:
    assert "idempotency_key" in assert_error(await shop.get(f"/requests{query}"), 422, "validation_error")["errors"]


@pytest.fixture
async def elsewhere(dsn: str) -> AsyncIterator[Service]:
    """Another process of the service, which writes its log only when it ends."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(request_log, "EVERY_SECONDS", 3600.0)
        async with running_service(dsn) as service:
            yield service


async def test_a_key_is_right_at_once_in_every_process(elsewhere: Service, own_shop: Shop) -> None:
    far = Shop(elsewhere.origin, own_shop.dsn, own_shop.sandbox)
    branch, key = await open_branch(far), str(uuid4())
    order = await create(branch, key)
    found = await report(own_shop, key=key)
    assert (found["state"], found["status"]) == ("completed", 201)
    assert (await report(far, key=key))["created"][0]["id"] == order.json()["data"]["id"]


async def test_an_id_that_another_process_writes_meanwhile_is_found(dsn: str, own_shop: Shop) -> None:
    async with running_service(dsn) as elsewhere:
        far = Shop(elsewhere.origin, own_shop.dsn, own_shop.sandbox)
        answer = await far.get("/limits")

        async def is_found() -> bool:
            return (await own_shop.get(f"/requests/{answer.headers['x-request-id']}")).status_code == 200

        await eventually(is_found)
