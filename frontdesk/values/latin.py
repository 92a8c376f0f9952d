"""An Arabic name in Latin letters, for addresses: readable, not exact, because Arabic does not write short vowels."""

import re
from unicodedata import normalize

from frontdesk.values.text import ascii_digits, search_key

_MARKS = re.compile("[\u0300-\u036f\u0610-\u061a\u0640\u064b-\u065f\u0670]")  # accents, vowel marks, the long line
_ARTICLE = "ال"
# What businesses call themselves in English too.
_WORDS = {
    "استديو": "studio",
    "استوديو": "studio",
    "ستوديو": "studio",
    "صالون": "salon",
    "عيادة": "clinic",
    "عيادات": "clinics",
    "مركز": "center",
    "سبا": "spa",
    "نادي": "club",
    "بيوتي": "beauty",
}
_CONSONANTS = {
    "ب": "b",
    "ت": "t",
    "ث": "th",
    "ج": "j",
    "ح": "h",
    "خ": "kh",
    "د": "d",
    "ذ": "dh",
    "ر": "r",
    "ز": "z",
    "س": "s",
    "ش": "sh",
    "ص": "s",
    "ض": "d",
    "ط": "t",
    "ظ": "z",
    "غ": "gh",
    "ف": "f",
    "ق": "q",
    "ك": "k",
    "ل": "l",
    "م": "m",
    "ن": "n",
    "ه": "h",
    "پ": "p",
    "چ": "ch",
    "گ": "g",
    "ڤ": "v",
}
_VOWELS = {"ا": "a", "أ": "a", "آ": "a", "ى": "a", "ة": "a", "ع": "a", "إ": "i", "ئ": "e", "ؤ": "o"}
_HALF_VOWELS = {"و": ("w", "o", "w"), "ي": ("y", "i", "iy")}  # as a consonant, between two of them, before a vowel


def latin(text: str) -> str:
    """Lower-case Latin words with hyphens; letters of other scripts are left out. Of a name in two languages
    ("ليان | Layan"), the part in Latin letters.
    """
    name = " ".join(part for part in re.split(r"[|/–—]", text) if re.search("[A-Za-z]", part)) or text
    words = [_word(word) for word in re.split(r"[\W_]+", _MARKS.sub("", ascii_digits(search_key(name))))]
    return re.sub(r"[^a-z0-9]+", "-", "-".join(words)).strip("-")


def _word(word: str) -> str:
    if not _is_arabic(word):
        return _MARKS.sub("", normalize("NFKD", word))
    if word in _WORDS:
        return _WORDS[word]
    if word.startswith(_ARTICLE) and len(word) > len(_ARTICLE) + 1:
        return f"al-{_word(word.removeprefix(_ARTICLE))}"
    return _spell(word)


def _is_arabic(word: str) -> bool:
    return any(letter in _CONSONANTS or letter in _VOWELS or letter in _HALF_VOWELS for letter in word)


def _spell(word: str) -> str:
    """Puts an "a" where more consonants than people can say would follow each other."""
    spelled, consonants = "", 1  # as if one stood before the word: no word begins with two
    for at in range(len(word)):
        written, is_vowel = _letter(word, at)
        consonants = 0 if is_vowel else consonants + bool(written)
        if consonants > 2:
            spelled, consonants = spelled + "a", 1
        spelled += written
    return spelled


def _letter(word: str, at: int) -> tuple[str, bool]:
    letter = word[at]
    if letter not in _HALF_VOWELS:
        return (_VOWELS[letter], True) if letter in _VOWELS else (_CONSONANTS.get(letter, ""), False)
    alone, between, before_vowel = _HALF_VOWELS[letter]
    if at == 0 or word[at - 1] not in _CONSONANTS:
        return alone, False
    return (before_vowel if word[at + 1 : at + 2] in _VOWELS else between), True
