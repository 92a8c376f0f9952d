"""Lengths of time as ISO 8601 writes them."""

import re
from datetime import timedelta

_DURATION = re.compile(
    r"P(?=\d|T\d)(?:(?P<weeks>\d{1,4})W)?(?:(?P<days>\d{1,5})D)?"
    r"(?:T(?=\d)(?:(?P<hours>\d{1,6})H)?(?:(?P<minutes>\d{1,7})M)?(?:(?P<seconds>\d{1,9})S)?)?",
    re.ASCII,
)


def parse_duration(text: str) -> timedelta | None:
    """None for other texts, and for months and years, which have no length of their own."""
    found = _DURATION.fullmatch(text)
    if found is None:
        return None
    return timedelta(**{unit: int(count) for unit, count in found.groupdict().items() if count is not None})
