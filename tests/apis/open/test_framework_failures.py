"""What goes wrong before or beneath a handler still comes back as JSON of the one form."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from frontdesk.postgres.pool import Connection, connect
from tests.factories.credentials import make_client
from tests.support.http_errors import assert_error, send_raw
from tests.support.service import Service, running_service
from tests.support.shop import OPEN_API, Shop
from tests.support.waiting import eventually

MIB = 1024 * 1024
CUSTOMER = {"first_name": "Maha"}


@pytest.mark.parametrize(
    "path",
    [
        "/nothing",
        "/open-api",
        "/open-api/v1",
        "/open-api/v1/",
        "/open-api/v1/nothing",
        "/open-api/v1items",
        "/open-api/v1/items/",
        "/open-api/v1//items",
        "/open-api/v2/items",
        "/api/v1/nothing",
        "/open-api/v1/%00",
        "/open-api/v1/%ff%fe",
        "/static/../pyproject.toml",
    ],
)
async def test_an_unknown_route_is_not_found(service: Service, path: str) -> None:
    assert_error(await service.http.get(path), 404, "not_found")


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [
        ("DELETE", "/open-api/v1/customers", "GET, HEAD, POST"),
        ("PATCH", "/open-api/v1/payment-methods", "GET, HEAD, POST"),
        ("OPTIONS", "/open-api/v1/transactions", "GET, HEAD"),
        ("POST", "/open-api/v1/transactions/x", "GET, HEAD"),
        ("GET", "/open-api/v1/oauth/token", "POST"),
        ("HEAD", "/open-api/v1/oauth/token", "POST"),
        ("PUT", "/api/v1/items", "GET, HEAD"),
        ("POST", "/health/live", "GET, HEAD"),
        ("TRACE", "/health/ready", "GET, HEAD"),
    ],
)
async def test_a_wrong_method_gets_every_allowed_one(service: Service, method: str, path: str, allowed: str) -> None:
    answer = await service.http.request(method, path)
    assert answer.headers["allow"] == allowed
    if method != "HEAD":
        assert_error(answer, 405, "method_not_allowed")
    assert answer.status_code == 405


async def test_head_answers_as_get_does_but_without_the_body(shop: Shop) -> None:
    whole, head = await shop.get("/branches"), await shop.request("HEAD", "/branches")
    assert (head.status_code, head.content) == (200, b"")
    assert head.headers["content-length"] == str(len(whole.content))
    assert head.headers["content-type"] == "application/json"
    missing = await shop.request("HEAD", "/items/none")
    assert (missing.status_code, missing.content) == (404, b"")


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b" \r\n\t",
        b"{",
        b'{"first_name": "Maha"',
        b'{"first_name": "Maha",}',
        b"{'first_name': 'Maha'}",
        b'{"first_name": "Maha"} {}',
        b"first_name=Maha",
        b'{"first_name": NaN}',
        b'{"first_name": "Maha", "x": Infinity}',
        b'{"first_name": "Maha", "x": -Infinity}',
        b'{"first_name": "Maha", "x": 1e99999999999999999999}',
        b'{"first_name": "Maha", "x": ' + b"9" * 5000 + b"}",
        b"\xff\xfe{\x00}\x00",
        b'{"first_name": "\xc3\x28"}',
        b'{"first_name": "\xed\xa0\x80aa"}',
        b'{"first_name": "Ma\\ud800ha"}',
        b"null",
        b"true",
        b"7",
        b'"Maha"',
        b"[]",
        b'["\\u0000"]',
        b'[{"first_name": "Maha"}]',
        b"[" * 200_000,
        b'{"first_name":' * 50_000,
        b'{"first_name": ' + b"[" * 900 + b"]" * 900 + b"}",
    ],
    ids=lambda body: f"{body[:24]!r}",
)
async def test_a_body_that_is_no_json_object_is_a_validation_error(shop: Shop, body: bytes) -> None:
    answer = assert_error(await shop.request("POST", "/customers", content=body), 422, "validation_error")
    assert list(answer["errors"]) == [""]
    assert answer["message"].startswith("The body ")


async def test_a_nul_character_is_a_validation_error_of_its_field(shop: Shop) -> None:
    body = {"first_name": "Ma\0ha", "nested": [{"deep": "\0"}]}
    answer = assert_error(await shop.post("/customers", body), 422, "validation_error")
    assert list(answer["errors"]) == ["first_name", "nested.0.deep"]


async def test_the_content_type_of_a_json_body_is_ignored(shop: Shop) -> None:
    answer = await shop.post("/customers", {"first_name": "M"}, headers={"content-type": "text/plain; charset=koi8-r"})
    assert assert_error(answer, 422, "validation_error")["errors"] == {
        "first_name": ["must have at least 2 characters"]
    }


@pytest.mark.parametrize("size", [MIB + 1, 9 * MIB])
async def test_a_body_that_says_it_is_too_large_is_refused(shop: Shop, size: int) -> None:
    assert_error(await shop.request("POST", "/customers", content=b" " * size), 413, "payload_too_large")


@pytest.mark.parametrize("size", [MIB + 1, 9 * MIB])
async def test_a_body_that_turns_out_too_large_is_refused(shop: Shop, size: int) -> None:
    async def pieces() -> AsyncIterator[bytes]:
        for start in range(0, size, 65536):
            yield b" " * min(65536, size - start)

    assert_error(await shop.request("POST", "/customers", content=pieces()), 413, "payload_too_large")


async def test_a_body_of_exactly_one_mebibyte_is_read(shop: Shop) -> None:
    body = b'{"first_name": "M"'.ljust(MIB - 1) + b"}"
    answer = assert_error(await shop.request("POST", "/customers", content=body), 422, "validation_error")
    assert list(answer["errors"]) == ["first_name"]


async def test_a_connection_serves_on_after_a_body_that_was_too_large(shop: Shop, service: Service) -> None:
    auth = {"authorization": f"Bearer {await shop.token()}"}
    assert_error(
        await service.http.post(f"{OPEN_API}/customers", content=b" " * 2 * MIB, headers=auth), 413, "payload_too_large"
    )
    assert (await service.http.get(f"{OPEN_API}/branches", headers=auth)).status_code == 200


@pytest.mark.parametrize(
    "bad",
    [
        "1",
        "none",
        "00000000-0000-0000-0000-00000000000",
        "00000000-0000-0000-0000-00000000000g",
        "00000000000000000000000000000000",
        "{00000000-0000-0000-0000-000000000000}",
        "urn:uuid:00000000-0000-0000-0000-000000000000",
        "00000000-0000-0000-0000-00000000000%D9%A1",
        "%00",
        "%ff",
        "a%2Fb",
        "x" * 10_000,
    ],
)
@pytest.mark.parametrize("path", ["/customers/{}", "/items/{}", "/staff/{}", "/staff/{}/working-hour"])
async def test_a_malformed_id_in_a_path_is_not_found(shop: Shop, path: str, bad: str) -> None:
    assert_error(await shop.get(path.format(bad)), 404, "not_found")


@pytest.mark.parametrize("form", ["urn:uuid:{}", "{{{}}}", "{}-", "hyphens left out"])
async def test_an_id_that_exists_is_not_found_in_another_form(shop: Shop, form: str) -> None:
    id_ = (await shop.first("/items"))["id"]
    written = id_.replace("-", "") if form == "hyphens left out" else form.format(id_)
    assert_error(await shop.get(f"/items/{written}"), 404, "not_found")


async def test_an_id_in_capitals_is_the_same_id(shop: Shop) -> None:
    item = await shop.first("/items")
    assert (await shop.get(f"/items/{item['id'].upper()}")).json()["data"]["id"] == item["id"]


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("page=0", "page"),
        ("page=-1", "page"),
        ("page=1.0", "page"),
        ("page=1e1", "page"),
        ("page=", "page"),
        ("page=true", "page"),
        ("page=%D9%A1", "page"),
        ("per_page=0", "per_page"),
        ("per_page=101", "per_page"),
        ("per_page=ten", "per_page"),
        ("type=package", "type"),
        ("type=Service", "type"),
        ("name=a%00b", "name"),
        ("name=" + "x" * 256, "name"),
        ("name=%ff", ""),
        ("name=%ed%a0%80", ""),
        ("&".join(f"x{number}=1" for number in range(101)), ""),
    ],
)
async def test_a_bad_query_value_is_a_validation_error_that_names_it(shop: Shop, query: str, field: str) -> None:
    answer = assert_error(await shop.get(f"/items?{query}"), 422, "validation_error")
    assert list(answer["errors"]) == [field]


async def test_every_bad_query_value_is_named_at_once(shop: Shop) -> None:
    answer = assert_error(await shop.get("/items?page=0&per_page=1000&type=x"), 422, "validation_error")
    assert set(answer["errors"]) == {"page", "per_page", "type"}


@pytest.mark.parametrize("query", ["name=%zz", "name=%", "name=%25", "unknown=%zz", "&&&=&=x", "x[]=1&x[]=2"])
async def test_odd_but_readable_queries_are_read(shop: Shop, query: str) -> None:
    assert (await shop.get(f"/items?{query}")).status_code == 200


async def test_an_internal_error_shows_only_the_request_id(empty_dsn: str) -> None:
    async with running_service(empty_dsn) as service:
        shop = await service.new_shop()
        await _run(empty_dsn, "ALTER TABLE branches RENAME COLUMN name TO label")
        answer = await shop.get("/branches", headers={"x-request-id": "asked-1"})
        body = assert_error(answer, 500, "internal_error")
        assert set(body) == {"error", "message"}  # beside the id and the address
        assert "asked-1" in body["message"]
        for word in ("branches", "column", "SELECT", "Undefined", "Traceback", ".py"):
            assert word not in answer.text
        assert "x-ratelimit-remaining" in answer.headers
        assert (await shop.get("/payment-methods")).status_code == 200


async def test_a_value_that_the_database_refuses_is_a_validation_error(empty_dsn: str) -> None:
    """The last net: a bound that a handler forgot is still the caller's fault and not ours."""
    async with running_service(empty_dsn) as service:
        shop = await service.new_shop()
        await _run(empty_dsn, "ALTER TABLE customers ALTER COLUMN city TYPE varchar(40)")
        assert_error(await shop.post("/customers", {**CUSTOMER, "city": "x" * 41}), 422, "validation_error")
        assert (await shop.post("/customers", {**CUSTOMER, "city": "x" * 40})).status_code == 201


async def test_tables_that_change_under_a_running_service_are_unavailable_at_most_once(empty_dsn: str) -> None:
    """A connection remembers statements by the types that they had."""
    async with running_service(empty_dsn) as service:
        shop = await service.new_shop()
        for kind in ("varchar(200)", "text", "varchar(201)"):
            assert (await shop.post("/customers", CUSTOMER)).status_code == 201
            assert (await shop.get("/customers")).status_code == 200
            await _run(empty_dsn, f"ALTER TABLE customers ALTER COLUMN city TYPE {kind}")
            await _run(empty_dsn, f"ALTER TABLE branches ALTER COLUMN slug TYPE {kind}")
            assert (await shop.get("/branches")).status_code in (200, 503)
            assert (await shop.post("/customers", CUSTOMER)).status_code in (201, 503)
            assert (await shop.get("/customers")).status_code in (200, 503)


async def test_a_connection_lost_during_a_statement_is_503_and_then_replaced(empty_dsn: str) -> None:
    async with running_service(empty_dsn) as service:
        shop = await service.new_shop()
        token = await shop.token()
        blocker = await connect(empty_dsn)
        async with blocker.transaction():
            await blocker.execute("LOCK TABLE branches IN ACCESS EXCLUSIVE MODE")
            waiting = asyncio.create_task(shop.get("/branches", token=token))
            await _end_the_waiting_backend(Connection(blocker))
            answer = await waiting
            assert_error(answer, 503, "service_unavailable")
            assert answer.headers["retry-after"] == "1"
        await blocker.close()
        assert (await shop.get("/branches", token=token)).status_code == 200


@pytest.mark.parametrize("sent", ["a", "9f8e-7d.6c_5b", "A" * 128])
@pytest.mark.parametrize("path", ["/health/live", "/nothing", "/open-api/v1/items", "/api/v1/items"])
async def test_a_sane_request_id_is_echoed(service: Service, path: str, sent: str) -> None:
    assert (await service.http.get(path, headers={"x-request-id": sent})).headers["x-request-id"] == sent


@pytest.mark.parametrize("sent", [b"", b"A" * 129, b"a b", b"a,b", b"<script>", b"\xd9\xa1", b'a"b', b"a/b"])
async def test_an_insane_request_id_is_replaced(service: Service, sent: bytes) -> None:
    answers = [await service.http.get("/open-api/v1/items", headers={b"x-request-id": sent}) for _ in range(2)]
    first, second = (answer.headers["x-request-id"] for answer in answers)
    assert first.isalnum()
    assert len(first) == 32
    assert first != second


@pytest.mark.parametrize(
    "request_",
    [
        b"garbage\r\n\r\n",
        b"GET\r\n\r\n",
        b"GET / HTTP/9.9\r\n\r\n",
        b"GET /\xff HTTP/1.1\r\nHost: x\r\n\r\n",
        b"GET /open-api/v1/items?name=\xff HTTP/1.1\r\nHost: x\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost x\r\n\r\n",
        b"GET / HTTP/1.1\r\nHo st: x\r\n\r\n",
        b"CONNECT a:80 HTTP/1.1\r\nHost: x\r\n\r\n",
        b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd",
        b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n",
        b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999999999999999\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
    ],
    ids=lambda request_: f"{request_[:24]!r}",
)
async def test_what_is_no_http_is_a_bad_request(service: Service, request_: bytes) -> None:
    answer = await send_raw(service.origin, request_)
    assert_error(answer, 400, "bad_request")
    assert answer.headers["connection"] == "close"


async def test_an_address_that_is_too_long_is_refused(service: Service) -> None:
    assert_error(await send_raw(service.origin, b"GET /" + b"a" * 33_000 + b" HTTP/1.1\r\n\r\n"), 414, "bad_request")


@pytest.mark.parametrize("headers", [b"X: " + b"a" * 33_000, b"\r\n".join(b"X-%d: abcdefgh" % n for n in range(4000))])
async def test_headers_that_are_too_large_are_refused(service: Service, headers: bytes) -> None:
    request = b"GET /health/live HTTP/1.1\r\nHost: x\r\n" + headers + b"\r\n\r\n"
    assert_error(await send_raw(service.origin, request), 431, "bad_request")


async def test_a_header_that_never_ends_is_refused_before_it_fills_the_memory(service: Service) -> None:
    pieces = [b"GET /health/live HTTP/1.1\r\nX: "] + [b"a" * 4096] * 100
    assert_error(await send_raw(service.origin, *pieces), 431, "bad_request")


async def test_headers_within_the_bound_pass_also_in_many_pieces_and_one_after_the_other(service: Service) -> None:
    head = b"GET /health/live HTTP/1.1\r\nHost: x\r\n" + b"".join(b"X-%d: %s\r\n" % (n, b"a" * 990) for n in range(30))
    assert (await send_raw(service.origin, head, b"\r\n")).status_code == 200
    assert (await send_raw(service.origin, *[head[i : i + 999] for i in range(0, len(head), 999)], b"\r\n"))[0] == 200
    assert (await send_raw(service.origin, (head + b"\r\n") * 3)).status_code == 200


async def test_a_client_that_disconnects_does_not_affect_others(service: Service, shop: Shop) -> None:
    client = await make_client(shop)
    head = f"POST {OPEN_API}/customers HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {await client.token()}\r\n"
    host, port = service.origin.removeprefix("http://").split(":")
    _, writer = await asyncio.open_connection(host, int(port))
    writer.write(head.encode() + b'Content-Length: 100\r\n\r\n{"first_name"')
    await writer.drain()
    writer.close()
    assert (await shop.get("/branches")).status_code == 200


async def _run(dsn: str, statement: str) -> None:
    raw = await connect(dsn)
    await raw.execute(statement)
    await raw.close()


async def _end_the_waiting_backend(conn: Connection) -> None:
    """Asked for again until the request has come as far as the lock."""
    await eventually(
        lambda: conn.fetchval(
            """
            SELECT bool_or(pg_terminate_backend(pid)) FROM pg_stat_activity
            WHERE datname = current_database() AND wait_event_type = 'Lock'
            """
        )
    )


async def test_a_small_body_cannot_ask_for_a_large_answer(shop: Shop) -> None:
    long_name = b'{"' + b"k" * 20_000 + b'":[' + b",".join([rb'"\u0000"'] * 5_000) + b"]}"
    answer = await shop.request("POST", "/customers", content=long_name)
    assert len(assert_error(answer, 422, "validation_error")["errors"]) == 100
    assert len(answer.content) < 20_000


async def test_a_number_of_a_million_digits_is_no_amount(shop: Shop) -> None:
    body = b'{"amount": 1.' + b"0" * 1_000_000 + b', "payment_method_id": "01920000-0000-7000-8000-000000000001"}'
    answer = await shop.request("POST", "/orders/01920000-0000-7000-8000-000000000001/payments", content=body)
    assert set(assert_error(answer, 422, "validation_error")["errors"]) == {"amount"}
