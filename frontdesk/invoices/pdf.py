"""An invoice as a PDF. Rendering takes a good part of a second, so it has a process of its own (pdf_process.py)."""

from collections.abc import Sequence
from pathlib import Path

import segno

from frontdesk.i18n.texts import N_, translate
from frontdesk.invoices.fonts import FOLDERS, find_faces
from frontdesk.invoices.pdf_canvas import MARGIN, PAGE_HEIGHT, WIDTH, Canvas, Style, line_height
from frontdesk.invoices.types import Invoice
from frontdesk.invoices.view import InvoiceView, LabelledValue, Party, Row, TotalRow, build_view

_TITLE, _OTHER, _NAME = Style(18, bold=True), Style(10, gray=93), Style(11.5, bold=True)
_LABEL, _TEXT, _FINAL = Style(9, gray=93), Style(9.5), Style(11, bold=True)
_BOTTOM = PAGE_HEIGHT - MARGIN - 8  # the page number is below it
_COLUMNS = ((0.0, 70.0), (72.0, 16.0), (90.0, 28.0), (120.0, 26.0), (148.0, 30.0))  # start and width
_GAP, _QR_SIDE, _SUMS_START = 8.0, 38.0, 88.0
_VALUE_LABEL = 30.0
_HEADS_AND_ROW = 20.0
_RULE, _HAIR = 23, 218


def render_pdf(invoice: Invoice, language: str, *, font_folders: Sequence[Path] = FOLDERS) -> bytes:
    view = build_view(invoice, language)
    name = f"{view.title} {invoice.number}"
    faces = find_faces(tuple(font_folders))
    canvas = Canvas(faces, language, name, invoice.issued_at, right_to_left=view.right_to_left)
    canvas.add_page()
    y = _head(canvas, view) + _GAP
    y = _parties(canvas, view.parties, y) + _GAP
    y = _reason(canvas, view.reason, y)
    y = _rows(canvas, view, y) + _GAP / 2
    y = _end(canvas, view.sums, invoice.qr, y)
    _paragraph(canvas, view.note, y + _GAP)
    _number_pages(canvas, language, name)
    return canvas.bytes()


def _head(canvas: Canvas, view: InvoiceView) -> float:
    y = MARGIN + canvas.text(0, MARGIN, 84, [view.title], _TITLE)
    y += canvas.text(0, y, 84, [view.other_title], _OTHER)
    return max(y, _labelled_values(canvas, view.facts, 92, MARGIN + 1, WIDTH - 92))


def _labelled_values(canvas: Canvas, values: Sequence[LabelledValue], start: float, y: float, width: float) -> float:
    for fact in values:
        canvas.text(start, y, _VALUE_LABEL, [fact.label], _LABEL)
        room = width - _VALUE_LABEL
        lines = [fact.value] if fact.figures else canvas.wrap(fact.value, room, _TEXT)
        y += canvas.text(start + _VALUE_LABEL, y, room, lines, _TEXT) + 0.6
    return y


def _parties(canvas: Canvas, parties: Sequence[Party], y: float) -> float:
    ends = []
    for start, party in zip((0.0, 92.0), parties, strict=True):
        room = WIDTH - 92
        below = y + canvas.text(start, y, room, [party.label], _LABEL)
        below += canvas.text(start, below, room, canvas.wrap(party.name, room, _NAME), _NAME) + 0.6
        ends.append(_labelled_values(canvas, party.facts, start, below, room))
    return max(ends)


def _reason(canvas: Canvas, reason: LabelledValue | None, y: float) -> float:
    if reason is None:
        return y
    y += canvas.text(0, y, WIDTH, [reason.label], _LABEL)
    return _paragraph(canvas, reason.value, y) + _GAP


def _rows(canvas: Canvas, view: InvoiceView, y: float) -> float:
    if y + _HEADS_AND_ROW > _BOTTOM:  # after a long reason
        canvas.add_page()
        y = MARGIN
    y = _column_heads(canvas, view.columns, y)
    for row in view.rows:
        names = canvas.wrap(row.name, _COLUMNS[0][1], _TEXT)
        height = max(1, len(names)) * line_height(_TEXT) + 2
        if y + height > _BOTTOM:
            canvas.add_page()
            y = _column_heads(canvas, view.columns, MARGIN)
        _row(canvas, row, names, y + 1)
        y += height
        canvas.rule(0, y, WIDTH, _HAIR)
    return y


def _column_heads(canvas: Canvas, columns: Sequence[str], y: float) -> float:
    for number, (column, (start, width)) in enumerate(zip(columns, _COLUMNS, strict=True)):
        if number:
            needed = min(width, canvas.width(column, _LABEL))
            # Headings of numbers, which are right-aligned in both languages.
            canvas.text(start if canvas.right_to_left else start + width - needed, y, needed, [column], _LABEL)
        else:
            canvas.text(start, y, width, [column], _LABEL)
    y += line_height(_LABEL) + 1
    canvas.rule(0, y, WIDTH, _RULE)
    return y


def _row(canvas: Canvas, row: Row, names: Sequence[str], y: float) -> None:
    canvas.text(0, y, _COLUMNS[0][1], names, _TEXT)
    for figure, (start, width) in zip(row.figures, _COLUMNS[1:], strict=True):
        canvas.figures(start, y, width, figure, _TEXT)


def _end(canvas: Canvas, sums: Sequence[TotalRow], qr: str, y: float) -> float:
    """The QR code and the totals stay together on the last page."""
    if y + _QR_SIDE > _BOTTOM:
        canvas.add_page()
        y = MARGIN
    code = segno.make(qr, error="m", micro=False)
    canvas.squares(0, y, _QR_SIDE, [list(row) for row in code.matrix_iter(border=0)])
    below = y + _QR_SIDE
    for total in sums:
        style = _FINAL if total.final else _TEXT
        start, width = _COLUMNS[-1]
        canvas.text(_SUMS_START, y, start - _SUMS_START, [total.label], style)
        canvas.figures(start, y, width, total.amount, style)
        y += line_height(style) + 1.2
    return max(y, below)


def _paragraph(canvas: Canvas, text: str, y: float) -> float:
    for line in [line for part in text.splitlines() for line in canvas.wrap(part, WIDTH, _TEXT)]:
        if y + line_height(_TEXT) > _BOTTOM:
            canvas.add_page()
            y = MARGIN
        y += canvas.text(0, y, WIDTH, [line], _TEXT)
    return y


def _number_pages(canvas: Canvas, language: str, name: str) -> None:
    if canvas.pages == 1:
        return
    for page in range(1, canvas.pages + 1):
        canvas.turn_to(page)
        text = translate(language, N_("Page {page} of {pages}"), page=str(page), pages=str(canvas.pages))
        width = canvas.width(text, _LABEL)
        canvas.text(0, PAGE_HEIGHT - MARGIN - 4, 100, [name], _LABEL)
        canvas.text(WIDTH - width, PAGE_HEIGHT - MARGIN - 4, width, [text], _LABEL)
