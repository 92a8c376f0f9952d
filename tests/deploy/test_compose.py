"""deploy/compose.yaml, parsed: the files of the guide are there, and the program accepts the settings."""

import re
import subprocess
from pathlib import Path
from typing import Any

import yaml

from frontdesk.cli.main import COMMANDS
from frontdesk.config import read_settings
from frontdesk.docs_site.guide_files import FOLDER

DEPLOY = Path(__file__).parents[2] / "deploy"


def _compose() -> dict[str, Any]:
    parsed: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
    return parsed


def _secrets_of_the_guide(folder: Path) -> Path:
    """What the lines of the guide make, before they start anything."""
    guide = (FOLDER / "operating.md").read_text("utf-8")
    (lines,) = re.findall(r"^ +mkdir -m 700 deploy/secrets\n(?: +.*deploy/secrets/.*\n)+", guide, re.MULTILINE)
    (folder / "deploy").mkdir()
    subprocess.run(["sh", "-e", "-c", lines], cwd=folder, check=True)
    return folder / "deploy" / "secrets"


def test_the_lines_of_the_guide_make_the_secrets(tmp_path: Path) -> None:
    folder = _secrets_of_the_guide(tmp_path)
    named = {secret["file"] for secret in _compose()["secrets"].values()}
    assert named == {f"secrets/{path.name}" for path in folder.iterdir()}
    password = (folder / "database-password").read_text().strip()
    for name in ("server", "worker"):
        service = _compose()["services"][name]
        given = {key: value.replace("/run/secrets", str(folder)) for key, value in service["environment"].items()}
        settings = read_settings({**given, "FRONTDESK_ORIGIN": "https://desk.example.com"})
        assert settings.database_url == f"postgresql://frontdesk:{password}@database:5432/frontdesk"
        assert settings.secret_keys
        assert service["command"][0] in COMMANDS


def test_a_service_has_few_rights_and_waits_for_what_it_needs() -> None:
    services = _compose()["services"]
    for name in ("server", "worker"):
        assert (services[name]["read_only"], services[name]["cap_drop"]) == (True, ["ALL"])
        assert services[name]["build"] == {"context": "..", "dockerfile": "deploy/Containerfile"}
        for needed, condition in services[name]["depends_on"].items():
            assert condition == {"condition": "service_healthy"}
            assert needed in services
    assert "healthcheck" in services["database"]
