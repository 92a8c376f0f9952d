"""The example of an application that a business connects, run against a server, with a browser in between."""

import asyncio
import threading

import httpx2
import pytest

from examples.connect.__main__ import Application
from frontdesk.auth.credentials import format_application_id
from tests.examples.consent import approve, forged
from tests.support.applications import new_developer
from tests.support.service import Service


async def test_the_example_connects_a_business_and_reads_its_branches(
    service: Service, capsys: pytest.CaptureFixture[str]
) -> None:
    developer = await new_developer(service)
    application_id = await developer.draft(scopes={"branches:read": ("To show them", True)})
    # The server runs in this event loop, and the example waits for its metadata.
    with await asyncio.to_thread(Application, service.origin, format_application_id(application_id), 0) as example:
        thread = threading.Thread(target=example.serve_forever)
        thread.start()
        here = f"/developer/applications/{application_id}/redirects"
        await developer.send(here, {"addresses": example.redirect_uri})
        origin = f"http://127.0.0.1:{example.server_port}"
        async with developer.desk, httpx2.AsyncClient(base_url=origin, timeout=120) as browser:
            back = await approve(developer.desk, await browser.get("/connect"))
            async with httpx2.AsyncClient(base_url=origin, timeout=120) as victim:
                assert (await victim.get(back)).status_code == 400  # the answer of another visit
            assert "Its branches" in (await browser.get(back)).text
            assert (await browser.get(back)).status_code == 400
            again = await browser.get("/connect")
            assert "another service" in (await browser.get(forged(again))).text
        example.shutdown()
        thread.join()
    assert "fds_" in capsys.readouterr().out
