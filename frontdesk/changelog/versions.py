"""The changelog, computed from the published descriptions."""

import re
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from frontdesk.changelog.diff import NO_CHANGES, differences
from frontdesk.changelog.pre_release import EARLIER
from frontdesk.changelog.types import Change

FOLDER = Path(__file__).parent.parent / "apis" / "openapi" / "versions"
_VERSION = re.compile(r"(\d{4}-\d\d-\d\d)(?:\.(\d+))?")


class ChangelogEntry(msgspec.Struct, frozen=True):
    """The changes of one publication in one API."""

    id: str
    date: date | None  # None: before the first published description
    interface: str
    title: str
    changes: list[Change]
    is_first: bool = False  # the description in which everything is new

    @property
    def version(self) -> str:
        return self.id.removesuffix(f"-{self.interface}")

    @property
    def breaking(self) -> bool:
        return any(change.breaking for change in self.changes)


@cache
def entries() -> list[ChangelogEntry]:
    """Newest first."""
    return [*reversed(published_entries(FOLDER)), *_earlier_entries()]


def published_versions() -> list[str]:
    """Oldest first."""
    return versions(FOLDER)


def published_entries(folder: Path) -> list[ChangelogEntry]:
    """Oldest first. A publication without changes in an API has no entry for it."""
    found = []
    last: dict[str, dict[str, Any]] = {}
    for version in versions(folder):
        for name in interfaces(folder, version):
            new = read(folder, version, name)
            changes = differences(last.get(name, NO_CHANGES), new)
            if changes:
                title = _title(changes) if name in last else "First published description"
                is_first = name not in last
                found.append(ChangelogEntry(f"{version}-{name}", _day(version), name, title, changes, is_first))
            last[name] = new
    return found


def versions(folder: Path) -> list[str]:
    """Oldest first."""
    found = [path.name for path in folder.iterdir() if _VERSION.fullmatch(path.name)] if folder.exists() else []
    return sorted(found, key=_order)


def interfaces(folder: Path, version: str) -> list[str]:
    return sorted(path.stem for path in (folder / version).glob("*.json"))


def read(folder: Path, version: str, name: str) -> dict[str, Any]:
    document: dict[str, Any] = msgspec.json.decode((folder / version / f"{name}.json").read_bytes())
    return document


def _order(version: str) -> tuple[str, int]:
    match = _VERSION.fullmatch(version)
    if match is None:
        raise ValueError(version)
    return match[1], int(match[2] or 1)


def _day(version: str) -> date:
    return date.fromisoformat(_order(version)[0])


def _title(changes: list[Change]) -> str:
    counts: dict[str, int] = {}
    for change in changes:
        counts[change.kind.value] = counts.get(change.kind.value, 0) + 1
    return ", ".join(f"{count} {name}{'s' if count > 1 else ''}" for name, count in sorted(counts.items()))


def _earlier_entries() -> list[ChangelogEntry]:
    return [
        ChangelogEntry(f"earlier-{len(EARLIER) - index}", None, interface, title, list(changes))
        for index, (title, interface, changes) in enumerate(EARLIER)
    ]
