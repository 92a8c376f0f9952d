"""kill -9 of the server, the worker and the database in the middle of sending: every message arrives.

It arrives once, unless its end had left the killed process and its mark had not: at most one message for each kill.

In `make test` the database belongs to the suite, so that only its connections are ended.
"""

import asyncio
import os
import random
import shutil
import signal
import subprocess
import tempfile
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, nullcontext, suppress
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

import asyncpg
import pytest

from frontdesk.demo_data.create import create_sandbox
from frontdesk.postgres.embedded.server import EmbeddedPostgres
from frontdesk.postgres.pool import Connection, connect
from tests.factories.order_copies import copy_orders
from tests.postgres.server_owner import postmaster
from tests.support.programs.commands import FRONTDESK, free_port, settings_environment
from tests.support.repetitions import LONG_SECONDS, repetitions
from tests.support.servers.clusters import cloned_database
from tests.support.servers.mail_server import MailServer, mail_server
from tests.support.service import SECRET_KEYS
from tests.support.waiting import eventually

ORIGIN = "https://desk.test"
ORDERS_PER_KILL = repetitions(8, long=15)  # each gets a confirmation and a reminder
VICTIMS = (
    ("worker", "server", "worker", "server", "database") * 10 if LONG_SECONDS else ("worker", "database", "server")
)
RawConnection: TypeAlias = "asyncpg.Connection[asyncpg.Record]"
LOST = (OSError, asyncpg.PostgresError, asyncpg.InterfaceError)

END_CONNECTIONS = """
SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
"""
END_LEASES = "UPDATE messages SET leased_until = now() WHERE lease IS NOT NULL AND state = 'due'"


class Processes:
    """`frontdesk serve` and `frontdesk worker` on the same database. Both send."""

    def __init__(self, data: Path, mail: MailServer, dsn: str | None) -> None:
        """Without a `dsn`, the database is the embedded one of the server."""
        self.dsn = dsn or f"postgresql://postgres@/frontdesk?host={data}/run&port=5432"
        self._data = data
        self._is_embedded = dsn is None
        self._settings = {"smtp_url": mail.url, "origin": ORIGIN, "data_dir": data, "secret_key": SECRET_KEYS[0]}
        if dsn:
            self._settings["database_url"] = dsn
        self._running: dict[str, subprocess.Popen[bytes]] = {}

    def start(self, name: str, *options: str) -> None:
        command = {"server": "serve", "worker": "worker"}.get(name)
        if command:
            port = {"port": free_port()} if name == "server" else {}
            self._running[name] = subprocess.Popen(
                [FRONTDESK, command, *options],
                env=settings_environment(**self._settings, **port),
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )

    async def kill(self, name: str) -> None:
        if name != "database":
            process = self._running.pop(name)
            process.kill()
            process.wait()
        elif self._is_embedded:
            os.kill(postmaster(self._data), signal.SIGKILL)
        else:
            await self.ask(lambda raw: raw.fetch(END_CONNECTIONS))

    async def stop(self) -> None:
        """What is being sent is sent: the mail server answers meanwhile."""
        for process in self._running.values():
            process.terminate()
        for process in self._running.values():
            await asyncio.to_thread(process.wait)
        self._running = {}

    async def end_leases(self) -> None:
        """Nobody sends now, so all leases are those of killed processes: as if they had ended."""
        with EmbeddedPostgres(self._data) if self._is_embedded else nullcontext():
            await self.ask(lambda raw: raw.fetch(END_LEASES))

    async def ask(self, work: Callable[[RawConnection], Awaitable[list[Any]]]) -> list[Any]:
        """As soon as the database answers. Work that is interrupted begins again."""
        while True:
            with suppress(*LOST):
                raw = await connect(self.dsn)
                try:
                    return await work(raw)
                finally:
                    raw.terminate()
            await asyncio.sleep(0.05)  # no synchronisation: another attempt


@pytest.fixture
def data() -> Iterator[Path]:
    """Not tmp_path, whose parents are closed to the user that root's database runs as."""
    folder = Path(tempfile.mkdtemp(prefix="fd-", dir="/tmp"))
    folder.chmod(0o711)
    yield folder / "data"
    shutil.rmtree(folder)


async def queue(raw: RawConnection, kill: int) -> list[Any]:
    """Returns the ids of the orders, also if they were queued by an attempt whose answer was lost."""
    first = 1_000_000 + kill * 1000
    found = await raw.fetch(
        "SELECT id FROM orders WHERE order_number > $1 AND order_number < $1 + 1000 AND tenant_id IS NOT NULL", first
    )
    if found:
        return [row["id"] for row in found]
    async with raw.transaction():
        orders = await copy_orders(raw, first, ORDERS_PER_KILL)
        for order in orders:
            await raw.execute("SELECT queue_order_message($1, $2, 'confirmation')", order["tenant_id"], order["id"])
    assert len(orders) == ORDERS_PER_KILL
    return [order["id"] for order in orders]


async def until(mail: MailServer, count: int) -> None:
    async def are_there() -> bool:
        return len(mail.received) >= count

    await eventually(are_there, 600)


async def has_orders(processes: Processes) -> bool:
    return bool(await processes.ask(lambda raw: raw.fetch("SELECT FROM orders LIMIT 1")))


async def none_waits(processes: Processes, orders: set[Any]) -> bool:
    """The reminders of all orders are queued, and nothing is due. A worker that starts looks for reminders first."""
    reminded = "SELECT FROM messages WHERE kind = 'reminder' AND order_id = ANY ($1)"
    if len(await processes.ask(lambda raw: raw.fetch(reminded, list(orders)))) < len(orders):
        return False
    return not await processes.ask(lambda raw: raw.fetch("SELECT FROM messages WHERE state = 'due' LIMIT 1"))


@asynccontextmanager
async def database(cluster_dsn: str, worker_id: str) -> AsyncIterator[str | None]:
    """The embedded one of the server in the long form; else one of the suite, with a business in it."""
    if LONG_SECONDS:
        yield None
        return
    async with cloned_database(cluster_dsn, f"mail_kills_{worker_id}") as dsn:
        raw = await connect(dsn)
        await create_sandbox(Connection(raw), plan="professional")
        await raw.close()
        yield dsn


@pytest.mark.torture
@pytest.mark.timeout(3600)
async def test_every_message_arrives_whatever_is_killed(cluster_dsn: str, worker_id: str, data: Path) -> None:
    async with mail_server() as mail, database(cluster_dsn, worker_id) as dsn:
        mail.delay = 0.02  # most kills hit a mail that the server has and has not answered
        processes = Processes(data, mail, dsn)
        try:
            processes.start("server", *([] if dsn else ["--sandbox"]))
            await eventually(lambda: has_orders(processes), 600)
            processes.start("worker")
            orders: set[Any] = set()
            for number, victim in enumerate(VICTIMS):
                orders |= set(await processes.ask(partial(queue, kill=number)))
                await until(mail, len(mail.received) + random.randrange(2, ORDERS_PER_KILL // 2))
                await asyncio.sleep(random.random() / 20)
                await processes.kill(victim)
                if LONG_SECONDS:
                    processes.start(victim)
            await processes.stop()
            await processes.end_leases()
            processes.start("worker")
            await eventually(lambda: none_waits(processes, orders), 600)
            messages = await processes.ask(lambda raw: raw.fetch("SELECT id, kind, order_id, state FROM messages"))
        finally:
            await processes.stop()
    counts = Counter(str(received["Message-ID"]) for received in mail.received)
    assert {row["state"] for row in messages} == {"sent"}
    assert set(counts) == {f"<{row['id']}@desk.test>" for row in messages}
    assert counts.total() - len(messages) <= len(VICTIMS)
    assert Counter((row["kind"], row["order_id"]) for row in messages if row["order_id"] in orders) == {
        (kind, order): 1 for kind in ("confirmation", "reminder") for order in orders
    }
