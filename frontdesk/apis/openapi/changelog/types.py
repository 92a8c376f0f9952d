from enum import StrEnum

import msgspec


class Kind(StrEnum):
    ADDITION = "addition"
    MODIFICATION = "modification"
    REMOVAL = "removal"


class Change(msgspec.Struct, frozen=True, order=True):
    """One difference between two descriptions. A removal is always breaking."""

    where: str
    kind: Kind
    text: str
    breaking: bool = False

    def __post_init__(self) -> None:
        if self.kind is Kind.REMOVAL and not self.breaking:
            raise ValueError("a removal is always breaking")


def added(where: str, text: str, *, breaking: bool = False) -> Change:
    return Change(where, Kind.ADDITION, text, breaking)


def modified(where: str, text: str, *, breaking: bool = False) -> Change:
    return Change(where, Kind.MODIFICATION, text, breaking)


def removed(where: str, text: str) -> Change:
    return Change(where, Kind.REMOVAL, text, breaking=True)
