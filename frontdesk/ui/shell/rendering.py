"""Templates to HTML: one environment a language, icons gathered while a page is written, assets by their content."""

import hashlib
import re
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined, pass_context
from jinja2.runtime import Context
from markupsafe import Markup

from frontdesk.ui.shell.i18n import translations

_UI = Path(__file__).parent.parent
TEMPLATES = sorted(_UI.glob("*/templates"))  # an area owns its templates; their names are unique
STATIC = _UI.parent / "static"
_SYMBOL = re.compile(r'<symbol id="([^"]+)".*?</symbol>')
_PREFIX = re.compile(r" /(open-api|api)/v\d+(?=/)")
# What points along the line of writing is mirrored with it.
_MIRRORED = frozenset({"next", "prev", "refund", "retry", "w-in-progress", "m-refunded"})


def render(language: str, template: str, values: dict[str, Any]) -> str:
    return _environment(language).get_template(template).render(values, icons=set())


@cache
def _environment(language: str) -> Environment:
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        extensions=["jinja2.ext.i18n"],
    )
    environment.install_gettext_translations(translations(language), newstyle=True)  # type: ignore[attr-defined]
    environment.globals.update(icon=_icon, sprite=_sprite, asset=asset)
    environment.filters.update(amount=write_amount, short_route=_short_route)
    return environment


@cache
def _symbols() -> dict[str, str]:
    text = (_UI / "shell" / "templates" / "icons.svg").read_text("utf-8")
    return {found[1]: found[0] for found in _SYMBOL.finditer(text)}


@pass_context
def _icon(context: Context, name: str) -> Markup:
    """Decorative: the word beside it says the same. The page carries the drawings of those it uses, once."""
    _symbols()[name]
    context["icons"].add(name)
    flip = " flip" if name in _MIRRORED else ""
    return Markup(f'<svg class="i{flip}" aria-hidden="true"><use href="#{name}"/></svg>')  # noqa: S704 - our own names


@pass_context
def _sprite(context: Context) -> Markup:
    """At the end of the page, when all its icons are known."""
    drawn = "".join(_symbols()[name] for name in sorted(context["icons"]))
    return Markup(f'<svg class="sprite" aria-hidden="true">{drawn}</svg>')  # noqa: S704 - our own drawings


@cache
def asset(name: str) -> str:
    """An address that changes with the content, so that it may be kept for long."""
    digest = hashlib.sha256((STATIC / name).read_bytes()).hexdigest()[:10]
    return f"/static/{name}?{digest}"


def write_amount(value: Decimal, decimals: int) -> str:
    """Latin digits in both languages, with a true minus."""
    return f"{value:,.{decimals}f}".replace("-", "−")


def _short_route(route: str) -> str:
    """Of one caller all routes begin alike."""
    return _PREFIX.sub(" ", route)
