"""Rejects Python versions with bugs that affect Frontdesk; docs/decisions lists them."""

import sys

from frontdesk.errors import StartupError

_MIN_VERSION = (3, 11, 4)


def check_python(version: tuple[int, int, int], release_level: str) -> str | None:
    """Raises for an unusable version; returns a warning for a pre-release."""
    text = ".".join(map(str, version))
    if version < _MIN_VERSION:
        minimum = ".".join(map(str, _MIN_VERSION))
        raise StartupError(f"Python {text} loses asyncio timeouts: use Python {minimum} or newer")
    if release_level != "final":
        return f"warning: Python {text} is a pre-release ({release_level}); use a released version in production"
    return None


def check_python_version() -> str | None:
    return check_python(
        (sys.version_info.major, sys.version_info.minor, sys.version_info.micro), sys.version_info.releaselevel
    )
