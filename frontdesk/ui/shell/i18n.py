"""Translation of the pages. The English text is the message id; translations/ar.po holds the Arabic."""

import re
from functools import cache
from gettext import GNUTranslations, NullTranslations
from io import BytesIO
from pathlib import Path

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

LANGUAGES = {"en": "English", "ar": "العربية"}
TRANSLATIONS = Path(__file__).parent / "translations"
_NUMBER = re.compile(r"\d+")
_QUOTED = re.compile(r"'[^']*'")
_FOR_PEOPLE = {  # where the API speaks to programs
    "must be an integer": "Enter a whole number.",
    "exceeds the quantity in stock": "There is not enough in stock.",
    "exceeds the quantity in stock of this option": "There is not enough of this option in stock.",
    "belongs to another branch": "This belongs to another branch.",
    "is not available for sale": "This is not on sale.",
    "is not a product of this business": "This is no longer on sale.",
    "must not exceed the amount of the line": "The discount is larger than the line.",
    "must not exceed 100": "A discount is at most 100 percent.",
    "does not perform this service in this branch": "This provider does not perform the service here.",
    "is blocked by the business": "This customer is blocked.",
    "has too many digits": "This amount has too many digits.",
}


def N_(text: str) -> str:  # noqa: N802 - the name that gettext uses
    """Marks a text for extraction where it is defined; it is translated where it is rendered."""
    return text


@cache
def translations(language: str) -> NullTranslations:
    """Compiled in memory from the .po file, so that there is no build step."""
    path = TRANSLATIONS / f"{language}.po"
    if not path.exists():
        return NullTranslations()
    with path.open("rb") as source:
        catalog = read_po(source, locale=language)
    compiled = BytesIO()
    write_mo(compiled, catalog)
    compiled.seek(0)
    return GNUTranslations(compiled)


def choose_language(chosen: str | None, accept_language: str | None) -> str:
    """The chosen language, else the first one in Accept-Language that is supported, else English."""
    if chosen in LANGUAGES:
        return chosen
    for part in (accept_language or "").split(","):
        code = part.split(";")[0].strip().lower().split("-")[0]
        if code in LANGUAGES:
            return code
    return "en"


def translate(language: str, text: str) -> str:
    return translations(language).gettext(text)


def translate_error(language: str, message: str) -> str:
    """Translates an error message that the layers below wrote in English.

    The message id has {n} for each number, or {q} for each quoted value; the values are put back into the translation.
    """
    message = _FOR_PEOPLE.get(message, message)
    placeholder, pattern = ("{q}", _QUOTED) if _QUOTED.search(message) else ("{n}", _NUMBER)
    values = iter(pattern.findall(message))
    pieces = translate(language, pattern.sub(placeholder, message)).split(placeholder)
    text = pieces[0] + "".join(f"{next(values, placeholder)}{piece}" for piece in pieces[1:])
    return text[:1].upper() + text[1:]
