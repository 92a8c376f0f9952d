"""Connects to the database, embedded or external, and migrates it."""

import sys
import threading
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from importlib import resources
from pathlib import Path
from types import TracebackType
from urllib.parse import unquote, urlsplit

import asyncpg
from asyncpg import Record

from frontdesk.config import Settings
from frontdesk.errors import StartupError
from frontdesk.postgres.citus.coordinator import check_distribution
from frontdesk.postgres.embedded.server import EmbeddedPostgres
from frontdesk.postgres.pool import Connection, citus_address, connect
from frontdesk.postgres.role_privileges import check_may_use
from frontdesk.postgres.schema.migrate import migrate
from frontdesk.postgres.schema.migration_files import read_functions, read_migrations
from frontdesk.postgres.schema.migration_plan import plan_lines
from frontdesk.postgres.server_checks import POOLER_REFUSAL, check_server
from frontdesk.postgres.service_role import grant_service_role, service_address
from frontdesk.postgres.time_zones import refresh_zones
from frontdesk.runtime.async_stop_signals import run_async
from frontdesk.runtime.stop_signals import Stopped, request_stop
from frontdesk.security.encryption import (
    KEY_FILE,
    SecretBox,
    find_key_file,
    load_or_create_key_file,
    load_or_create_key_row,
)
from frontdesk.security.stored_secrets import count_unreadable
from frontdesk.server.standby_wait import reporting_standby_wait

_CHECK_INTERVAL = 0.5
_LOST = (OSError, asyncpg.PostgresConnectionError, asyncpg.CannotConnectNowError, asyncpg.AdminShutdownError)


@contextmanager
def database_address(settings: Settings, *, exclusive: bool = False) -> Iterator[str]:
    """The address to connect to. An embedded server that this call started is stopped at the end."""
    if settings.database_url:
        yield external_address(settings.database_url, settings)
        return
    server = EmbeddedPostgres(settings.data_dir, settings.pg_bin, archive_dir=settings.archive_dir)
    try:
        dsn = server.start()
        if exclusive and not server.is_owner:
            raise StartupError("Frontdesk is running on this database: stop it first")
        yield dsn
    finally:
        server.stop()


def external_address(url: str, settings: Settings) -> str:
    return citus_address(url) if settings.is_distributed else url


def request_address(dsn: str, settings: Settings) -> str:
    """For the connections that serve requests: on the embedded server they have fewer rights than migrations."""
    return dsn if settings.database_url else service_address(dsn)


@contextmanager
def supervised_database(settings: Settings) -> Iterator[str]:
    """Like `database_address`, and restarts an embedded server that dies."""
    if settings.database_url:
        yield external_address(settings.database_url, settings)
        return
    server = EmbeddedPostgres(settings.data_dir, settings.pg_bin, archive_dir=settings.archive_dir)
    try:
        dsn = server.start()
        with _ServerSupervisor(server, dsn):
            yield dsn
    finally:
        server.stop()


class _ServerSupervisor(threading.Thread):
    """Restarts a server that was killed, or that another command owned and stopped.

    The new server has the same address, so connections find it; until it is ready, requests get 503. If it cannot be
    restarted, the process stops and reports why.
    """

    def __init__(self, server: EmbeddedPostgres, dsn: str) -> None:
        super().__init__(name="database-supervisor", daemon=True)
        self._server = server
        self._dsn = dsn
        self._stopping = threading.Event()
        self._error: StartupError | None = None

    def run(self) -> None:
        while not self._stopping.wait(_CHECK_INTERVAL):
            try:
                if self._server.is_lost():
                    self._restart()
            except (OSError, StartupError) as error:
                self._error = StartupError(f"the database stopped and cannot be restarted: {error}")
                request_stop()
                return
            except Stopped:
                return

    def _restart(self) -> None:
        print_status("the database stopped; restarting it")
        if self._server.restart() != self._dsn:
            raise StartupError("its address has changed; restart Frontdesk")

    def __enter__(self) -> None:
        self.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stopping.set()
        self.join()
        if self._error:
            raise self._error


@asynccontextmanager
async def migrated_connection(dsn: str, *, embedded: bool = False, back: bool = False) -> AsyncIterator[Connection]:
    """A connection after all migrations are applied and the time-zone rules are up to date."""
    async with open_connection(dsn) as raw:
        await check_server(raw, dsn)
        await check_distribution(raw)
        migrations, functions = read_migrations(migrations_folder()), read_functions(functions_folder())
        await migrate(raw, migrations, print_status, functions, back=back)
        await check_may_use(raw)
        await refresh_zones(Connection(raw))
        if embedded:
            await grant_service_role(raw)
        yield Connection(raw)


@asynccontextmanager
async def open_connection(dsn: str) -> AsyncIterator["asyncpg.Connection[Record]"]:
    """A connection without migrating first."""
    raw = await _connect(dsn)
    try:
        async with reporting_standby_wait(dsn, raw, print_status):
            yield raw
    except _LOST as error:
        raise StartupError(
            "the connection to the database was lost: check that it is running, and try again"
        ) from error
    except asyncpg.InsufficientPrivilegeError as error:
        raise StartupError(f"the role of FRONTDESK_DATABASE_URL lacks a privilege ({_line(error)})") from error
    except asyncpg.ReadOnlySQLTransactionError as error:
        raise StartupError("the database is read-only: point FRONTDESK_DATABASE_URL at the primary server") from error
    except asyncpg.InsufficientResourcesError as error:
        raise StartupError(
            f"the database has run out of resources ({_line(error)}): fix that, and try again"
        ) from error
    finally:
        await raw.close()


async def find_secret_keys(conn: Connection, settings: Settings) -> tuple[str, ...]:
    """The keys of FRONTDESK_SECRET_KEY, followed by the generated ones. The first one encrypts.

    The generated keys, in the data folder and in the database, still decrypt after a move between the embedded and an
    external database.
    """
    found: tuple[str | None, ...]
    if settings.database_url is None:
        found = (load_or_create_key_file(settings.data_dir), await load_or_create_key_row(conn, create=False))
    else:
        in_folder = find_key_file(settings.data_dir)
        found = (await load_or_create_key_row(conn, create=not settings.secret_keys, initial=in_folder), in_folder)
        if not settings.secret_keys:
            print_status(
                "warning: the encryption key is stored in the database itself; "
                "set FRONTDESK_SECRET_KEY on every machine"
            )
    keys = tuple(dict.fromkeys((*settings.secret_keys, *(key for key in found if key))))
    await warn_of_unreadable(conn, keys)
    return keys


async def check_restored_secrets(conn: Connection, settings: Settings) -> None:
    """Uses existing keys only: a restore creates none, so that the database equals the backup."""
    found = (await load_or_create_key_row(conn, create=False), find_key_file(settings.data_dir))
    keys = [*settings.secret_keys, *(key for key in found if key)]
    await warn_of_unreadable(conn, keys or ["no key was found here"])


async def warn_of_unreadable(conn: Connection, keys: Sequence[str]) -> None:
    count = await count_unreadable(conn, SecretBox(keys))
    if count:
        print_status(
            f"warning: {count} stored secrets cannot be decrypted with the keys of this machine; append the earlier "
            f"key to FRONTDESK_SECRET_KEY (an embedded database has it in {KEY_FILE} in its data folder), "
            "or rotate the secrets"
        )


def migrate_now(dsn: str, *, back: bool = False) -> None:
    async def run() -> None:
        async with migrated_connection(dsn, back=back):
            pass

    run_async(run())


def plan_migration(dsn: str) -> list[str]:
    """What `migrate_now` would do, for people."""

    async def run() -> list[str]:
        async with open_connection(dsn) as raw:
            return await plan_lines(raw, read_migrations(migrations_folder()), read_functions(functions_folder()))

    return run_async(run())


def migrations_folder() -> Path:
    """Inside the package, so that the wheel contains them."""
    return Path(str(resources.files("frontdesk") / "postgres" / "migrations"))


def functions_folder() -> Path:
    return Path(str(resources.files("frontdesk") / "postgres" / "functions"))


def print_status(line: str) -> None:
    """Writes to standard error, so that the output of a command can be piped. If its disk is full, the work goes on."""
    with suppress(OSError):
        sys.stderr.write(f"{line}\n")
        sys.stderr.flush()


async def _connect(dsn: str) -> "asyncpg.Connection[Record]":
    """Error messages never contain the address, because a password with unescaped characters may look like a host."""
    try:
        return await connect(dsn)
    except (ValueError, asyncpg.ClientConfigurationError) as error:
        raise StartupError(
            "FRONTDESK_DATABASE_URL cannot be read: write postgresql://user:password@host:port/name, "
            "with every special character of the password as %XX"
        ) from error
    except asyncpg.ProtocolViolationError as error:  # what PgBouncer answers to settings that it does not pass on
        raise StartupError(POOLER_REFUSAL.format(why=f"which answers “{_line(error)}”", other="")) from error
    except (OSError, TimeoutError, asyncpg.PostgresError, asyncpg.InterfaceError) as error:
        raise StartupError(
            f"cannot reach the database ({_reason(dsn, error)}): check FRONTDESK_DATABASE_URL and that the server runs"
        ) from error


def _line(error: BaseException) -> str:
    return (str(error).strip().splitlines() or ["it does not answer"])[0]


def _reason(dsn: str, error: BaseException) -> str:
    password = urlsplit(dsn).password
    return _line(error).replace(unquote(password), "…") if password else _line(error)
