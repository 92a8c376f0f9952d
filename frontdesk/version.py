"""Which program this is: its version, its commit and the schema it works on."""

import subprocess
from pathlib import Path

from frontdesk import __version__

_PACKAGE = Path(__file__).parent
COMMIT_FILE = _PACKAGE / "commit.txt"  # written by `make dist`


def version_line() -> str:
    return f"frontdesk {__version__}, commit {commit() or 'unknown'}, schema {schema_number()}"


def commit() -> str | None:
    if COMMIT_FILE.exists():
        return COMMIT_FILE.read_text("ascii").strip()
    if not (_PACKAGE.parent / ".git").exists():
        return None
    command = ["git", "-C", str(_PACKAGE.parent), "rev-parse", "--short=12", "HEAD"]
    try:
        found = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 - constant
    except OSError:  # git is not installed
        return None
    return found.stdout.strip() or None


def schema_number() -> int:
    return len(list((_PACKAGE / "postgres" / "migrations").glob("*.sql")))
