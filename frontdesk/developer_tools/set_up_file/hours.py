"""Weekly hours: a text for each day, such as `sun: 09:00-12:00, 16:00-21:00`."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

import yaml

from frontdesk.developer_tools.set_up_file.field_types import FieldType, Node, pairs, scalar
from frontdesk.developer_tools.set_up_file.records import Mistake, Place

DAYS = ("sun", "mon", "tue", "wed", "thu", "fri", "sat")
ALWAYS, OF_BRANCH = "always", "branch"
Week = str | Mapping[str, Sequence[str]]  # always, branch, or the intervals of each day on which there are some
_TIME = r"(?:[01]\d|2[0-3]):[0-5]\d"
_INTERVAL = re.compile(f"{_TIME}-{_TIME}")
_SPLIT = re.compile(r"\s*,\s*")


class Hours(FieldType):
    def __init__(self, *words: str) -> None:
        self.words = words
        self.wanted = f"hours by day, such as {{sun: 09:00-17:00}}, or {' or '.join(words)}"

    def read(self, node: Node, place: Place) -> Week:
        if not isinstance(node, yaml.MappingNode):
            word = scalar(node, place, self.wanted)
            if word not in self.words:
                raise Mistake(place, f"write {self.wanted}")
            return word
        week: dict[str, Sequence[str]] = {}
        for day, at, value in pairs(node, place, self.wanted):
            if day not in DAYS:
                raise Mistake(at, f"no such day: use {', '.join(DAYS)}")
            week[day] = _intervals(value, at)
        return week

    def comparable(self, value: Any) -> object:  # noqa: ANN401
        return value if value is None or isinstance(value, str) else {day: value[day] for day in DAYS if value.get(day)}

    def show(self, value: Week) -> str:
        if isinstance(value, str):
            return value
        return ", ".join(f"{day} {' '.join(value[day])}" for day in DAYS if value.get(day)) or "none"

    def dump(self, value: Week) -> object:
        return value if isinstance(value, str) else {day: ", ".join(value[day]) for day in DAYS if value.get(day)}

    def schema(self) -> dict[str, object]:
        times = {"type": "string", "pattern": rf"^{_INTERVAL.pattern}(\s*,\s*{_INTERVAL.pattern})*$"}
        week = {"type": "object", "properties": dict.fromkeys(DAYS, times), "additionalProperties": False}
        return {"anyOf": [{"enum": list(self.words)}, week]}


def _intervals(node: Node, place: Place) -> Sequence[str]:
    intervals = sorted(_SPLIT.split(scalar(node, place, "hours, such as 09:00-12:00, 16:00-21:00")))
    if not all(map(_INTERVAL.fullmatch, intervals)):
        raise Mistake(place, "write hours, such as 09:00-12:00, 16:00-21:00")
    return intervals


def week_of(document: Mapping[str, Any]) -> Week:
    """Of a working hour of the API."""
    if document["all_time"]:
        return ALWAYS
    entries = [entry for entry in document["intervals"] if entry["active"]]
    return {day: sorted(f"{e['from']}-{e['to']}" for e in entries if e["day"] == day) for day in DAYS}


def hours_request(week: Week) -> dict[str, object]:
    """The body that sets these hours."""
    if week == OF_BRANCH:
        return {"source": "branch"}
    if isinstance(week, str):
        return {"all_time": True}
    spans = [(day, *interval.split("-")) for day in DAYS for interval in week.get(day, ())]
    return {"intervals": [{"day": day, "from": start, "to": end} for day, start, end in spans]}
