"""The part of the changelog that concerns one client: the operations that it calls and the events that it gets."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from frontdesk.changelog.diff import collect_schemas, operations
from frontdesk.changelog.types import Change
from frontdesk.changelog.versions import FOLDER, ChangelogEntry, read, versions

_FOR_ALL = frozenset({"authentication", "scopes"})
_SCHEMA = re.compile(r"\w+")


class ConcerningChange(NamedTuple):
    change: Change
    uses: list[str]  # operations and events; empty if it concerns every client


def urgent_first(change: Change) -> tuple[bool, bool]:
    """A key to sort by: what breaks calls, then what is deprecated."""
    return not change.breaking, not change.is_deprecation


def concerning(
    found: Sequence[ChangelogEntry], interface: str, used: Collection[str]
) -> Iterator[tuple[ChangelogEntry, list[ConcerningChange]]]:
    """`used` are operations and events as the changelog names them: `GET /orders`, `event order.created`."""
    schemas = schemas_by_use(interface)
    for entry in found:
        if entry.interface == interface:
            changes = [ConcerningChange(change, _uses(change.where, used, schemas)) for change in entry.changes]
            concerned = [one for one in changes if one.uses or one.change.where in _FOR_ALL]
            if concerned:
                yield entry, concerned


@cache
def schemas_by_use(interface: str) -> Mapping[str, frozenset[str]]:
    """The named schemas that each operation and event sends and returns, in the newest published description."""
    document = read(FOLDER, versions(FOLDER)[-1], interface)
    found = {}
    for section in ("paths", "webhooks"):
        for name, operation in operations(document, section).items():
            names: set[str] = set()
            collect_schemas(operation.get("requestBody"), document, names)
            collect_schemas(operation.get("responses"), document, names)
            found[name] = frozenset(names)
    return found


def _uses(where: str, used: Collection[str], schemas: Mapping[str, frozenset[str]]) -> list[str]:
    named = _SCHEMA.match(where)
    schema = named[0] if named else ""
    return sorted(
        name for name in used if where == name or where.startswith(f"{name} ") or schema in schemas.get(name, ())
    )
