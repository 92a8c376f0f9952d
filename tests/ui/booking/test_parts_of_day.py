"""The headings above free times."""

from frontdesk.ui.components.part_of_day import part_of_day


def test_the_hours_after_midnight_are_not_called_morning() -> None:
    hours = (0, 4, 5, 11, 12, 17, 23)
    parts = [part_of_day(hour) for hour in hours]
    assert parts == ["After midnight", "After midnight", "Morning", "Morning", "Afternoon", "Evening", "Evening"]
