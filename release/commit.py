"""The commit that is released: what git has of it, and nothing else that lies in the folder."""

import io
import subprocess
import sys
import tarfile
from pathlib import Path
from typing import NamedTuple


class Commit(NamedTuple):
    checkout: Path
    name: str
    seconds: int  # when it was committed: the time of everything that is built from it
    has_changes_beside: bool

    def write_to(self, folder: Path) -> None:
        """Its files, and its name where `frontdesk --version` looks for it."""
        archive = _git(self.checkout, "archive", "--format=tar", self.name)
        with tarfile.open(fileobj=io.BytesIO(archive)) as files:
            files.extractall(folder, filter="data")
        (folder / "frontdesk" / "commit.txt").write_text(f"{self.name}\n", "ascii")


def last_commit(checkout: Path) -> Commit:
    name, seconds = _git(checkout, "log", "-1", "--abbrev=12", "--format=%h %ct").decode("ascii").split()
    return Commit(checkout, name, int(seconds), bool(_git(checkout, "status", "--porcelain")))


def _git(checkout: Path, *words: str) -> bytes:
    command = ["git", "-C", str(checkout), *words]
    try:
        done = subprocess.run(command, capture_output=True, check=False)  # noqa: S603 - no word comes from outside
    except OSError as error:
        sys.exit(f"a release is built from a commit, with git: {error}")
    if done.returncode:
        sys.exit(f"a release is built from a commit, with git: {done.stderr.decode()}")
    return done.stdout
