"""A wheel of a distribution as it is installed here, from its files: the same files give the same bytes."""

import base64
import hashlib
import io
import zipfile
from collections.abc import Iterator
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from importlib.util import find_spec
from pathlib import Path, PurePosixPath
from typing import NamedTuple

_CHANGED = (1980, 1, 1, 0, 0, 0)  # of every file: the earliest that a zip can say
_READABLE = 0o100644 << 16
# What pip writes into this folder of an installation is not part of a wheel.
_METADATA = ("METADATA", "WHEEL", "entry_points.txt")
_COMPILED = "__pycache__"


class InstalledPackage(NamedTuple):
    name: str  # as it is imported
    folder: Path
    distribution: Distribution


def find_installed(name: str) -> InstalledPackage | None:
    """The package may be installed or lie in a checkout; its metadata is installed in both cases."""
    spec = find_spec(name)
    if spec is None or spec.origin is None:
        return None
    try:
        found = distribution(name.replace("_", "-"))
    except PackageNotFoundError:
        return None
    return InstalledPackage(name, Path(spec.origin).parent, found)


def build_wheel(package: InstalledPackage) -> bytes:
    written = io.BytesIO()
    record = f"{package.name}-{package.distribution.version}.dist-info/RECORD"
    rows = []
    with zipfile.ZipFile(written, "w") as wheel:
        for name, content in _files(package):
            write_file(wheel, name, content)
            digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).decode("ascii").rstrip("=")
            rows.append(f"{name},sha256={digest},{len(content)}\n")
        write_file(wheel, record, "".join([*rows, f"{record},,\n"]).encode())
    return written.getvalue()


def _files(package: InstalledPackage) -> Iterator[tuple[str, bytes]]:
    for path in sorted(package.folder.rglob("*")):
        inside = path.relative_to(package.folder)
        if path.is_file() and _COMPILED not in inside.parts:
            yield f"{package.name}/{inside.as_posix()}", path.read_bytes()
    yield from _metadata(package)


def _metadata(package: InstalledPackage) -> Iterator[tuple[str, bytes]]:
    for file in sorted(package.distribution.files or (), key=str):
        folder, *inside = PurePosixPath(file).parts
        if folder.endswith(".dist-info") and (inside[0] in _METADATA or inside[0] == "licenses"):
            yield str(PurePosixPath(file)), Path(str(file.locate())).read_bytes()


def write_file(archive: zipfile.ZipFile, name: str, content: bytes) -> None:
    """The same content gives the same bytes."""
    info = zipfile.ZipInfo(name, _CHANGED)
    info.compress_type = zipfile.ZIP_DEFLATED
    info.external_attr = _READABLE
    archive.writestr(info, content)
