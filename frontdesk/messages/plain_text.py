"""The text part of a mail: the same as the HTML, in lines of at most 72 characters; links have lines of their own."""

import textwrap
from collections.abc import Iterator

from frontdesk.i18n.languages import is_right_to_left
from frontdesk.i18n.texts import N_, translate
from frontdesk.messages.letter import Fact, Letter

_WIDTH = 72
_MAX_LABEL = 24  # facts with longer labels are not written in columns


def write_text(letter: Letter) -> str:
    lines = [letter.subject, "", f"{letter.heading}.", *_wrap(letter.opening), ""]
    if letter.code:
        lines += [f"  {letter.code}", ""]
    if letter.ticket:
        indent = "" if is_right_to_left(letter.language) else "  "
        separator = translate(letter.language, N_(", "))
        when = f"{letter.ticket.date}{separator}{letter.ticket.spoken_span}"
        lines += [*(f"{indent}{line}" for line in (when, *letter.ticket.lines)), ""]
    if letter.words:
        lines += [*_wrap(letter.words), ""]
    if letter.facts:
        lines += [*_facts(letter), ""]
    for button in letter.buttons:
        lines += [f"{button.label}:", button.url]
    if letter.buttons:
        lines.append("")
    if letter.note:
        lines += [*_wrap(letter.note), ""]
    lines.append("-- ")
    for line in letter.footer:
        lines += _wrap(line)
    if letter.stop_url:
        lines += [f"{letter.stop_label}:", letter.stop_url]
    return "\n".join(lines) + "\n"


def _facts(letter: Letter) -> Iterator[str]:
    """In two columns where the language is written from the left."""
    width = max(len(fact.label) for fact in letter.facts) + 3
    for fact in letter.facts:
        if width <= _MAX_LABEL and not is_right_to_left(letter.language):
            yield from _column(fact, width)
        else:
            yield from _wrap(f"{fact.label}: {fact.value}")
        if fact.link:
            yield fact.link


def _column(fact: Fact, width: int) -> list[str]:
    label = f"{fact.label}:".ljust(width)
    lines = [line for part in fact.value.split("\n") for line in _wrap(part, _WIDTH - width)]
    return [(label if number == 0 else " " * width) + line for number, line in enumerate(lines)]


def _wrap(text: str, width: int = _WIDTH) -> list[str]:
    return [
        line
        for paragraph in text.split("\n")
        for line in textwrap.wrap(paragraph, width, break_long_words=False, break_on_hyphens=False) or [""]
    ]
