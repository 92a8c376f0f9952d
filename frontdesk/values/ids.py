"""Time-ordered UUIDs (version 7), made here so that a record's id is known before it is written."""

import os
import time
from threading import Lock
from uuid import UUID, SafeUUID

_lock = Lock()
_last_tick = 0


def uuid7() -> UUID:
    """Forty-eight bits of milliseconds, twelve of a fraction that only grows within this process, the rest random."""
    global _last_tick  # noqa: PLW0603 - one clock per process is the point
    with _lock:
        tick = max((time.time_ns() << 12) // 1_000_000, _last_tick + 1)
        _last_tick = tick
    return _compose(tick >> 12, tick & 0xFFF)


def uuid7_at(milliseconds: int) -> UUID:
    """An id that sorts as if it had been made at that moment, for records told of after the fact."""
    return _compose(milliseconds, int.from_bytes(os.urandom(2), "big") & 0xFFF)


def _compose(milliseconds: int, fraction: int) -> UUID:
    tail = int.from_bytes(os.urandom(8), "big") & 0x3FFF_FFFF_FFFF_FFFF
    return uuid_from_int((milliseconds & 0xFFFF_FFFF_FFFF) << 80 | 7 << 76 | fraction << 64 | 2 << 62 | tail)


def uuid_from_int(number: int) -> UUID:
    """As UUID(int=number) makes it, without the checks of its arguments, which take longer than all the rest here."""
    made = object.__new__(UUID)
    object.__setattr__(made, "int", number)
    object.__setattr__(made, "is_safe", SafeUUID.unknown)
    return made
