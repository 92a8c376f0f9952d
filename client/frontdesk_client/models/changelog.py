"""The changelog of a client."""

from typing import Literal

import msgspec

ChangeKind = Literal["addition", "modification", "removal"] | str


class ClientChange(msgspec.Struct):
    where: str
    text: str
    kind: ChangeKind
    breaking: bool
    uses: list[str]


class ClientChangelogEntry(msgspec.Struct):
    id: str
    date: str
    title: str
    breaking: bool
    changes: list[ClientChange]
