"""How pip reaches its index on this machine, for a Debian that is built here."""

import configparser
import subprocess
import sys
from pathlib import Path

CERTIFICATES = Path("/etc/ssl/certs/ca-certificates.crt")


def pip_configuration(folder: Path, certificates: str) -> Path:
    """The pip settings of this machine, with the certificates where the build sees them."""
    listed = subprocess.run([sys.executable, "-m", "pip", "config", "list"], capture_output=True, text=True, check=True)
    config = configparser.RawConfigParser()
    config["global"] = {"cert": certificates}
    for line in listed.stdout.splitlines():
        name, _, value = line.partition("=")
        if name.endswith("index-url"):
            config["global"][name.rpartition(".")[2]] = value.strip("'")
    with (folder / "pip.conf").open("w") as file:
        config.write(file)
    return folder / "pip.conf"
