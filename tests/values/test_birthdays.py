"""Birthdays as people write them, with and without a year, and the 29th of February."""

from datetime import date

import pytest

from frontdesk.values.birthdays import age_on, birthday_of, days_of_year, next_birthday, parse_birthday

TODAY = date(2026, 11, 18)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1990-03-21", "1990-03-21"),
        ("1990/3/21", "1990-03-21"),
        ("1990-03-21 00:00", "1990-03-21"),  # of a workbook
        ("21/03/1990", "1990-03-21"),
        ("21.3.1990", "1990-03-21"),
        ("03/21/1990", "1990-03-21"),  # there is no 21st month
        ("٢١/٠٣/١٩٩٠", "1990-03-21"),
        ("21/3", "--03-21"),
        ("--03-21", "--03-21"),
        ("--0321", "--03-21"),
        ("29 February", "--02-29"),
        ("29/02/2000", "2000-02-29"),
        ("21 March 1990", "1990-03-21"),
        ("Mar 21, 1990", "1990-03-21"),
        ("21 مارس", "--03-21"),
        ("٢١ أغسطس ١٩٩٠", "1990-08-21"),
    ],
)
def test_a_birthday_is_read_as_people_write_it(text: str, expected: str) -> None:
    assert parse_birthday(text, TODAY) == expected


@pytest.mark.parametrize(
    "text",
    [
        *("", "soon", "1990", "31/02", "29/02/1990", "0/1/1990", "1/13/14", "21/03/90"),
        *("2026-11-19", "1899-12-31", "March", "March April 3", "21 March 1990 1", "21 22 March", "-03-21"),
    ],
)
def test_what_is_no_birthday_is_refused(text: str) -> None:
    assert parse_birthday(text, TODAY) is None


def test_the_day_may_be_today_and_not_tomorrow() -> None:
    assert birthday_of(18, 11, 2026, TODAY) == "2026-11-18"
    assert birthday_of(19, 11, 2026, TODAY) is None
    assert birthday_of(19, 11, None, TODAY) == "--11-19"


@pytest.mark.parametrize(
    ("today", "coming"),
    [
        (date(2027, 2, 27), date(2027, 2, 28)),
        (date(2027, 2, 28), date(2027, 2, 28)),
        (date(2027, 3, 1), date(2028, 2, 29)),
        (date(2028, 2, 28), date(2028, 2, 29)),
        (date(2028, 2, 29), date(2028, 2, 29)),
    ],
)
def test_who_was_born_on_the_29th_of_february_celebrates_every_year(today: date, coming: date) -> None:
    assert next_birthday("2000-02-29", today) == coming
    assert next_birthday("--02-29", today) == coming
    assert "02-29" in days_of_year(coming, 1)


def test_days_of_the_year_go_on_after_its_end() -> None:
    assert days_of_year(date(2026, 12, 30), 4) == ["12-30", "12-31", "01-01", "01-02"]
    assert days_of_year(date(2028, 2, 28), 1) == ["02-28"]  # the 29th is tomorrow
    assert days_of_year(date(2027, 2, 28), 2) == ["02-28", "03-01", "02-29"]


def test_the_age_is_known_with_the_year_only() -> None:
    assert age_on("1990-11-18", TODAY) == 36
    assert age_on("1990-11-19", TODAY) == 35
    assert age_on("--11-18", TODAY) is None
