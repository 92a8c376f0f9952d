"""requirements.txt of a release: both wheels and the locked packages, for `pip install -r`."""

import hashlib
import re
from pathlib import Path

_PINNED = re.compile(r"^([a-z0-9._-]+)==([^ \\]+)", re.MULTILINE)


def locked_install(folder: Path, lock: str) -> str:
    """pip looks for files beside requirements.txt too, and their hashes keep out others of the same name."""
    lines = ["--find-links ."]
    for wheel in sorted(folder.glob("*.whl")):
        name, version, *_ = wheel.name.split("-")
        lines += [f"{name.replace('_', '-')}=={version} \\"]
        lines += [f"    --hash=sha256:{hashlib.sha256(wheel.read_bytes()).hexdigest()}"]
    return "\n".join(lines) + "\n" + lock


def pinned_versions(requirements: str) -> dict[str, str]:
    return dict(_PINNED.findall(requirements))
