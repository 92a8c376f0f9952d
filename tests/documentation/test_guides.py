"""Every sample of the guides runs, every link leads somewhere, and every error is explained."""

import os
import re
import shutil
import sys
from pathlib import Path

import pytest

from frontdesk.documentation.guides import FOLDER, guides
from frontdesk.errors import Code
from tests.documentation.samples import run_samples
from tests.support.service import Service

pytestmark = pytest.mark.one_server
GUIDES = sorted(path.stem for path in FOLDER.glob("*.md"))
TOPICS = {
    "quick-start",
    "authentication",
    "booking",
    "payments",
    "till",
    "webhooks",
    "python-client",
    "idempotency",
    "errors",
    "rate-limits",
    "versioning",
    "operating",
}
NEEDED = ("bash", "curl", "jq", "node", "python3")


@pytest.mark.parametrize("name", GUIDES)
async def test_every_sample_of_a_guide_runs(name: str, service: Service, tmp_path: Path) -> None:
    for program in NEEDED:
        if not shutil.which(program):
            (pytest.fail if os.environ.get("CI") == "true" else pytest.skip)(f"{program} is missing")
    shop = await service.new_shop()
    environment = {
        "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]),
        "ORIGIN": service.origin,
        "BASE": f"{service.origin}/open-api/v1",
        "CLIENT_ID": shop.sandbox.client_id,
        "CLIENT_SECRET": shop.sandbox.client_secret,
        "TOKEN": await shop.token(),
        "API_KEY": shop.sandbox.api_key,
        "BRANCH": (await shop.first("/branches"))["id"],
    }
    ended = await run_samples(FOLDER / f"{name}.md", tmp_path, environment)
    assert ended.status == 0, ended.told


def test_there_is_a_guide_for_every_topic() -> None:
    assert set(GUIDES) >= TOPICS


def test_every_error_is_explained() -> None:
    text = next(guide.html for guide in guides() if guide.name == "errors")
    assert [code for code in Code if f"<code>{code}</code>" not in text] == []


async def test_every_link_of_the_documentation_leads_somewhere(service: Service) -> None:
    to_do, seen = ["/docs"], {"/docs": ""}
    while to_do:
        address = to_do.pop()
        answer = await service.http.get(address)
        assert answer.status_code == 200, f"{address}, linked from {seen[address]}"
        assert "content-security-policy" in answer.headers or "html" not in answer.headers["content-type"]
        if "html" not in answer.headers["content-type"]:
            continue
        assert not re.search(r'(src|<link[^>]* href)="(?!/[^/])', answer.text), f"{address} loads from elsewhere"
        for target in re.findall(r'(?:href|src)="(/[^"#]+)', answer.text):
            if target not in seen:
                seen[target] = address
                to_do.append(target)
    assert {f"/docs/guides/{name}" for name in GUIDES} <= seen.keys()


async def test_an_anchor_inside_a_guide_is_there(service: Service) -> None:
    for guide in guides():
        page = (await service.http.get(guide.address)).text
        for target, anchor in re.findall(r'href="(/docs/guides/[a-z-]+)#([^"]+)"', page):
            assert f'id="{anchor}"' in (await service.http.get(target)).text, f"{target}#{anchor}"


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ("idempotency", "/docs/guides/idempotency#"),
        ("POST /orders", "/docs/open-api#/Orders/post_order"),
        ("day-close", "/docs/key-api#"),
    ],
)
async def test_search_finds_guides_and_operations(asked: str, found: str, service: Service) -> None:
    page = await service.http.get("/docs/search", params={"q": asked})
    assert found in page.text


async def test_an_operation_that_is_found_is_told_once(service: Service) -> None:
    page = await service.http.get("/docs/search", params={"q": "/webhooks/deliveries/{id}/retry"})
    assert page.text.count("Send an event again, whatever came of it before") == 1


async def test_what_is_looked_for_is_shown_as_text(service: Service) -> None:
    for asked in ("<script>alert(1)</script>", '"><b>', "\x00", "%", "x" * 5000):
        page = await service.http.get("/docs/search", params={"q": asked})
        assert page.status_code == 200
        assert "<script>alert" not in page.text
        assert "Nothing has all of these words" in page.text or "found for" in page.text
