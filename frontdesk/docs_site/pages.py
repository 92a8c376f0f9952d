"""Renders pages of the documentation, with a Content-Security-Policy that allows no other origin."""

import json
import re
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlencode

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from frontdesk.docs_site.highlight import highlight
from frontdesk.docs_site.labels import labels
from frontdesk.http.request import Request
from frontdesk.http.responses import Response
from frontdesk.ui.shell.assets import asset, scripts
from frontdesk.ui.shell.cookies import THEME, THEMES, read_cookies, set_cookie
from frontdesk.ui.shell.rendering import add_sprite, icon

_HEADERS = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    "cache-control": "no-cache",
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "x-frame-options": "DENY",
}
_CODE = re.compile(r"`([^`]+)`")
# What a reader must replace in a sample: the address, ids, names in braces, credentials.
_TO_REPLACE = re.compile(
    r"https?://[^/\"\s]+|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|(?<=/)\{\w+\}|\b\w+_…|web-1049"
)


def page(
    request: Request,
    template: str,
    language: str = "en",
    **values: Any,  # noqa: ANN401 - whatever the template shows
) -> Response:
    """Light or dark as it was chosen here or in the dashboard, else as the system has it."""
    asked = parse_qsl(request.scope["query_string"].decode("ascii", "replace"))
    theme = dict(asked).get("theme")
    if theme in THEMES:
        set_cookie(request, THEME, theme)
    else:
        theme = read_cookies(request).get(THEME)
    rest = [(name, value) for name, value in asked if name != "theme"]
    shown = {
        "language": language,
        "start": "/docs" if language == "en" else f"/docs?language={language}",
        "words": labels(language),
        "theme": theme if theme in THEMES else None,
        "themes": {name: "?" + urlencode([*rest, ("theme", name)]) for name in THEMES},
    }
    text = _environment().get_template(template).render(values | shown)
    return Response(add_sprite(text).encode(), headers=_HEADERS, content_type="text/html; charset=utf-8")


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals.update(asset=asset, icon=icon, scripts=scripts)
    environment.filters.update(inline_code=_inline_code, breakable=_breakable, sample=_sample, indented=indented)
    return environment


def indented(value: Any) -> str:  # noqa: ANN401 - any JSON value
    return json.dumps(value, indent=2, ensure_ascii=False)


def _inline_code(text: str) -> Markup:
    """`name` in a text of the description becomes code."""
    return Markup(_CODE.sub(r"<code>\1</code>", str(escape(text))))  # noqa: S704 - escaped before


def _breakable(name: str) -> Markup:
    """A long name may break after an underscore."""
    return Markup(str(escape(name)).replace("_", "_<wbr>"))  # noqa: S704 - escaped before


def _sample(text: str) -> Markup:
    """In colors, with marks around what must be replaced."""
    return highlight(text, _marked)


def _marked(sample: str) -> Markup:
    parts, end = Markup(), 0
    for found in _TO_REPLACE.finditer(sample):
        parts += escape(sample[end : found.start()]) + Markup("<mark>{}</mark>").format(found[0])
        end = found.end()
    return parts + escape(sample[end:])
