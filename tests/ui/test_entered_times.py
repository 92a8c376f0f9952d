"""Times as people type them into the forms of hours."""

import pytest

from frontdesk.problems import Problem
from frontdesk.ui.components.entered_times import read_time


@pytest.mark.parametrize(
    ("text", "minute"),
    [
        ("9", 540),
        ("9:30", 570),
        ("21.30", 1290),
        ("9pm", 1260),
        ("12 am", 0),
        ("٩ م", 1260),
        ("24:00", 1440),
    ],
)
def test_a_time_is_read_as_people_type_it(text: str, minute: int) -> None:
    assert read_time(text, "opens") == minute


@pytest.mark.parametrize("text", ["", "25", "9:75", "13 pm", "0 am", "24:01", "noon"])
def test_what_is_no_time_is_refused(text: str) -> None:
    with pytest.raises(Problem):
        read_time(text, "opens")
