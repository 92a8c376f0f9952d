"""What people read is translated by gettext only: a language is a .po file, and no table of texts in Python."""

import ast
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

from frontdesk.i18n.languages import LANGUAGES
from tests.architecture.python_files import PACKAGE, files_of_package

ARABIC = re.compile("[\u0621-\u064a]{2}")
# Names of records: what the sandbox contains, examples in the descriptions of the APIs, and deliveries that are tried.
NAMES = (
    *("demo_data/", "apis/openapi/response_docs.py", "apis/openapi/set_up_docs.py"),
    "developer_tools/conformance/receiver/bodies.py",
)
# What people type: names of columns, units, letters; and the article before Arabic names.
TYPED = (
    *("imports/", "http/field_types.py", "ui/calendar_sync/feed.py", "ui/shell/formatting.py"),
    *("values/text.py", "values/latin.py"),
)


def strings(nodes: Iterable[ast.AST]) -> list[str]:
    return [part.value for part in nodes if isinstance(part, ast.Constant) and isinstance(part.value, str)]


def texts_by_language(node: ast.AST) -> bool:
    """Whether it is a dict that has a text for each of several languages."""
    if not isinstance(node, ast.Dict):
        return False
    entries = [
        value
        for key, value in zip(node.keys, node.values, strict=True)
        if isinstance(key, ast.Constant) and key.value in LANGUAGES
    ]
    return len(entries) > 1 and all(has_text(value) for value in entries)


def has_text(node: ast.expr) -> bool:
    """The string itself, or one inside that is more than the name of a field."""
    return any(text and (isinstance(node, ast.Constant) or not text.isidentifier()) for text in strings(ast.walk(node)))


def test_no_table_of_texts_by_language_is_in_python() -> None:
    found = {file.name for file in files_of_package() for node in file.nodes if texts_by_language(node)}
    assert {file for file in found if not file.startswith(NAMES)} == set()
    assert texts_by_language(ast.parse('{"en": "Cash", "ar": Words("In cash")}', mode="eval").body)


def test_arabic_is_written_in_the_catalog() -> None:
    found = {file.name for file in files_of_package() if any(map(ARABIC.search, strings(file.nodes)))}
    allowed = (*NAMES, *TYPED)
    assert {file for file in found if not file.startswith(allowed)} == set()
    assert [place for place in allowed if not any(file.startswith(place) for file in found)] == []


def test_a_third_language_needs_only_a_catalog(tmp_path: Path) -> None:
    """In a copy of the package, because its languages are those of its files."""
    shutil.copytree(PACKAGE, tmp_path / "frontdesk", ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "frontdesk" / "i18n" / "fr.po").write_text("")
    for module in ("write_third_language", "read_third_language"):
        subprocess.run(
            [sys.executable, "-m", f"tests.architecture.{module}"],
            env={**os.environ, "PYTHONPATH": os.pathsep.join((str(tmp_path), str(PACKAGE.parent)))},
            cwd=tmp_path,
            check=True,
        )
