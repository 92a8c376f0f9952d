"""Two servers behind HAProxy become those of the next release, of this one and of the next again: no request fails."""

import asyncio
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.faults.conclude import conclude
from tests.faults.faults import UPGRADE
from tests.faults.installation import MAIN, Installation, Part, running_installation
from tests.faults.load import Load, running_load
from tests.faults.next_release import make_next_release
from tests.support.programs.commands import free_port
from tests.support.repetitions import LONG_SECONDS
from tests.support.waiting import eventually

pytestmark = [
    pytest.mark.torture,
    pytest.mark.skipif(not LONG_SECONDS, reason="`make torture` upgrades installations"),
    pytest.mark.timeout(900),
]
SAMPLE = Path(__file__).parents[2] / "deploy" / "haproxy.cfg"
HAPROXY = shutil.which("haproxy") or shutil.which("haproxy", path="/usr/sbin")
NEXT = "PYTHONPATH"  # names the folder of the next release


@contextmanager
def haproxy(folder: Path, port: int, servers: list[int]) -> Iterator[None]:
    """The sample of deploy/, without TLS."""
    text = SAMPLE.read_text("utf-8")
    for pattern, new in (
        (r" *(user|group) haproxy\n", ""),  # which only root can become
        (r"bind :80\n", f"bind 127.0.0.1:{port}\n"),
        (r" *bind :443 .*\n", ""),
        (r" *http-request redirect .*\n", ""),
        (r"Proto https", "Proto http"),
        (r"127\.0\.0\.1:8000", f"127.0.0.1:{servers[0]}"),
        (r"127\.0\.0\.1:8001", f"127.0.0.1:{servers[1]}"),
    ):
        text, count = re.subn(pattern, new, text)
        assert count, pattern
    (folder / "haproxy.cfg").write_text(text, "utf-8")
    assert HAPROXY
    with (folder / "haproxy.log").open("wb") as log:
        running = subprocess.Popen([HAPROXY, "-f", folder / "haproxy.cfg"], stdout=log, stderr=log)
    try:
        yield
    finally:
        running.terminate()
        running.wait()


async def replace(site: Installation, load: Load, python_path: str) -> None:
    """One program after the other, each when the one before is ready and used."""
    for part in [*site.servers, site.worker]:
        await part.stop()
        part.environment[NEXT] = python_path
        part.start()
        if part is not site.worker:
            await eventually(part.is_ready)
        await load.go_on()


async def migrate(part: Part, python_path: str, *options: str) -> str:
    command = [sys.executable, "-c", MAIN, "migrate", *options]
    done = await asyncio.to_thread(
        subprocess.run,
        command,
        cwd="/",
        env={**part.environment, NEXT: python_path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stderr


@pytest.mark.skipif(HAPROXY is None, reason="haproxy is missing: apt-get install haproxy")
async def test_an_upgrade_and_the_way_back_fail_no_request(tmp_path: Path) -> None:
    port, servers = free_port(), [free_port(), free_port()]
    following = str(make_next_release(tmp_path))
    with haproxy(tmp_path, port, servers):
        async with running_installation(ports=servers, origin=f"http://127.0.0.1:{port}") as site:
            async with running_load(site) as load:
                said = await migrate(site.worker, following)
                assert "migrating 2/2" in said
                await replace(site, load, following)
                await replace(site, load, "")
                assert "replacing" in await migrate(site.worker, "", "--back")
                await load.go_on()
                assert "replacing" in await migrate(site.worker, following)
                await replace(site, load, following)
            await conclude(load, UPGRADE, 3)
    assert load.refused == 0, (tmp_path / "haproxy.log").read_text()[-4000:]
