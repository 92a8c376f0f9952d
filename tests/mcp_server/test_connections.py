"""The same tools over the standard streams and over HTTP, each with the rights of its token."""

import asyncio
import json
import socket
import subprocess

import httpx2
import pytest

from tests.factories.credentials import make_client
from tests.mcp_server.assistants import (
    assistant_by_streams,
    assistant_over_http,
    call,
    connected,
    served,
    tool_names,
)
from tests.support.programs.commands import FRONTDESK, free_port, run_here, settings_environment
from tests.support.repetitions import share
from tests.support.service import Service
from tests.support.shop import OPEN_API, Shop
from tests.support.waiting import eventually


async def test_a_program_starts_the_command_and_talks_to_it(shop: Shop) -> None:
    async with assistant_by_streams(await make_client(shop, scopes=["items:read", "branches:read"])) as assistant:
        assert await tool_names(assistant) == {"list_catalogue", "read_item", "list_branches"}
        assert (await call(assistant, "list_branches"))["data"] == (await shop.get("/branches")).json()["data"]


async def test_each_program_over_http_has_the_rights_of_its_token(shop: Shop) -> None:
    client = await make_client(shop)
    catalogue, people = await client.token("items:read"), await client.token("customers:read")
    async with (
        served(client) as address,
        assistant_over_http(address, catalogue) as first,
        assistant_over_http(address, people) as second,
    ):
        assert await tool_names(first) == {"list_catalogue", "read_item"}
        assert await tool_names(second) == {"find_customer", "read_customer"}
        items, customers = await asyncio.gather(call(first, "list_catalogue"), call(second, "find_customer"))
    assert items["data"] == (await shop.get("/items")).json()["data"]
    assert customers["data"] == (await shop.get("/customers")).json()["data"]


async def test_http_needs_a_valid_token_of_this_client(service: Service, shop: Shop) -> None:
    client = await make_client(shop)
    other = await make_client(await service.new_shop())
    sent = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    async with served(client) as address, httpx2.AsyncClient(timeout=120) as http:
        known = await other.token()
        for authorization in (None, "Bearer", "Bearer nothing", f"Bearer {known}", "Basic eDp5", "Bearer " + "x" * 600):
            headers = {} if authorization is None else {"authorization": authorization}
            answer = await http.post(address, json=sent, headers=headers)
            assert (answer.status_code, answer.json()["error"]) == (401, "authentication_failed")
            assert answer.headers["www-authenticate"].startswith("Bearer")


async def test_scopes_that_are_taken_away_are_gone_after_a_moment(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    client = await make_client(shop)
    token = await client.token()
    monkeypatch.setattr("frontdesk.mcp_server.callers._KNOWN_SECONDS", 0.0)
    async with served(client) as address, assistant_over_http(address, token) as assistant:
        assert "find_customer" in await tool_names(assistant)
        await client.change("scopes = $3", ["items:read"])
        assert await tool_names(assistant) == {"list_catalogue", "read_item"}


async def test_a_service_that_does_not_answer_is_told_apart_from_a_wrong_token(shop: Shop) -> None:
    client = await make_client(shop)
    async with served(client) as address, httpx2.AsyncClient(timeout=120) as http:
        await client.change("secret_hash = $3", b"another")
        answer = await http.post(address, json={}, headers={"authorization": "Bearer fdt_unknown"})
    assert (answer.status_code, answer.json()["error"]) == (503, "authentication_failed")
    assert answer.headers["retry-after"]


async def test_what_is_known_about_tokens_is_bounded(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    client = await make_client(shop)
    monkeypatch.setattr("frontdesk.mcp_server.callers._KNOWN_TOKENS", 2)
    async with connected(client) as made:
        for token in ("one", "two", "three"):
            assert await made.scopes(token) is None
        assert await made.caller(await client.token()) is not None


async def test_wrong_settings_are_one_line(shop: Shop) -> None:
    client = await make_client(shop)
    given = {"base_url": shop.origin + OPEN_API, "client_id": client.name, "client_secret": client.secret}
    wrong: list[tuple[tuple[str, ...], dict[str, str], str]] = [
        ((), {**given, "client_secret": ""}, "set FRONTDESK_CLIENT_ID and FRONTDESK_CLIENT_SECRET"),
        ((), {**given, "base_url": "desk"}, "is not a base URL"),
        (("--http", "8020"), given, "write --http 127.0.0.1:8020"),
        ((), {**given, "client_secret": "wrong"}, "401 authentication_failed"),
        ((), {**given, "base_url": f"http://127.0.0.1:{free_port()}{OPEN_API}"}, "no response to POST"),
    ]
    for options, settings, message in wrong:
        ended = await asyncio.to_thread(run_here, "mcp", *options, **settings)
        assert (ended.returncode, ended.stderr.count("\n")) == (2, 1)
        assert message in ended.stderr


@pytest.mark.torture
@pytest.mark.parametrize("over_http", share([True, False], 0, 2))
async def test_a_stop_ends_it(shop: Shop, over_http: bool) -> None:
    client, port = await make_client(shop), free_port()
    options = ("--http", f"127.0.0.1:{port}") if over_http else ()
    environment = settings_environment(
        base_url=shop.origin + OPEN_API, client_id=client.name, client_secret=client.secret
    )
    process = await asyncio.create_subprocess_exec(
        FRONTDESK,
        "mcp",
        *options,
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    if over_http:
        await eventually(lambda: is_listening(port))
    else:
        process.stdin.write(b'{"jsonrpc": "2.0", "id": 1, "method": "ping"}\n')
        assert json.loads(await process.stdout.readline())["id"] == 1
    process.terminate()
    _, said = await process.communicate()
    assert (process.returncode, said) == (0, b"")


def is_listening(port: int) -> bool:
    with socket.socket() as asking:
        return asking.connect_ex(("127.0.0.1", port)) == 0
