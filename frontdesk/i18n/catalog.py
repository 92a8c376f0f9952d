"""Extracts the texts of the package, so that a test finds those without a translation.

`python -m frontdesk.i18n.catalog` adds new texts to the catalogs and removes unused ones.
"""

import re
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import NamedTuple

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_file
from babel.messages.pofile import read_po, write_po

from frontdesk.i18n.languages import CATALOGS, ENGLISH, LANGUAGES

_PACKAGE = Path(__file__).parent.parent
_TEMPLATE_OPTIONS = {"trimmed": "true", "newstyle_gettext": "true", "encoding": "utf-8"}
_VOLATILE_HEADERS = ('"POT-', '"PO-Rev', '"Gen', '"Project', '"Report', '"Last', '"Language-Team')
_KEYWORDS = {"_": None, "N_": None, "NP_": ((1, "c"), 2), "gettext": None, "ngettext": (1, 2)}
_MARKED = re.compile(rf"\b(?:{'|'.join(_KEYWORDS)})\s*\(")


class Extracted(NamedTuple):
    message: str | tuple[str, ...]  # a pair is of singular and plural
    context: str | None

    @property
    def id(self) -> str:
        return self.message[0] if isinstance(self.message, tuple) else self.message


def extracted_messages() -> Iterator[Extracted]:
    for path in sorted(_PACKAGE.rglob("*.py")):
        if _MARKED.search(path.read_text("utf-8")):  # four fifths of the code has no texts, and Babel reads slowly
            yield from _extract(path, "python", {})
    for path in sorted(_PACKAGE.rglob("templates/**/*.html")):
        yield from _extract(path, "jinja2.ext:babel_extract", _TEMPLATE_OPTIONS)


def _extract(path: Path, method: str, options: dict[str, str]) -> Iterator[Extracted]:
    for _line, message, _comments, context in extract_from_file(method, path, _KEYWORDS, options=options):
        yield Extracted(message, context)


def load_catalog(language: str) -> Catalog:
    with (CATALOGS / f"{language}.po").open("rb") as source:
        return read_po(source, locale=language)


def update_catalog(language: str) -> None:
    """Line numbers are left out, because they change with every edit. The plural forms stay those of the file: Babel's
    for Arabic swap the last two of CLDR, many (11 to 99) and other.
    """
    existing, catalog = load_catalog(language), Catalog(language, header_comment="", charset="utf-8", fuzzy=False)
    for extracted in extracted_messages():
        known = existing.get(extracted.id, extracted.context)
        catalog.add(extracted.message, known.string if known else None, context=extracted.context)
    output = BytesIO()
    write_po(output, catalog, width=0, omit_header=False, no_location=True, sort_output=True)
    lines = [line for line in output.getvalue().decode().splitlines() if not line.startswith(_VOLATILE_HEADERS)]
    plurals = f'"Plural-Forms: {existing.plural_forms}\\n"'
    text = "\n".join(plurals if line.startswith('"Plural-Forms') else line for line in lines)
    (CATALOGS / f"{language}.po").write_text(f"{text}\n", "utf-8")


if __name__ == "__main__":
    for code in LANGUAGES:
        if code != ENGLISH:
            update_catalog(code)
