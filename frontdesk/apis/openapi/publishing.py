"""What the code has changed since the last published descriptions, and the publication of the current ones."""

from datetime import date
from pathlib import Path
from typing import Any

import msgspec

from frontdesk.apis.openapi.build import NAMES, description
from frontdesk.changelog.diff import NO_CHANGES, differences
from frontdesk.changelog.types import Change
from frontdesk.changelog.versions import FOLDER, entries, read, versions


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


def _as_read(document: dict[str, Any]) -> dict[str, Any]:
    """The document after a JSON round trip, as published documents are read."""
    copy: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(document))
    return copy
