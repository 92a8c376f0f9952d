import os
import subprocess
import sys
from datetime import UTC, date, datetime, timedelta, timezone
from pathlib import Path

import pytest

from frontdesk.values.time import (
    SkippedLocalTimeError,
    UnknownZoneError,
    format_offset,
    format_utc,
    get_zone,
    local_day_bounds,
    read_zone_file,
    to_instant,
    to_local,
)


def local(text: str) -> datetime:
    return datetime.fromisoformat(text)


def utc(text: str) -> datetime:
    return datetime.fromisoformat(text + "+00:00")


def test_a_local_time_becomes_its_instant_and_returns() -> None:
    riyadh = get_zone("Asia/Riyadh")
    instant = to_instant(local("2026-01-05T10:00:00.000007"), riyadh)
    assert instant == utc("2026-01-05T07:00:00.000007")
    assert instant.tzinfo is UTC
    assert to_local(instant, riyadh) == local("2026-01-05T10:00:00.000007")


@pytest.mark.parametrize(
    ("zone", "skipped", "next_to_exist"),
    [
        ("Africa/Cairo", "2026-04-24T00:00", "2026-04-24T01:00"),
        ("Africa/Cairo", "2026-04-24T00:59", "2026-04-24T01:00"),
        ("Europe/Berlin", "2026-03-29T02:30", "2026-03-29T03:00"),
    ],
)
def test_a_local_time_that_the_clocks_skip_is_refused(zone: str, skipped: str, next_to_exist: str) -> None:
    with pytest.raises(SkippedLocalTimeError):
        to_instant(local(skipped), get_zone(zone))
    to_instant(local(next_to_exist), get_zone(zone))


@pytest.mark.parametrize("fold", [0, 1])
def test_of_a_local_time_that_exists_twice_the_first_is_meant(fold: int) -> None:
    twice = local("2026-10-25T02:30").replace(fold=fold)
    assert to_instant(twice, get_zone("Europe/Berlin")) == utc("2026-10-25T00:30")


@pytest.mark.parametrize(
    ("zone", "day", "start", "hours"),
    [
        ("Asia/Riyadh", date(2026, 1, 5), "2026-01-04T21:00", 24),
        ("Africa/Cairo", date(2026, 4, 23), "2026-04-22T22:00", 24),
        ("Africa/Cairo", date(2026, 4, 24), "2026-04-23T22:00", 23),  # begins at 01:00
        ("Africa/Cairo", date(2026, 10, 29), "2026-10-28T21:00", 25),  # 23:00 to 24:00 twice
        ("Europe/Berlin", date(2026, 3, 29), "2026-03-28T23:00", 23),
        ("America/Havana", date(2025, 11, 2), "2025-11-02T04:00", 25),  # 00:00 to 01:00 twice
        ("America/Toronto", date(1919, 3, 31), "1919-03-31T04:30", 23.5),  # 23:30 jumped to 00:30
        ("Pacific/Apia", date(2011, 12, 30), "2011-12-30T10:00", 0),  # never was
    ],
)
def test_a_local_day_reaches_from_its_first_instant_to_the_next_days(
    zone: str, day: date, start: str, hours: float
) -> None:
    assert local_day_bounds(day, get_zone(zone)) == (utc(start), utc(start) + timedelta(hours=hours))


def test_instants_are_written_with_six_digits_and_z() -> None:
    assert format_utc(utc("2026-01-05T07:00:00")) == "2026-01-05T07:00:00.000000Z"
    ahead = datetime(2026, 1, 5, 10, 0, 0, 120, tzinfo=timezone(timedelta(hours=3)))
    assert format_utc(ahead) == "2026-01-05T07:00:00.000120Z"


def test_instants_are_written_with_the_offset_of_their_moment() -> None:
    assert format_offset(utc("2026-01-05T07:00:00"), get_zone("Asia/Riyadh")) == "2026-01-05T10:00:00+03:00"
    assert format_offset(utc("2026-07-05T07:00:00"), get_zone("America/New_York")) == "2026-07-05T03:00:00-04:00"


@pytest.mark.parametrize("name", ["", "Mars/Olympus", "Africa", "../etc/passwd", "/etc/passwd", "a" * 5000, "\0"])
def test_a_name_that_is_no_zone_is_refused(name: str) -> None:
    with pytest.raises(UnknownZoneError):
        get_zone(name)


def test_zones_are_found_on_a_machine_without_time_zone_data() -> None:
    code = "from frontdesk.values.time import get_zone; print(get_zone('Africa/Cairo').key)"
    bare = {**os.environ, "PYTHONTZPATH": "", "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run([sys.executable, "-c", code], env=bare, capture_output=True, text=True, check=True)
    assert done.stdout == "Africa/Cairo\n"


def test_the_zone_files_of_the_machine_are_not_used(tmp_path: Path) -> None:
    (tmp_path / "Europe").mkdir()
    (tmp_path / "Europe" / "Berlin").write_bytes(read_zone_file("Asia/Tokyo"))
    code = """
from datetime import datetime, timezone
from zoneinfo import ZoneInfo
from frontdesk.values.time import format_offset, get_zone
noon = datetime(2026, 1, 5, 12, tzinfo=timezone.utc)
print(format_offset(noon, ZoneInfo("Europe/Berlin")), format_offset(noon, get_zone("Europe/Berlin")))
"""
    strange = {**os.environ, "PYTHONTZPATH": str(tmp_path), "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run([sys.executable, "-c", code], env=strange, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["2026-01-05T21:00:00+09:00", "2026-01-05T13:00:00+01:00"]


def test_an_offset_is_written_in_hours_and_minutes_where_it_had_seconds() -> None:
    assert format_offset(utc("1971-01-05T07:00:00"), get_zone("Africa/Monrovia")) == "1971-01-05T06:15:30-00:44"
