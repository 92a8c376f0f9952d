"""Reads a CSV file row by row. Encoding and separator are recognized."""

import csv
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from io import TextIOWrapper
from itertools import chain, islice
from typing import BinaryIO

from frontdesk.imports.encodings import recognize_encoding
from frontdesk.imports.problems import FileProblem
from frontdesk.imports.table import Row, unreadable

_SEPARATORS = ",;\t|"
_SAMPLE_LINES = 50
_MAX_LINE = 1024 * 1024
_END = "\0"  # a line after the last one; no file that is read has this character


def read_csv(file: BinaryIO) -> Iterator[Row]:
    encoding = recognize_encoding(file)
    separator, is_named = _recognize_separator(_text_lines(file, encoding))
    file.seek(0)
    reader = csv.reader(chain(_text_lines(file, encoding), [_END]), delimiter=separator, strict=False)
    try:
        for number, cells in enumerate(islice(reader, int(is_named), None), 1):  # a spreadsheet does not show "sep=;"
            if cells == [_END]:
                return
            if cells and cells[-1].endswith(_END):  # a quotation mark that is not closed includes the rest of the file
                raise unreadable(FileProblem.UNREADABLE_ROW, row=number)
            yield Row(number, cells)
    except csv.Error:
        raise unreadable(FileProblem.UNREADABLE_ROW, row=reader.line_num) from None


def _text_lines(file: BinaryIO, encoding: str) -> Iterator[str]:
    """Lines of bounded length, so that a file without line breaks is not read as one text."""
    text = TextIOWrapper(file, encoding, errors="replace", newline="")
    try:
        while line := text.readline(_MAX_LINE):
            if len(line) == _MAX_LINE or "\0" in line:
                raise unreadable(FileProblem.NOT_A_TABLE)
            yield line
    finally:
        if not file.closed:
            text.detach()  # the wrapper would close the file


def _recognize_separator(lines: Iterator[str]) -> tuple[str, bool]:
    """The separator, and whether the first line names it, as Excel's "sep=;" does."""
    sample = list(islice(lines, _SAMPLE_LINES))
    lines.close()  # type: ignore[attr-defined] # a generator, which has the file
    first = sample[0].strip() if sample else ""
    if first.lower().startswith("sep=") and len(first) == 5:
        return first[4], True
    return max(_SEPARATORS, key=lambda separator: _evenness(sample, separator)), False


def _evenness(lines: Iterable[str], separator: str) -> tuple[int, int]:
    """How many rows have the most frequent width, if that is more than one column, and that width."""
    widths: Counter[int] = Counter()
    with suppress(csv.Error):  # a cell that is too long, which reading the file reports with its row
        widths.update(len(cells) for cells in csv.reader(lines, delimiter=separator) if len(cells) > 1)
    return max(((count, width) for width, count in widths.items()), default=(0, 0))
