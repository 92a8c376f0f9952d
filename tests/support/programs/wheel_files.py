"""What is in a wheel, which is checked as pip checks it."""

import base64
import csv
import hashlib
import io
import zipfile


def wheel_files(wheel: bytes) -> dict[str, bytes]:
    """Every file but the list of them, whose hashes are right."""
    with zipfile.ZipFile(io.BytesIO(wheel)) as files:
        found = {name: files.read(name) for name in files.namelist()}
    (record,) = [name for name in found if name.endswith(".dist-info/RECORD")]
    rows = {name: digest for name, digest, _ in csv.reader(found.pop(record).decode().splitlines())}
    assert rows == {name: f"sha256={_digest(content)}" for name, content in found.items()} | {record: ""}
    return found


def _digest(content: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(content).digest()).decode().rstrip("=")
