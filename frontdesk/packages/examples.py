"""The examples of the project as one file, for who has only the address of an installation."""

import io
import zipfile
from pathlib import Path

import msgspec

from frontdesk.packages.wheels import write_file

# Their texts by path, written by `make packages`: an installation has the package only.
FILE = Path(__file__).parent / "examples.json"


def build_examples() -> bytes:
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w") as archive:
        for name, text in msgspec.json.decode(FILE.read_bytes(), type=dict[str, str]).items():
            write_file(archive, name, text.encode())
    return written.getvalue()
