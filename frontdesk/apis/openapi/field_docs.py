"""Description and example of each field, found by `Owner.field`, or else by `field`."""

from collections.abc import Mapping
from typing import Any, NamedTuple


class FieldDoc(NamedTuple):
    text: str
    example: Any = None


class FieldDocs:
    def __init__(self, *tables: Mapping[str, FieldDoc]) -> None:
        self._table: dict[str, FieldDoc] = {}
        for table in tables:
            duplicates = self._table.keys() & table.keys()
            if duplicates:
                raise ValueError(f"documented twice: {', '.join(sorted(duplicates))}")
            self._table.update(table)
        self.used: set[str] = set()

    def of(self, owner: str, field: str) -> str | None:
        doc = self._find(owner, field)
        return doc.text if doc else None

    def example(self, owner: str, field: str) -> Any:  # noqa: ANN401 - any JSON
        doc = self._find(owner, field)
        return doc.example if doc else None

    def unused(self) -> set[str]:
        return self._table.keys() - self.used

    def _find(self, owner: str, field: str) -> FieldDoc | None:
        for key in (f"{owner}.{field}", field):
            if key in self._table:
                self.used.add(key)
                return self._table[key]
        return None
