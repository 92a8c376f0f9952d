"""The classes of the style sheets are those of the pages."""

import re
from pathlib import Path

import frontdesk
from frontdesk.ui.shell.time_classes import time_rules

_PACKAGE = Path(frontdesk.__file__).parent
_NO_SELECTOR = re.compile(r"/\*.*?\*/|\"[^\"]*\"|url\([^)]*\)", re.DOTALL)
_SELECTORS = re.compile(r"([^{};]+)\{")
_CLASS = re.compile(r"\.([a-z][\w-]*)")
_ATTRIBUTE = re.compile(r"(?<![\w-])(?:svg)?class=\"([^\"]*)\"")
_EXPRESSION, _STATEMENT = re.compile(r"\{\{.*?\}\}", re.DOTALL), re.compile(r"\{[%#].*?[%#]\}", re.DOTALL)
_TEXT = re.compile(r"\"([^\"]*)\"|`([^`]*)`")
_OTHER_STYLES = ("invoices", "messages")  # invoices and mails bring their own
_OTHER_CLASSES = "docs-reference"  # those of Swagger UI


def test_every_class_of_a_page_has_a_rule_or_is_found_by_a_script() -> None:
    known = _styled() | set(_CLASS.findall(time_rules() + "".join(_texts(*_scripts()))))
    assert sorted({name for name in _classes() if not name.endswith("{}")} - known) == []


def test_every_rule_is_for_a_class_that_something_writes() -> None:
    tags = [tag for text in _texts(*_templates()) for tag in (*_EXPRESSION.findall(text), *_STATEMENT.findall(text))]
    code = _texts(*_scripts(), *_PACKAGE.glob("*/*.py"), *_PACKAGE.glob("ui/**/*.py"))
    strings = ["".join(found) for text in (*tags, *code) for found in _TEXT.findall(text)]
    attributes = [classes for text in code for classes in _ATTRIBUTE.findall(text)]
    written = {word for text in (*strings, *attributes, *_classes()) for word in re.findall(r"[\w-]+", text)}
    begun = tuple(name.removesuffix("{}") for name in _classes() if name.endswith("-{}"))
    assert [name for name in sorted(_styled()) if name not in written and not name.startswith(begun)] == []


def _styled() -> set[str]:
    sheets = [path for path in _PACKAGE.glob("static/styles/*/*.css") if path.parent.name != _OTHER_CLASSES]
    rules = [selectors for text in _texts(*sheets) for selectors in _SELECTORS.findall(_NO_SELECTOR.sub("", text))]
    return {name for selectors in rules for name in _CLASS.findall(selectors)}


def _classes() -> set[str]:
    """What templates write into `class`; the values of expressions are `{}`."""
    texts = [_STATEMENT.sub(" ", _EXPRESSION.sub("{}", text)) for text in _texts(*_templates())]
    return {name for text in texts for classes in _ATTRIBUTE.findall(text) for name in classes.split()}


def _templates() -> list[Path]:
    found = [*_PACKAGE.glob("**/templates/**/*.html"), *_PACKAGE.glob("ui/shell/templates/*.svg")]
    return [path for path in found if path.relative_to(_PACKAGE).parts[0] not in _OTHER_STYLES]


def _scripts() -> list[Path]:
    return list(_PACKAGE.glob("static/scripts/**/*.js"))


def _texts(*paths: Path) -> list[str]:
    return [path.read_text("utf-8") for path in paths]
