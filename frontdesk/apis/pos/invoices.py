"""Invoices in the POS API: issued once, then read as JSON, HTML or PDF."""

from decimal import Decimal
from typing import Literal, assert_never
from uuid import UUID

import msgspec

from frontdesk.http.endpoints import JSON, EndpointDocs, Endpoints
from frontdesk.http.errors import Code
from frontdesk.http.pagination import DataResponse
from frontdesk.http.request import Request
from frontdesk.http.responses import Response, json_response
from frontdesk.i18n.languages import ENGLISH, Language
from frontdesk.invoices.files import invoice_page, invoice_pdf
from frontdesk.invoices.issue import IssueInvoice
from frontdesk.invoices.queries import credit_note_of_refund, invoice_of_order
from frontdesk.invoices.types import Invoice as IssuedInvoice
from frontdesk.problems import or_not_found
from frontdesk.values.api_types import Currency, Timestamp
from frontdesk.values.time import format_utc

operations = Endpoints()


class Invoice(msgspec.Struct):
    id: UUID
    invoice_number: int
    order_id: UUID
    currency: Currency
    total: Decimal
    tax_rate: Decimal
    tax_amount: Decimal
    qr: str
    issued_at: Timestamp


class CreditNote(msgspec.Struct):
    id: UUID
    credit_note_number: int
    invoice_number: int
    order_id: UUID
    currency: Currency
    total: Decimal
    tax_rate: Decimal
    tax_amount: Decimal
    qr: str
    issued_at: Timestamp


class InvoiceQuery(msgspec.Struct):
    format: Literal["json", "html", "pdf"] = "json"
    language: Language = Language(ENGLISH)


@operations.post(
    "/pos/orders/{orderId}/invoice",
    response=DataResponse[Invoice],
    status=201,
    creates="invoice",
    errors=[Code.NOT_FOUND, Code.VALIDATION_ERROR, Code.ORDER_HAS_INVOICE],
)
def create_invoice(uuid: UUID) -> IssueInvoice:
    """Issue the invoice of an order.

    An order with an invoice can be canceled only after it has been refunded in full.
    """
    return IssueInvoice(uuid)


@operations.get(
    "/pos/orders/{orderId}/invoice",
    response=DataResponse[Invoice],
    errors=[Code.NOT_FOUND],
    docs=EndpointDocs(media=(JSON, "text/html", "application/pdf"), headers=("Content-Disposition",)),
)
async def get_invoice(request: Request, uuid: UUID, query: InvoiceQuery) -> Response:
    """Retrieve the invoice of an order as JSON, HTML or PDF, in Arabic or English."""
    invoice = or_not_found(await request.fetch(invoice_of_order(uuid)), "invoice")
    return await _response(request, query, invoice, _invoice(invoice))


@operations.get(
    "/pos/orders/{orderId}/credit-note",
    response=DataResponse[CreditNote],
    errors=[Code.NOT_FOUND],
    docs=EndpointDocs(media=(JSON, "text/html", "application/pdf"), headers=("Content-Disposition",)),
)
async def get_credit_note(request: Request, uuid: UUID, query: InvoiceQuery) -> Response:
    """Retrieve a credit note as JSON, HTML or PDF; `orderId` is the id of the refund, or of the canceled order."""
    note = or_not_found(await request.fetch(credit_note_of_refund(uuid)), "credit note")
    return await _response(request, query, note, _credit_note(note))


async def _response(
    request: Request, query: InvoiceQuery, issued: IssuedInvoice, document: Invoice | CreditNote
) -> Response:
    match query.format:
        case "json":
            return json_response(DataResponse(document))
        case "html":
            file = invoice_page(issued, query.language)
        case "pdf":
            file = await invoice_pdf(request.caller.tenant_id, issued, query.language)
        case _:
            assert_never(query.format)
    return Response(file.body, headers=file.headers)


def _credit_note(note: IssuedInvoice) -> CreditNote:
    return CreditNote(
        id=note.id,
        credit_note_number=note.number,
        invoice_number=note.credits or 0,
        order_id=note.order_id,
        currency=note.currency,
        total=note.total,
        tax_rate=note.tax_rate,
        tax_amount=note.tax_amount,
        qr=note.qr,
        issued_at=format_utc(note.issued_at),
    )


def _invoice(invoice: IssuedInvoice) -> Invoice:
    return Invoice(
        id=invoice.id,
        invoice_number=invoice.number,
        order_id=invoice.order_id,
        currency=invoice.currency,
        total=invoice.total,
        tax_rate=invoice.tax_rate,
        tax_amount=invoice.tax_amount,
        qr=invoice.qr,
        issued_at=format_utc(invoice.issued_at),
    )
