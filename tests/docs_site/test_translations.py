"""A guide and its translation say the same: the same samples, sections and addresses."""

import re

import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token

from frontdesk.docs_site.guide_files import FOLDER, guide_names, guides, markdown_source
from frontdesk.docs_site.search import search
from tests.docs_site.samples import all_samples, is_original
from tests.support.service import Service

TRANSLATED = [name.removesuffix("-ar") for name in guide_names() if not is_original(name)]
IN_BOTH_LANGUAGES = {
    "set-up",
    "front-desk",
    "owner",
    "online-booking",
    "messages",
    "sign-in",
    "in-step",
    "bad-days",
    "tools",
    "set-up-file",
    "quick-start",
    "authentication",
    "booking",
    "webhooks",
    "payments",
    "errors",
    "idempotency",
    "dry-run",
    "rate-limits",
    "versioning",
    "custom-data",
    "applications",
    "python-client",
    "typescript-client",
    "till",
    "mcp",
    "front-desk-by-api",
    "set-up-by-api",
    "open-api",
    "dashboard",
    "operating",
    "upgrading",
    "high-availability",
    "distributed",
    "backups",
    "monitoring",
}


def parsed(name: str) -> list[Token]:
    return MarkdownIt("commonmark").enable("table").parse(markdown_source(name))


def levels(name: str) -> list[str]:
    return [token.tag for token in parsed(name) if token.type == "heading_open"]


def rows(name: str) -> int:
    return sum(token.type == "tr_open" for token in parsed(name))


def names_in_text(name: str) -> set[str]:
    """Fields, operations, codes: everything between backticks."""
    children = [child for token in parsed(name) for child in token.children or ()]
    return {" ".join(child.content.split()) for child in children if child.type == "code_inline"}


def test_what_a_reader_needs_first_is_there_in_both_languages() -> None:
    assert set(TRANSLATED) >= IN_BOTH_LANGUAGES


@pytest.mark.parametrize("topic", TRANSLATED)
def test_a_translation_has_the_samples_and_the_sections_of_its_original(topic: str) -> None:
    assert all_samples(f"{topic}-ar") == all_samples(topic)
    assert levels(f"{topic}-ar") == levels(topic)


@pytest.mark.parametrize("topic", TRANSLATED)
def test_a_translation_names_what_its_original_names_and_has_its_rows(topic: str) -> None:
    assert names_in_text(topic) - names_in_text(f"{topic}-ar") == set()
    assert rows(f"{topic}-ar") == rows(topic)


@pytest.mark.parametrize("topic", TRANSLATED)
def test_a_section_has_the_same_address_in_both_languages(topic: str) -> None:
    original, translated = (next(guide for guide in guides() if guide.name == topic + end) for end in ("", "-ar"))
    assert [section.anchor for section in translated.sections] == [section.anchor for section in original.sections]
    for section in translated.sections:
        assert f'id="{section.anchor}"' in translated.html


@pytest.mark.parametrize("topic", TRANSLATED)
def test_a_translation_leads_to_its_original_and_else_to_guides_in_its_language(topic: str) -> None:
    text = (FOLDER / f"{topic}-ar.md").read_text("utf-8")
    english = {name for name in re.findall(r"\]\(([a-z-]+)\.md", text) if is_original(name)}
    assert english & set(TRANSLATED) == {topic}


def test_a_name_in_a_table_breaks_between_its_parts_and_nowhere_else() -> None:
    (guide,) = [guide for guide in guides() if guide.name == "webhooks-ar"]
    assert "<td><code>order.<wbr>status_<wbr>changed</code></td>" in guide.html
    assert "POST /webhooks<wbr>/deliveries<wbr>/{id}<wbr>/retry" in guide.html
    assert "<wbr>" not in re.sub(r"<table.*?</table>", "", guide.html, flags=re.DOTALL)


async def test_a_search_in_arabic_finds_the_guides_in_arabic(service: Service) -> None:
    page = (await service.http.get("/docs/guides/in-step-ar")).text
    assert '<input type="hidden" name="language" value="ar">' in page
    found = await service.http.get("/docs/search", params={"q": "updated_since", "language": "ar"})
    assert 'dir="rtl"' in found.text
    assert "/docs/guides/in-step-ar#" in found.text
    assert "/docs/guides/in-step#" not in found.text
    assert "/docs/guides/open-api-ar#" in found.text
    assert "-ar#" not in (await service.http.get("/docs/search", params={"q": "updated_since"})).text
    assert (await service.http.get("/docs/search", params={"language": "xx"})).status_code == 200


def test_a_search_in_arabic_forgives_a_slip() -> None:
    assert search("بيئةتجريبية", "ar") == []
    assert "التوقيت" in search("التوقيتت", "ar")[0].text


async def test_the_first_page_is_there_in_both_languages_and_each_leads_to_the_other(service: Service) -> None:
    english = (await service.http.get("/docs")).text
    arabic = (await service.http.get("/docs", params={"language": "ar"})).text
    assert 'href="/docs?language=ar" lang="ar"' in english
    assert 'href="/docs?language=en" lang="en"' in arabic
    assert 'dir="rtl"' in arabic
    assert "<h1>التوثيق</h1>" in arabic
    assert {guide.address for guide in guides() if guide.language == "ar"} <= set(re.findall(r'href="([^"]+)"', arabic))
    assert "/docs?language=ar" in (await service.http.get("/docs/guides/webhooks-ar")).text
