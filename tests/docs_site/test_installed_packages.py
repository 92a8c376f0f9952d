"""pip and npm install the packages of a running service from its address, and they work."""

import asyncio
import os
import sys
from pathlib import Path

import pytest

from tests.client_ts.built import NODE
from tests.docs_site.test_packages import lines
from tests.support.repetitions import LONG_SECONDS
from tests.support.service import Service

pytestmark = [
    pytest.mark.torture,
    pytest.mark.timeout(1200),
    pytest.mark.skipif(not LONG_SECONDS, reason="pip gets other packages from its index: `make torture` does"),
]


async def test_pip_installs_the_client_and_the_command_line_from_a_running_service(
    service: Service, tmp_path: Path
) -> None:
    await _run(sys.executable, "-m", "venv", tmp_path / "env")
    python = tmp_path / "env" / "bin" / "python"
    pip = (python, "-m", "pip", "install", "--disable-pip-version-check")
    client, program = lines((await service.http.get("/packages")).text)[:2]
    await _run(*pip, *client.split()[2:])
    await _run(python, "-c", "import frontdesk_client; frontdesk_client.AsyncClient")
    await _run(*pip, *program.replace("\\", "").split()[2:])
    for command in ("conformance", "listen", "trigger"):
        await _run(tmp_path / "env" / "bin" / "frontdesk", command, "--help")
    assert "accepted" in await _run(tmp_path / "env" / "bin" / "frontdesk", "conformance", "--list")


async def test_the_guide_installs_the_commands_for_developers_without_the_service(
    service: Service, tmp_path: Path
) -> None:
    guide = (await service.http.get("/docs/guides/tools.md")).text
    await _run(sys.executable, "-m", "venv", tmp_path / ".venv")
    commands = [line for line in guide.splitlines() if line.startswith(".venv/bin/pip install")]
    assert len(commands) == 2
    for command in commands:
        await _run(*command.split(), folder=tmp_path)
    assert "accepted" in await _run(".venv/bin/frontdesk", "conformance", "--list", folder=tmp_path)


async def test_npm_installs_the_typescript_client_from_a_running_service(service: Service, tmp_path: Path) -> None:
    line = lines((await service.http.get("/packages")).text)[2]
    await _run(NODE.parent / "npm", *line.split()[1:], "--no-audit", "--no-fund", folder=tmp_path)
    (tmp_path / "program.mjs").write_text('import { Client } from "frontdesk-client"; console.log(Client.name);')
    assert await _run(NODE, "program.mjs", folder=tmp_path) == "Client\n"


async def _run(*command: object, folder: Path | None = None) -> str:
    path = os.pathsep.join([str(NODE.parent), os.environ["PATH"]])
    running = await asyncio.create_subprocess_exec(
        *(str(word) for word in command),
        cwd=folder,
        env={**os.environ, "PATH": path},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    said, _ = await running.communicate()
    assert running.returncode == 0, said.decode()
    return said.decode()
