"""`make dist`: everything that is released, from the last commit. The same commit gives the same bytes.

python -m release [FOLDER]
"""

import hashlib
import os
import shutil
import sys
import tempfile
from pathlib import Path

from release.commit import Commit, last_commit
from release.debian import build_package, run
from release.lock import locked_install
from release.sbom import sbom
from release.typescript import pack_typescript_client

ROOT = Path(__file__).parent.parent
SUMS = "SHA256SUMS"


def main() -> None:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "dist"
    commit = last_commit(ROOT)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    with tempfile.TemporaryDirectory(prefix="frontdesk-dist-") as sources:
        commit.write_to(Path(sources))
        build(Path(sources), commit, folder.absolute())
    for line in write_sums(folder):
        sys.stdout.write(line)
    if commit.has_changes_beside:
        sys.stderr.write(f"this is commit {commit.name}; changes that are not committed are not in it\n")


def build(sources: Path, commit: Commit, folder: Path) -> None:
    environment = {**os.environ, "SOURCE_DATE_EPOCH": str(commit.seconds)}
    for project in (sources, sources / "client"):  # each an sdist, and the wheel from that sdist
        run([sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder), str(project)], environment)
    requirements = locked_install(folder, (sources / "requirements" / "run.txt").read_text("ascii"))
    (folder / "requirements.txt").write_text(requirements, "ascii")
    (folder / "frontdesk.cdx.json").write_text(sbom(requirements, commit), "utf-8")
    pack_typescript_client(sources, folder, environment)
    build_package(sources, folder, environment)


def write_sums(folder: Path) -> list[str]:
    files = sorted(path for path in folder.iterdir() if path.name != SUMS)
    lines = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in files]
    (folder / SUMS).write_text("".join(lines), "ascii")
    return lines


if __name__ == "__main__":
    main()
