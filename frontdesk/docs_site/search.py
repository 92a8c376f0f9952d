"""Search in guides and operations: all words must occur, a slip is forgiven, and titles rank highest.

A guide is searched in the language of the reader if it is written in it, else in English.
"""

import re
from difflib import get_close_matches
from functools import cache
from itertools import groupby
from typing import Any, NamedTuple

from frontdesk.apis.openapi.build import NAMES, description
from frontdesk.apis.openapi.error_docs import ERROR_DOCS
from frontdesk.docs_site.guide_files import Guide, grouped_guides, translation
from frontdesk.docs_site.operations import ADDRESS
from frontdesk.http.errors import ERROR_PAGES

_MAX_RESULTS = 30
_EXCERPT = 160
_WORD = re.compile(r"[^\W\d_]{4,30}")
_SLIPS = 2  # letters too many or too few
_LIKENESS = 0.75


class SearchEntry(NamedTuple):
    address: str
    title: str
    where: str
    text: str


def search(text: str, language: str = "en") -> list[SearchEntry]:
    """A word that occurs nowhere is read as the nearest one that does, if nothing is found otherwise."""
    words = text.lower().split()[:10]
    return _find(words, language) or _find([_nearest(word, language) for word in words], language)


def _find(words: list[str], language: str) -> list[SearchEntry]:
    if not words:
        return []
    scored = [(_score(entry, words), entry) for entry in _index(language)]
    found = [(score, entry) for score, entry in scored if score]
    best = sorted(found, key=lambda pair: (-pair[0], pair[1].title))[:_MAX_RESULTS]
    return [entry._replace(text=_excerpt(entry.text, words)) for _, entry in best]


def _nearest(word: str, language: str) -> str:
    """Only words of about the same length with the same first letter are compared, because comparing is slow."""
    known = [near for near in _vocabulary(language).get(word[:1], ()) if abs(len(near) - len(word)) <= _SLIPS]
    return next(iter(get_close_matches(word, known, 1, _LIKENESS)), word)


@cache
def _vocabulary(language: str) -> dict[str, list[str]]:
    """The words of all entries, by their first letter."""
    words = {word for entry in _index(language) for word in _WORD.findall(f"{entry.title} {entry.text}".lower())}
    return {letter: list(group) for letter, group in groupby(sorted(words), key=lambda word: word[0])}


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
def _index(language: str) -> list[SearchEntry]:
    return [*_guide_entries(language), *_error_entries(), *_operation_entries()]


def _guide_entries(language: str) -> list[SearchEntry]:
    return [
        SearchEntry(f"{guide.address}#{section.anchor}", section.title, guide.title, section.text.replace("`", ""))
        for guide in _guides_to_search(language)
        for section in guide.sections
    ]


def _guides_to_search(language: str) -> list[Guide]:
    english = [guide for group in grouped_guides("en").values() for guide in group]
    return english if language == "en" else [translation(guide) or guide for guide in english]


def _error_entries() -> list[SearchEntry]:
    return [
        SearchEntry(f"{ERROR_PAGES}/{code}", code, "Errors", f"{doc.why} {doc.what_to_do}".replace("`", ""))
        for code, doc in ERROR_DOCS.items()
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
