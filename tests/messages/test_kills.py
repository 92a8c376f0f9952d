"""kill -9 of workers in the middle of sending: every message arrives, and no message arrives twice."""

import asyncio
import random
import signal
from collections import Counter
from datetime import UTC, datetime, timedelta
from pathlib import Path

import msgspec
import pytest

from frontdesk.demo_data.create import create_sandbox
from frontdesk.postgres.pool import Connection, connect
from tests.support.clusters import cloned_database
from tests.support.commands import FRONTDESK, settings_environment
from tests.support.dashboard import eventually
from tests.support.mail_server import MailServer, mail_server
from tests.support.repetitions import repetitions
from tests.support.service import SECRET_KEYS

KILLS = repetitions(3, long=50)
PER_KILL = 30


async def queue(conn: Connection, tenant_id: object) -> None:
    start = datetime.now(UTC) + timedelta(days=1)
    booked = {
        "starts_at": start,
        "ends_at": start + timedelta(hours=1),
        "services": [{"names": {"en": "Cut"}, "provider": "Reem"}],
        "branch": "Olaya",
    }
    for number in range(PER_KILL):
        kind = "reminder" if number % 2 else "confirmation"
        message = {"kind": kind, "email": f"s{number}@example.com", "name": "Sara", "language": "en", "data": booked}
        await conn.execute("SELECT queue_message($1, $2)", tenant_id, msgspec.json.encode(message).decode())


async def start_worker(dsn: str, folder: Path, server: MailServer) -> asyncio.subprocess.Process:
    environment = settings_environment(
        database_url=dsn, data_dir=folder, secret_key=SECRET_KEYS[0], smtp_url=server.url, origin="https://desk.test"
    )
    null = asyncio.subprocess.DEVNULL
    return await asyncio.create_subprocess_exec(FRONTDESK, "worker", env=environment, stdout=null, stderr=null)


async def until(server: MailServer, many: int) -> None:
    async def are_there() -> bool:
        return len(server.received) >= many

    await eventually(are_there)


@pytest.mark.torture
async def test_every_message_arrives_once_whatever_is_killed(cluster_dsn: str, worker_id: str, tmp_path: Path) -> None:
    async with cloned_database(cluster_dsn, f"mail_kills_{worker_id}") as dsn, mail_server() as server:
        raw = await connect(dsn)
        conn = Connection(raw)
        sandbox = await create_sandbox(conn, plan="professional")
        server.delay = 0.02  # most kills hit a mail that the server has and has not answered
        try:
            for kill in range(KILLS):
                await queue(conn, sandbox.tenant_id)
                process = await start_worker(dsn, tmp_path, server)
                await until(server, kill * PER_KILL + random.randrange(1, PER_KILL // 2))
                await asyncio.sleep(random.random() / 20)
                process.send_signal(signal.SIGKILL)
                await process.wait()
                # As if the leases of the dead worker had ended.
                await conn.execute(
                    "UPDATE messages SET leased_until = now() WHERE lease IS NOT NULL AND tenant_id = $1",
                    sandbox.tenant_id,
                )
            last = await start_worker(dsn, tmp_path, server)
            await until(server, KILLS * PER_KILL)
            last.terminate()
            await last.wait()
            states = await conn.fetch("SELECT DISTINCT state FROM messages WHERE tenant_id = $1", sandbox.tenant_id)
        finally:
            await raw.close()
    counts = Counter(str(mail["Message-ID"]) for mail in server.received)
    assert [row["state"] for row in states] == ["sent"]
    assert (len(counts), set(counts.values())) == (KILLS * PER_KILL, {1})
