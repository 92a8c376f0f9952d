"""Any input gets a JSON error of the published form, never a 500, and a refused write changes nothing."""

import json
from collections.abc import AsyncIterator
from typing import Any
from urllib.parse import unquote_to_bytes

import httpx2
import msgspec
import pytest
from hypothesis import example, given, settings, strategies as st

from frontdesk.apis.open.api import open_api
from frontdesk.apis.open.oauth import TokenIntrospectionRequest, TokenRequest, TokenRevocationRequest
from frontdesk.apis.pos.api import pos_api
from frontdesk.http.endpoints import Endpoint
from frontdesk.postgres.pool import Connection, connect
from tests.support.hostile import names_what_was_sent, nearly, odd_texts, odd_values, path_values, query_values
from tests.support.http_errors import assert_error, send_raw
from tests.support.repetitions import repetitions
from tests.support.service import Service
from tests.support.shop import Shop

pytestmark = pytest.mark.torture

OPERATIONS = [(surface.prefix, operation) for surface in (open_api(), pos_api()) for operation in surface.operations]
READS = [(prefix, operation) for prefix, operation in OPERATIONS if operation.method == "GET"]
# What acts on a sandbox itself would make later requests fail on purpose, or take their records away.
WRITES = [
    (prefix, operation)
    for prefix, operation in OPERATIONS
    if operation.method != "GET" and not operation.path.startswith("/sandbox/")
]
OAUTH_BODIES = {
    "/oauth/token": TokenRequest,
    "/oauth/revoke": TokenRevocationRequest,
    "/oauth/introspect": TokenIntrospectionRequest,
}


class Target:
    """A business to aim at, over one connection, with a way to see whether anything of it has changed."""

    def __init__(self, service: Service, shop: Shop, token: str, ids: list[str], conn: Connection, sums: str) -> None:
        self._http = service.http
        self._credentials = {"authorization": f"Bearer {token}", "x-api-key": shop.sandbox.api_key}
        self._tenant_id = shop.tenant_id
        self._conn = conn
        self._read_sums = sums
        self._sums: dict[str, int | None] = {}
        self.origin = service.origin
        self.ids = ids

    async def send(self, method: str, address: str, content: bytes = b"") -> httpx2.Response:
        answer = await self._http.request(method, address, content=content, headers=self._credentials)
        if answer.status_code < 400:
            assert isinstance(answer.json(), dict) or answer.status_code == 204
            return answer
        assert answer.status_code < 500, (method, address, content[:2000])
        assert_error(answer, answer.status_code, answer.json()["error"])
        return answer

    async def changed(self) -> list[str]:
        """The tables, since the last time. Counting callers and issuing tokens is no change of the business."""
        rows = await self._conn.fetch(self._read_sums, self._tenant_id)
        before, self._sums = self._sums, {row["name"]: row["sum"] for row in rows}
        return [name for name, now in self._sums.items() if before.get(name) != now]


async def _sums_of_all_tables(conn: Connection) -> str:
    """But those that change in the background."""
    tables = await conn.fetch(
        """
        SELECT format('%I', table_name) AS name FROM information_schema.columns JOIN pg_tables
        ON tablename = table_name AND schemaname = table_schema
        WHERE table_schema = 'public' AND column_name = 'tenant_id'
          AND table_name NOT IN (
            'rate_windows', 'access_tokens', 'request_log', 'scope_usage', 'used_operations', 'customer_reads',
            'order_documents', 'last_writes', 'record_exports', 'record_export_parts') ORDER BY 1
        """
    )
    return " UNION ALL ".join(
        f"SELECT '{t['name']}' AS name, sum(hashtextextended(t::text, 0)) FROM {t['name']} t WHERE tenant_id = $1"
        for t in tables
    )


@pytest.fixture(scope="module")
async def target(service: Service) -> AsyncIterator[Target]:
    shop = await service.new_shop()
    ids = [str(shop.tenant_id)]
    for table in ("customers", "items", "staff", "branches", "categories", "payment_methods", "orders", "transactions"):
        rows = await shop.sql(f"SELECT id FROM {table} WHERE tenant_id = $1 ORDER BY id LIMIT 2")
        ids += [str(row["id"]) for row in rows]
    raw = await connect(shop.dsn)
    conn = Connection(raw)
    target = Target(service, shop, await shop.token(), ids, conn, await _sums_of_all_tables(conn))
    await target.changed()
    yield target
    await raw.close()


@settings(max_examples=repetitions(25, long=120))
@given(st.data())
async def test_no_path_or_query_harms_a_read(target: Target, data: st.DataObject) -> None:
    prefix, operation = data.draw(st.sampled_from(READS))
    fields = [] if operation.query is None else [field.name for field in msgspec.structs.fields(operation.query)]
    names = st.one_of(st.sampled_from([*fields, "page", "unknown"]), odd_texts.map(lambda text: f"x{len(text)}"))
    pairs = data.draw(st.lists(st.tuples(names, query_values(target.ids)), max_size=5))
    address = prefix + _path(data, operation, target.ids)
    answer = await target.send("GET", address + "?" + "&".join(f"{name}={value}" for name, value in pairs))
    if answer.status_code == 422:
        sent = {name: unquote_to_bytes(value) for name, value in pairs}
        for path, messages in answer.json()["errors"].items():
            assert names_what_was_sent(path, sent, messages), (address, path)


@pytest.mark.parametrize(("prefix", "operation"), WRITES, ids=[o.method + p + o.path for p, o in WRITES])
@settings(max_examples=repetitions(3, long=40))
@given(data=st.data())
async def test_a_nearly_sound_write_is_made_or_refused_and_nothing_between(
    target: Target, prefix: str, operation: Endpoint, data: st.DataObject
) -> None:
    kind = operation.body or OAUTH_BODIES.get(operation.path)
    body = {} if kind is None else data.draw(nearly(kind, target.ids))
    await _write(target, operation.method, prefix + _path(data, operation, target.ids), body)


@settings(max_examples=repetitions(15, long=80))
@given(st.data(), odd_values)
@example(data=None, body={"first_name": "x" * 101, "phone": {"deep": [[[["\0"]]]]}})
async def test_no_json_harms_a_write(target: Target, data: st.DataObject | None, body: object) -> None:
    for prefix, operation in WRITES if data is None else [data.draw(st.sampled_from(WRITES))]:
        path = operation.path.replace("{", "").replace("}", "") if data is None else _path(data, operation, target.ids)
        await _write(target, operation.method, prefix + path, body)


@settings(max_examples=repetitions(15, long=60))
@given(st.sampled_from(WRITES), st.binary(max_size=200))
async def test_no_bytes_harm_a_write(target: Target, write: tuple[str, Endpoint], raw: bytes) -> None:
    prefix, operation = write
    await target.send(operation.method, prefix + operation.path.replace("{", "").replace("}", ""), raw)


@settings(max_examples=repetitions(15, long=80))
@given(st.binary(max_size=60), st.binary(max_size=60), st.sampled_from([b"GET", b"POST", b"HEAD", b"DELETE", b"\xff"]))
async def test_no_request_line_or_header_harms_the_server(
    target: Target, path: bytes, value: bytes, method: bytes
) -> None:
    path, value = (raw.replace(b"\r", b"").replace(b"\n", b"") for raw in (path, value))
    request = method + b" /open-api/v1/" + path.replace(b" ", b"") + b" HTTP/1.1\r\nAuthorization: Bearer " + value
    answer = await send_raw(target.origin, request + b"\r\nX-Request-Id: " + value + b"\r\nContent-Length: 0\r\n\r\n")
    assert 400 <= answer.status_code < 500
    if method != b"HEAD":
        assert_error(answer, answer.status_code, answer.json()["error"])


async def _write(target: Target, method: str, address: str, body: object) -> None:
    answer = await target.send(method, address, json.dumps(body).encode())
    changed = await target.changed()
    if answer.status_code < 400:
        return
    assert not changed, (changed, method, address, body)
    if answer.status_code == 422 and "errors" in answer.json():
        for path, messages in answer.json()["errors"].items():
            is_of_the_path = path == "order_id" and "/orders/" in address
            assert is_of_the_path or names_what_was_sent(path, body, messages), (address, body, path)


def _path(data: st.DataObject, operation: Endpoint, ids: list[str]) -> str:
    values: dict[str, Any] = {}
    path = operation.path
    for segment in path.split("/"):
        if segment.startswith("{"):
            values[segment] = data.draw(path_values(ids))
    for segment, value in values.items():
        path = path.replace(segment, value)
    return path
