"""What the other modules hand to each other: records of a file and of a business, and mistakes."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from frontdesk.errors import StartupError

Values = dict[str, Any]  # by the names of the fields


class Place(NamedTuple):
    """Where something stands in the file."""

    line: int
    path: str

    def at(self, line: int, step: str | int) -> "Place":
        return Place(line, f"{self.path}[{step}]" if isinstance(step, int) else f"{self.path}.{step}".lstrip("."))

    def __str__(self) -> str:
        return f"line {self.line}: {self.path}" if self.path else f"line {self.line}"


class Mistake(Exception):
    def __init__(self, place: Place, text: str) -> None:
        super().__init__(f"{place}: {text}")


class FileRefused(StartupError):
    """A line for each mistake of a file."""

    def __init__(self, mistakes: Sequence[Mistake]) -> None:
        super().__init__("nothing was changed\n" + "\n".join(map(str, mistakes)))


class Slot(msgspec.Struct, eq=False):
    """A record that others refer to. It has an id once it exists."""

    key: str  # how a file calls it
    id: str | None = None

    def __str__(self) -> str:
        return self.key


class Reference(NamedTuple):
    """A record by its key, as a file writes it."""

    kind: str
    key: str
    place: Place

    def __str__(self) -> str:
        return self.key


class Present(msgspec.Struct, eq=False):
    """A record of the business."""

    slot: Slot
    values: Values
    version: int | None = None
    hours_version: int | None = None
    options: Sequence["Present"] = ()


class Entry(msgspec.Struct, eq=False):
    """A record of the file. `places` holds where its fields stand."""

    key: str
    slot: Slot  # from the moment on when it is found in the business: that of the business
    values: Values
    place: Place
    places: Mapping[str, Place] = {}
    has_own_key: bool = False
    options: Sequence["Entry"] = ()
    present: Present | None = None  # None: it is to be created

    def place_of(self, field: str) -> Place:
        return self.places.get(field, self.place)


def name_of(values: Values) -> str:
    """In English if it has such a name."""
    name = values["name"]
    return name if isinstance(name, str) else name.get("en") or next(iter(name.values()), "")
