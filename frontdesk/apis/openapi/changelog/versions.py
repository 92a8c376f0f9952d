"""The changelog, computed from the published descriptions, and the changes that are not published yet."""

import re
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from frontdesk.apis.openapi.build import NAMES, description
from frontdesk.apis.openapi.changelog.diff import NO_CHANGES, differences
from frontdesk.apis.openapi.changelog.pre_release import EARLIER
from frontdesk.apis.openapi.changelog.types import Change

FOLDER = Path(__file__).parent.parent / "versions"
_VERSION = re.compile(r"(\d{4}-\d\d-\d\d)(?:\.(\d+))?")


class ChangelogEntry(msgspec.Struct, frozen=True):
    """The changes of one publication in one API."""

    id: str
    date: date | None  # None: before the first published description
    interface: str
    title: str
    changes: list[Change]

    @property
    def breaking(self) -> bool:
        return any(change.breaking for change in self.changes)


@cache
def entries() -> list[ChangelogEntry]:
    """Newest first."""
    return [*reversed(published_entries(FOLDER)), *_earlier_entries()]


def published_entries(folder: Path) -> list[ChangelogEntry]:
    """Oldest first. A publication without changes in an API has no entry for it."""
    found = []
    last: dict[str, dict[str, Any]] = dict.fromkeys(NAMES, NO_CHANGES)
    for version in versions(folder):
        for name in NAMES:
            new = read(folder, version, name)
            changes = differences(last[name], new)
            if changes:
                title = "First published description" if last[name] is NO_CHANGES else _title(changes)
                found.append(ChangelogEntry(f"{version}-{name}", _day(version), name, title, changes))
            last[name] = new
    return found


def unpublished(folder: Path = FOLDER) -> dict[str, list[Change]]:
    """Changes of the code since the last published descriptions."""
    known = versions(folder)
    last = {name: read(folder, known[-1], name) if known else NO_CHANGES for name in NAMES}
    found = {name: differences(last[name], _as_read(description(name))) for name in NAMES}
    return {name: changes for name, changes in found.items() if changes}


def publish(folder: Path, today: date) -> str:
    """Publish the current descriptions. The second version of a day has the suffix .2."""
    same_day = [version for version in versions(folder) if version.startswith(today.isoformat())]
    version = f"{today}.{len(same_day) + 1}" if same_day else today.isoformat()
    (folder / version).mkdir(parents=True)
    for name in NAMES:
        text = msgspec.json.format(msgspec.json.encode(description(name)), indent=1)
        (folder / version / f"{name}.json").write_bytes(text + b"\n")
    entries.cache_clear()
    return version


def versions(folder: Path) -> list[str]:
    """Oldest first."""
    found = [path.name for path in folder.iterdir() if _VERSION.fullmatch(path.name)] if folder.exists() else []
    return sorted(found, key=_order)


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


def _as_read(document: dict[str, Any]) -> dict[str, Any]:
    """The document after a JSON round trip, as published documents are read."""
    copy: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(document))
    return copy


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
