"""Renders templates to HTML, with one Jinja environment per language and an icon sprite per page."""

import re
from collections.abc import Callable, Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from jinja2.ext import Extension
from markupsafe import Markup, escape

from frontdesk.i18n.texts import translations
from frontdesk.ui.shell.assets import asset, scripts
from frontdesk.ui.shell.formatting import display_amount, initials
from frontdesk.values.phones import spaced

_UI = Path(__file__).parent.parent
TEMPLATES = sorted(_UI.glob("*/templates"))  # template names are unique across areas
_SYMBOL = re.compile(r'<symbol id="([^"]+)"(.*?</symbol>)')
_USED = re.compile(r'<use href="#i-([^"]+)"')
_SPRITE = '<svg class="sprite" aria-hidden="true">'  # empty in the layouts
_PREFIX = re.compile(r" /(open-api|api)/v\d+(?=/)")
# Not texts with blanks at their ends, which `{%-` would take away.
_CONSTANT = re.compile(r'\{\{ (_|icon)\("([^" \\](?:[^"\\]*[^" \\])?)"\) \}\}')
# Jinja takes the end of a line away that ends with a block or a comment. One blank stays there, but not before elements
# that begin on a line of their own.
_INDENTATION = re.compile(r"(?<=\n)(?:(?<![%#]}\n) +| +(?=</?(?:dd|div|dt|li|option|p|t[dhr])\b)| +(?= ))")
# Icons that point in the direction of the text are mirrored in Arabic.
_MIRRORED = frozenset({"arrow", "merge", "next", "prev", "refund", "retry", "w-in-progress", "m-refunded"})


def render(language: str, template: str, values: dict[str, Any]) -> str:
    """The page gets the drawings of the icons that it uses."""
    return add_sprite(render_part(language, template, values))


def add_sprite(page: str) -> str:
    """The place of the drawings is near the end of a page."""
    before, sprite, after = page.rpartition(_SPRITE)
    if not sprite:
        return page
    return "".join((before, sprite, *(_symbols()[name] for name in sorted(set(_USED.findall(page)))), after))


def render_part(language: str, template: str, values: dict[str, Any]) -> str:
    """A part of a page: its icons are drawn by the page."""
    return _environment(language).get_template(template).render(values)


@cache
def row_macro(language: str, template: str) -> Callable[..., Markup]:
    """The macro `row` of a template. All that it shows is in its arguments."""
    macro: Callable[..., Markup] = vars(_environment(language).get_template(template).module)["row"]
    return macro


class _Constants(Extension):
    """Texts and icons without values become part of the template before it is compiled: half of the calls of a page."""

    def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:
        functions: Mapping[str, Any] = self.environment.globals
        return _CONSTANT.sub(lambda found: functions[found[1]](found[2]), source)


class _WithoutIndentation(Extension):
    """Makes pages smaller. The end of the line or one blank stays: it may stand between words."""

    def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:
        return _INDENTATION.sub("", source)


@cache
def _environment(language: str) -> Environment:
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        auto_reload=False,
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        extensions=["jinja2.ext.i18n", _WithoutIndentation, _Constants],
    )
    environment.install_null_translations(newstyle=True)  # type: ignore[attr-defined] # `trans` passes its values
    environment.globals.update(_gettext_functions(language), icon=icon, asset=asset, scripts=scripts)
    environment.filters.update(amount=display_amount, initials=initials, phone=spaced, short_route=_short_route)
    return environment


def _gettext_functions(language: str) -> dict[str, Callable[..., Markup]]:
    """Like the ones that Jinja installs, but without a new template context for each of the fifty calls of a page."""
    found = translations(language)

    @lru_cache(maxsize=4096)
    def translated(text: str) -> Markup:
        return Markup(found.gettext(text)) % {}  # noqa: S704 - our own texts

    def gettext(text: str, /, **values: object) -> Markup:
        return _filled(found.gettext(text), values) if values else translated(text)

    def ngettext(one: str, several: str, number: int, /, **values: object) -> Markup:
        return _filled(found.ngettext(one, several, number), {"num": f"{number:,}", **values})

    return {"_": gettext, "gettext": gettext, "ngettext": ngettext}


def _filled(text: str, values: dict[str, object]) -> Markup:
    return Markup(text % {name: escape(value) for name, value in values.items()})  # noqa: S704 - our own texts


@cache
def _symbols() -> dict[str, str]:
    text = (_UI / "shell" / "templates" / "icons.svg").read_text("utf-8")
    # With a prefix, because a page has other elements whose ids are such words.
    return {found[1]: f'<symbol id="i-{found[1]}"{found[2]}' for found in _SYMBOL.finditer(text)}


@cache
def icon(name: str) -> Markup:
    """Hidden from screen readers, because the text beside it says the same. The sprite holds its drawing."""
    if name not in _symbols():
        raise KeyError(name)
    flip = " flip" if name in _MIRRORED else ""
    return Markup(f'<svg class="icon{flip}" aria-hidden="true"><use href="#i-{name}"/></svg>')  # noqa: S704 - our own names


def _short_route(route: str) -> str:
    """Without the prefix of the API, which is the same for all requests of a client."""
    return _PREFIX.sub(" ", route)
