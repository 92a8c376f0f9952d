"""Rows as objects."""

from collections.abc import Mapping
from typing import Any, TypeVar

from asyncpg import Record

T = TypeVar("T")


def from_row(kind: type[T], row: Record | Mapping[str, Any], **others: object) -> T:
    """A struct or a named tuple from the columns that are named like its fields; `others` are not as in the row."""
    fields: tuple[str, ...] = kind.__match_args__  # type: ignore[attr-defined]
    return kind(**{name: row[name] for name in fields if name not in others}, **others)
