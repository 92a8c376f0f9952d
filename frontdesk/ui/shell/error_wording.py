"""Stored sentences in the language of the page."""

import re

from frontdesk.i18n.texts import translate

_NUMBER = re.compile(r"\d+")
_LARGE = re.compile(r"[1-9][0-9]{4,11}")
_QUOTED = re.compile(r"'[^']*'")


def _grouped(value: str) -> str:
    """A number of thousands. Shorter ones may be years."""
    return f"{int(value):,}" if _LARGE.fullmatch(value) else value


def translate_error(language: str, message: str) -> str:
    """The message id has {n} for each number, or {q} for each quoted value; the values are put back into the
    translation. Within Arabic a quoted value is isolated: otherwise '055 31' would be shown as '31 055'.
    """
    placeholder, pattern = ("{q}", _QUOTED) if _QUOTED.search(message) else ("{n}", _NUMBER)
    isolates = placeholder == "{q}" and language == "ar"
    values = (f"\u2068{value}\u2069" if isolates else _grouped(value) for value in pattern.findall(message))
    pieces = translate(language, pattern.sub(placeholder, message)).split(placeholder)
    return pieces[0] + "".join(f"{next(values, placeholder)}{piece}" for piece in pieces[1:])
