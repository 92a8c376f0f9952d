"""What the kinds of imports have in common."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import NamedTuple
from uuid import UUID

import msgspec

from frontdesk.imports.fields import Field
from frontdesk.imports.problems import RowProblem
from frontdesk.imports.types import Existing, ImportSettings, Key, ParsedRow, Values
from frontdesk.postgres.pool import Connection

Cells = Mapping[str, str]  # by field, without empty cells


class Vocabulary:
    """Tags or categories by their folded name. One that does not exist yet gets an id, and is created by the run."""

    def __init__(self, known: Mapping[str, tuple[UUID, str]]) -> None:
        self.known = dict(known)
        self.created: list[dict[str, str]] = []


class CatalogCodes(msgspec.Struct):
    """What rows refer to, and what they must not use twice."""

    tax_classes: dict[str, tuple[str, str]] = {}  # id and name, by folded name
    barcodes: dict[str, UUID | None] = {}  # the item that has it; None for an option
    providers: dict[str, list[tuple[str, str]]] = {}  # id and name of those who work here, by folded name
    services: dict[tuple[str, str], tuple[str, str]] = {}  # id and name, by branch and folded name


class ImportDefinition(NamedTuple):
    fields: tuple[Field, ...]
    needed: tuple[tuple[str, ...], ...]  # of each group at least one field must be mapped
    parse: Callable[[int, Cells, ImportSettings], ParsedRow]
    find: Callable[[Connection, UUID, Sequence[ParsedRow]], Awaitable[list[Existing]]]
    merge: Callable[[Values | None, Values], Values]  # the values before and those of the row: the values after
    same_key: Mapping[str, RowProblem]  # the reason by kind of key, if two rows have the same one
    several: RowProblem  # the reason if a row matches several records
    unknown: RowProblem | None  # the reason if a row matches no record, where none can be created
    run: str  # the database functions
    undo: str
    counted: str | None  # the table of the row count
    words: str | None = None  # which vocabulary it uses: tags or categories


def by_key(existing: Sequence[Existing]) -> dict[Key, list[Existing]]:
    found: dict[Key, list[Existing]] = {}
    for record in existing:
        for key in record.keys:
            found.setdefault(key, []).append(record)
    return found


def values_of(rows: Sequence[ParsedRow], kind: str) -> list[str]:
    return [key.value for row in rows for key in row.keys if key.kind == kind]
