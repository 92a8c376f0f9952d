"""Renders the guides in frontdesk/docs_site/guides from Markdown to HTML."""

import itertools
import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

from markdown_it import MarkdownIt
from markdown_it.token import Token

from frontdesk.apis.openapi.error_docs import ERROR_DOCS
from frontdesk.errors import STATUS

FOLDER = Path(__file__).parent / "guides"
ADDRESS = "/docs/guides"
# In the order in which a new reader should read them.
_ORDER = (
    "set-up",
    "set-up-ar",
    "online-booking",
    "online-booking-ar",
    "front-desk",
    "front-desk-ar",
    "owner",
    "owner-ar",
    "sign-in",
    "sign-in-ar",
    "messages",
    "messages-ar",
    "quick-start",
    "authentication",
    "open-api",
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
)
_ERRORS = "<!-- every error -->"
_NON_WORD = re.compile(r"[^a-z0-9]+")


class Section(NamedTuple):
    anchor: str
    title: str
    text: str


class Guide(NamedTuple):
    name: str
    title: str
    html: str
    sections: list[Section]

    @property
    def language(self) -> str:
        """An Arabic guide has the name of the English one with -ar at its end."""
        return "ar" if self.name.endswith("-ar") else "en"

    @property
    def address(self) -> str:
        return f"{ADDRESS}/{self.name}"


@cache
def guides() -> list[Guide]:
    return [read_guide(FOLDER / f"{name}.md") for name in guide_names()]


def guide_names() -> list[str]:
    names = [path.stem for path in FOLDER.glob("*.md")]
    known = {name: place for place, name in enumerate(_ORDER)}
    return sorted(names, key=lambda name: (known.get(name, len(known)), name))


def read_guide(path: Path) -> Guide:
    markdown = MarkdownIt("commonmark").enable("table")
    source = path.read_text("utf-8").replace(_ERRORS, error_table())
    tokens = markdown.parse(source)
    _address_headings(tokens)
    _address_links(tokens)
    sections = _sections(tokens)
    html = _reachable(str(markdown.renderer.render(tokens, markdown.options, {})))
    return Guide(path.stem, sections[0].title if sections else path.stem, html, sections)


def _reachable(html: str) -> str:
    """Wide elements scroll by themselves; they can be focused, so that the keyboard scrolls them too."""
    return html.replace("<pre>", '<pre tabindex="0">').replace("<table>", '<table tabindex="0">')


def error_table() -> str:
    """All error codes, from the table that the OpenAPI description uses."""
    rows = [
        f"| {STATUS[code]} | `{code}` | {word.why} | {word.what_to_do} |"
        for code, word in sorted(ERROR_DOCS.items(), key=lambda entry: (STATUS[entry[0]], entry[0]))
    ]
    return "\n".join(["| status | error | why | what to do |", "|---|---|---|---|", *rows])


def _address_headings(tokens: list[Token]) -> None:
    for token, inline in itertools.pairwise(tokens):
        if token.type == "heading_open":
            token.attrSet("id", _NON_WORD.sub("-", inline.content.lower()).strip("-"))


def _address_links(tokens: list[Token]) -> None:
    """Links to the file of a guide become links to its page."""
    for token in tokens:
        for child in token.children or ():
            target = str(child.attrGet("href") or "")
            file, hash_, anchor = target.partition("#")
            if child.type == "link_open" and file.endswith(".md") and "/" not in file:
                child.attrSet("href", f"{ADDRESS}/{file.removesuffix('.md')}{hash_}{anchor}")


def _sections(tokens: list[Token]) -> list[Section]:
    """Each heading with the text up to the next one."""
    found: list[Section] = []
    heading = ""
    for token in tokens:
        if token.type == "heading_open":
            heading = str(token.attrGet("id"))
        elif token.type == "inline" and heading:
            found.append(Section(heading, token.content.replace("`", ""), ""))
            heading = ""
        elif token.content and found:
            words = "".join(child.content or " " for child in token.children or ()) or token.content
            found[-1] = found[-1]._replace(text=f"{found[-1].text} {words}")
    return found
