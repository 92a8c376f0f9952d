"""Free time between bookings that is too short for any service."""

import pytest

from frontdesk.reports.occupancy import lost_minutes


@pytest.mark.parametrize(
    ("free", "shortest", "lost"),
    [
        ("0000", 3, 0),
        ("0110", 3, 2),
        ("0111", 3, 0),
        ("1101110011110001", 3, 3),
        ("1101110011110001", 4, 6),
        ("1111", 1, 0),
        ("1111", 0, 0),
    ],
)
def test_gaps_too_short_for_any_service_are_counted(free: str, shortest: int, lost: int) -> None:
    assert lost_minutes(int(free, 2), shortest) == lost
