"""An issued invoice as a file: an HTML page to print, or a PDF. All APIs and pages return the same file."""

from typing import NamedTuple
from uuid import UUID

import msgspec

from frontdesk.invoices.page import CONTENT_POLICY, SCRIPT_POLICY, PageLinks, render_page
from frontdesk.invoices.problems import PdfProblem
from frontdesk.invoices.types import Invoice, PdfRequest
from frontdesk.postgres.connection_guard import require_no_connection
from frontdesk.problems import Problem
from frontdesk.runtime.limited_process import Limits, run_limited
from frontdesk.runtime.slow_work import PDFS

_MAX_CACHED = 64
_PDF = b"%PDF"
_LIMITS = Limits(cpu_seconds=30, seconds=60.0, niceness=0)  # a request waits for it


class InvoiceFile(NamedTuple):
    body: bytes
    headers: dict[str, str]


def invoice_page(invoice: Invoice, language: str, links: PageLinks | None = None) -> InvoiceFile:
    headers = {
        "content-type": "text/html; charset=utf-8",
        "content-security-policy": CONTENT_POLICY if links is None else SCRIPT_POLICY,
        "x-content-type-options": "nosniff",
    }
    return InvoiceFile(render_page(invoice, language, links).encode(), headers)


_cache: dict[tuple[UUID, str, str | None], bytes] = {}


async def invoice_pdf(tenant_id: UUID, invoice: Invoice, language: str) -> InvoiceFile:
    """One that was rendered before waits for nothing. An issued invoice changes only by the erasure of the reason of a
    credit note.
    """
    key = (invoice.id, language, invoice.reason)
    body = _cache.get(key)
    if body is None:
        async with PDFS.turn(tenant_id):
            body = _cache.get(key) or await _rendered(invoice, language)
        if len(_cache) >= _MAX_CACHED:
            _cache.pop(next(iter(_cache)))
        _cache[key] = body
    kind = "invoice" if invoice.credits is None else "credit-note"
    name = f'inline; filename="{kind}-{invoice.number}.pdf"'
    return InvoiceFile(body, {"content-type": "application/pdf", "content-disposition": name})


async def _rendered(invoice: Invoice, language: str) -> bytes:
    return await run_pdf_process("frontdesk.invoices.pdf_process", msgspec.json.encode(PdfRequest(invoice, language)))


async def run_pdf_process(module: str, content: bytes) -> bytes:
    """In a process, because it takes a second of CPU time."""
    require_no_connection("a PDF")
    made = await run_limited(module, _LIMITS, content=content)
    if not made.startswith(_PDF):
        raise Problem(PdfProblem.FONT_MISSING, reason=made.decode())
    return made
