"""The settings of the database: its address, that of a replica, and where the embedded one has its archive."""

from pathlib import Path
from urllib.parse import urlsplit

from frontdesk.errors import StartupError


def database_url(name: str, value: str | None) -> str | None:
    """The value is not quoted in the error, because it may contain a password."""
    if value and not value.startswith(("postgresql://", "postgres://")):
        raise StartupError(f"FRONTDESK_{name} is not valid: it must begin with postgresql://")
    if value and _has_raw_password(value):
        raise StartupError(
            f"FRONTDESK_{name} is not valid: write every special character of the password as %XX, "
            "such as @ as %40 and / as %2F"
        )
    return value


def _has_raw_password(url: str) -> bool:
    """An @, /, ? or # of the password itself ends it too early, which leaves an @ at a place where none belongs."""
    try:
        parts = urlsplit(url)
    except ValueError:  # of brackets
        return True
    hosts = parts.netloc.count("@")
    return hosts > 1 or (not hosts and "@" in f"{parts.path}#{parts.fragment}{parts.query.partition('=')[0]}")


def read_database_url(value: str | None, url: str | None, distributed: str | None) -> str | None:
    if value and (not url or distributed):
        raise StartupError(
            "FRONTDESK_READ_DATABASE_URL needs FRONTDESK_DATABASE_URL, and not FRONTDESK_DISTRIBUTED: "
            "set it to a replica of that server, or remove it"
        )
    return database_url("READ_DATABASE_URL", value)


def is_distributed(value: str | None, url: str | None) -> bool:
    if value not in (None, "citus"):
        raise StartupError(f"FRONTDESK_DISTRIBUTED is {value!r}: set it to citus, or remove it")
    if value and not url:
        raise StartupError("FRONTDESK_DISTRIBUTED needs FRONTDESK_DATABASE_URL: set it to the Citus coordinator")
    return value == "citus"


def archive_dir(value: str | None, url: str | None) -> Path | None:
    if value and url:
        raise StartupError("FRONTDESK_ARCHIVE_DIR is for the embedded database: remove it, or FRONTDESK_DATABASE_URL")
    return Path(value).expanduser().absolute() if value else None
