"""The receivers that the guide shows do what it says."""

import asyncio
import os
import re
import shutil
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx2
import pytest

import frontdesk
from frontdesk.webhooks.signing import sign
from tests.factories.changes import change_rows
from tests.support.programs.commands import free_port
from tests.support.service import Service
from tests.support.shop import NO_CERTIFICATES
from tests.support.waiting import eventually
from tests.webhooks.fixture import WebhookFixture, emit_events, make_webhook, running_worker, wait_for_state

GUIDE = Path(frontdesk.__file__).parent / "docs_site" / "guides" / "webhooks.md"
INSTALL_NODE = "Node is missing: apt-get install nodejs"


def command(language: str) -> list[str]:
    """The program of the guide, to be run as it stands there."""
    (code,) = re.findall(rf"^```{language}\n(.*?)^```$", GUIDE.read_text(), re.S | re.M)
    if language == "python":
        return [sys.executable, "-c", code]
    node = shutil.which("node")
    if node is None:
        (pytest.fail if os.environ.get("CI") == "true" else pytest.skip)(INSTALL_NODE)
    return [str(node), "-e", code]


@asynccontextmanager
async def running(language: str, hook: WebhookFixture, port: int) -> AsyncIterator[asyncio.StreamReader]:
    environment = {**os.environ, "PORT": str(port), "WEBHOOK_SECRET": hook.secret}
    pipe, null = asyncio.subprocess.PIPE, asyncio.subprocess.DEVNULL
    process = await asyncio.create_subprocess_exec(*command(language), env=environment, stdout=pipe, stderr=null)
    try:
        await eventually(lambda: _listening(port))
        assert process.stdout is not None
        yield process.stdout
    finally:
        process.kill()
        await process.wait()


async def _listening(port: int) -> list[int]:
    try:
        _, writer = await asyncio.open_connection("127.0.0.1", port)
    except OSError:
        return []
    writer.close()
    await writer.wait_closed()
    return [port]


@pytest.mark.parametrize("language", ["python", "javascript"])
async def test_a_receiver_of_the_guide_takes_what_is_ours_once_and_nothing_else(
    service: Service, language: str
) -> None:
    port = free_port()
    hook = await make_webhook(await service.new_shop(), f"http://127.0.0.1:{port}/")
    async with running(language, hook, port) as output, running_worker(service.dsn) as worker:
        await emit_events(hook)
        await wait_for_state(hook)
        assert await output.readline() == b"1 webhook.ping\n"
        await change_rows(hook.shop, "webhook_deliveries", state="due")
        worker.wake()
        await wait_for_state(hook)
        await emit_events(hook)
        await wait_for_state(hook, count=2)
        assert await output.readline() == b"2 webhook.ping\n"
        await _try_forgeries(hook, port)
    assert [one["status"] for one in await hook.attempts()] == [204, 204, 204]


async def _try_forgeries(hook: WebhookFixture, port: int) -> None:
    body, now = b'{"id": "x", "sequence": 9, "type": "t"}', int(time.time())
    other = (await make_webhook(hook.shop, "http://127.0.0.1/")).secret
    genuine = sign("x", now, body, [hook.secret])
    forged = [
        (sign("x", now, body, [other]), body),
        (genuine, body.replace(b"9", b"8")),
        ({**genuine, "webhook-id": "y"}, body),
        ({**genuine, "webhook-timestamp": "²"}, body),  # a digit, and no number
        ({**genuine, "webhook-timestamp": "9" * 5000}, body),
        (sign("x", now - 600, body, [hook.secret]), body),
        ({**genuine, "webhook-signature": "v1,"}, body),
        ({**genuine, "webhook-signature": ""}, body),
        ({}, body),
    ]
    address = f"http://127.0.0.1:{port}"
    async with httpx2.AsyncClient(base_url=address, timeout=120, verify=NO_CERTIFICATES) as http:
        for pairs, sent in forged:
            headers = httpx2.Headers(pairs, encoding="latin-1")
            assert (await http.post("/", content=sent, headers=headers)).status_code == 401
        both = sign("x", now, body, [other, hook.secret])
        assert (await http.post("/", content=body, headers=both)).status_code == 204
