"""Warns of Python versions that are not meant for production; docs/decisions lists the bugs of released ones."""

import sys

from frontdesk.server.database import print_status


def check_python(version: tuple[int, int, int], release_level: str) -> str | None:
    """A warning for a pre-release."""
    if release_level == "final":
        return None
    text = ".".join(map(str, version))
    return f"warning: Python {text} is a pre-release ({release_level}); use a released version in production"


def check_python_version() -> str | None:
    return check_python(
        (sys.version_info.major, sys.version_info.minor, sys.version_info.micro), sys.version_info.releaselevel
    )


def warn_of_python() -> None:
    warning = check_python_version()
    if warning:
        print_status(warning)
