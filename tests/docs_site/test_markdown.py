"""The documentation as text: what a page shows, without its frame."""

import re

import pytest

from frontdesk.docs_site.guide_files import FOLDER, guide_names, guides
from frontdesk.http.errors import Code
from tests.support.service import Service


@pytest.mark.parametrize("name", guide_names())
async def test_every_guide_is_there_as_markdown(service: Service, name: str) -> None:
    address = f"/docs/guides/{name}"
    answer = await service.http.get(f"{address}.md")
    assert (answer.status_code, answer.headers["content-type"]) == (200, "text/markdown; charset=utf-8")
    page = (await service.http.get(address)).text
    assert f'<link rel="alternate" type="text/markdown" title="Markdown" href="{address}.md">' in page
    assert "https://desk.example.com" not in answer.text + page
    assert "](/" not in answer.text
    for target in re.findall(r"\]\(([a-z-]+\.md)", answer.text):
        assert (FOLDER / target).exists(), target


async def test_the_quick_start_names_the_installation_that_shows_it(service: Service) -> None:
    for language in ("", "-ar"):
        for address in (f"/docs/guides/quick-start{language}", f"/docs/guides/quick-start{language}.md"):
            text = (await service.http.get(address)).text
            assert f"ORIGIN=${{ORIGIN:-{service.origin}}}" in text
            assert f"{service.origin}/developers/sign-up" in text


@pytest.mark.parametrize(
    ("address", "there"),
    [
        ("/docs/?language=ar", "/docs?language=ar"),
        ("/docs/guides", "/docs"),
        ("/docs/guides/", "/docs"),
        ("/docs/guides/quick-start/", "/docs/guides/quick-start"),
        ("/developers/", "/developers/sign-up"),
    ],
)
async def test_an_address_with_a_slash_or_cut_short_leads_to_a_page(service: Service, address: str, there: str) -> None:
    answer = await service.http.get(address)
    assert (answer.status_code, answer.headers["location"]) == (308, there)
    assert (await service.http.get(there)).status_code == 200


async def test_the_guide_about_errors_has_their_table(service: Service) -> None:
    text = (await service.http.get("/docs/guides/errors.md")).text
    assert [code for code in Code if f"`{code}`" not in text] == []


async def test_the_list_has_every_guide_and_both_descriptions(service: Service) -> None:
    answer = await service.http.get("/llms.txt")
    assert answer.headers["content-type"] == "text/plain; charset=utf-8"
    assert answer.text.startswith("# Frontdesk\n\n> ")
    addresses = re.findall(r"^- \[[^]]+\]\((\S+)\)", answer.text, re.MULTILINE)
    assert {f"{service.origin}{guide.markdown_address}" for guide in guides()} < set(addresses)
    assert {f"{service.origin}/open-api/v1/openapi.json", f"{service.origin}/api/v1/openapi.json"} < set(addresses)
    for address in addresses:
        assert (await service.http.get(address)).status_code == 200, address


async def test_one_file_has_every_guide_in_english(service: Service) -> None:
    text = (await service.http.get("/llms-full.txt")).text
    titles = [guide.title for guide in guides() if guide.language == "en"]
    assert [title for title in titles if f"# {title}\n" not in text] == []
    assert len(text.encode()) < 1_000_000
