"""Citus adds a constraint, and renames a column, only in a statement with no other action."""

import re
from collections.abc import Iterator

_ALTER = re.compile(r"(ALTER\s+TABLE\s+(?:IF\s+EXISTS\s+)?(?:ONLY\s+)?\w+\s+)(.*)", re.DOTALL | re.IGNORECASE)
_PART = re.compile(r"'(?:[^']|'')*'|.", re.DOTALL)


def split_actions(statement: str) -> Iterator[str]:
    """One statement for each action of an ALTER TABLE; any other statement as it is."""
    altered = _ALTER.fullmatch(statement)
    if altered is None:
        yield statement
        return
    action, depth = "", 0
    for part in _PART.findall(altered[2]):
        depth += {"(": 1, ")": -1}.get(part, 0)
        if part == "," and not depth:
            yield altered[1] + action.strip()
            action = ""
        else:
            action += part
    yield altered[1] + action.strip()
