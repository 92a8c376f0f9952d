"""Writes an Excel workbook while it is sent: rows are packed as they come, and no row is kept."""

import io
import re
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from decimal import Decimal
from xml.sax.saxutils import escape
from zipfile import ZIP_DEFLATED, ZipFile

XLSX_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
MAX_ROWS = 1_048_575  # of a sheet, below the row of names
_MAX_CELL_LENGTH = 32_767
_FIRST_DAY = datetime(1899, 12, 30, tzinfo=UTC)
_NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_PART = "application/vnd.openxmlformats-officedocument.spreadsheetml"
_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_BOLD, _DATE = 1, 2  # positions in cellXfs

_FILES = {
    "[Content_Types].xml": f"""{_HEAD}<Types xmlns="{_PACKAGE}/content-types">
<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>
<Default Extension="xml" ContentType="application/xml"/>
<Override PartName="/xl/workbook.xml" ContentType="{_PART}.sheet.main+xml"/>
<Override PartName="/xl/styles.xml" ContentType="{_PART}.styles+xml"/>
<Override PartName="/xl/worksheets/sheet1.xml" ContentType="{_PART}.worksheet+xml"/></Types>""",
    "_rels/.rels": f"""{_HEAD}<Relationships xmlns="{_PACKAGE}/relationships">
<Relationship Id="rId1" Type="{_OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>""",
    "xl/_rels/workbook.xml.rels": f"""{_HEAD}<Relationships xmlns="{_PACKAGE}/relationships">
<Relationship Id="rId1" Type="{_OFFICE}/worksheet" Target="worksheets/sheet1.xml"/>
<Relationship Id="rId2" Type="{_OFFICE}/styles" Target="styles.xml"/></Relationships>""",
    "xl/styles.xml": f"""{_HEAD}<styleSheet xmlns="{_MAIN}">
<numFmts count="1"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd hh:mm"/></numFmts>
<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font>
<font><b/><sz val="11"/><name val="Calibri"/></font></fonts>
<fills count="2"><fill><patternFill patternType="none"/></fill>
<fill><patternFill patternType="gray125"/></fill></fills>
<borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs>
<cellXfs count="3"><xf/><xf fontId="1" applyFont="1"/><xf numFmtId="164" applyNumberFormat="1"/></cellXfs>
</styleSheet>""",
}

Cell = str | int | Decimal | datetime | None


class _Output(io.RawIOBase):
    """Collects what the archive writes until it is taken. It cannot seek, so sizes follow the content."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []

    def writable(self) -> bool:
        return True

    def write(self, content: bytes) -> int:  # type: ignore[override]
        self._parts.append(bytes(content))
        return len(content)

    def take(self) -> bytes:
        taken = b"".join(self._parts)
        self._parts.clear()
        return taken


class Workbook:
    """One sheet. `begin`, `add_rows` and `end` return the bytes that are ready to be sent."""

    def __init__(self, title: str, *, right_to_left: bool = False) -> None:
        self._output = _Output()
        self._archive = ZipFile(self._output, "w", ZIP_DEFLATED)
        self._number = 0
        for name, text in _FILES.items():
            self._archive.writestr(name, text)
        self._archive.writestr(
            "xl/workbook.xml",
            f"""{_HEAD}<workbook xmlns="{_MAIN}" xmlns:r="{_OFFICE}"><sheets>
<sheet name="{_attribute(title)}" sheetId="1" r:id="rId1"/></sheets></workbook>""",
        )
        self._sheet = self._archive.open("xl/worksheets/sheet1.xml", "w", force_zip64=True)
        side = ' rightToLeft="1"' if right_to_left else ""
        pane = '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>'
        view = f'<sheetViews><sheetView workbookViewId="0"{side}>{pane}</sheetView></sheetViews>'
        self._write(f'{_HEAD}<worksheet xmlns="{_MAIN}">{view}<sheetData>')

    def begin(self, names: Sequence[str]) -> bytes:
        self._add_row([_text_cell(name, _BOLD) for name in names])
        return self._output.take()

    def add_rows(self, rows: Iterable[Sequence[Cell]]) -> bytes:
        for row in rows:
            if self._number <= MAX_ROWS:
                self._add_row([_cell(value) for value in row])
        return self._output.take()

    def end(self) -> bytes:
        self._write("</sheetData></worksheet>")
        self._sheet.close()
        self._archive.close()
        return self._output.take()

    def _add_row(self, cells: Sequence[str]) -> None:
        self._number += 1
        self._write(f'<row r="{self._number}">{"".join(cells)}</row>')

    def _write(self, text: str) -> None:
        self._sheet.write(text.encode("utf-8", "replace"))


def _cell(value: Cell) -> str:
    if value is None or value == "":
        return "<c/>"
    if isinstance(value, int | Decimal):
        return f"<c><v>{value:f}</v></c>" if isinstance(value, Decimal) else f"<c><v>{value}</v></c>"
    if isinstance(value, datetime):
        days = (value.replace(tzinfo=UTC) - _FIRST_DAY).total_seconds() / 86400  # the local time, as it is shown
        return f'<c s="{_DATE}"><v>{days:.8f}</v></c>'
    return _text_cell(value)


def _text_cell(text: str, style: int = 0) -> str:
    """A text is never a formula in a workbook, whatever it begins with."""
    cleaned = escape(_NOT_XML.sub("", text[:_MAX_CELL_LENGTH]))
    return f'<c t="inlineStr" s="{style}"><is><t xml:space="preserve">{cleaned}</t></is></c>'


def _attribute(title: str) -> str:
    """A sheet's name has at most 31 characters, and not all of them."""
    return escape(re.sub(r"[\[\]:*?/\\]", " ", title)[:31], {'"': "&quot;"})
