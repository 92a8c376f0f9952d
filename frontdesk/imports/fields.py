"""The fields that a column can become, and how a column's field is guessed from its name and its cells."""

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from frontdesk.values.text import fold

LEFT_OUT = ""
_NO_LETTERS = re.compile(r"[\W_]+")
_ARABIC = re.compile("[\u0600-\u06ff]")
_EMAIL = re.compile(r"[^@\s]+@[^@\s]+\.[^@\s]+")
_PHONE = re.compile(r"[+\d\s().\-]{8,20}")


class Field(NamedTuple):
    name: str
    known_as: tuple[str, ...]  # names of columns, in English and Arabic


def names(text: str) -> tuple[str, ...]:
    return tuple(text.split(", "))


def template_columns(fields: Sequence[Field], language: str) -> list[str]:
    """The names of all columns for a new table, each of which is guessed to be its field."""
    return [_in_language(field, language) for field in fields]


def _in_language(field: Field, language: str) -> str:
    arabic = next((name for name in field.known_as if not name.isascii()), None)
    return arabic if arabic and language == "ar" else field.name.replace("_", " ").capitalize()


def guess_fields(
    fields: Sequence[Field],
    columns: Sequence[str],
    samples: Sequence[Sequence[str]],
    remembered: Mapping[str, str],
) -> list[str]:
    """For each column a field, or LEFT_OUT. `remembered` has what people chose for columns of these names before."""
    known = {_fold(name): field.name for field in fields for name in (field.name, *field.known_as)}
    allowed = {field.name for field in fields} | {LEFT_OUT}
    guessed: list[str] = []
    used: set[str] = set()
    for index, column in enumerate(columns):
        folded = _fold(column)
        guess = remembered.get(folded, known.get(folded))
        if guess is None:
            guess = _by_words(folded, known) or _by_content(
                [row[index] for row in samples if index < len(row)], allowed
            )
        if guess in guessed:  # "Name" and "الاسم" are the name in both languages
            other = guessed.index(guess)
            pair = [f"{guess}_{_language(name)}" for name in (columns[other], column)]
            if set(pair) <= allowed - used and pair[0] != pair[1]:
                guessed[other], guess = pair
                used.add(pair[0])
        guessed.append(guess if guess in allowed - used else LEFT_OUT)
        used.add(guess)
    return guessed


def remember(columns: Sequence[str], fields: Sequence[str]) -> dict[str, str]:
    return {_fold(column): field for column, field in zip(columns, fields, strict=True)}


def _by_words(folded: str, known: Mapping[str, str]) -> str | None:
    """The longest known name whose words are all in the column's name: "Customer mobile no." is a phone."""
    words = set(folded.split())
    found = [name for name in known if len(name) > 2 and words.issuperset(name.split())]
    return known[max(found, key=len)] if found else None


def _by_content(cells: Sequence[str], allowed: set[str]) -> str:
    filled = [cell for cell in cells if cell]
    for pattern, field in ((_EMAIL, "email"), (_PHONE, "phone")):
        if (
            filled
            and field in allowed
            and sum(pattern.fullmatch(cell) is not None for cell in filled) > len(filled) * 0.8
        ):
            return field
    return LEFT_OUT


def _language(name: str) -> str:
    return "ar" if _ARABIC.search(name) else "en"


def _fold(name: str) -> str:
    return _NO_LETTERS.sub(" ", fold(name)).strip()
