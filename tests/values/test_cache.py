"""Caches are bounded, whatever callers send."""

from decimal import Decimal

from frontdesk.values.cache import SizedCache
from frontdesk.values.money import find_minor, minor_of


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


def test_numbers_of_many_digits_are_not_cached() -> None:
    before = minor_of.cache_info().currsize
    assert find_minor(Decimal("1." + "0" * 100_000), 2) == 100
    assert find_minor(Decimal("9" * 100_000), 2) is None
    assert minor_of.cache_info().currsize == before
