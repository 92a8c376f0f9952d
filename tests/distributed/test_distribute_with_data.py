"""A database that is in use becomes a distributed one: nothing is lost, also if the command is interrupted."""

import asyncio
import signal
import subprocess
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit
from uuid import uuid4

import asyncpg
import pytest
from asyncpg import Record

from frontdesk.demo_data.create import create_sandbox
from frontdesk.postgres.citus.coordinator import KEYS_TABLE
from frontdesk.postgres.pool import Connection, citus_address, connect
from tests.support.programs.commands import FRONTDESK, run, settings_environment
from tests.support.repetitions import LONG_SECONDS
from tests.support.servers.citus import COPY_SECONDS
from tests.support.servers.clusters import make_undistributed
from tests.support.waiting import PATIENCE_SECONDS, wait_until

pytestmark = [
    pytest.mark.torture,
    pytest.mark.timeout(COPY_SECONDS),
    pytest.mark.skipif(not LONG_SECONDS, reason="`make torture` runs it: it migrates and distributes a database"),
]
FREE = {"statement_timeout": "0", "lock_timeout": "0"}
KEYS = """
    SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid) FROM pg_constraint
    WHERE contype = 'f' AND connamespace = 'public'::regnamespace AND conname !~ '_\\d+$' ORDER BY 1, 2
"""


async def rows_of(raw: "asyncpg.Connection[Record]") -> dict[str, int]:
    names = await raw.fetch(
        """
        SELECT table_name FROM information_schema.tables
        WHERE table_schema = 'public' AND table_type = 'BASE TABLE' AND table_name !~ '_\\d+$'
        """
    )
    return {name: await raw.fetchval(f"SELECT count(*) FROM {name}") for (name,) in names}


def interrupt_in_the_middle(dsn: str, output: Path) -> None:
    with output.open("wb") as stderr:
        running = subprocess.Popen(
            [FRONTDESK, "distribute"], env=settings_environment(database_url=dsn), stderr=stderr, start_new_session=True
        )
    wait_until(lambda: "distributing 40/" in output.read_text() or running.poll() is not None)
    running.send_signal(signal.SIGINT)
    assert running.wait(PATIENCE_SECONDS) == 130, output.read_text()


async def test_a_filled_database_is_distributed_after_an_interruption(cluster_dsn: str, tmp_path: Path) -> None:
    dsn = await make_undistributed(cluster_dsn, f"filled_{uuid4().hex}")
    dsn = urlunsplit(
        urlsplit(dsn)._replace(query=urlsplit(dsn).query.partition("&options")[0])
    )  # as an operator has it
    raw = await connect(dsn, settings=FREE)
    await create_sandbox(Connection(raw))
    rows, keys = await rows_of(raw), await raw.fetch(KEYS)
    refused = await asyncio.to_thread(run, "distribute", database_url=dsn)
    assert (refused.returncode, refused.stderr) == (
        2,
        "frontdesk: Frontdesk is running on this database: stop it first\n",
    )
    await raw.close()

    await asyncio.to_thread(interrupt_in_the_middle, dsn, tmp_path / "output")
    refused = await asyncio.to_thread(run, "tenant", "list", database_url=dsn)
    assert refused.stderr.startswith("frontdesk: the database is being distributed")
    again = await asyncio.to_thread(run, "distribute", database_url=dsn)
    assert again.returncode == 0, again.stderr
    assert "tables are distributed already" in again.stderr.splitlines()[0]
    refused = await asyncio.to_thread(run, "tenant", "list", database_url=dsn)
    assert refused.stderr == "frontdesk: the database is distributed: set FRONTDESK_DISTRIBUTED=citus\n"

    checked = await asyncio.to_thread(run, "check", database_url=dsn, distributed="citus")
    assert checked.returncode == 0, checked.stdout
    raw = await connect(citus_address(dsn), settings=FREE)
    assert await raw.fetchval("SELECT to_regclass($1)", KEYS_TABLE) is None
    assert (await rows_of(raw), await raw.fetch(KEYS)) == (rows, keys)
    await raw.close()
