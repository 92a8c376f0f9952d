"""An invoice as a PDF. Setting one takes a good part of a second: servers call this in a thread."""

from collections.abc import Sequence
from pathlib import Path

import segno

from frontdesk.invoices.fonts import FOLDERS, find_faces
from frontdesk.invoices.labels import LABELS
from frontdesk.invoices.pdf_canvas import MARGIN, PAGE_HEIGHT, WIDTH, Canvas, Style, line_height
from frontdesk.invoices.types import Invoice, Language
from frontdesk.invoices.view import InvoiceView, LabelledValue, Party, Row, TotalRow, build_view

_TITLE, _OTHER, _NAME = Style(18, bold=True), Style(10, gray=93), Style(11.5, bold=True)
_LABEL, _TEXT, _FINAL = Style(9, gray=93), Style(9.5), Style(11, bold=True)
_BOTTOM = PAGE_HEIGHT - MARGIN - 8  # below it stands the number of the page
_COLUMNS = ((0.0, 70.0), (72.0, 16.0), (90.0, 28.0), (120.0, 26.0), (148.0, 30.0))  # start and width
_GAP, _QR_SIDE, _SUMS_START = 8.0, 38.0, 88.0
_VALUE_LABEL = 30.0
_RULE, _HAIR = 23, 218


def render_pdf(invoice: Invoice, language: Language, *, font_folders: Sequence[Path] = FOLDERS) -> bytes:
    sheet = build_view(invoice, language)
    name = f"{sheet.title} {invoice.number}"
    faces = find_faces(tuple(font_folders))
    paper = Canvas(faces, language, name, invoice.issued_at, right_to_left=sheet.right_to_left)
    paper.add_page()
    y = _head(paper, sheet) + _GAP
    y = _parties(paper, sheet.parties, y) + _GAP
    y = _rows(paper, sheet, y) + _GAP / 2
    _end(paper, sheet.sums, invoice.qr, y)
    _number_pages(paper, LABELS[language].page, name)
    return paper.bytes()


def _head(paper: Canvas, sheet: InvoiceView) -> float:
    y = MARGIN + paper.text(0, MARGIN, 84, [sheet.title], _TITLE)
    y += paper.text(0, y, 84, [sheet.other_title], _OTHER)
    return max(y, _labelled_values(paper, sheet.facts, 92, MARGIN + 1, WIDTH - 92))


def _labelled_values(paper: Canvas, facts: Sequence[LabelledValue], start: float, y: float, width: float) -> float:
    for fact in facts:
        paper.text(start, y, _VALUE_LABEL, [fact.label], _LABEL)
        room = width - _VALUE_LABEL
        lines = [fact.value] if fact.figures else paper.wrap(fact.value, room, _TEXT)
        y += paper.text(start + _VALUE_LABEL, y, room, lines, _TEXT) + 0.6
    return y


def _parties(paper: Canvas, parties: Sequence[Party], y: float) -> float:
    ends = []
    for start, party in zip((0.0, 92.0), parties, strict=True):
        room = WIDTH - 92
        below = y + paper.text(start, y, room, [party.label], _LABEL)
        below += paper.text(start, below, room, paper.wrap(party.name, room, _NAME), _NAME) + 0.6
        ends.append(_labelled_values(paper, party.facts, start, below, room))
    return max(ends)


def _rows(paper: Canvas, sheet: InvoiceView, y: float) -> float:
    y = _column_heads(paper, sheet.columns, y)
    for row in sheet.rows:
        names = paper.wrap(row.name, _COLUMNS[0][1], _TEXT)
        height = max(1, len(names)) * line_height(_TEXT) + 2
        if y + height > _BOTTOM:
            paper.add_page()
            y = _column_heads(paper, sheet.columns, MARGIN)
        _row(paper, row, names, y + 1)
        y += height
        paper.rule(0, y, WIDTH, _HAIR)
    return y


def _column_heads(paper: Canvas, columns: Sequence[str], y: float) -> float:
    for number, (column, (start, width)) in enumerate(zip(columns, _COLUMNS, strict=True)):
        if number:
            needed = min(width, paper.width(column, _LABEL))
            # Above figures, which end on the right in both languages.
            paper.text(start if paper.right_to_left else start + width - needed, y, needed, [column], _LABEL)
        else:
            paper.text(start, y, width, [column], _LABEL)
    y += line_height(_LABEL) + 1
    paper.rule(0, y, WIDTH, _RULE)
    return y


def _row(paper: Canvas, row: Row, names: Sequence[str], y: float) -> None:
    paper.text(0, y, _COLUMNS[0][1], names, _TEXT)
    for figure, (start, width) in zip(row.figures, _COLUMNS[1:], strict=True):
        paper.figures(start, y, width, figure, _TEXT)


def _end(paper: Canvas, sums: Sequence[TotalRow], qr: str, y: float) -> None:
    """Code and sums stay together, so that the last page says what is owed."""
    if y + _QR_SIDE > _BOTTOM:
        paper.add_page()
        y = MARGIN
    code = segno.make(qr, error="m", micro=False)
    paper.squares(0, y, _QR_SIDE, [list(row) for row in code.matrix_iter(border=0)])
    for one in sums:
        style = _FINAL if one.final else _TEXT
        start, width = _COLUMNS[-1]
        paper.text(_SUMS_START, y, start - _SUMS_START, [one.label], style)
        paper.figures(start, y, width, one.amount, style)
        y += line_height(style) + 1.2


def _number_pages(paper: Canvas, words: str, name: str) -> None:
    if paper.pages == 1:
        return
    for page in range(1, paper.pages + 1):
        paper.turn_to(page)
        text = words.format(page=page, pages=paper.pages)
        width = paper.width(text, _LABEL)
        paper.text(0, PAGE_HEIGHT - MARGIN - 4, 100, [name], _LABEL)
        paper.text(WIDTH - width, PAGE_HEIGHT - MARGIN - 4, width, [text], _LABEL)
