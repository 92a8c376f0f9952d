"""Reads the first visible sheet of an Excel workbook (.xlsx) row by row, in constant memory.

A workbook is a zip archive of XML files. The texts of cells are in a file of their own, by number; they are copied to a
temporary file, so that the memory does not grow with the workbook.
"""

from array import array
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from datetime import datetime, timedelta
from mmap import ACCESS_READ, mmap
from tempfile import TemporaryFile
from typing import IO, BinaryIO, NamedTuple
from xml.parsers import expat
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo
from zlib import error as ZlibError  # noqa: N812 - a class

from frontdesk.imports.date_formats import is_date_format
from frontdesk.imports.problems import FileProblem
from frontdesk.imports.table import MAX_CELL_LENGTH, MAX_COLUMNS, MAX_FILE_BYTES, Row, unreadable

_BLOCK = 64 * 1024
_MAX_MEMBERS = 2000
_MAX_DIRECTORY = 1024 * 1024  # of the archive: where its members are
_MAX_NAMES = 10_000  # of elements and attributes in one file; expat keeps each of them
_MAX_DEPTH = 100  # of elements in one another, which expat keeps too
_MAX_UNPACKED = 1024 * 1024 * 1024  # of one file in the archive
_MAX_PIECE = 1024 * 1024  # of XML, such as a tag with its attributes: expat keeps it until its end
_MAX_TEXTS = 5_000_000
_MAX_ELEMENTS = 500_000  # of a file that describes the workbook; Excel has at most 65,490 cell formats
_MAX_ROW = 1_048_576  # as in Excel
_MAX_RATIO = 200  # a workbook of repeated rows is packed about 1 : 100; a zip bomb 1 : 1000
_PACKINGS = {ZIP_STORED, ZIP_DEFLATED}
_MAX_TEXT = MAX_FILE_BYTES  # characters of all cells, as in a CSV file: many cells can have the same long text
_DAMAGED = (
    BadZipFile,
    ZlibError,
    expat.ExpatError,
    LookupError,
    NotImplementedError,
    RuntimeError,
    EOFError,
    ValueError,
)
_Attributes = dict[str, str]


def read_xlsx(file: BinaryIO) -> Iterator[Row]:
    with ExitStack() as stack:
        try:
            archive = stack.enter_context(ZipFile(_ShortReads(file)))
            members = {info.filename.lower().lstrip("/"): info for info in _checked(archive.infolist())}
            workbook = _read_workbook(archive, members)
            texts = stack.enter_context(_Texts())
            texts.load(archive, members.get("xl/sharedstrings.xml"))
            with archive.open(members[workbook.sheet]) as sheet:
                yield from _Sheet(texts, workbook).rows(sheet)
        except _DAMAGED:
            raise unreadable(FileProblem.DAMAGED_WORKBOOK) from None


class _ShortReads:
    """The file, without long reads. zipfile reads the whole directory at once, and makes an object of each member."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self.seek, self.tell, self.seekable = file.seek, file.tell, file.seekable

    def read(self, size: int = -1) -> bytes:
        if size > _MAX_DIRECTORY:
            raise BadZipFile
        return self._file.read(size)


def _checked(members: list[ZipInfo]) -> list[ZipInfo]:
    """Refuses a zip bomb by the sizes in its directory. zipfile unpacks no more of a member than its directory says, if
    it is packed as Excel does it.
    """
    if len(members) > _MAX_MEMBERS or any(info.compress_type not in _PACKINGS for info in members):
        raise unreadable(FileProblem.DAMAGED_WORKBOOK)
    for info in members:
        if info.file_size > _MAX_UNPACKED or info.file_size > _BLOCK + _MAX_RATIO * info.compress_size:
            raise unreadable(FileProblem.WORKBOOK_TOO_LARGE)
    return members


def _parse(
    source: IO[bytes], start: Callable[[str, _Attributes], None], **handlers: Callable[..., None]
) -> Iterator[None]:
    """Parses block by block. A document type is refused: its entities could expand without end."""
    end, depth = handlers.get("end"), 0

    def start_element(name: str, attributes: _Attributes) -> None:
        nonlocal depth
        depth += 1
        if depth > _MAX_DEPTH:
            raise unreadable(FileProblem.DAMAGED_WORKBOOK)
        start(_local(name) if ":" in name else name, attributes)

    def end_element(name: str) -> None:
        nonlocal depth
        depth -= 1
        if end is not None:
            end(_local(name) if ":" in name else name)

    names: dict[str, str] = {}
    parser = expat.ParserCreate(intern=names)
    parser.buffer_text = True
    parser.StartElementHandler, parser.EndElementHandler = start_element, end_element
    parser.StartDoctypeDeclHandler = _refuse_doctype
    if "text" in handlers:
        parser.CharacterDataHandler = handlers["text"]
    size = 0
    while block := source.read(_BLOCK):
        parser.Parse(block)
        size += len(block)
        if size - parser.CurrentByteIndex > _MAX_PIECE or len(names) > _MAX_NAMES:
            raise unreadable(FileProblem.DAMAGED_WORKBOOK)
        yield
    parser.Parse(b"", True)  # noqa: FBT003 - expat takes no keywords
    yield


def _refuse_doctype(*_: object) -> None:
    raise unreadable(FileProblem.DAMAGED_WORKBOOK)


def _local(name: str) -> str:
    """Without the prefix of the namespace, which some programs write."""
    return name.rpartition(":")[2]


class _Workbook(NamedTuple):
    sheet: str  # its path in the archive
    date_styles: frozenset[int]
    first_day: datetime


def _read_workbook(archive: ZipFile, members: dict[str, ZipInfo]) -> _Workbook:
    sheets: list[_Attributes] = []
    first_day = datetime(1899, 12, 30)  # noqa: DTZ001 - a date without a zone; the year 1900 had no leap day

    def start(name: str, attributes: _Attributes) -> None:
        nonlocal first_day
        if name == "sheet":
            sheets.append({_local(key): value for key, value in attributes.items()})
        elif name == "workbookPr" and attributes.get("date1904") in ("1", "true"):
            first_day = datetime(1904, 1, 1)  # noqa: DTZ001

    _parse_member(archive, members["xl/workbook.xml"], start)
    visible = next((one for one in sheets if one.get("state", "visible") == "visible"), sheets[0] if sheets else None)
    if visible is None:
        raise unreadable(FileProblem.NO_SHEET)
    targets: dict[str, str] = {}
    _parse_member(
        archive,
        members["xl/_rels/workbook.xml.rels"],
        lambda _, rel: targets.update({rel.get("Id", ""): rel.get("Target", "")}),
    )
    target = targets[visible["id"]].lower()
    path = target.lstrip("/") if target.startswith("/") else f"xl/{target}"
    return _Workbook(path, _date_styles(archive, members.get("xl/styles.xml")), first_day)


def _date_styles(archive: ZipFile, member: ZipInfo | None) -> frozenset[int]:
    """The positions of the cell formats that show a number as a date."""
    formats: dict[int, str] = {}
    used: list[int] = []
    inside = ""

    def start(name: str, attributes: _Attributes) -> None:
        nonlocal inside
        if name in ("cellXfs", "cellStyleXfs", "dxfs"):
            inside = name
        elif name == "numFmt" and inside != "dxfs":
            formats[int(attributes["numFmtId"])] = attributes.get("formatCode", "")
        elif name == "xf" and inside == "cellXfs":
            used.append(int(attributes.get("numFmtId", 0)))

    if member is not None:
        _parse_member(archive, member, start)
    return frozenset(place for place, number in enumerate(used) if is_date_format(number, formats.get(number)))


def _parse_member(archive: ZipFile, member: ZipInfo, start: Callable[[str, _Attributes], None]) -> None:
    """The caller keeps something of each element, so their number is limited."""
    count = 0

    def counted(name: str, attributes: _Attributes) -> None:
        nonlocal count
        count += 1
        if count > _MAX_ELEMENTS:
            raise unreadable(FileProblem.DAMAGED_WORKBOOK)
        start(name, attributes)

    with archive.open(member) as source:
        for _ in _parse(source, counted):
            pass


class _Parts:
    """The parts of a text, up to one character more than a cell may have."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._length = 0

    def add(self, text: str) -> None:
        if self._length <= MAX_CELL_LENGTH:
            self._parts.append(text)
            self._length += len(text)

    def take(self) -> str:
        text = "".join(self._parts)[: MAX_CELL_LENGTH + 1]
        self._parts.clear()
        self._length = 0
        return text


class _Texts:
    """The shared texts of a workbook, in a temporary file."""

    def __init__(self) -> None:
        self._file = TemporaryFile()  # noqa: SIM115 - __exit__ closes it
        self._content: mmap | bytes = b""
        self._ends = array("Q", [0])
        self._parts = _Parts()
        self._depth = 0  # of <t>, or negative inside a phonetic hint

    def __enter__(self) -> "_Texts":
        return self

    def __exit__(self, *_: object) -> None:
        if isinstance(self._content, mmap):
            self._content.close()
        self._file.close()

    def load(self, archive: ZipFile, member: ZipInfo | None) -> None:
        if member is None:
            return
        with archive.open(member) as source:
            for _ in _parse(source, self._start, end=self._end, text=self._text):
                pass
        self._file.flush()
        if self._ends[-1]:
            self._content = mmap(self._file.fileno(), 0, access=ACCESS_READ)

    def _start(self, name: str, _attributes: _Attributes) -> None:
        if name == "rPh":
            self._depth = -1
        elif name == "t":
            self._depth += 1

    def _end(self, name: str) -> None:
        if name == "rPh":
            self._depth = 0
        elif name == "t":
            self._depth -= 1
        elif name == "si":
            text = self._parts.take().encode("utf-8", "replace")
            if len(self._ends) > _MAX_TEXTS:
                raise unreadable(FileProblem.DAMAGED_WORKBOOK)
            self._file.write(text)
            self._ends.append(self._ends[-1] + len(text))

    def _text(self, text: str) -> None:
        if self._depth > 0:
            self._parts.add(text)

    def get(self, number: int) -> str:
        return self._content[self._ends[number] : self._ends[number + 1]].decode("utf-8")


class _Sheet:
    """Collects the cells of a sheet while it is parsed."""

    def __init__(self, texts: _Texts, workbook: _Workbook) -> None:
        self._texts = texts
        self._workbook = workbook
        self._done: list[Row] = []
        self._number = 0
        self._cells: list[str] = []
        self._column = -1
        self._type = "n"
        self._style = 0
        self._parts = _Parts()  # of the value
        self._is_value = False  # inside <v> or <t>
        self._value = ""
        self._size = 0  # of all texts

    def rows(self, source: IO[bytes]) -> Iterator[Row]:
        for _ in _parse(source, self._start, end=self._end, text=self._text):
            yield from self._done
            self._done.clear()

    def _start(self, name: str, attributes: _Attributes) -> None:
        if name == "c":
            reference = attributes.get("r")
            self._column = column_of(reference) if reference else self._column + 1
            self._type, self._style = attributes.get("t", "n"), int(attributes.get("s", 0))
            self._parts.take()
        elif name in ("v", "t"):
            self._is_value = True
        elif name == "row":
            last, self._number = self._number, int(attributes.get("r", self._number + 1))
            if not last < self._number <= _MAX_ROW:
                raise unreadable(FileProblem.DAMAGED_WORKBOOK)
            self._cells, self._column = [], -1

    def _text(self, text: str) -> None:
        if self._is_value:
            self._parts.add(text)

    def _end(self, name: str) -> None:
        if name in ("v", "t"):
            self._is_value = False
        elif name == "c":
            self._value = self._parts.take()
            if not self._value:
                return
            if not 0 <= self._column <= MAX_COLUMNS:
                raise unreadable(FileProblem.TOO_MANY_COLUMNS, most=MAX_COLUMNS)
            self._cells += [""] * (self._column + 1 - len(self._cells))
            self._cells[self._column] = text = self._text_of_cell()
            self._size += len(text)
            if self._size > _MAX_TEXT:
                raise unreadable(FileProblem.WORKBOOK_TOO_LARGE)
        elif name == "row":
            self._done.append(Row(self._number, self._cells))

    def _text_of_cell(self) -> str:
        match self._type:
            case "s":
                return self._texts.get(int(self._value))
            case "b":
                return "yes" if self._value == "1" else "no"
            case "n":
                return self._number_text()
            case "e":  # an error such as #N/A
                return ""
            case _:
                return self._value

    def _number_text(self) -> str:
        """A date in the ISO format, or the number without an exponent, so that a phone number stays readable."""
        value = float(self._value)
        if self._style in self._workbook.date_styles:
            with suppress(OverflowError):
                moment = self._workbook.first_day + timedelta(days=value)
                if 0 < value < 1:  # a time of no day
                    return moment.strftime("%H:%M")
                return moment.date().isoformat() if value == int(value) else moment.isoformat(" ", "minutes")
        if value.is_integer() and abs(value) < 1e18:
            return str(int(value))
        return f"{value:.10f}".rstrip("0").rstrip(".") if abs(value) < 1e15 else self._value


def column_of(reference: str) -> int:
    """The position of the column of a cell such as "AB12", or one that is too far to the right."""
    column = 0
    for letter in reference:
        if not "A" <= letter <= "Z" or column > MAX_COLUMNS + 1:
            break
        column = column * 26 + ord(letter) - 64
    return column - 1
