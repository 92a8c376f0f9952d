"""What a row changes, as people read it."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from frontdesk.imports.options import shown_option
from frontdesk.imports.types import CheckedRow
from frontdesk.ui.imports.labels import SHORT_FIELDS

_UNSHOWN = frozenset(
    {
        "name_search",
        "phone_country",
        "category_id",
        "tax_class_id",
        "slug",
        "branch_id",
        "has_option_stock",
        "hours",
        "favorite_staff_id",
    }
)
_USUAL: tuple[object, ...] = (None, "", {}, [], True, "individual")  # of a new record; not worth showing
_NAMES = frozenset({"first_name", "last_name", "name", "phone"})  # a new record shows them beside its differences


class Difference(NamedTuple):
    label: str
    old: str
    new: str


def differences(row: CheckedRow) -> list[Difference]:
    before, after = row.before or {}, row.after or {}
    return [
        Difference(SHORT_FIELDS[field], _text(before.get(field)), _text(value))
        for field, value in after.items()
        if field not in _UNSHOWN
        and value != before.get(field)
        and (row.before is not None or (field not in _NAMES and value not in _USUAL))
    ]


def _text(value: Any) -> str:  # noqa: ANN401 - JSON
    if isinstance(value, Mapping):  # names by language, or tags by id
        return ", ".join(str(text) for text in value.values())
    if isinstance(value, list):
        return ", ".join(shown_option(option) for option in value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "" if value is None else str(value)
