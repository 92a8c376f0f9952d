"""Texts in the language of their reader. The English text is the message id; the catalogs hold the other languages."""

from functools import cache
from gettext import GNUTranslations, NullTranslations
from io import BytesIO

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from frontdesk.i18n.languages import CATALOGS

_END_OF_CONTEXT = "\x04"  # between a context and its text, as in compiled catalogs


def N_(text: str) -> str:  # noqa: N802 - the name that gettext uses
    """Marks a text for extraction where it is defined; it is translated where it is rendered."""
    return text


def NP_(context: str, text: str) -> str:  # noqa: N802 - as above
    """Like `N_`, for an English text that other languages say in another way in this context."""
    return f"{context}{_END_OF_CONTEXT}{text}"


@cache
def translations(language: str) -> NullTranslations:
    """Compiled in memory from the .po file, so that there is no build step."""
    path = CATALOGS / f"{language}.po"
    if not path.exists():
        return NullTranslations()
    with path.open("rb") as source:
        catalog = read_po(source, locale=language)
    compiled = BytesIO()
    write_mo(compiled, catalog)
    compiled.seek(0)
    return GNUTranslations(compiled)


def translate(language: str, text: str, /, **values: str) -> str:
    """`text` is marked by `N_` or `NP_`; the values are of its {placeholders}."""
    found = translations(language).gettext(text).rpartition(_END_OF_CONTEXT)[2]
    return found.format(**values) if values else found


def translate_plural(language: str, one: str, several: str, number: int) -> str:
    return translations(language).ngettext(one, several, number)
