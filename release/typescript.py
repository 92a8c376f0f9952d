"""The TypeScript client as npm's package: the one that the service of the commit offers."""

import sys
from collections.abc import Mapping
from pathlib import Path

from release.debian import run

_WRITE = """
import pathlib, sys
from frontdesk.packages.offered import TYPESCRIPT_CLIENT, offered_packages
package = offered_packages()[TYPESCRIPT_CLIENT]
pathlib.Path(sys.argv[1], package.file_name()).write_bytes(package.build())
"""


def pack_typescript_client(sources: Path, folder: Path, environment: Mapping[str, str]) -> None:
    run([sys.executable, "-c", _WRITE, str(folder)], {**environment, "PYTHONPATH": str(sources)})
