"""What is refused in a field of each kind."""

from typing import Any, NamedTuple


class BodyField(NamedTuple):
    required: bool
    bad: tuple[Any, ...]


ANY_UNKNOWN_ID = object()  # an id of the right form that no business has

STRING: tuple[Any, ...] = (7, True, ["a"], {})
UUID = ("7", 7, "0" * 36)
REFERENCE = (*UUID, ANY_UNKNOWN_ID)
INTEGER = ("1", 1.5, True, 10**20)
NUMBER = ("1.50", True, 10**15)
MONEY = (*NUMBER, 0.0001, 1.005)
BOOLEAN = ("true", 1)
DATE = ("tomorrow", "2026-02-30", "01/02/2026", 20260102)
MOMENT = ("soon", "2026-02-30T10:00:00", "2026-01-02", 1_767_346_200)
ARRAY: tuple[Any, ...] = ({}, "a", 7)
OBJECT: tuple[Any, ...] = ([], "a", 7)


def must(*bad: Any) -> BodyField:
    return BodyField(required=True, bad=(None, *bad))


def may(*bad: Any) -> BodyField:
    return BodyField(required=False, bad=bad)


# What an application stores with a record.
OWN_FIELDS = {
    "external_id": may(*STRING, "", "x" * 256),
    "metadata": may(*OBJECT, {"a b": "x"}, {"x" * 41: "x"}, {f"key-{number}": "x" for number in range(51)}),
    "metadata.colour": may(*STRING, "x" * 501),
}
