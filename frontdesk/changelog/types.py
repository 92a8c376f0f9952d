from enum import StrEnum

import msgspec

DEPRECATED = "is deprecated"


class ChangeKind(StrEnum):
    ADDITION = "addition"
    MODIFICATION = "modification"
    REMOVAL = "removal"


class Change(msgspec.Struct, frozen=True, order=True):
    """One difference between two descriptions. A removal is always breaking."""

    where: str
    kind: ChangeKind
    text: str
    breaking: bool = False

    @property
    def is_deprecation(self) -> bool:
        return self.text == DEPRECATED

    def __post_init__(self) -> None:
        if self.kind is ChangeKind.REMOVAL and not self.breaking:
            raise ValueError("a removal is always breaking")


def added(where: str, text: str, *, breaking: bool = False) -> Change:
    return Change(where, ChangeKind.ADDITION, text, breaking)


def modified(where: str, text: str, *, breaking: bool = False) -> Change:
    return Change(where, ChangeKind.MODIFICATION, text, breaking)


def removed(where: str, text: str) -> Change:
    return Change(where, ChangeKind.REMOVAL, text, breaking=True)
