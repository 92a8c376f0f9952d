"""What people type to find a customer: parts of the name, the phone number or the e-mail address, in any order."""

import re
from collections.abc import Iterator, Sequence

from frontdesk.values.phones import digits_of
from frontdesk.values.text import fold, search_key

_MAX_WORDS = 8
_NUMBER = re.compile(r"[\d\s+().\-\u200e\u200f\u202a-\u202e\u2066-\u2069]+")


def search_words(text: str) -> list[str]:
    """Each must occur in what the database keeps for the search. A phone number loses its spaces and leading 0 or 00.

    Without its first 0, a number as it is dialed in the country is a part of the international one.
    """
    words = [text] if _NUMBER.fullmatch(text) else text.split()
    keys = [_digits(word) if _NUMBER.fullmatch(word) else search_key(word) for word in words]
    return list(dict.fromkeys(key for key in keys if fold(key)))[:_MAX_WORDS]


def _digits(word: str) -> str:
    digits = digits_of(word)
    return digits.lstrip("0") or digits


def split_matches(text: str, words: Sequence[str]) -> list[tuple[str, bool]]:
    """The text in parts, each with whether it was searched for. Letters are compared as the search compares them."""
    if not words:
        return [(text, False)]
    places = [(place, letter) for place, character in enumerate(text) for letter in fold(character)]
    folded = "".join(letter for _, letter in places)
    found = {places[n][0] for word in words for n in _occurrences(folded, fold(word))}
    return _runs(text, found)


def split_phone_matches(text: str, words: Sequence[str]) -> list[tuple[str, bool]]:
    """As `split_matches`, for a phone number written with spaces."""
    if not words:
        return [(text, False)]
    places = [place for place, character in enumerate(text) if character.isdigit()]
    digits = "".join(text[place] for place in places)
    found = {places[n] for word in words if word.isdigit() for n in _occurrences(digits, word)}
    return _runs(text, found)


def _occurrences(text: str, word: str) -> Iterator[int]:
    begin = text.find(word)
    while word and begin >= 0:
        yield from range(begin, begin + len(word))
        begin = text.find(word, begin + len(word))


def _runs(text: str, found: set[int]) -> list[tuple[str, bool]]:
    """A character without a letter of its own, such as an accent or a space between, belongs to what it stands in."""
    parts: list[tuple[str, bool]] = []
    last = max(found, default=-1)
    for place, character in enumerate(text):
        joins = place - 1 in found and place + 1 in found and place < last and not character.isalnum()
        is_found = place in found or joins
        if parts and parts[-1][1] == is_found:
            parts[-1] = (parts[-1][0] + character, is_found)
        else:
            parts.append((character, is_found))
    return parts
