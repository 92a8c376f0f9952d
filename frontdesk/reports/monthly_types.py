"""The month of a business as its page, its PDF and its mail show it: in texts of the reader's language."""

from datetime import date, datetime

import msgspec

from frontdesk.messages.types import Business


class MonthFigure(msgspec.Struct, frozen=True):
    label: str
    value: str
    note: str = ""


class MonthTable(msgspec.Struct, frozen=True):
    title: str
    columns: tuple[str, ...]  # the first is of texts, the others of numbers
    rows: tuple[tuple[str, ...], ...]


class MonthlyReport(msgspec.Struct, frozen=True):
    language: str
    is_right_to_left: bool
    business: Business
    email: str
    reader: str
    first: date
    last: date
    month: str  # its name
    sentences: tuple[str, ...]
    figures: tuple[MonthFigure, ...]
    tables: tuple[MonthTable, ...]
    written_at: datetime
