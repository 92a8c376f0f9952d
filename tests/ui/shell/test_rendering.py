"""Templates: escaping, texts, imported macros, and names that a page does not have."""

import re
from decimal import Decimal
from typing import NamedTuple

import pytest
from jinja2 import DictLoader, UndefinedError, meta
from markupsafe import Markup

from frontdesk.i18n.languages import LANGUAGES
from frontdesk.i18n.texts import translations
from frontdesk.ui.shell import rendering
from frontdesk.ui.shell.formatting import display_amount

_PARTS = """
{%- macro bold(text) %}<b>{{ text }}</b>{% endmacro %}
{%- macro title() %}{{ name }}{% endmacro -%}"""
_IMPORTS = re.compile(r'\{%-? (?:import|from) "([^"]+)"([^%]*)%\}')


class _Row(NamedTuple):
    name: str
    tags: list[str]


def _render(source: str, language: str = "en", /, **values: object) -> str:
    loader = DictLoader({"page.html": source, "parts.html": _PARTS})
    text: str = rendering._environment(language).overlay(loader=loader).get_template("page.html").render(values)
    return text


def test_values_are_escaped_once() -> None:
    values = {"text": "<b>", "html": Markup("<i>"), "number": 7, "nothing": None}
    assert _render("{{ text }}{{ html }}{{ number }}{{ nothing }}", **values) == "&lt;b&gt;<i>7None"


def test_values_in_a_translated_text_are_escaped() -> None:
    assert _render('{{ _("Move %(name)s", name=name) }}', "ar", name='"a" & b') == "نقل &#34;a&#34; &amp; b"
    assert _render('{{ _("%(num)s of %(of)s", num=1, of=html) }}', html=Markup("<b>2</b>")) == "1 of <b>2</b>"
    assert _render("{% trans name=name %}Move {{ name }}{% endtrans %}", "ar", name="<x>") == "نقل &lt;x&gt;"
    counted = '{{ ngettext("%(num)s of %(of)s", "%(num)s of %(of)s", number, of=name) }}'
    assert _render(counted, number=1234, name="<x>") == "1,234 of &lt;x&gt;"


def test_texts_and_icons_without_values_are_those_of_the_language() -> None:
    source = '{{ _("Calendar") }}{% set text = _("Calendar") %}|{{ text }}|{{ icon("alert") }}'
    drawn = '<svg class="icon" aria-hidden="true"><use href="#i-alert"/></svg>'
    assert _render(source) == f"Calendar|Calendar|{drawn}"
    arabic = translations("ar").gettext("Calendar")
    assert _render(source, "ar") == f"{arabic}|{arabic}|{drawn}"
    with pytest.raises(KeyError):
        _render('{{ icon("no such drawing") }}')


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_text_is_read_as_a_part_of_its_template(language: str) -> None:
    """Texts without values are written into the template before it is compiled."""
    sources = "\n".join(_sources().values())
    texts = [found[2] for found in rendering._CONSTANT.finditer(sources) if found[1] == "_"]
    assert len(texts) > 1000
    assert [text for text in texts if re.search("{[{%#]", translations(language).gettext(text))] == []


def test_a_loop_of_a_block_reads_names_of_the_page_and_its_own() -> None:
    source = """{% block main %}{% for row in rows %}{% set name = row.name ~ end %}{{ name }}{% for tag in row.tags %}
        {{- mark }}{{ tag }}{{ loop.index }}{% endfor %};{% endfor %}{{ name is defined }}{% endblock %}"""
    rows = [_Row("a", ["x", "y"]), _Row("b", [])]
    assert _render(source, rows=rows, end="!", mark="#") == "a!#x1#y2;b!;False"


def test_a_name_that_the_page_does_not_have_is_an_error_where_it_is_read() -> None:
    source = "{% block main %}{% for row in rows %}{{ missing_name }}{% endfor %}done{% endblock %}"
    assert _render(source, rows=[]) == "done"
    with pytest.raises(UndefinedError):
        _render(source, rows=[1])
    with pytest.raises(UndefinedError):
        _render("{{ row.nothing }}", row=_Row("a", []))


def test_macros_that_are_imported_with_the_context_read_the_values_of_the_page() -> None:
    source = '{% import "parts.html" as parts with context %}{{ parts.bold("<") }}{{ parts.title() }}'
    assert _render(source, name="first") == "<b>&lt;</b>first"
    with pytest.raises(UndefinedError):
        _render(source)


def test_templates_that_are_imported_without_the_context_do_not_read_it() -> None:
    """Where a macro is called on few pages, no other test would notice."""
    sources, environment = _sources(), rendering._environment("en")
    imports = [found for source in sources.values() for found in _IMPORTS.findall(source)]
    alone = {name for name, rest in imports if "with context" not in rest}
    assert alone
    read = {name: meta.find_undeclared_variables(environment.parse(sources[name])) for name in alone}
    assert {name: found for name, names in read.items() if (found := names - environment.globals.keys())} == {}


def _sources() -> dict[str, str]:
    return {path.name: path.read_text("utf-8") for folder in rendering.TEMPLATES for path in folder.glob("*.html")}


def test_zero_has_no_sign() -> None:
    assert display_amount(Decimal("-0.00"), 2) == "0.00"
    assert display_amount(Decimal("-1234.5"), 2) == "−1,234.50"
