"""What some tests need beyond PyPI: installed from Debian where that can be done, named where it cannot."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

NEEDED = {
    "chromium": Path("/usr/bin/chromium"),
    "curl": Path("/usr/bin/curl"),
    "jq": Path("/usr/bin/jq"),
    "nodejs": Path("/usr/bin/node"),
    "postgresql-15": Path("/usr/lib/postgresql/15/bin/postgres"),
    "fonts-noto-core": Path("/usr/share/fonts/truetype/noto/NotoNaskhArabic-Regular.ttf"),
    "poppler-utils": Path("/usr/bin/pdftotext"),
}


def main() -> int:
    missing = [package for package, program in NEEDED.items() if not program.exists()]
    if not missing:
        return 0
    if os.geteuid() == 0 and shutil.which("apt-get"):
        quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        for command in (["apt-get", "update", "-qq"], ["apt-get", "install", "-y", "-qq", *missing]):
            subprocess.run(command, env=quiet, check=False, stdout=subprocess.DEVNULL)
        missing = [package for package in missing if not NEEDED[package].exists()]
    if missing:
        sys.stderr.write(f"some tests are skipped without: apt-get install {' '.join(missing)}\n")
    return 1 if missing and os.environ.get("CI") == "true" else 0


if __name__ == "__main__":
    sys.exit(main())
