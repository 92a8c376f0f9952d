"""A command whose commit waits for a synchronous standby says so, and goes on when the wait is over."""

import asyncio
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from frontdesk.postgres.connect import connect
from frontdesk.postgres.embedded.server import EmbeddedPostgres
from frontdesk.server import standby_wait
from frontdesk.server.database import open_connection
from tests.support.repetitions import LONG_SECONDS
from tests.support.waiting import eventually


@pytest.fixture
def own_server() -> Iterator[str]:
    """Not tmp_path, whose parents are closed to the user that root's server runs as."""
    folder = Path(tempfile.mkdtemp(prefix="fd-", dir="/tmp"))
    folder.chmod(0o711)
    with EmbeddedPostgres(folder) as dsn:
        yield dsn
    shutil.rmtree(folder)


@pytest.mark.torture
@pytest.mark.skipif(not LONG_SECONDS, reason="a database server of its own: `make torture` runs it")
async def test_a_command_says_that_it_waits_for_a_standby(
    own_server: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(standby_wait, "_SECONDS", 0.1)
    admin, told = await connect(own_server), ""
    await admin.execute("ALTER SYSTEM SET synchronous_standby_names = 'missing'")
    await admin.execute("SELECT pg_reload_conf()")

    def is_told() -> bool:
        nonlocal told
        told += capsys.readouterr().err
        return "waiting for the synchronous standby" in told

    async with open_connection(own_server) as raw:

        async def write() -> None:
            """More than once: the server reads its settings a moment later."""
            await raw.execute("CREATE TABLE written (number integer)")
            while not is_told():
                await raw.execute("COMMENT ON TABLE written IS 'again'")

        writing = asyncio.create_task(write())
        await eventually(is_told)
        await admin.execute("ALTER SYSTEM RESET synchronous_standby_names")
        await admin.execute("SELECT pg_reload_conf()")
        await writing
    assert told.count("\n") == 1
    await admin.close()
