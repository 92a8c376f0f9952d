"""The TypeScript client as npm's package, with the types of the description that is stored in the commit."""

import os
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path

from release.debian import run


def pack_typescript_client(sources: Path, folder: Path, environment: Mapping[str, str]) -> None:
    programs = Path(sys.executable).parent  # node and npm of the locked packages
    here = sources / "client-ts"
    versions = sources / "frontdesk" / "apis" / "openapi" / "versions"
    shutil.copy(max(versions.glob("*/open-api.json")), here / "open-api.json")
    given = {**environment, "PATH": f"{programs}{os.pathsep}{environment['PATH']}"}
    npm = [str(programs / "npm"), "--prefix", str(here)]
    run([*npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund"], given)
    run([*npm, "run", "build"], given)
    run([*npm, "pack", str(here), "--ignore-scripts", "--pack-destination", str(folder)], given)
