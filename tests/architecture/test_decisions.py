"""The decision records have one form, and the index lists all of them."""

import re
from datetime import date
from pathlib import Path
from typing import NamedTuple

import pytest

FOLDER = Path(__file__).parent.parent.parent / "docs" / "decisions"
RECORDS = sorted(FOLDER.glob("[0-9]*.md"))
INDEX = (FOLDER / "README.md").read_text()
MAX_LINES = 45  # without empty ones
MAX_LENGTH = 150  # of a line that is no row of a table
_HEADER = re.compile(r"# (.+)\n\n- Date: (\S+)\n- Status: (.+)\n(?:- Replaces: (.+)\n)?\n")
_NUMBER = re.compile(r"\[(\d{4})\]\(\1-[a-z0-9-]+\.md\)")
_ROW = re.compile(r"^\| \[(\d{4})\]\((\S+)\) \| (.+) \| (\S+) \| (.+) \|$", re.MULTILINE)


class Record(NamedTuple):
    title: str
    date: str
    status: str
    replaces: str

    @property
    def superseded_by(self) -> list[str]:
        return _NUMBER.findall(self.status)


def read(path: Path) -> Record:
    header = _HEADER.match(path.read_text())
    assert header, f"{path.name} does not begin with a title, its date and its status"
    return Record(header[1], header[2], header[3], header[4] or "")


def test_records_have_numbers_of_their_own() -> None:
    numbers = [path.name[:4] for path in RECORDS]
    assert len(numbers) == len(set(numbers)) > 50


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_a_record_has_a_date_and_a_status(path: Path) -> None:
    record = read(path)
    date.fromisoformat(record.date)
    kind = record.status.partition(" by ")[0]
    assert kind in ("accepted", "superseded", "partly superseded")
    assert bool(record.superseded_by) == (kind != "accepted")


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_a_record_is_at_most_a_page(path: Path) -> None:
    lines = path.read_text().splitlines()
    assert len([line for line in lines if line]) <= MAX_LINES
    header = ("- Status: ", "- Replaces: ")
    assert [line for line in lines if len(line) > MAX_LENGTH and not line.startswith(("|", *header))] == []


def test_the_later_record_names_the_one_that_it_replaces() -> None:
    records = {path.name[:4]: read(path) for path in RECORDS}
    superseded = {(new, old) for old, record in records.items() for new in record.superseded_by}
    replaces = {(new, old) for new, record in records.items() for old in _NUMBER.findall(record.replaces)}
    assert superseded == replaces
    assert all(old < new for new, old in superseded)


def test_the_index_lists_every_record() -> None:
    rows = {row[0]: row[1:] for row in _ROW.findall(INDEX)}
    assert list(rows) == [path.name[:4] for path in RECORDS]
    for path in RECORDS:
        record = read(path)
        status = record.status.partition(" by ")[0]
        expected = " by ".join(filter(None, [status, ", ".join(record.superseded_by)]))
        assert rows[path.name[:4]] == (path.name, record.title, record.date, expected)


def test_the_index_explains_missing_numbers() -> None:
    numbers = {int(path.name[:4]) for path in RECORDS}
    missing = set(range(1, max(numbers) + 1)) - numbers
    text = INDEX.partition("Missing numbers:")[2]
    unused = re.findall(r"\b\d{4}\b", text.partition("The same is true of ")[2].partition(".")[0])
    assert {number for number in missing if f"{number:04d}" not in text} == set()
    assert {int(number) for number in unused} <= missing
