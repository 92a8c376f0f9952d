"""The numbers of a report as a table, which pages show and files contain."""

from collections.abc import Sequence
from datetime import date
from decimal import Decimal
from enum import StrEnum
from typing import NamedTuple

from frontdesk.ui.shell.context import PageContext
from frontdesk.values.money import round_half_up

MAX_ROWS = 400  # the days of a year

Value = str | int | Decimal | date | None


class ColumnKind(StrEnum):
    TEXT = "text"
    DAY = "day"
    AMOUNT = "amount"
    COUNT = "count"
    PERCENT = "percent"
    HOURS = "hours"  # minutes, shown as hours and minutes


class Column(NamedTuple):
    label: str
    kind: ColumnKind = ColumnKind.AMOUNT
    fold_class: str = "hide-folded"  # on a phone, where a row is a few lines

    @property
    def is_number(self) -> bool:
        return self.kind not in (ColumnKind.TEXT, ColumnKind.DAY)


class Table(NamedTuple):
    columns: Sequence[Column]
    rows: Sequence[Sequence[Value]]
    total: Sequence[Value] = ()

    @property
    def shown(self) -> Sequence[Sequence[Value]]:
        """The rows on the page; files have all."""
        return self.rows[:MAX_ROWS]


def show(context: PageContext, column: Column, value: Value) -> str:
    """As a page shows it."""
    if value is None:
        return "–"
    if isinstance(value, date):
        return context.format.day(value)
    return value if isinstance(value, str) else _show_number(context, column.kind, value)


def _show_number(context: PageContext, kind: ColumnKind, value: int | Decimal) -> str:
    if kind is ColumnKind.AMOUNT:
        return context.format.amount(Decimal(value))
    if kind is ColumnKind.PERCENT:
        return f"{value:f}%" if isinstance(value, Decimal) else f"{value}%"
    if kind is ColumnKind.HOURS:
        return f"{int(value) // 60}:{int(value) % 60:02}"
    return f"{value:,}".replace("-", "\N{MINUS SIGN}")


def exact(context: PageContext, column: Column, value: Value) -> str | int | Decimal | None:
    """As a file has it: numbers without separators, amounts with the decimals of the currency, hours as a number."""
    if isinstance(value, date):
        return value.isoformat()
    if value is None or isinstance(value, str):
        return value
    if column.kind is ColumnKind.AMOUNT:
        return round_half_up(Decimal(value), context.tenant.currency_decimals)
    return round_half_up(Decimal(value) / 60, 2) if column.kind is ColumnKind.HOURS else value
