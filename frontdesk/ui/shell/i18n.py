"""What pages say, in English and Arabic. The English text is the key; translations/ar.po holds the other one."""

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


def N_(text: str) -> str:  # noqa: N802 - the name that gettext uses
    """Marks a text for translation where it is defined; it is translated where it is shown."""
    return text


@cache
def translations(language: str) -> NullTranslations:
    """Read from the text file itself, so that nothing has to be compiled before it can be seen."""
    path = TRANSLATIONS / f"{language}.po"
    if not path.exists():
        return NullTranslations()
    with path.open("rb") as source:
        catalogue = read_po(source, locale=language)
    compiled = BytesIO()
    write_mo(compiled, catalogue)
    compiled.seek(0)
    return GNUTranslations(compiled)


def choose_language(wanted: str | None, accepted: str | None) -> str:
    """What somebody chose, else the first of the languages their browser names that we speak."""
    if wanted in LANGUAGES:
        return wanted
    for part in (accepted or "").split(","):
        code = part.split(";")[0].strip().lower().split("-")[0]
        if code in LANGUAGES:
            return code
    return "en"


def error_text(language: str, fault: str) -> str:
    """What is wrong with a field, as a sentence: numbers and quoted values are put back into the translated text."""
    place, pattern = ("{q}", _QUOTED) if _QUOTED.search(fault) else ("{n}", _NUMBER)
    values = iter(pattern.findall(fault))
    pieces = translations(language).gettext(pattern.sub(place, fault)).split(place)
    said = pieces[0] + "".join(f"{next(values, place)}{piece}" for piece in pieces[1:])
    return said[:1].upper() + said[1:]
