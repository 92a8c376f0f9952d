"""`frontdesk api`: requests from the command line, and a command that starts quickly."""

import asyncio
import json
import re
import subprocess
from subprocess import CompletedProcess
from typing import Any

import pytest
from click.testing import CliRunner

from frontdesk.cli.main import COMMANDS, main
from tests.factories.credentials import ApiClient, make_client
from tests.support.programs.commands import FRONTDESK, free_port, run
from tests.support.service import Service
from tests.support.shop import OPEN_API, Shop


async def api(client: ApiClient, *arguments: str, typed: str = "", **settings: str) -> CompletedProcess[str]:
    given = {
        "base_url": f"{client.shop.origin}{OPEN_API}",
        "client_id": client.name,
        "client_secret": client.secret,
        **settings,
    }
    return await asyncio.to_thread(run, "api", *arguments, typed=typed, **given)


async def printed(client: ApiClient, *arguments: str, typed: str = "") -> Any:
    outcome = await api(client, *arguments, typed=typed)
    assert outcome.returncode == 0, outcome.stderr
    return json.loads(outcome.stdout)


async def test_reads_take_parameters_and_print_the_answer_as_it_came(shop: Shop) -> None:
    client = await make_client(shop)
    page = await printed(client, "get", "/customers", "--page", "2", "--per_page=7")
    assert (page["meta"]["current_page"], len(page["data"])) == (2, 7)
    assert await printed(client, "GET", "/customers?per_page=7", "--page", "2") == page
    exact = await api(client, "get", "/items", "--type", "product", "--per_page", "1")
    assert re.search(r'"price": [0-9]+[.][0-9]{2},', exact.stdout)


async def test_writes_take_a_body_from_the_line_or_the_input_and_a_key(service: Service) -> None:
    client = await make_client(await service.new_shop())
    made = [
        await printed(client, "post", "/customers", '{"first_name": "Sara"}', "--key", str(client.id)) for _ in "12"
    ]
    assert made[0] == made[1]
    other = await printed(client, "post", "/customers", "-", typed='{"first_name": "لمى"}')
    assert other["data"]["first_name"] == "لمى"
    hook = await printed(client, "post", "/webhooks", '{"url": "https://example.com/h", "events": ["webhook.ping"]}')
    here = f"/webhooks/{hook['data']['id']}"
    assert not (await printed(client, "patch", here, '{"active": false}'))["data"]["active"]
    assert await printed(client, "delete", here) == {"data": None}


async def test_an_error_is_readable_and_ends_with_status_1(shop: Shop) -> None:
    client = await make_client(shop, scopes=["customers:write"])
    wrong = await api(client, "post", "/customers", '{"first_name": "S", "phone": "1"}')
    assert (wrong.returncode, wrong.stdout) == (1, "")
    first, *rest = wrong.stderr.splitlines()
    assert first.startswith("422 validation_error: ")
    assert "  first_name: must have at least 2 characters" in rest
    assert rest[-2].startswith("  see http")
    assert rest[-2].endswith("/docs/errors/validation_error")
    assert rest[-1].startswith("  request ")
    scope = await api(client, "get", "/orders")
    assert "403 insufficient_scope" in scope.stderr
    assert '{"scope":"orders:read"}' in scope.stderr
    secret = await api(client, "get", "/orders", client_secret="wrong")
    assert (secret.returncode, secret.stderr.split(":")[0]) == (1, "401 authentication_failed")
    gone = await api(client, "get", "/orders", "--base-url", f"http://127.0.0.1:{free_port()}")
    assert (gone.returncode, gone.stderr.split(" to ")[0]) == (1, "no response")


@pytest.mark.parametrize(
    ("arguments", "settings", "message"),
    [
        (["get", "orders"], {}, "must begin with /"),
        (["get", "/orders", "--page"], {}, "--name value"),
        (["get", "/orders", "{}"], {}, "--name value"),
        (["put", "/orders"], {}, "is not one of"),
        (["get", "/orders"], {"FRONTDESK_CLIENT_ID": ""}, "FRONTDESK_CLIENT_ID"),
        (["get", "/orders"], {"FRONTDESK_BASE_URL": "desk.example.com"}, "not a base URL"),
        (["get", "/orders"], {"FRONTDESK_BASE_URL": "http://"}, "not a base URL"),
    ],
)
def test_invalid_arguments_are_reported_with_status_2(
    arguments: list[str], settings: dict[str, str], message: str
) -> None:
    whole = {"FRONTDESK_CLIENT_ID": "fdc_x", "FRONTDESK_CLIENT_SECRET": "fds_x", **settings}
    outcome = CliRunner().invoke(main, ["api", *arguments], env=whole)
    assert (outcome.exit_code, outcome.stdout) == (2, "")
    assert message in outcome.stderr


def test_the_list_of_commands_says_what_their_own_help_says() -> None:
    context = main.make_context("frontdesk", [], resilient_parsing=True)
    for name, place in COMMANDS.items():
        command = main.get_command(context, name)
        assert command is not None
        assert (command.name, (command.help or "").splitlines()[0]) == (name, place.summary)
    assert run("nonsense").returncode == 2


def test_the_help_of_the_command_imports_no_database_and_no_server() -> None:
    loaded = subprocess.run(
        [FRONTDESK.parent / "python", "-X", "importtime", FRONTDESK, "--help"],
        capture_output=True,
        text=True,
        check=True,
    ).stderr
    assert " click\n" in loaded
    assert not [name for name in ("asyncpg", "httpx2", "uvicorn", "asyncio") if f" {name}\n" in loaded]
