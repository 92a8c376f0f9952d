"""The text part of a mail: the same as the HTML, in lines of at most 72 characters; links have lines of their own."""

import textwrap
from collections.abc import Iterator

from frontdesk.i18n.languages import is_right_to_left
from frontdesk.i18n.texts import N_, translate
from frontdesk.messages.composed_mail import ComposedMail, Fact

_WIDTH = 72
_MAX_LABEL = 24  # facts with longer labels are not written in columns


def write_text(composed: ComposedMail) -> str:
    lines = [composed.subject, "", f"{composed.heading}.", *_wrap(composed.opening), ""]
    if composed.code:
        lines += [f"  {composed.code}", ""]
    if composed.ticket:
        indent = "" if is_right_to_left(composed.language) else "  "
        separator = translate(composed.language, N_(", "))
        when = f"{composed.ticket.date}{separator}{composed.ticket.spoken_span}"
        lines += [*(f"{indent}{line}" for line in (when, *composed.ticket.lines)), ""]
    if composed.words:
        lines += [*_wrap(composed.words), ""]
    if composed.facts:
        lines += [*_facts(composed), ""]
    for button in composed.buttons:
        lines += [f"{button.label}:", button.url]
    if composed.buttons:
        lines.append("")
    if composed.note:
        lines += [*_wrap(composed.note), ""]
    lines.append("-- ")
    for line in composed.footer:
        lines += _wrap(line)
    if composed.stop_url:
        lines += [f"{composed.stop_label}:", composed.stop_url]
    return "\n".join(lines) + "\n"


def _facts(composed: ComposedMail) -> Iterator[str]:
    """In two columns where the language is written from the left."""
    width = max(len(fact.label) for fact in composed.facts) + 3
    for fact in composed.facts:
        if width <= _MAX_LABEL and not is_right_to_left(composed.language):
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
