"""An issued invoice as a file: an HTML page to print, or a PDF. All APIs and pages return the same file."""

import asyncio
from importlib import import_module
from typing import NamedTuple
from uuid import UUID

from frontdesk.errors import Code, WireError
from frontdesk.invoices.fonts import MissingFont
from frontdesk.invoices.page import CONTENT_POLICY, SCRIPT_POLICY, PageLinks, render_page
from frontdesk.invoices.types import Invoice, Language

_MAX_WAIT = 20.0
_MAX_CACHED = 64


class InvoiceFile(NamedTuple):
    body: bytes
    headers: dict[str, str]


def invoice_page(invoice: Invoice, language: Language, links: PageLinks | None = None) -> InvoiceFile:
    headers = {
        "content-type": "text/html; charset=utf-8",
        "content-security-policy": CONTENT_POLICY if links is None else SCRIPT_POLICY,
        "x-content-type-options": "nosniff",
    }
    return InvoiceFile(render_page(invoice, language, links).encode(), headers)


_one_at_a_time = asyncio.Semaphore(1)
_cache: dict[tuple[UUID, Language, str | None], bytes] = {}


async def invoice_pdf(invoice: Invoice, language: Language) -> InvoiceFile:
    """Rendered in a thread, because it takes half a second of CPU time; one at a time, to leave CPU for requests."""
    try:
        async with asyncio.timeout(_MAX_WAIT), _one_at_a_time:
            body = await asyncio.to_thread(_rendered, invoice, language)
    except MissingFont as missing:
        raise WireError(Code.SERVICE_UNAVAILABLE, str(missing)) from missing
    except TimeoutError as late:
        raise WireError(
            Code.SERVICE_UNAVAILABLE,
            "The service is generating too many PDFs. Try again shortly.",
            headers={"retry-after": "5"},
        ) from late
    kind = "invoice" if invoice.credits is None else "credit-note"
    name = f'inline; filename="{kind}-{invoice.number}.pdf"'
    return InvoiceFile(body, {"content-type": "application/pdf", "content-disposition": name})


def _rendered(invoice: Invoice, language: Language) -> bytes:
    """Cached, because an issued invoice changes only by the erasure of the reason of a credit note."""
    key = (invoice.id, language, invoice.reason)
    made = _cache.get(key)
    if made is None:
        made = _render(invoice, language)
        if len(_cache) >= _MAX_CACHED:
            _cache.pop(next(iter(_cache)))
        _cache[key] = made
    return made


def _render(invoice: Invoice, language: Language) -> bytes:
    """Imports the PDF library with the first PDF: it is a quarter of all that `frontdesk serve` would import."""
    made: bytes = import_module("frontdesk.invoices.pdf").render_pdf(invoice, language)
    return made
