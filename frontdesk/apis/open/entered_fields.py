"""Types of what an application enters to set up a business: texts by language, codes, versions, and what changes."""

from typing import Annotated, Any, TypeVar

import msgspec
from msgspec import UNSET, Meta

from frontdesk.apis.custom_data import OWN_FIELDS
from frontdesk.http.field_types import CalendarDate, LongText, ShortText
from frontdesk.http.problems import ValueProblem
from frontdesk.problems import Problem

T = TypeVar("T")
ArticleCode = Annotated[str, Meta(min_length=1, max_length=64)]
Version = Annotated[int, Meta(ge=1, le=2**31 - 1)]
Minutes = Annotated[int, Meta(ge=1, le=1440)]
BufferMinutes = Annotated[int, Meta(ge=0, le=240)]
Units = Annotated[int, Meta(ge=0, le=1_000_000)]
ClockTime = Annotated[
    str,
    Meta(
        pattern=r"^([01][0-9]|2[0-3]):[0-5][0-9]$", extra={"otherwise": Problem(ValueProblem.NO_MATCH, pattern="HH:MM")}
    ),
]
_TEXTS = ("description", "names", "title")  # without any, they are empty


class LocalizedName(msgspec.Struct):
    """A name in one language or in several."""

    en: ShortText | None = None
    ar: ShortText | None = None


class LocalizedText(msgspec.Struct):
    """A text in one language or in several."""

    en: LongText | None = None
    ar: LongText | None = None


def texts(entered: LocalizedName | LocalizedText | None) -> dict[str, str]:
    """By language, without those that have none."""
    if entered is None:
        return {}
    return {language: text for language, text in msgspec.structs.asdict(entered).items() if text}


def entered(body: msgspec.Struct, *, without: tuple[str, ...] = ("version",)) -> dict[str, Any]:
    """The fields of the record that were sent, in the form in which acts take them."""
    return {
        name: {} if value is None and name in _TEXTS else _plain(value)
        for name, value in msgspec.structs.asdict(body).items()
        if value is not UNSET and name not in without and name not in OWN_FIELDS
    }


def _plain(value: object) -> object:
    match value:
        case LocalizedName() | LocalizedText():
            return texts(value)
        case CalendarDate():
            return value.day
        case _:
            return value


def minute_of(time: str) -> int:
    hours, minutes = time.split(":")
    return int(hours) * 60 + int(minutes)


def given(value: T | None, otherwise: T) -> T:
    """What was sent; null counts as left out."""
    return otherwise if value is None else value
