"""Extracts the texts of the pages, so that a test finds those without a translation.

`python -m frontdesk.ui.shell.gettext_catalog` adds new texts to translations/ar.po and removes unused ones.
"""

from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po

from frontdesk.ui.shell.i18n import LANGUAGES, TRANSLATIONS

_PACKAGE = Path(__file__).parent.parent
_METHODS = [("**.py", "python"), ("**/templates/**.html", "jinja2.ext:babel_extract")]
_OPTIONS = {"**/templates/**.html": {"trimmed": "true", "newstyle_gettext": "true", "encoding": "utf-8"}}
_VOLATILE_HEADERS = ('"POT-', '"PO-Rev', '"Gen', '"Project', '"Report', '"Last', '"Language-Team')
# The forms in the order of CLDR: zero, one, two, few, many (11 to 99), other. Babel's formula swaps the last two.
_PLURALS = {
    "ar": "nplurals=6; plural=(n==0 ? 0 : n==1 ? 1 : n==2 ? 2 : n%100>=3 && n%100<=10 ? 3 : n%100>=11 ? 4 : 5);"
}
_KEYWORDS = {"_": None, "N_": None, "gettext": None, "ngettext": (1, 2)}


def extracted_messages() -> Iterator[tuple[str | tuple[str, ...], str, int]]:
    """Each text, or pair of singular and plural, with its file and line."""
    found = extract_from_dir(str(_PACKAGE), _METHODS, _OPTIONS, keywords=_KEYWORDS)
    for file, line, message, _comments, _context in found:
        yield message, file, line


def load_catalog(language: str) -> Catalog:
    path = TRANSLATIONS / f"{language}.po"
    if not path.exists():
        return Catalog(language)
    with path.open("rb") as source:
        return read_po(source, locale=language)


def update_catalog(language: str) -> None:
    """Line numbers are left out, because they change with every edit."""
    existing, catalog = load_catalog(language), Catalog(language, header_comment="", charset="utf-8", fuzzy=False)
    for message, _file, _line in extracted_messages():
        known = existing.get(message[0] if isinstance(message, tuple) else message)
        catalog.add(message, known.string if known else None)
    output = BytesIO()
    write_po(output, catalog, width=0, omit_header=False, no_location=True, sort_output=True)
    lines = [line for line in output.getvalue().decode().splitlines() if not line.startswith(_VOLATILE_HEADERS)]
    plurals = f'"Plural-Forms: {_PLURALS[language]}\\n"'
    text = "\n".join(plurals if line.startswith('"Plural-Forms') else line for line in lines)
    (TRANSLATIONS / f"{language}.po").write_text(f"{text}\n", "utf-8")


if __name__ == "__main__":
    for code in LANGUAGES:
        if code != "en":
            update_catalog(code)
