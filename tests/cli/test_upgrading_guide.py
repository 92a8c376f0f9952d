"""The commands of the guide about upgrading, in its order."""

import asyncio
import re
from pathlib import Path

from frontdesk.docs_site.guide_files import FOLDER
from tests.support.programs.commands import invoke

COMMANDS = re.findall(r"`frontdesk ([^`]+)`", (FOLDER / "upgrading.md").read_text("utf-8"))


async def test_every_command_of_the_guide_about_upgrading_works(empty_dsn: str, tmp_path: Path) -> None:
    assert COMMANDS == ["migrate --plan", "migrate", "doctor", "migrate --back"]
    given = {"FRONTDESK_DATABASE_URL": empty_dsn, "FRONTDESK_DATA_DIR": str(tmp_path)}
    for command in COMMANDS:
        outcome = await asyncio.to_thread(invoke, command.split(), given)
        assert outcome.exit_code == 0, (command, outcome.output)
