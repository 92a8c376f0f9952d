"""Rows that a statement is given. While they are few each value is a parameter of its own, which costs both sides
least; many go as one array a column, so that not every number of rows is a statement of its own.
"""

from collections.abc import Sequence
from typing import NamedTuple

_FEW = 4
MANY = _FEW + 1  # however many


def how_many(rows: Sequence[object]) -> int:
    """As far as the text of a statement depends on it."""
    return min(len(rows), MANY)


class RowParameters(NamedTuple):
    """The columns' names and types; in the statement a column `place` counts the rows from 1."""

    columns: tuple[tuple[str, str], ...]

    def source(self, alias: str, many: int, first: int) -> str:
        """What stands behind FROM; the first value is parameter number `first`."""
        names = ", ".join([name for name, _ in self.columns] + ["place"])
        if many == MANY:
            arrays = ", ".join(f"${first + n}::{kind}[]" for n, (_, kind) in enumerate(self.columns))
            return f"unnest({arrays}) WITH ORDINALITY AS {alias} ({names})"
        rows = ", ".join(self._row(place, first) for place in range(many))
        return f"(VALUES {rows}) AS {alias} ({names})"

    def _row(self, place: int, first: int) -> str:
        begin = first + place * len(self.columns)
        return f"({', '.join(f'${begin + n}::{kind}' for n, (_, kind) in enumerate(self.columns))}, {place + 1})"

    def width(self, many: int) -> int:
        """How many parameters they take."""
        return len(self.columns) * (1 if many == MANY else many)

    def values(self, rows: Sequence[tuple[object, ...]]) -> list[object]:
        if how_many(rows) == MANY:
            return [list(column) for column in zip(*rows, strict=True)]
        return [value for row in rows for value in row]
