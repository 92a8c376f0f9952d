"""Idempotency-Key: the same request sent again is answered from the books and makes nothing."""

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any
from uuid import uuid4

import httpx2
import pytest

from frontdesk.apis.open.api import open_api
from frontdesk.apis.pos.api import pos_api
from frontdesk.auth.credentials import parse_client_id
from frontdesk.http.decoding import canonical_json
from frontdesk.security.encryption import SecretBox
from tests.factories.changes import ago, change_rows
from tests.factories.credentials import make_client
from tests.support.branch import BranchFixture, books, day, holding, line, open_branch, start
from tests.support.http_errors import assert_error
from tests.support.idempotent_requests import (
    KEY_REQUESTS,
    OPEN_REQUESTS,
    Make,
    customer_request,
    new_order_id,
    order_request,
    tag_request,
)
from tests.support.pagination import Document, json_exact
from tests.support.service import SECRET_KEYS, Service, patient_service
from tests.support.shop import KEY_API, NO_CERTIFICATES, OPEN_API, Shop

EVERY_POST = [
    *(pytest.param(OPEN_API, make, id=f"open {path}") for path, make in OPEN_REQUESTS.items()),
    *(pytest.param(KEY_API, make, id=f"key {path}") for path, make in KEY_REQUESTS.items()),
]


async def _send(
    shop: Shop, prefix: str, path: str, body: Document, key: str | bytes, *, token: str | None = None
) -> httpx2.Response:
    who = (b"x-api-key", shop.sandbox.api_key)
    if prefix == OPEN_API:
        who = (b"authorization", f"Bearer {token or await shop.token()}")
    headers = [(who[0], who[1].encode()), (b"idempotency-key", key.encode() if isinstance(key, str) else key)]
    async with httpx2.AsyncClient(base_url=shop.origin, timeout=120, verify=NO_CERTIFICATES) as http:
        return await http.post(prefix + path, json=body, headers=headers)


@pytest.mark.parametrize("prefix", [OPEN_API, KEY_API])
async def test_two_idempotency_keys_are_refused(branch: BranchFixture, prefix: str) -> None:
    shop = branch.shop
    who = ("x-api-key", shop.sandbox.api_key)
    path, body = "/tags?model=customers", {"name": str(uuid4())}
    if prefix == OPEN_API:
        who = ("authorization", f"Bearer {await shop.token()}")
        path, body = "/customers", {"first_name": "Sara"}
    async with httpx2.AsyncClient(base_url=shop.origin, timeout=120, verify=NO_CERTIFICATES) as http:
        for second in ("one", "two"):
            headers = [who, ("idempotency-key", "one"), ("idempotency-key", second)]
            answer = await http.post(prefix + path, json=body, headers=headers)
            assert answer.status_code == 422, answer.text
            assert answer.json()["errors"] == {"Idempotency-Key": ["must be sent once"]}


@pytest.mark.parametrize("key", ['"abc', 'abc"', '"', 'a"b', '"a"b"'])
async def test_an_idempotency_key_with_unbalanced_quotes_is_refused(branch: BranchFixture, key: str) -> None:
    answer = await _send(branch.shop, OPEN_API, "/customers", {"first_name": "Sara"}, key)
    errors = assert_error(answer, 422, "validation_error")["errors"]
    assert errors == {"Idempotency-Key": ["has an unbalanced quote"]}


def test_idempotency_is_tested_for_every_post_that_writes() -> None:
    for surface, requests in ((open_api(), OPEN_REQUESTS), (pos_api(), KEY_REQUESTS)):
        assert {o.path for o in surface.operations if o.writes and o.method == "POST"} == requests.keys()


@pytest.mark.parametrize(("prefix", "make"), EVERY_POST)
async def test_a_key_makes_what_it_is_sent_with_once(branch: BranchFixture, prefix: str, make: Make) -> None:
    """Sent again, the request gets the same answer; another request and a malformed key are refused."""
    request, elsewhere, key = await make(branch), await make(branch), str(uuid4())
    before = await books(branch.shop)
    malformed = await _send(branch.shop, prefix, request.path, request.body, "two words")
    assert assert_error(malformed, 422, "validation_error")["errors"] == {
        "Idempotency-Key": ["must be 1 to 255 printable ASCII characters"]
    }
    assert await books(branch.shop) == before
    first = await _send(branch.shop, prefix, request.path, request.body, key)
    assert first.status_code in (200, 201), first.text
    assert "idempotent-replayed" not in first.headers
    after = await books(branch.shop)
    assert_error(await _send(branch.shop, prefix, request.path, request.another, key), 422, "idempotency_key_reused")
    if elsewhere.path != request.path:
        assert_error(await _send(branch.shop, prefix, elsewhere.path, request.body, key), 422, "idempotency_key_reused")
    for spelled in (key, f'"{key}"'):
        again = await _send(branch.shop, prefix, request.path, request.body, spelled)
        assert again.headers["idempotent-replayed"] == "true"
        assert (again.status_code, again.content) == (first.status_code, first.content)
        assert again.headers["content-type"] == first.headers["content-type"]
    assert await books(branch.shop) == after
    (kept,) = await branch.shop.sql("SELECT * FROM idempotency_records WHERE tenant_id = $1 AND key = $2", key)
    document = json.loads(kept["body"])
    if kept["secret"] is not None:
        document["secret"] = SecretBox(SECRET_KEYS).decrypt(kept["secret"]).decode()
    if document.get("url", "").startswith("/"):
        document["url"] = branch.shop.origin + document["url"]
    assert (kept["status"], document) == (first.status_code, first.json()["data"])
    assert b"whsec_" not in kept["body"]


@pytest.mark.parametrize(
    "header", ["", '""', "x" * 256, f'"{"x" * 256}"', "schlüssel".encode(), b"\xe9", "tab\tbed", '"a b"']
)
async def test_a_key_has_1_to_255_visible_characters(branch: BranchFixture, header: str | bytes) -> None:
    request = await order_request(branch)
    before = await books(branch.shop)
    answer = assert_error(
        await _send(branch.shop, OPEN_API, request.path, request.body, header), 422, "validation_error"
    )
    assert answer["errors"] == {"Idempotency-Key": ["must be 1 to 255 printable ASCII characters"]}
    assert await books(branch.shop) == before


async def test_any_visible_characters_will_do_for_a_key(branch: BranchFixture) -> None:
    request = await order_request(branch)
    for key in ("x" * 255, "!", "~" * 255, f'"{"y" * 255}"', '{"a":1}'):
        assert (await _send(branch.shop, OPEN_API, request.path, request.body, key)).status_code == 201
        again = await _send(branch.shop, OPEN_API, request.path, request.body, key)
        assert again.headers["idempotent-replayed"] == "true"


async def test_idempotency_ignores_how_the_json_is_written(branch: BranchFixture) -> None:
    """Clients that send a request again may write it anew: in another order of keys, with other spaces."""
    order = branch.order(line(await branch.add_product(), "product"), note="Hello")
    headers = {"idempotency-key": str(uuid4())}
    first = await branch.shop.request("POST", "/orders", content=json.dumps(order).encode(), headers=headers)
    assert first.status_code == 201, first.text
    turned = {name: order[name] for name in reversed(order)}
    for body in (json.dumps(turned, indent=2), json.dumps(order, ensure_ascii=False, separators=(",", ":"))):
        again = await branch.shop.request("POST", "/orders", content=body.encode(), headers=headers)
        assert (again.content, again.headers["idempotent-replayed"]) == (first.content, "true")
    other = await branch.shop.request("POST", "/orders?a=1", content=json.dumps(order).encode(), headers=headers)
    assert_error(other, 422, "idempotency_key_reused")


@pytest.mark.parametrize(
    ("left", "right", "same"),
    [
        (b'{"a":1.50,"b":[2.0]}', b'{"b":[2],"a":1.5}', True),
        (b'{"a":1e2}', b'{"a":100}', True),
        (b'{"a":"\\u0061"}', b'{"a":"a"}', True),
        (b'{"a":"1"}', b'{"a":1}', False),
        (b'{"a":[1,2]}', b'{"a":[2,1]}', False),
        (b'{"a":null}', b"{}", False),
        (b"no JSON", b"no  JSON", False),
        (b"[" * 5000, b"[" * 5000, True),
        (b'{"a":1e999999999}', b'{"a":1e999999998}', False),
    ],
)
def test_idempotency_compares_json_by_value(left: bytes, right: bytes, same: bool) -> None:
    assert (canonical_json(left) == canonical_json(right)) is same


async def test_a_refused_request_keeps_no_key(branch: BranchFixture) -> None:
    cream, key = await branch.add_product(stock=1), str(uuid4())
    headers = {"idempotency-key": key}
    many = branch.order(line(cream, "product", 2))
    for _ in range(2):
        assert_error(await branch.shop.post("/orders", many, headers=headers), 422, "validation_error")
    assert await branch.shop.sql("SELECT FROM idempotency_records WHERE tenant_id = $1 AND key = $2", key) == []
    one = branch.order(line(cream, "product"))
    assert (await branch.shop.post("/orders", one, headers=headers)).status_code == 201
    assert_error(await branch.shop.post("/orders", many, headers=headers), 422, "idempotency_key_reused")


async def test_a_request_that_finds_no_record_or_has_no_right_keeps_no_key(branch: BranchFixture) -> None:
    key = {"idempotency-key": str(uuid4())}
    body = {"status": "completed"}
    assert_error(await branch.shop.post(f"/orders/{uuid4()}/status", body, headers=key), 404, "not_found")
    poor = await branch.shop.new_token("orders:read")
    order_id = await new_order_id(branch)
    assert_error(
        await branch.shop.post(f"/orders/{order_id}/status", body, headers=key, token=poor), 403, "insufficient_scope"
    )
    answer = await branch.shop.post(f"/orders/{order_id}/status", body, headers=key)
    assert (answer.status_code, "idempotent-replayed" in answer.headers) == (200, False)


async def test_an_idempotent_replay_is_the_stored_response(branch: BranchFixture) -> None:
    order_id, key = await new_order_id(branch), {"idempotency-key": str(uuid4())}
    first = await branch.shop.post(f"/orders/{order_id}/status", {"status": "completed"}, headers=key)
    await branch.move(order_id, "canceled")
    again = await branch.shop.post(f"/orders/{order_id}/status", {"status": "completed"}, headers=key)
    assert again.content == first.content
    assert (await branch.read(order_id))["status"] == "canceled"


async def test_a_key_is_kept_for_24_hours(branch: BranchFixture) -> None:
    request, key = await order_request(branch), str(uuid4())
    first = json_exact(await _send(branch.shop, OPEN_API, request.path, request.body, key), 201)["data"]["id"]

    async def age(hours: float) -> None:
        await change_rows(branch.shop, "idempotency_records", {"key": key}, created_at=ago(hours=hours))

    await age(23.99)
    kept = await _send(branch.shop, OPEN_API, request.path, request.body, key)
    assert (kept.json()["data"]["id"], kept.headers["idempotent-replayed"]) == (first, "true")
    await age(24.01)
    fresh = await _send(branch.shop, OPEN_API, request.path, request.another, key)
    assert (fresh.status_code, "idempotent-replayed" in fresh.headers) == (201, False)
    second = fresh.json()["data"]["id"]
    assert second != first
    again = await _send(branch.shop, OPEN_API, request.path, request.another, key)
    assert again.json()["data"]["id"] == second
    assert_error(await _send(branch.shop, OPEN_API, request.path, request.body, key), 422, "idempotency_key_reused")


async def test_a_key_belongs_to_one_client_of_one_business(branch: BranchFixture, service: Service) -> None:
    request, key = await customer_request(branch), str(uuid4())
    neighbour = await (await make_client(branch.shop)).token()
    made = [
        await _send(branch.shop, OPEN_API, request.path, request.body, key),
        await _send(branch.shop, OPEN_API, request.path, request.body, key, token=neighbour),
        await _send(await service.new_shop(), OPEN_API, request.path, request.body, key),
        await _send(branch.shop, KEY_API, *(await tag_request(branch))[:2], key),
    ]
    assert all(answer.status_code == 201 and "idempotent-replayed" not in answer.headers for answer in made)
    assert len({answer.json()["data"]["id"] for answer in made}) == 4
    another_token = await branch.shop.new_token("customers:write")
    again = await _send(branch.shop, OPEN_API, request.path, request.body, key, token=another_token)
    assert again.json() == made[0].json()


async def test_a_read_takes_no_notice_of_a_key(branch: BranchFixture) -> None:
    cut = await branch.add_service()
    await branch.add_provider(cut)
    headers = {"idempotency-key": str(uuid4())}
    body = {"service_id": str(cut), "date": str(day(3))}
    first = json_exact(await branch.shop.post("/availability", body, headers=headers))["data"]["slots"]
    await branch.place(line(cut), start=start(day(3), "10:00"))
    second = json_exact(await branch.shop.post("/availability", body, headers=headers))["data"]["slots"]
    assert first != second


# While the first is still running


@pytest.fixture
async def patient(dsn: str) -> AsyncIterator[BranchFixture]:
    async with patient_service(dsn) as service:
        yield await open_branch(await service.new_shop())


async def _when_waiting(shop: Shop, count: int, task: "asyncio.Future[Any]") -> None:
    """So many connections wait for a lock."""
    waiting = """
        SELECT count(*) AS n FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock' AND $1::uuid IS NOT NULL"""
    while (await shop.sql(waiting))[0]["n"] < count:
        assert not task.done(), task.result()


async def test_the_same_request_waits_while_the_first_is_running_and_gets_its_answer(patient: BranchFixture) -> None:
    cut, key = await patient.add_service(), {"idempotency-key": str(uuid4())}
    provider = await patient.add_provider(cut)
    body = patient.order(line(cut), start=start(day(3), "10:00"))
    await patient.shop.token()
    async with holding(patient.shop.dsn, "SELECT FROM staff WHERE id = $1 FOR NO KEY UPDATE", provider):
        both = asyncio.gather(*(patient.shop.post("/orders", body, headers=key) for _ in range(2)))
        await _when_waiting(patient.shop, 2, both)
    answers = await both
    assert [answer.status_code for answer in answers] == [201, 201]
    assert answers[0].content == answers[1].content
    assert sorted("idempotent-replayed" in answer.headers for answer in answers) == [False, True]


async def test_another_request_with_a_key_that_is_running_is_refused_once_it_is_done(patient: BranchFixture) -> None:
    cut, key = await patient.add_service(), {"idempotency-key": str(uuid4())}
    provider = await patient.add_provider(cut)
    await patient.shop.token()
    bodies = [patient.order(line(cut), start=start(day(3), at)) for at in ("10:00", "11:00")]
    async with holding(patient.shop.dsn, "SELECT FROM staff WHERE id = $1 FOR NO KEY UPDATE", provider):
        both = asyncio.gather(*(patient.shop.post("/orders", body, headers=key) for body in bodies))
        await _when_waiting(patient.shop, 2, both)
    done, other = sorted(await both, key=lambda answer: answer.status_code)
    assert done.status_code == 201
    assert_error(other, 422, "idempotency_key_reused")


async def test_a_request_that_waited_for_a_refused_one_is_handled_itself(patient: BranchFixture) -> None:
    cream, key = await patient.add_product(stock=1), {"idempotency-key": str(uuid4())}
    body = patient.order(line(cream, "product"))
    await patient.shop.token()
    async with holding(patient.shop.dsn, "UPDATE items SET stock = 0 WHERE id = $1", cream):
        both = asyncio.gather(*(patient.shop.post("/orders", body, headers=key) for _ in range(2)))
        await _when_waiting(patient.shop, 2, both)
    assert sorted(answer.status_code for answer in await both) == [201, 201]
    assert await patient.stock(cream) == 0


async def test_an_idempotency_key_in_use_is_409_after_the_limit(branch: BranchFixture) -> None:
    request, key = await order_request(branch), str(uuid4())
    running = "SELECT claim_idempotency_key($1, $2, $3)"
    client = parse_client_id(branch.shop.sandbox.client_id)
    assert client is not None
    before = await books(branch.shop)
    async with holding(branch.shop.dsn, running, branch.shop.tenant_id, client[1], key):
        answer = await _send(branch.shop, OPEN_API, request.path, request.body, key)
        assert_error(answer, 409, "idempotency_key_in_use")
        assert answer.headers["retry-after"] == "1"
        assert await books(branch.shop) == before
    assert (await _send(branch.shop, OPEN_API, request.path, request.body, key)).status_code == 201
