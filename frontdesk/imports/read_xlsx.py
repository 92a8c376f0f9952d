"""Reads the first visible sheet of an Excel workbook (.xlsx), whole: `reading.py` limits the memory and the time."""

from collections.abc import Iterator
from datetime import date, datetime, time, timedelta
from typing import BinaryIO
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile

from python_calamine import CalamineError, CalamineSheet, CalamineWorkbook, SheetTypeEnum, SheetVisibleEnum

from frontdesk.imports.problems import FileProblem
from frontdesk.imports.table import MAX_COLUMNS, MAX_FILE_BYTES, Row, unreadable

_MAX_MEMBERS = 2000
_MAX_UNPACKED = 1024 * 1024 * 1024  # of one file in the archive
_MAX_RATIO = 200  # a workbook of repeated rows is packed about 1 : 100; a zip bomb 1 : 1000
_SMALL = 64 * 1024  # a file that is packed at any ratio
_PACKINGS = {ZIP_STORED, ZIP_DEFLATED}
_MAX_TEXT = MAX_FILE_BYTES  # characters of all cells, as in a CSV file: many cells can have the same long text
_Value = int | float | str | bool | time | date | datetime | timedelta


def read_xlsx(file: BinaryIO) -> Iterator[Row]:
    try:
        _check_sizes(file)
        file.seek(0)
        with CalamineWorkbook.from_filelike(file) as workbook:
            yield from _rows(_first_visible(workbook))
    # RuntimeError, ValueError and so on come from zipfile, OverflowError from a date that Python cannot hold
    except (BadZipFile, CalamineError, LookupError, NotImplementedError, RuntimeError, ValueError, OverflowError):
        raise unreadable(FileProblem.DAMAGED_WORKBOOK) from None
    except MemoryError:
        raise unreadable(FileProblem.WORKBOOK_TOO_LARGE) from None


def _check_sizes(file: BinaryIO) -> None:
    """Refuses a zip bomb by the sizes in its directory, and what is no workbook or not packed as Excel does it."""
    with ZipFile(file) as archive:
        members = archive.infolist()
    if len(members) > _MAX_MEMBERS or any(member.compress_type not in _PACKINGS for member in members):
        raise BadZipFile
    if all(member.filename.lower().lstrip("/") != "xl/workbook.xml" for member in members):
        raise BadZipFile
    for member in members:
        if member.file_size > _MAX_UNPACKED or member.file_size > _SMALL + _MAX_RATIO * member.compress_size:
            raise unreadable(FileProblem.WORKBOOK_TOO_LARGE)


def _first_visible(workbook: CalamineWorkbook) -> CalamineSheet:
    tables = [
        (index, sheet.visible)
        for index, sheet in enumerate(workbook.sheets_metadata)
        if sheet.typ == SheetTypeEnum.WorkSheet
    ]
    if not tables:
        raise unreadable(FileProblem.NO_SHEET)
    visible = (index for index, state in tables if state == SheetVisibleEnum.Visible)
    return workbook.get_sheet_by_index(next(visible, tables[0][0]))


def _rows(sheet: CalamineSheet) -> Iterator[Row]:
    if sheet.start is None or sheet.end is None:
        return
    if sheet.end[1] > MAX_COLUMNS:
        raise unreadable(FileProblem.TOO_MANY_COLUMNS, most=MAX_COLUMNS)
    left, size = [""] * sheet.start[1], 0  # rows come from the first one, cells from the first column with a value
    for number, values in enumerate(sheet.iter_rows(), 1):
        if values.count("") == len(values):
            continue
        cells = [_text(value) for value in values]
        size += sum(map(len, cells))
        if size > _MAX_TEXT:
            raise unreadable(FileProblem.WORKBOOK_TOO_LARGE)
        yield Row(number, left + cells)


def _text(value: _Value) -> str:
    match value:
        case bool():
            return "yes" if value else "no"
        case float():
            return _number_text(value)
        case datetime():
            return value.isoformat(" ", "minutes")
        case time():
            return value.isoformat("minutes")
        case timedelta():
            minutes = round(value.total_seconds()) // 60
            return f"{minutes // 60:02}:{minutes % 60:02}"
        case _:  # a text, a date, or a whole number
            return str(value)


def _number_text(value: float) -> str:
    """Without an exponent, so that a phone number stays readable."""
    if value.is_integer() and abs(value) < 1e18:
        return str(int(value))
    return f"{value:.10f}".rstrip("0").rstrip(".") if abs(value) < 1e15 else str(value)
