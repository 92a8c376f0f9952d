"""What a branch's hours say at a moment: open until when, or opening when."""

from datetime import UTC, date, datetime

import pytest

from frontdesk.availability.opening import Opening, OpeningHours, opening_of
from frontdesk.values.time import get_zone

RIYADH = get_zone("Asia/Riyadh")  # three hours before UTC
MONDAY = date(2026, 11, 16)
TEN_TO_TEN = OpeningHours(False, True, [(day, 600, 1320) for day in (0, 1, 2, 3, 4, 6)], [], [])


def at(day: int, hour: int, minute: int = 0) -> datetime:
    return datetime(2026, 11, day, hour, minute, tzinfo=UTC)


@pytest.mark.parametrize(
    ("changes", "now", "found"),
    [
        ({}, at(16, 9), Opening(True, at(16, 19))),
        ({}, at(16, 18, 59), Opening(True, at(16, 19))),
        ({}, at(16, 19), Opening(False, at(17, 7))),
        ({}, at(16, 3), Opening(False, at(16, 7))),
        ({}, at(19, 20), Opening(False, at(21, 7))),  # Friday is closed
        ({"closed": [date(2026, 11, 17)]}, at(16, 20), Opening(False, at(18, 7))),
        ({"exceptions": [(MONDAY, ((600, 1500),))]}, at(16, 20), Opening(True, at(16, 22))),  # until one at night
        ({"exceptions": [(MONDAY, ())]}, at(16, 9), Opening(False, at(17, 7))),
        ({"intervals": [(1, 1200, 120)]}, at(16, 22), Opening(True, at(16, 23))),
        ({"intervals": []}, at(16, 9), Opening(False, None)),
        ({"active": False}, at(16, 9), Opening(False, None)),
        ({"all_time": True}, at(16, 9), Opening(True, None)),
    ],
)
def test_a_branch_is_open_until_or_opens_at(changes: dict[str, object], now: datetime, found: Opening) -> None:
    hours = OpeningHours(**{**{name: getattr(TEN_TO_TEN, name) for name in TEN_TO_TEN.__struct_fields__}, **changes})
    assert opening_of(hours, RIYADH, now) == found
