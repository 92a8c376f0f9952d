"""Whole numbers of a form, as people type them."""

from typing import Annotated

import msgspec
import pytest
from msgspec import Meta

from frontdesk.http.field_types import DAYS, HOURS, MINUTES, PERCENT
from frontdesk.http.forms import convert_form
from frontdesk.problems import Problem


class Numbers(msgspec.Struct):
    plain: int | None = None
    percent: Annotated[int, Meta(ge=0, le=100, extra=PERCENT)] | None = None
    hours: Annotated[int, Meta(extra=HOURS)] | None = None
    days: Annotated[int, Meta(extra=DAYS)] | None = None
    minutes: list[Annotated[int, Meta(extra=MINUTES)] | None] = []


@pytest.mark.parametrize(
    ("field", "typed", "number"),
    [
        ("plain", " 30 ", 30),
        ("plain", "1,000", 1000),
        ("plain", "١٬٠٠٠", 1000),
        ("plain", "-5", -5),
        ("percent", "20%", 20),
        ("percent", "20 %", 20),
        ("percent", "٢٠٪", 20),
        ("percent", "٪٢٠", 20),
        ("hours", "24 h", 24),
        ("hours", "24 Hours", 24),
        ("hours", "٢٤ ساعة", 24),
        ("days", "60 days", 60),
        ("days", "٦٠ يومًا", 60),
    ],
)
def test_a_whole_number_is_read_with_its_unit(field: str, typed: str, number: int) -> None:
    assert getattr(convert_form({field: [typed]}, Numbers), field) == number


@pytest.mark.parametrize(
    ("field", "typed"),
    [
        ("plain", "20%"),
        ("plain", "1,5"),
        ("plain", "1,0000"),
        ("percent", "%"),
        ("percent", "20 h"),
        ("hours", "30 min"),
    ],
)
def test_another_unit_or_a_fraction_is_refused(field: str, typed: str) -> None:
    with pytest.raises(Problem):
        convert_form({field: [typed]}, Numbers)


def test_rows_of_a_list_have_their_units_too() -> None:
    assert convert_form({"minutes": ["30 min", "", "٤٥ دقيقة"]}, Numbers).minutes == [30, None, 45]
