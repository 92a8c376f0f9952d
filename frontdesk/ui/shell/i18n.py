"""Translation of the pages. The English text is the message id; translations/ar.po holds the Arabic."""

from functools import cache
from gettext import GNUTranslations, NullTranslations
from io import BytesIO
from pathlib import Path

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

LANGUAGES = {"en": "English", "ar": "العربية"}
TRANSLATIONS = Path(__file__).parent / "translations"


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
