"""What each field means, with a value to show: looked up by its owner's name and its own, else by its own alone."""

from collections.abc import Mapping
from typing import Any, NamedTuple


class FieldDoc(NamedTuple):
    text: str
    example: Any = None


class FieldDocs:
    def __init__(self, *tables: Mapping[str, FieldDoc]) -> None:
        self._table: dict[str, FieldDoc] = {}
        for table in tables:
            twice = self._table.keys() & table.keys()
            if twice:
                raise ValueError(f"explained twice: {', '.join(sorted(twice))}")
            self._table.update(table)
        self.used: set[str] = set()

    def of(self, owner: str, field: str) -> str | None:
        word = self._find(owner, field)
        return word.text if word else None

    def example(self, owner: str, field: str) -> Any:  # noqa: ANN401 - any JSON
        word = self._find(owner, field)
        return word.example if word else None

    def unused(self) -> set[str]:
        return self._table.keys() - self.used

    def _find(self, owner: str, field: str) -> FieldDoc | None:
        for key in (f"{owner}.{field}", field):
            if key in self._table:
                self.used.add(key)
                return self._table[key]
        return None
