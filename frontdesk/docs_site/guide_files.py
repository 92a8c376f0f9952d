"""Renders the guides in frontdesk/docs_site/guides from Markdown to HTML."""

import itertools
import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

from markdown_it import MarkdownIt
from markdown_it.token import Token

from frontdesk.apis.openapi.error_docs import ERROR_DOCS
from frontdesk.docs_site.addresses import GUIDES
from frontdesk.docs_site.highlight import highlight_in_guide
from frontdesk.docs_site.scope_table import scope_table
from frontdesk.http.errors import ERROR_PAGES, STATUS
from frontdesk.ui.shell.assets import asset, picture_size

FOLDER = Path(__file__).parent / "guides"
# In the order in which a new reader should read them.
GROUPS = {
    "business": ("set-up", "front-desk", "owner", "online-booking", "messages", "dashboard", "sign-in"),
    "build": (
        "quick-start",
        "authentication",
        "open-api",
        "set-up-by-api",
        "front-desk-by-api",
        "booking",
        "payments",
        "till",
        "webhooks",
        "in-step",
        "custom-data",
        "applications",
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
    ),
    "operate": ("operating", "upgrading", "high-availability", "distributed", "backups", "monitoring"),
}
_SAMPLE = re.compile(r'<pre><code(?: class="language-([\w-]+)")?>')
LANGUAGES = ("en", "ar")
_ARABIC = "-ar"  # at the end of the name of a guide in Arabic
_TABLE = re.compile(r"<table>.*?</table>", re.DOTALL)
_CODE = re.compile(r"<code>[^<]*</code>")
_BREAK = re.compile(r"(?<=[^\s>])(?=/)|(?<=[_.:])(?=\w)")
_ERRORS, _SCOPES = "<!-- every error -->", "<!-- every scope -->"
_NON_WORD = re.compile(r"[^\w]+")


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
        return "ar" if self.name.endswith(_ARABIC) else "en"

    @property
    def topic(self) -> str:
        """The same for a guide and its translation."""
        return self.name.removesuffix(_ARABIC)

    @property
    def address(self) -> str:
        return f"{GUIDES}/{self.name}"

    @property
    def markdown_address(self) -> str:
        return f"{self.address}.md"


@cache
def guides() -> list[Guide]:
    return [read_guide(FOLDER / f"{name}.md") for name in guide_names()]


def guide_names() -> list[str]:
    """Every guide, followed by its translation."""
    names = {path.stem for path in FOLDER.glob("*.md")}
    topics = [topic for group in GROUPS.values() for topic in group]
    return [name for topic in topics for name in (topic, topic + _ARABIC) if name in names]


def grouped_guides(language: str) -> dict[str, list[Guide]]:
    """The guides in a language by group, without empty groups."""
    written = [guide for guide in guides() if guide.language == language]
    by_group = {name: [guide for guide in written if guide.topic in topics] for name, topics in GROUPS.items()}
    return {name: found for name, found in by_group.items() if found}


def translation(guide: Guide) -> Guide | None:
    return next((other for other in guides() if other.topic == guide.topic and other.name != guide.name), None)


def markdown_source(name: str) -> str:
    text = (FOLDER / f"{name}.md").read_text("utf-8")
    if _SCOPES in text:
        text = text.replace(_SCOPES, scope_table("ar" if name.endswith(_ARABIC) else "en"))
    return text.replace(_ERRORS, error_table())


def read_guide(path: Path) -> Guide:
    markdown = MarkdownIt("commonmark", {"highlight": highlight_in_guide}).enable("table")
    tokens = markdown.parse(markdown_source(path.stem))
    _address_headings(tokens)
    if path.stem.endswith(_ARABIC):
        _address_as_translated(tokens, markdown.parse(markdown_source(path.stem.removesuffix(_ARABIC))))
    _address_links(tokens)
    _address_pictures(tokens)
    sections = _sections(tokens)
    html = _with_frames(str(markdown.renderer.render(tokens, markdown.options, {})))
    return Guide(path.stem, sections[0].title if sections else path.stem, html, sections)


def _with_frames(html: str) -> str:
    """Samples have a caption, beside which the script puts a button. Wide elements scroll, also with the keyboard."""
    html = _TABLE.sub(lambda table: _CODE.sub(_breakable, table[0]), html)
    html = _SAMPLE.sub(r'<figure class="code"><figcaption>\1</figcaption><pre dir="ltr" tabindex="0"><code>', html)
    return html.replace("</code></pre>", "</code></pre></figure>").replace("<table>", '<table tabindex="0">')


def _breakable(code: re.Match[str]) -> str:
    """A long name in the narrow column of a table breaks between its parts."""
    text = code[0].removeprefix("<code>").removesuffix("</code>")
    return f"<code>{_BREAK.sub('<wbr>', text)}</code>"


def error_table() -> str:
    """All error codes, from the table that the OpenAPI description uses."""
    rows = [
        f"| {STATUS[code]} | [`{code}`]({ERROR_PAGES}/{code}) | {word.why} | {word.what_to_do} |"
        for code, word in sorted(ERROR_DOCS.items(), key=lambda entry: (STATUS[entry[0]], entry[0]))
    ]
    return "\n".join(["| status | error | why | what to do |", "|---|---|---|---|", *rows])


def _address_headings(tokens: list[Token]) -> None:
    for token, inline in itertools.pairwise(tokens):
        if token.type == "heading_open":
            token.attrSet("id", _NON_WORD.sub("-", inline.content.lower()).strip("-"))


def _address_as_translated(tokens: list[Token], original: list[Token]) -> None:
    """A section has the address of the section that it translates."""
    _address_headings(original)
    headings, originals = ([token for token in found if token.type == "heading_open"] for found in (tokens, original))
    for heading, english in zip(headings, originals, strict=True):
        heading.attrSet("id", str(english.attrGet("id")))


def _address_links(tokens: list[Token]) -> None:
    """Links to the file of a guide become links to its page."""
    for token in tokens:
        for child in token.children or ():
            target = str(child.attrGet("href") or "")
            file, hash_, anchor = target.partition("#")
            if child.type == "link_open" and file.endswith(".md") and "/" not in file:
                child.attrSet("href", f"{GUIDES}/{file.removesuffix('.md')}{hash_}{anchor}")


def _address_pictures(tokens: list[Token]) -> None:
    """A picture is kept by the browser, takes its place before it comes, and comes when the reader is near."""
    for token in tokens:
        for child in token.children or ():
            if child.type == "image":
                name = str(child.attrGet("src")).removeprefix("/static/")
                width, height = picture_size(name)
                child.attrs |= {"src": asset(name), "width": width, "height": height, "loading": "lazy"}


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
