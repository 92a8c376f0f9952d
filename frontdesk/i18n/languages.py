"""The languages: English, and one for each catalog (.po file) of this folder."""

from enum import StrEnum
from functools import cache
from pathlib import Path

from babel import Locale

CATALOGS = Path(__file__).parent
ENGLISH = "en"  # the language of the texts in the code
LANGUAGES = (ENGLISH, *sorted(path.stem for path in CATALOGS.glob("*.po")))
# As a type of requests. The checker of types cannot know its members.
Language = StrEnum("Language", {code.upper(): code for code in sorted(LANGUAGES)})  # type: ignore[misc]


@cache
def language_name(language: str) -> str:
    """In the language itself."""
    return str(Locale(language).get_display_name())


def next_language(language: str) -> str:
    """A button that changes the language leads through all of them."""
    return LANGUAGES[(LANGUAGES.index(language) + 1) % len(LANGUAGES)]


@cache
def is_right_to_left(language: str) -> bool:
    return Locale(language).text_direction == "rtl"


def choose_language(chosen: str | None, accept_language: str | None) -> str:
    """The chosen language, else the first one in Accept-Language that is supported, else English."""
    if chosen in LANGUAGES:
        return chosen
    for part in (accept_language or "").split(","):
        code = part.split(";")[0].strip().lower().split("-")[0]
        if code in LANGUAGES:
            return code
    return ENGLISH
