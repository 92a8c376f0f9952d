"""What people type to find a customer: parts of the name, the phone number or the e-mail address, in any order."""

import re
from collections.abc import Iterator, Sequence
from itertools import groupby

from frontdesk.values.phones import digits_of
from frontdesk.values.text import fold

_MAX_WORDS = 8
_NUMBER = re.compile(r"[\d\s+().\-\u200e\u200f\u202a-\u202e\u2066-\u2069]+")


def search_words(text: str) -> list[str]:
    """Folded words, which must all occur in `search_text`. A phone number loses its spaces and leading zeros.

    Without its first 0, a number as it is dialed in the country is a part of the international one.
    """
    if not text:
        return []
    words = [text] if _NUMBER.fullmatch(text) else text.split()
    keys = [_digits(word) if _NUMBER.fullmatch(word) else fold(word) for word in words]
    return list(dict.fromkeys(filter(None, keys)))[:_MAX_WORDS]


def _digits(word: str) -> str:
    digits = digits_of(word)
    return digits.lstrip("0") or digits


def split_matches(text: str, words: Sequence[str]) -> list[tuple[str, bool]]:
    """The text in parts, each with whether it is one of the folded words."""
    folded = fold(text)
    if not any(word in folded for word in words):
        return [(text, False)]
    letters = [(index, letter) for index, character in enumerate(text) for letter in fold(character)]
    folded = "".join(letter for _, letter in letters)
    return _runs(text, {letters[n][0] for word in words for n in _occurrences(folded, word)})


def split_phone_matches(text: str, words: Sequence[str]) -> list[tuple[str, bool]]:
    """As `split_matches`, for a phone number written with spaces."""
    digit_indexes = [index for index, character in enumerate(text) if character.isdigit()]
    digits = "".join(text[index] for index in digit_indexes)
    found = {digit_indexes[n] for word in words if word.isdigit() for n in _occurrences(digits, word)}
    return _runs(text, found)


def _occurrences(text: str, word: str) -> Iterator[int]:
    begin = text.find(word)
    while word and begin >= 0:
        yield from range(begin, begin + len(word))
        begin = text.find(word, begin + len(word))


def _runs(text: str, found: set[int]) -> list[tuple[str, bool]]:
    """A space or an accent between two found characters belongs to them."""
    marked = [
        index in found or (not character.isalnum() and index - 1 in found and index + 1 in found)
        for index, character in enumerate(text)
    ]
    return [
        ("".join(c for c, _ in run), is_found) for is_found, run in groupby(zip(text, marked, strict=True), _second)
    ]


def _second(pair: tuple[str, bool]) -> bool:
    return pair[1]
