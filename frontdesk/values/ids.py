"""Time-ordered UUIDs (version 7), generated here so that a record's id is known before it is inserted."""

import os
import time
from datetime import datetime
from threading import Lock
from uuid import UUID, SafeUUID

from frontdesk.values.clock import seconds_ahead

_UNKNOWN = SafeUUID.unknown  # the enumeration takes longer to look up than all the rest
_lock = Lock()
_last_tick = 0


def uuid7() -> UUID:
    """48 bits of milliseconds, 12 bits of a fraction that increases within this process, and random bits."""
    global _last_tick  # noqa: PLW0603 - ids must increase across the whole process
    with _lock:
        tick = max((time.time_ns() << 12) // 1_000_000, _last_tick + 1)
        _last_tick = tick
    ahead = seconds_ahead()
    return _compose((tick >> 12) + (0 if ahead is None else ahead * 1000), tick & 0xFFF)


def uuid7_at(milliseconds: int) -> UUID:
    """An id that sorts as if it was generated at that time, for records of the past."""
    return _compose(milliseconds, int.from_bytes(os.urandom(2), "big") & 0xFFF)


def lowest_id_at(moment: datetime) -> UUID:
    """Every id that was generated before the moment is lower."""
    return uuid_from_int(round(moment.timestamp() * 1000) << 80)


def _compose(milliseconds: int, fraction: int) -> UUID:
    tail = int.from_bytes(os.urandom(8), "big") & 0x3FFF_FFFF_FFFF_FFFF
    return uuid_from_int((milliseconds & 0xFFFF_FFFF_FFFF) << 80 | 7 << 76 | fraction << 64 | 2 << 62 | tail)


def uuid_from_int(number: int) -> UUID:
    """Like UUID(int=number), without the argument checks, which take most of its time."""
    value = object.__new__(UUID)
    object.__setattr__(value, "int", number)
    object.__setattr__(value, "is_safe", _UNKNOWN)
    return value


def short_code(id_: UUID) -> str:
    """The random end of an id, where a short unique text is needed."""
    return id_.hex[-8:]
