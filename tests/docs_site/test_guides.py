"""Every sample of the guides runs, every link leads somewhere, and every error is explained."""

import os
import re
import shutil
from pathlib import Path

import msgspec
import pytest

from frontdesk.auth.scopes import Scope
from frontdesk.docs_site.guide_files import FOLDER, guide_names, guides, markdown_source
from frontdesk.event_forms.data import DATA
from frontdesk.http.errors import ERROR_PAGES, STATUS, Code
from frontdesk.i18n.catalog import load_catalog
from frontdesk.webhooks.event_types import READ_SCOPES, EventType
from tests.docs_site.samples import as_a_reader, first_steps, is_original, run_samples, samples
from tests.support.repetitions import LONG_SECONDS
from tests.support.service import Service
from tests.support.shop import Shop

GUIDES = sorted(path.stem for path in FOLDER.glob("*.md"))
TOPICS = {
    "set-up",
    "front-desk",
    "owner",
    "sign-in",
    "quick-start",
    "authentication",
    "booking",
    "payments",
    "till",
    "webhooks",
    "set-up-by-api",
    "front-desk-by-api",
    "in-step",
    "custom-data",
    "python-client",
    "typescript-client",
    "mcp",
    "dry-run",
    "idempotency",
    "errors",
    "rate-limits",
    "bad-days",
    "tools",
    "set-up-file",
    "versioning",
    "operating",
    "upgrading",
    "monitoring",
    "backups",
    "high-availability",
    "distributed",
}
NEEDED = ("bash", "curl", "jq", "node", "python3")


@pytest.mark.parametrize("name", ["authentication", "authentication-ar"])
def test_every_scope_has_a_row_with_its_operations(name: str) -> None:
    rows = re.findall(r"^\| `([a-z_]+:[a-z]+)` \| (.+) \| (.+) \|$", markdown_source(name), re.MULTILINE)
    assert sorted(scope for scope, _, _ in rows) == sorted(Scope)
    for _, meaning, operations in rows:
        assert meaning
        assert operations.startswith("[`")
    assert (
        "[`POST /orders/{uuid}/refunds`](/docs/reference/open-api/"
        in {scope: links for scope, _, links in rows}["refunds:write"]
    )


@pytest.fixture(scope="module")
async def reader(service: Service) -> Shop:
    """A business of the guides' own: their samples run there again and again."""
    for program in NEEDED:
        if not shutil.which(program):
            (pytest.fail if os.environ.get("CI") == "true" else pytest.skip)(f"{program} is missing")
    return await service.new_shop()


@pytest.mark.torture
@pytest.mark.skipif(not LONG_SECONDS, reason="each guide runs alone; `make torture` also runs them in one shell")
async def test_all_guides_run_one_after_the_other_in_one_shell(reader: Shop, tmp_path: Path) -> None:
    found = [sample for name in guide_names() if is_original(name) for sample in samples(name)]
    ended = await run_samples(found * 2, tmp_path, as_a_reader(reader, tmp_path))
    assert ended.status == 0, ended.output
    webhooks = await reader.sql("SELECT url FROM webhooks WHERE tenant_id = $1 AND url LIKE '%books.example.com%'")
    assert webhooks == []


@pytest.mark.parametrize(
    "name", [name for name in GUIDES if name != "quick-start" and is_original(name) and samples(name)]
)
async def test_a_guide_runs_alone(name: str, reader: Shop, tmp_path: Path) -> None:
    ended = await run_samples([*first_steps(), *samples(name)], tmp_path, as_a_reader(reader, tmp_path))
    assert ended.status == 0, ended.output


@pytest.mark.parametrize(
    ("guide", "head", "and_", "none"),
    [("webhooks", "| type | scope |", " and ", "none"), ("webhooks-ar", "| النوع | الصلاحية |", " و", "لا شيء")],
)
@pytest.mark.parametrize("kind", EventType)
def test_the_guide_lists_every_kind_of_event_with_its_scope_and_payload(
    kind: EventType, guide: str, head: str, and_: str, none: str
) -> None:
    table = (FOLDER / f"{guide}.md").read_text("utf-8").partition(head)[2].partition("\n\n")[0]
    rows = [row.strip("|").split("|") for row in table.splitlines()]
    ((_, needed, data),) = [row for row in rows if f"`{kind}`" in row[0]]
    assert needed.strip() == (and_.join(f"`{scope}`" for scope in READ_SCOPES[kind]) or none)
    assert [field.name for field in msgspec.structs.fields(DATA[kind]) if f"`{field.name}`" not in data] == []


def test_there_is_a_guide_for_every_topic() -> None:
    assert set(GUIDES) >= TOPICS


@pytest.mark.parametrize("name", ["errors", "errors-ar"])
def test_every_error_is_explained(name: str) -> None:
    text = next(guide.html for guide in guides() if guide.name == name).replace("<wbr>", "")
    rows = [
        f'<td>{STATUS[code]}</td>\n<td><a href="{ERROR_PAGES}/{code}"><code>{code}</code></a></td>' for code in Code
    ]
    assert [row for row in rows if row not in text] == []


async def test_every_link_of_the_documentation_leads_somewhere(service: Service) -> None:
    to_do, seen = ["/docs"], {"/docs": ""}
    while to_do:
        address = to_do.pop()
        answer = await service.http.get(address)
        assert answer.status_code == 200, f"{address}, linked from {seen[address]}"
        assert "content-security-policy" in answer.headers or "html" not in answer.headers["content-type"]
        if "html" not in answer.headers["content-type"]:
            continue
        assert answer.headers["x-frame-options"] == "DENY"
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
        ("POST /orders", "/docs/reference/open-api/create_order"),
        ("day-close", "/docs/reference/key-api/"),
    ],
)
async def test_search_finds_guides_and_operations(asked: str, found: str, service: Service) -> None:
    page = await service.http.get("/docs/search", params={"q": asked})
    assert found in page.text


async def test_an_operation_that_is_found_is_listed_once(service: Service) -> None:
    page = await service.http.get("/docs/search", params={"q": "/webhooks/deliveries/{id}/retry"})
    assert page.text.count("Retry a delivery in any state") == 1


async def test_what_is_looked_for_is_shown_as_text(service: Service) -> None:
    for asked in ("<script>alert(1)</script>", '"><b>', "\x00", "%", "x" * 5000):
        page = await service.http.get("/docs/search", params={"q": asked})
        assert page.status_code == 200
        assert "<script>alert" not in page.text
        assert "Nothing has all of these words" in page.text or "found for" in page.text


@pytest.mark.parametrize(
    "guide",
    [
        f"{name}{language}"
        for name in ("set-up", "front-desk", "owner", "online-booking", "messages", "sign-in")
        for language in ("", "-ar")
    ],
)
def test_a_guide_names_pages_and_buttons_as_they_are_called(guide: str) -> None:
    """What is bold is a text of the dashboard, in the language of the guide; a way is written with commas."""
    messages = [message for message in load_catalog("ar") if message.id]
    known = {_plain(m.string if guide.endswith("-ar") else m.id) for m in messages}
    bold = re.findall(r"\*\*(.+?)\*\*", (FOLDER / f"{guide}.md").read_text(), re.DOTALL)
    named = {" ".join(part.split()) for way in bold for part in re.split(r"[,،]\s+", way.removesuffix("."))}
    assert len(named) > 3
    assert named - known == set()


def _plain(text: object) -> str:
    return text if isinstance(text, str) else str(next(iter(text)))  # type: ignore[call-overload]
