"""The TypeScript client as npm's package: its compiled program, and the types of the description of this code."""

import gzip
import io
import tarfile
from importlib.metadata import distribution
from pathlib import Path
from typing import Any

import msgspec

from frontdesk.apis.openapi.build import description
from frontdesk.packages.schema_types import schema_types

# Compiled from client-ts by `make packages`: an installation has no compiler of TypeScript.
FOLDER = Path(__file__).parent / "typescript"
_CHANGED = 499162500  # of every file, in 1985, as npm writes it


def typescript_version() -> str:
    manifest: dict[str, Any] = msgspec.json.decode((FOLDER / "package.json").read_bytes())
    return str(manifest["version"])


def build_typescript_package() -> bytes:
    files = {f"dist/{path.name}": path.read_bytes() for path in FOLDER.glob("*.[jt]s")}
    files |= {name: (FOLDER / name).read_bytes() for name in ("package.json", "README.md")}
    files["LICENSE"] = (distribution("frontdesk").read_text("licenses/LICENSE") or "").encode()
    files |= {"dist/schema.d.ts": schema_types(description("open-api")).encode(), "dist/schema.js": b"export {};\n"}
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.USTAR_FORMAT) as package:
        for name, content in sorted(files.items()):
            info = tarfile.TarInfo(f"package/{name}")
            info.size, info.mtime, info.mode = len(content), _CHANGED, 0o644
            package.addfile(info, io.BytesIO(content))
    return gzip.compress(packed.getvalue(), mtime=0)
