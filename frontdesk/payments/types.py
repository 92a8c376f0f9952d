from enum import StrEnum

import msgspec


class MethodType(StrEnum):
    """What an application may make itself; the other types are made in the dashboard."""

    CASH = "cash"
    OTHER = "other"


class NewMethod(msgspec.Struct, frozen=True):
    name: dict[str, str]  # by language
    type: MethodType
    slug: str
    active: bool
