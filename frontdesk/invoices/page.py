"""An invoice as a self-contained HTML page, without scripts and external resources."""

import base64
import hashlib
from pathlib import Path
from typing import NamedTuple

import segno
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from frontdesk.i18n.texts import N_, translate
from frontdesk.invoices.types import Invoice
from frontdesk.invoices.view import build_view

_TEMPLATES = Path(__file__).parent / "templates"
_STYLE = (_TEMPLATES / "invoice.css").read_text(encoding="utf-8")
_PAGES = Environment(
    loader=FileSystemLoader(_TEMPLATES),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)

# The hash of the style sheet, so that the Content-Security-Policy needs to allow only this one.
CONTENT_POLICY = (
    "default-src 'none'; style-src 'sha256-" + base64.b64encode(hashlib.sha256(_STYLE.encode()).digest()).decode() + "'"
)
SCRIPT_POLICY = f"{CONTENT_POLICY}; script-src 'self'"


class PageLinks(NamedTuple):
    """Shown above the invoice in the dashboard, not on paper."""

    back: str
    pdf: str
    script: str  # prints the page


def render_page(invoice: Invoice, language: str, links: PageLinks | None = None) -> str:
    return _PAGES.get_template("invoice.html").render(
        sheet=build_view(invoice, language),
        number=invoice.number,
        qr=qr_svg(invoice.qr, translate(language, N_("Tax invoice code"))),
        style=_STYLE,
        policy=CONTENT_POLICY if links is None else SCRIPT_POLICY,
        links=links,
        words={"back": translate(language, N_("Back to the order")), "print": translate(language, N_("Print"))},
    )


def qr_svg(text: str, title: str) -> str:
    code = segno.make(text, error="m", micro=False)
    return code.svg_inline(title=title, border=4, omitsize=True, svgclass="qr", lineclass=None, light="#fff")
