"""Files as spreadsheets and other programs write them, and files that are no tables."""

import io
import random
import zipfile
from collections.abc import Sequence

import pytest

from frontdesk.imports.cell_values import Refused, read_phone
from frontdesk.imports.read_table import read_table
from frontdesk.imports.table import MAX_CELL_LENGTH, MAX_COLUMNS, MAX_FILE_BYTES
from frontdesk.problems import Problem
from frontdesk.ui.shell.formatting import Formatter
from frontdesk.ui.shell.problems import problem_text
from tests.imports.workbooks import workbook

ARABIC = "الاسم,رقم الجوال\nسارة العتيبي,٠٥٠١٢٣٤٥٦٧\n"


def read(content: bytes) -> list[Sequence[str]]:
    return [row.cells for row in read_table(io.BytesIO(content))]


def refusal(content: bytes) -> str:
    with pytest.raises(Problem) as refused:
        read(content)
    assert refused.value.at == ("file",)
    return problem_text(refused.value, "en", Formatter("en", None))


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
def test_unicode_is_recognized(encoding: str) -> None:
    assert read(ARABIC.encode(encoding)) == [["الاسم", "رقم الجوال"], ["سارة العتيبي", "٠٥٠١٢٣٤٥٦٧"]]


def test_an_arabic_name_in_the_last_row_decides_the_encoding() -> None:
    rows = "name\n" + "Sara\n" * 50_000
    assert read((rows + "سارة\n").encode())[-1] == ["سارة"]
    assert read((rows + "سارة العتيبي\n").encode("windows-1256"))[-1] == ["سارة العتيبي"]


def test_arabic_and_european_code_pages_are_recognised() -> None:
    assert read("الاسم;المدينة\nنورة;جدة\n".encode("windows-1256"))[1] == ["نورة", "جدة"]
    assert read("Prénom;Ville\nZoë;Orléans\n".encode("windows-1252"))[1] == ["Zoë", "Orléans"]


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
def test_the_separator_is_recognized(separator: str) -> None:
    assert read(f'a{separator}b\n"1{separator}5"{separator}2\n'.encode())[1] == [f"1{separator}5", "2"]


def test_a_first_line_may_name_the_separator() -> None:
    assert read(b"sep=;\r\na;b\r\n1,5;2\r\n") == [["a", "b"], ["1,5", "2"]]


def test_rows_are_numbered_as_a_spreadsheet_numbers_them() -> None:
    rows = list(read_table(io.BytesIO(b'a,b\n"two\nlines",x\n\n,,\nlast,y\n')))
    assert [row.number for row in rows] == [1, 2, 5]


def test_a_workbook_has_texts_numbers_dates_and_phones() -> None:
    sheet = """
      <row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="inlineStr"><is><t>Mobile</t></is></c></row>
      <row r="3"><c r="A3" t="s"><v>1</v></c><c r="B3"><v>5.53182047E8</v></c><c r="C3" s="1"><v>45292</v></c>
        <c r="D3"><v>12.5</v></c><c r="E3" t="b"><v>1</v></c><c r="F3" s="1"><v>0.5625</v></c>
        <c r="G3" s="1"><v>45292.75</v></c><c r="H3" t="e"><v>#N/A</v></c></row>"""
    name = '<si><r><t xml:space="preserve">Sara </t></r><r><t>Al-Otaibi</t></r><rPh><t>x</t></rPh></si>'
    texts = f"<si><t>Name</t></si>{name}"
    rows = list(read_table(io.BytesIO(workbook(sheet, texts, date_format="dd/mm/yyyy"))))
    assert [row.number for row in rows] == [1, 3]
    assert rows[1].cells == [*("Sara Al-Otaibi", "553182047", "2024-01-01", "12.5", "yes", "13:30", "2024-01-01 18:00")]


@pytest.mark.parametrize(
    ("number_format", "number", "text"),
    [
        ("dd/mm/yyyy", "45292", "2024-01-01"),
        ("[$-409]d-mmm-yy;@", "45292.395833333", "2024-01-01 09:30"),
        ("h:mm", "0.395833333", "09:30"),
        ("[h]:mm", "0.5625", "13:30"),
        ("[h]:mm", "1.5", "36:00"),
        ("0%", "0.15", "0.15"),
        ("0.00E+00", "966501234567", "966501234567"),
        ("&quot;day&quot; 0", "3", "3"),
        ("General", "1E20", "1e+20"),
    ],
)
def test_a_number_is_read_by_its_format(number_format: str, number: str, text: str) -> None:
    sheet = f'<row r="1"><c r="A1" s="1"><v>{number}</v></c></row>'
    assert read(workbook(sheet, "", date_format=number_format)) == [[text]]


def test_dates_can_begin_in_1904() -> None:
    sheet = '<row r="1"><c r="A1" s="1"><v>43830</v></c></row>'
    assert read(workbook(sheet, "", date_format="dd/mm/yyyy", more='<workbookPr date1904="1"/>')) == [["2024-01-01"]]


def test_columns_and_rows_that_are_empty_stay_where_they_are() -> None:
    sheet = '<row r="3"><c r="C3"><v>0</v></c><c r="D3" s="1"/></row><row r="5"><c r="B5" t="b"><v>0</v></c></row>'
    rows = list(read_table(io.BytesIO(workbook(sheet, ""))))
    assert rows == [(3, ["", "", "0"]), (5, ["", "no"])]


def test_phones_that_excel_has_written_as_formulas_or_shortened() -> None:
    (_, row) = read_table(io.BytesIO(b'Name,Mobile\nSara,"=""0501234567"""\n'))
    assert read_phone(row.cells[1], "SA") == "+966501234567"
    with pytest.raises(Refused, match="SHORTENED_PHONE"):
        read_phone("9.66501E+11", "SA")


def test_a_zip_bomb_is_refused_before_it_is_unpacked() -> None:
    bomb = io.BytesIO()
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/workbook.xml", "<workbook/>")
        archive.writestr("xl/worksheets/sheet1.xml", b"0" * 30_000_000)
    assert "too large when it is unpacked" in refusal(bomb.getvalue())


@pytest.mark.parametrize(
    "sheet",
    [
        '<row r="1"><c r="A1" t="s"><v>7</v></c></row>',  # no such text
        '<row r="1"><c r="A1" t="x"><v>7</v></c></row>',  # no such type
        '<row r="1"><c r="A1"><v>1</v></row>',
        '<row r="1"><c r="A1"><v>1',
    ],
)
def test_a_workbook_that_contradicts_itself_is_refused(sheet: str) -> None:
    assert "damaged" in refusal(workbook(sheet, "<si><t>Name</t></si>"))


def test_rows_are_in_the_order_of_their_numbers() -> None:
    sheet = '<row r="2"><c r="A2"><v>2</v></c></row><row r="1"><c r="A1"><v>1</v></c></row>'
    assert read(workbook(sheet, "")) == [["1"], ["2"]]


def test_a_damaged_workbook_is_refused() -> None:
    content = workbook('<row r="1"><c r="A1" t="s"><v>0</v></c></row>', "<si><t>Name</t></si>")
    place = content.index(b"xl/sharedStrings.xml") + len("xl/sharedStrings.xml")
    assert "damaged" in refusal(content[:place] + b"\xff" * 20 + content[place + 20 :])


def test_a_workbook_of_too_many_files_is_refused() -> None:
    content = workbook('<row r="1"><c r="A1" t="s"><v>0</v></c></row>', "<si><t>Name</t></si>")
    end = content.rindex(b"PK\x05\x06")
    begin = int.from_bytes(content[end + 16 : end + 20], "little")
    directory = content[begin:end] * 5000
    size = len(directory).to_bytes(4, "little")
    long = content[:begin] + directory + content[end : end + 12] + size + content[end + 16 :]
    assert "damaged" in refusal(long)


def test_a_long_text_is_refused_however_many_parts_it_has() -> None:
    noise = f"<!--{random.Random(1).randbytes(100_000).hex()}-->"  # packs badly, so it is no zip bomb by its ratio
    for parts in (f"<t>{'y' * (MAX_CELL_LENGTH + 1)}</t>", f"<t>{'y' * MAX_CELL_LENGTH}</t>" * 1500):
        sheet = f'{noise}<row r="1"><c r="A1" t="inlineStr"><is>{parts}</is></c></row>'
        assert "more than" in refusal(workbook(sheet, ""))


@pytest.mark.parametrize("column", ["CX", "XFD", "Z" * 1000])
def test_a_cell_too_far_to_the_right_is_refused(column: str) -> None:
    assert "columns" in refusal(workbook(f'<row r="1"><c r="A1"/><c r="{column}1"><v>1</v></c></row>', ""))


def test_cells_that_share_a_long_text_are_limited_as_if_each_had_its_own() -> None:
    """A file of 50 KB could have taken gigabytes."""
    noise = f"<!--{random.Random(1).randbytes(1000).hex()}-->"  # packs badly, so it is no zip bomb by its ratio
    row = "<row>" + '<c t="s"><v>0</v></c>' * MAX_COLUMNS + "</row>"
    text = f"<si><t>{'y' * MAX_CELL_LENGTH}</t></si>"
    assert "too large when it is unpacked" in refusal(workbook(noise + row * (MAX_FILE_BYTES // 10**6 + 1), text))


@pytest.mark.parametrize("packing", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_a_workbook_that_excel_would_not_pack_like_this_is_refused(packing: int) -> None:
    content = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(workbook("<row><c><v>1</v></c></row>" * 2, ""))) as packed,
        zipfile.ZipFile(content, "w", packing) as archive,
    ):
        for name in packed.namelist():
            archive.writestr(name, packed.read(name))
    assert "damaged" in refusal(content.getvalue())


def test_entities_are_refused() -> None:
    doctype = '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;">]>'
    sheet = '<row r="1"><c r="A1" t="str"><v>&b;</v></c></row>'
    assert "damaged" in refusal(workbook(sheet, "", prologue=doctype))


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"%PDF-1.7", "not a table"),
        (b"\x89PNG\r\n", "not a table"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1", "old Excel file"),
        (b"PK\x03\x04 broken", "damaged"),
        (b"a" * 1_100_000, "not a table"),
        (b"a\n" + b"b" * (MAX_CELL_LENGTH + 1), "Row 2 has a cell"),
        (b"," * MAX_COLUMNS + b"x\n", "columns"),
        (b"a,b\n" + b"c" * 200_000 + b",d\n", "Row 2 cannot be read"),
    ],
)
def test_a_file_that_is_no_table_is_refused_with_the_reason(content: bytes, reason: str) -> None:
    assert reason in refusal(content)
