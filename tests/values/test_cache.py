"""Caches are bounded, whatever callers send."""

from datetime import date
from decimal import Decimal
from zoneinfo import ZoneInfo

import pytest

from frontdesk.apis.open import authentication as guard
from frontdesk.availability.types import MAX_LENGTHS, BusyMinutes
from frontdesk.availability.window import window_of
from frontdesk.errors import WireError
from frontdesk.values.cache import SizedCache
from frontdesk.values.money import _find_minor, _minor_of


def test_a_cache_holds_no_more_bytes_than_it_may() -> None:
    cache: SizedCache[int, bytes] = SizedCache(1000, lambda _, value: len(value))
    for n in range(500):
        cache.set(n, b"x" * (n % 90))
        assert cache.bytes <= 1000
    assert cache.bytes == sum(len(cache.get(n) or b"") for n in range(500))


def test_what_was_used_last_is_dropped_last() -> None:
    cache: SizedCache[str, bytes] = SizedCache(3, lambda _, value: len(value))
    for name in "abc":
        cache.set(name, b"x")
    cache.get("a")
    cache.set("d", b"x")
    assert [cache.get(name) is not None for name in "abcd"] == [True, False, True, True]
    cache.set("a", b"xxxx")  # larger than the whole cache
    assert cache.get("a") is None
    assert (len(cache), cache.bytes) == (2, 2)


def test_a_calendar_caches_the_starts_of_a_few_lengths() -> None:
    booked = BusyMinutes(1, 0)
    window = window_of(ZoneInfo("Asia/Riyadh"), date(2030, 1, 1), 7, 60)
    for length in range(1, 500):
        booked.cache_starts(length, 15, window.startable)
    assert len(booked.fitting) == MAX_LENGTHS
    assert (499, 15) in booked.fitting


def test_long_headers_are_not_cached() -> None:
    before = guard._parse.cache_info().currsize
    with pytest.raises(WireError):
        guard._shown("Bearer " + "x" * 100_000)
    for n in range(600, 700):
        with pytest.raises(WireError):
            guard._shown("Bearer " + " " * n + "token")
    assert guard._parse.cache_info().currsize == before


def test_numbers_of_many_digits_are_not_cached() -> None:
    before = _minor_of.cache_info().currsize
    assert _find_minor(Decimal("1." + "0" * 100_000), 2) == 100
    assert _find_minor(Decimal("9" * 100_000), 2) is None
    assert _minor_of.cache_info().currsize == before
