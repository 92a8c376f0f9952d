"""Reach the database: the embedded one, started or joined, or the one the operator named; then bring it up to date."""

import sys
import threading
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from importlib import resources
from pathlib import Path
from types import TracebackType
from urllib.parse import unquote, urlsplit

import asyncpg
from asyncpg import Record

from frontdesk.async_stop_signals import run_async
from frontdesk.config import Settings
from frontdesk.errors import StartupError
from frontdesk.postgres.embedded.server import EmbeddedPostgres
from frontdesk.postgres.migrate import migrate, read_migrations
from frontdesk.postgres.pool import Connection, connect
from frontdesk.postgres.role_privileges import check_may_use
from frontdesk.postgres.time_zones import refresh_zones
from frontdesk.security.encryption import (
    KEY_FILE,
    SecretBox,
    find_key_file,
    load_or_create_key_file,
    load_or_create_key_row,
)
from frontdesk.security.stored_secrets import count_unreadable
from frontdesk.stop_signals import Stopped, request_stop

_WATCH_SECONDS = 0.5
_LOST = (OSError, asyncpg.PostgresConnectionError, asyncpg.CannotConnectNowError, asyncpg.AdminShutdownError)


@contextmanager
def database_address(settings: Settings, *, alone: bool = False) -> Iterator[str]:
    """The address to connect to; an embedded server that this process started ends with it."""
    if settings.database_url:
        yield settings.database_url
        return
    server = EmbeddedPostgres(settings.data_dir, settings.pg_bin)
    try:
        dsn = server.start()
        if alone and not server.is_owner:
            raise StartupError("Frontdesk is running on this database: stop it first")
        yield dsn
    finally:
        server.stop()


@contextmanager
def supervised_database(settings: Settings) -> Iterator[str]:
    """The same for a service that stays: an embedded server that dies meanwhile is started again."""
    if settings.database_url:
        yield settings.database_url
        return
    server = EmbeddedPostgres(settings.data_dir, settings.pg_bin)
    try:
        dsn = server.start()
        with _ServerSupervisor(server, dsn):
            yield dsn
    finally:
        server.stop()


class _ServerSupervisor(threading.Thread):
    """Watches over a server that may be killed, or that belongs to another command and ends with that.

    Connections find the new server by themselves, because its address is the old one; until it answers, requests
    are told to come again. Where it cannot be had back, the process is asked to end and says why.
    """

    def __init__(self, server: EmbeddedPostgres, dsn: str) -> None:
        super().__init__(name="database-keeper", daemon=True)
        self._server = server
        self._dsn = dsn
        self._ending = threading.Event()
        self._failure: StartupError | None = None

    def run(self) -> None:
        while not self._ending.wait(_WATCH_SECONDS):
            try:
                if self._server.is_lost():
                    self._take_up_again()
            except (OSError, StartupError) as failure:
                self._failure = StartupError(f"the database ended and cannot be started again: {failure}")
                request_stop()
                return
            except Stopped:
                return

    def _take_up_again(self) -> None:
        print_status("the database ended; starting it again")
        if self._server.start_again() != self._dsn:
            raise StartupError("it has moved to another address; start Frontdesk anew")

    def __enter__(self) -> None:
        self.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._ending.set()
        self.join()
        if self._failure:
            raise self._failure


@asynccontextmanager
async def migrated_connection(dsn: str) -> AsyncIterator[Connection]:
    """A connection to a database that has every migration, and the time-zone rules of this installation."""
    async with open_connection(dsn) as raw:
        await migrate(raw, read_migrations(migrations_folder()), print_status)
        await check_may_use(raw)
        await refresh_zones(Connection(raw))
        yield Connection(raw)


@asynccontextmanager
async def open_connection(dsn: str) -> AsyncIterator["asyncpg.Connection[Record]"]:
    """A connection to a database as it is."""
    raw = await _reach(dsn)
    try:
        yield raw
    except _LOST as failure:
        raise StartupError("the database went away meanwhile: see that it runs, and try again") from failure
    except asyncpg.InsufficientPrivilegeError as failure:
        raise StartupError(f"the role of FRONTDESK_DATABASE_URL lacks a privilege ({_line(failure)})") from failure
    except asyncpg.ReadOnlySQLTransactionError as failure:
        raise StartupError("the database only reads: point FRONTDESK_DATABASE_URL at the primary server") from failure
    except asyncpg.InsufficientResourcesError as failure:
        raise StartupError(
            f"the database has run out of something ({_line(failure)}): mend that, try again"
        ) from failure
    finally:
        await raw.close()


async def find_secret_keys(conn: Connection, settings: Settings) -> tuple[str, ...]:
    """The operator's, and behind them those that were used as long as there was none. The first one seals.

    After a move between the embedded database and another one the key of the earlier place still opens: the one in the
    data folder, and the one that came with the database.
    """
    found: tuple[str | None, ...]
    if settings.database_url is None:
        found = (load_or_create_key_file(settings.data_dir), await load_or_create_key_row(conn, create=False))
    else:
        in_folder = find_key_file(settings.data_dir)
        found = (await load_or_create_key_row(conn, create=not settings.secret_keys, initial=in_folder), in_folder)
        if not settings.secret_keys:
            print_status(
                "warning: the key to webhook secrets lies in the database itself; "
                "set FRONTDESK_SECRET_KEY on every machine"
            )
    keys = tuple(dict.fromkeys((*settings.secret_keys, *(key for key in found if key))))
    await warn_of_unreadable(conn, keys)
    return keys


async def check_restored_secrets(conn: Connection, settings: Settings) -> None:
    """With the keys that are there: a restore makes none, so that the database is what the copy holds."""
    found = (await load_or_create_key_row(conn, create=False), find_key_file(settings.data_dir))
    keys = [*settings.secret_keys, *(key for key in found if key)]
    await warn_of_unreadable(conn, keys or ["no key was found here"])


async def warn_of_unreadable(conn: Connection, keys: Sequence[str]) -> None:
    many = await count_unreadable(conn, SecretBox(keys))
    if many:
        print_status(
            f"warning: {many} stored secrets cannot be opened with the keys of this machine; put the earlier key "
            f"behind yours in FRONTDESK_SECRET_KEY (an embedded database has it in {KEY_FILE} of its data folder), "
            "or rotate them"
        )


def migrate_now(dsn: str) -> None:
    async def run() -> None:
        async with migrated_connection(dsn):
            pass

    run_async(run())


def migrations_folder() -> Path:
    """Inside the package, so that an installed wheel has them."""
    return Path(str(resources.files("frontdesk") / "postgres" / "migrations"))


def print_status(line: str) -> None:
    """Progress goes to standard error, so that what a command prints can be piped."""
    sys.stderr.write(f"{line}\n")
    sys.stderr.flush()


async def _reach(dsn: str) -> "asyncpg.Connection[Record]":
    """A password that was written without its %XX can turn up as port or host, so no address is ever quoted."""
    try:
        return await connect(dsn)
    except (ValueError, asyncpg.ClientConfigurationError) as failure:
        raise StartupError(
            "FRONTDESK_DATABASE_URL cannot be read: write postgresql://user:password@host:port/name, "
            "with every special character of the password as %XX"
        ) from failure
    except (OSError, TimeoutError, asyncpg.PostgresError, asyncpg.InterfaceError) as failure:
        raise StartupError(
            f"cannot reach the database ({_reason(dsn, failure)}): "
            "check FRONTDESK_DATABASE_URL and that the server runs"
        ) from failure


def _line(failure: BaseException) -> str:
    return (str(failure).strip().splitlines() or ["it does not answer"])[0]


def _reason(dsn: str, failure: BaseException) -> str:
    password = urlsplit(dsn).password
    return _line(failure).replace(unquote(password), "…") if password else _line(failure)
