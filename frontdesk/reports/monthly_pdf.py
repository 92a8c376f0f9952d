"""The month of a business as a PDF, on the canvas of invoices. It has a process of its own (pdf_process.py)."""

from collections.abc import Sequence

from frontdesk.invoices.fonts import FOLDERS, find_faces
from frontdesk.invoices.pdf_canvas import MARGIN, PAGE_HEIGHT, WIDTH, Canvas, Style, line_height
from frontdesk.reports.monthly_types import MonthFigure, MonthlyReport, MonthTable

_TITLE, _NAME, _HEAD = Style(18, bold=True), Style(10, gray=93), Style(11.5, bold=True)
_SENTENCE, _LABEL, _TEXT = Style(11), Style(9, gray=93), Style(9.5)
_FIGURE = Style(13, bold=True)
_BOTTOM = PAGE_HEIGHT - MARGIN
_GAP, _NUMBER_WIDTH, _FIGURES_IN_LINE = 8.0, 34.0, 3
_RULE, _HAIR = 23, 218


def render_month(report: MonthlyReport) -> bytes:
    title = f"{report.business.name}, {report.month}"
    canvas = Canvas(
        find_faces(FOLDERS), report.language, title, report.written_at, right_to_left=report.is_right_to_left
    )
    canvas.add_page()
    y = MARGIN + canvas.text(0, MARGIN, WIDTH, [report.month], _TITLE)
    y += canvas.text(0, y, WIDTH, canvas.wrap(report.business.name, WIDTH, _NAME), _NAME) + _GAP
    for sentence in report.sentences:
        y += canvas.text(0, y, WIDTH, canvas.wrap(sentence, WIDTH, _SENTENCE), _SENTENCE)
    y = _figures(canvas, report.figures, y + _GAP)
    for table in report.tables:
        y = _table(canvas, table, y + _GAP)
    return canvas.bytes()


def _figures(canvas: Canvas, figures: Sequence[MonthFigure], y: float) -> float:
    width = WIDTH / _FIGURES_IN_LINE
    height = line_height(_LABEL) * 2 + line_height(_FIGURE) + 3
    for n, figure in enumerate(figures):
        start, top = n % _FIGURES_IN_LINE * width, y + n // _FIGURES_IN_LINE * height
        top += canvas.text(start, top, width, [figure.label], _LABEL)
        top += canvas.text(start, top, width, [figure.value], _FIGURE)
        if figure.note:
            canvas.text(start, top, width, [figure.note], _LABEL)
    return y + -(-len(figures) // _FIGURES_IN_LINE) * height


def _table(canvas: Canvas, table: MonthTable, y: float) -> float:
    """It stays on one page, which has room for it: a table has a dozen rows."""
    row_height = line_height(_TEXT) + 2
    needed = line_height(_HEAD) + line_height(_LABEL) + 3 + len(table.rows) * row_height
    if y + needed > _BOTTOM:
        canvas.add_page()
        y = MARGIN
    y += canvas.text(0, y, WIDTH, [table.title], _HEAD) + 1
    numbers = len(table.columns) - 1
    name_width = WIDTH - numbers * _NUMBER_WIDTH
    starts = [name_width + n * _NUMBER_WIDTH for n in range(numbers)]
    canvas.text(0, y, name_width, [table.columns[0]], _LABEL)
    for start, label in zip(starts, table.columns[1:], strict=True):
        width = min(canvas.width(label, _LABEL), _NUMBER_WIDTH)
        # Headings of numbers, which are right-aligned in both languages.
        canvas.text(start if canvas.right_to_left else start + _NUMBER_WIDTH - width, y, width, [label], _LABEL)
    y += line_height(_LABEL) + 1
    canvas.rule(0, y, WIDTH, _RULE)
    for name, *values in table.rows:
        canvas.text(0, y + 1, name_width, canvas.wrap(name, name_width, _TEXT)[:1], _TEXT)
        for start, value in zip(starts, values, strict=True):
            canvas.figures(start, y + 1, _NUMBER_WIDTH, value, _TEXT)
        y += row_height
        canvas.rule(0, y, WIDTH, _HAIR)
    return y
