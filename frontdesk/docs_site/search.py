"""Search in guides and operations: all words must occur, and titles rank highest."""

from functools import cache
from typing import Any, NamedTuple

from frontdesk.apis.openapi.build import NAMES, description
from frontdesk.docs_site.guide_files import guides
from frontdesk.docs_site.operations import ADDRESS

_MAX_RESULTS = 30
_EXCERPT = 160


class SearchEntry(NamedTuple):
    address: str
    title: str
    where: str
    text: str


def search(text: str) -> list[SearchEntry]:
    words = text.lower().split()[:10]
    if not words:
        return []
    scored = [(_score(entry, words), entry) for entry in _index()]
    found = [(score, entry) for score, entry in scored if score]
    best = sorted(found, key=lambda pair: (-pair[0], pair[1].title))[:_MAX_RESULTS]
    return [entry._replace(text=_excerpt(entry.text, words)) for _, entry in best]


def _score(entry: SearchEntry, words: list[str]) -> int:
    title, text = entry.title.lower(), entry.text.lower()
    if not all(word in title or word in text for word in words):
        return 0
    return sum(10 * title.count(word) + min(text.count(word), 5) for word in words)


def _excerpt(text: str, words: list[str]) -> str:
    positions = [position for word in words if (position := text.lower().find(word)) >= 0]
    begin = max(0, min(positions, default=0) - _EXCERPT // 3)
    cut = " ".join(text[begin : begin + _EXCERPT].split())
    return f"{'…' if begin else ''}{cut}{'…' if begin + _EXCERPT < len(text) else ''}"


@cache
def _index() -> list[SearchEntry]:
    return [*_guide_entries(), *_operation_entries()]


def _guide_entries() -> list[SearchEntry]:
    return [
        SearchEntry(f"{guide.address}#{section.anchor}", section.title, guide.title, section.text.replace("`", ""))
        for guide in guides()
        for section in guide.sections
    ]


def _operation_entries() -> list[SearchEntry]:
    found = []
    for name in NAMES:
        document = description(name)
        for path, methods in document["paths"].items():
            for method, operation in methods.items():
                address = f"{ADDRESS}/{name}/{operation['operationId']}"
                title = f"{method.upper()} {path}"
                found.append(SearchEntry(address, title, document["info"]["title"], _words(operation)))
        for kind, methods in document.get("webhooks", {}).items():
            found.append(SearchEntry(f"/docs/{name}#/Webhooks", kind, "Webhooks", methods["post"]["summary"]))
    return found


def _words(operation: dict[str, Any]) -> str:
    """The description, with the summary if it does not begin with it."""
    summary, more = str(operation["summary"]), str(operation["description"])
    return more if more.startswith(summary) else f"{summary}. {more}"
