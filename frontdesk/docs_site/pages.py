"""Renders pages of the documentation, with a Content-Security-Policy that allows no other origin."""

import hashlib
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from frontdesk.http.responses import Response

_STATIC = Path(__file__).parent.parent / "static"
_HEADERS = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    "cache-control": "no-cache",
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
}


def page(template: str, **values: Any) -> Response:  # noqa: ANN401 - whatever the template shows
    text = _environment().get_template(template).render(values)
    return Response(text.encode(), headers=_HEADERS, content_type="text/html; charset=utf-8")


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals["asset"] = _asset
    return environment


@cache
def _asset(name: str) -> str:
    """A URL that contains a hash of the content."""
    digest = hashlib.sha256((_STATIC / name).read_bytes()).hexdigest()[:10]
    return f"/static/{name}?{digest}"
