"""Versions of Python whose faults we know to matter here. docs/decisions tells which, and why."""

import sys

from frontdesk.errors import StartupError

_FIRST_FIXED = (3, 11, 4)


def check_python(version: tuple[int, int, int], release_level: str) -> str | None:
    """Raises for a version that cannot be used; a warning for one that should not be."""
    written = ".".join(map(str, version))
    if version < _FIRST_FIXED:
        first = ".".join(map(str, _FIRST_FIXED))
        raise StartupError(
            f"Python {written} loses timeouts of asyncio: install Python {first} or newer and start with that"
        )
    if release_level != "final":
        return f"warning: Python {written} is a pre-release ({release_level}); use a released version in production"
    return None


def check_python_version() -> str | None:
    return check_python(
        (sys.version_info.major, sys.version_info.minor, sys.version_info.micro), sys.version_info.releaselevel
    )
