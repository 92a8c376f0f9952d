"""PgBouncer in front of the database: the start is refused in every mode that mixes sessions."""

import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import asyncpg
import pytest

from frontdesk.errors import StartupError
from frontdesk.postgres.connect import _SESSION
from frontdesk.server.database import migrated_connection
from tests.support.programs.commands import free_port
from tests.support.waiting import eventually

PROGRAM = shutil.which("pgbouncer", path="/usr/sbin:/usr/bin")
pytestmark = pytest.mark.skipif(PROGRAM is None, reason="PgBouncer is missing: apt-get install pgbouncer")
IGNORED = ", ".join((*_SESSION, "extra_float_digits"))


@contextmanager
def running_pgbouncer(folder: Path, dsn: str, mode: str, ignored: str) -> Iterator[str]:
    """Its address."""
    address, port = urlsplit(dsn), free_port()
    where = {name: values[0] for name, values in parse_qs(address.query).items()}
    folder.parent.chmod(0o755)
    folder.chmod(0o755)
    (folder / "users").write_text('"postgres" ""\n')
    (folder / "pgbouncer.ini").write_text(
        f"[databases]\n* = host={where['host']} port={where['port']}\n"
        f"[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = {port}\nunix_socket_dir =\nauth_type = trust\n"
        f"auth_file = {folder}/users\npool_mode = {mode}\nignore_startup_parameters = {ignored}\n"
    )
    command = [PROGRAM or "", "-u", "nobody", str(folder / "pgbouncer.ini")]
    with (folder / "log").open("wb") as log:
        running = subprocess.Popen(command, stdout=log, stderr=log)
    try:
        yield f"postgresql://postgres@127.0.0.1:{port}{address.path}"
    finally:
        running.terminate()
        running.wait()


async def start_on(address: str) -> None:
    async def is_up() -> bool:
        try:
            await (await asyncpg.connect(address, timeout=5)).close()
        except OSError:
            return False
        except asyncpg.PostgresError:
            pass  # it answers
        return True

    await eventually(is_up)
    async with migrated_connection(address):
        pass


@pytest.mark.parametrize("mode", ["transaction", "statement"])
async def test_a_pooler_that_shares_sessions_is_refused_at_start(tmp_path: Path, empty_dsn: str, mode: str) -> None:
    with (
        running_pgbouncer(tmp_path, empty_dsn, mode, IGNORED) as address,
        pytest.raises(StartupError, match=r"gives one session to several connections.*pool_mode = session"),
    ):
        await start_on(address)


async def test_a_pooler_that_refuses_session_settings_is_named_at_start(tmp_path: Path, empty_dsn: str) -> None:
    with (
        running_pgbouncer(tmp_path, empty_dsn, "session", "") as address,
        pytest.raises(StartupError, match=r"PgBouncer.*unsupported startup parameter"),
    ):
        await start_on(address)


async def test_a_pooler_in_session_mode_is_used_when_statements_have_a_time_limit(
    tmp_path: Path, empty_dsn: str
) -> None:
    with (
        running_pgbouncer(tmp_path, empty_dsn, "session", IGNORED) as address,
        pytest.raises(StartupError, match=r"drops the settings of a session"),
    ):
        await start_on(address)
    raw = await asyncpg.connect(empty_dsn)
    await raw.execute(f"ALTER DATABASE {urlsplit(empty_dsn).path[1:]} SET statement_timeout = '10s'")
    await raw.close()
    with running_pgbouncer(tmp_path, empty_dsn, "session", IGNORED) as address:
        await start_on(address)
