"""`frontdesk doctor`: what is wrong with this installation, and what to do. It changes nothing but for an object in
the bucket, which it removes again.
"""

import asyncio
import errno
import shutil
import stat
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryFile
from uuid import uuid4

import asyncpg
from asyncpg import Record

from frontdesk.config import Settings
from frontdesk.config_storage import StorageSettings
from frontdesk.errors import StartupError
from frontdesk.net.dns import DnsResolver
from frontdesk.pictures.bucket_queries import count_pictures
from frontdesk.postgres.health import get_database_health, get_database_time, get_replication, get_role, is_read_only
from frontdesk.postgres.pool import Connection, connect
from frontdesk.postgres.replica import replica_delay
from frontdesk.postgres.role_privileges import check_may_use
from frontdesk.postgres.schema.migrate import is_current
from frontdesk.postgres.schema.migration_files import read_functions, read_migrations
from frontdesk.postgres.sending import NOT_SENDING, held_since
from frontdesk.runtime.async_stop_signals import run_async
from frontdesk.runtime.time_limits import time_limit
from frontdesk.security.encryption import SecretBox, find_key_file, load_or_create_key_row
from frontdesk.security.stored_secrets import count_unreadable
from frontdesk.server.app import MAX_CONNECTIONS
from frontdesk.server.database import database_address, functions_folder, migrations_folder, open_connection
from frontdesk.server.doctor_archive import examine_archive
from frontdesk.server.doctor_hosts import examine_hosts
from frontdesk.server.finding import Finding, State
from frontdesk.server.python_version import check_python_version
from frontdesk.storage.store import StorageFailed, open_store
from frontdesk.webhooks.delivery_queries import count_due

_LOW_DISK = 0.1  # of its size
_LATE_SECONDS = 600.0  # a queue whose oldest entry waits longer is not being worked on
_CLOCK_SECONDS = 2.0
_MAIL_SECONDS = 5.0
_REPLICA_SECONDS = 5.0
_LATE_REPLICA_SECONDS = 30.0


def examine(settings: Settings) -> Iterator[Finding]:
    yield _python()
    for folder in filter(None, (settings.data_dir, settings.archive_dir)):
        yield _disk(folder)
    yield _origin(settings)
    yield from _data_folder(settings)
    yield run_async(_mail(settings))
    if settings.storage:
        yield run_async(_storage(settings.storage))
    if settings.database_url is None and not settings.data_dir.exists():
        yield Finding("warn", "database", "there is none yet: `frontdesk serve` creates it")
        return
    try:
        with database_address(settings) as dsn:
            yield from run_async(examine_hosts(dsn))
            yield from run_async(_database(dsn, settings))
        if settings.read_database_url:
            yield run_async(_replica(settings.read_database_url))
    except StartupError as error:
        yield Finding("fail", "database", str(error))


def _python() -> Finding:
    warning = check_python_version()
    return Finding("warn" if warning else "ok", "Python", warning or "a released version")


def _disk(folder: Path) -> Finding:
    while not folder.exists():
        folder = folder.parent
    usage = shutil.disk_usage(folder)
    text = f"{usage.free / 1e9:.1f} GB of {usage.total / 1e9:.1f} GB are free at {folder}"
    return Finding("ok", "disk", text) if usage.free > _LOW_DISK * usage.total else Finding("warn", "disk", text)


def _origin(settings: Settings) -> Finding:
    if settings.origin is None:
        text = "is not set: set it to the public address, which links in mails and secure cookies need"
        return Finding("warn", "FRONTDESK_ORIGIN", text)
    if not settings.is_https:
        return Finding("warn", "FRONTDESK_ORIGIN", f"{settings.origin} is not encrypted: use an https address")
    if not settings.trusted_proxies:
        text = "is not set: behind a proxy all visitors share one address and its limits"
        return Finding("warn", "FRONTDESK_TRUSTED_PROXIES", text)
    return Finding("ok", "FRONTDESK_ORIGIN", settings.origin)


def _data_folder(settings: Settings) -> Iterator[Finding]:
    folder = settings.data_dir
    if not folder.exists():
        return
    try:
        if settings.database_url is None:
            TemporaryFile(dir=folder).close()  # shows more than the mode: a disk can be read-only, full or away
    except OSError as error:
        advice = "mount its disk for writing" if error.errno == errno.EROFS else "run as its owner, and check its disk"
        yield Finding("fail", "data folder", f"{folder} cannot be written ({error.strerror}): {advice}")
        return
    if stat.S_IMODE(folder.stat().st_mode) & 0o066:  # to pass through is what the user of the embedded database needs
        yield Finding("warn", "data folder", f"others can read {folder}: chmod go-rw {folder}")
    else:
        yield Finding("ok", "data folder", str(folder))


async def _mail(settings: Settings) -> Finding:
    server = settings.smtp
    if server is None:
        return Finding("warn", "mail", "messages are kept and not sent: set FRONTDESK_SMTP_URL")
    try:
        with time_limit(_MAIL_SECONDS):
            _, writer = await asyncio.open_connection(server.host, server.port, ssl=True if server.is_tls else None)
    except (OSError, TimeoutError) as error:
        text = f"{server.host}:{server.port} does not answer ({error or 'too late'}): check FRONTDESK_SMTP_URL"
        return Finding("fail", "mail", text)
    writer.close()
    return Finding("ok", "mail", f"{server.host}:{server.port} answers")


async def _storage(settings: StorageSettings) -> Finding:
    """Writes, reads and removes a small object."""
    store, key, content = open_store(settings, DnsResolver()), f"doctor/{uuid4()}", b"written by frontdesk doctor"
    try:
        await store.put(key, content, "text/plain")
        is_same = await store.get(key) == content
        await store.delete(key)
        left = [found async for found in store.list_keys(key)]
    except StorageFailed as error:
        return Finding("fail", "storage", str(error))
    finally:
        await store.close()
    if not is_same or left:
        return Finding("fail", "storage", f"{settings.endpoint} did not keep or remove an object: ask who runs it")
    return Finding("ok", "storage", f"the bucket {settings.bucket} takes, returns and removes objects")


async def _database(dsn: str, settings: Settings) -> list[Finding]:
    async with open_connection(dsn) as raw:
        schema = await _schema(raw)
        if schema.state == "fail":
            return [schema]
        conn = Connection(raw)
        findings = [schema, await _access(raw), await _connections(conn, settings), await _clock(conn)]
        if schema.state == "ok":
            findings += [await _secrets(conn, settings), await _sending(conn), await _deliveries(conn)]
            findings += [await _pictures(conn, settings)]
        return [*findings, await examine_archive(conn, settings), *await _replication(conn, settings)]


async def _replication(conn: Connection, settings: Settings) -> list[Finding]:
    """Says something only where there are replicas."""
    replication = await get_replication(conn)
    if not replication.replicas and not settings.read_database_url:
        return []
    if replication.lag_seconds is None:
        text = f"the lag cannot be read: GRANT pg_monitor TO {await get_role(conn)}"
        return [Finding("warn", "replication", text)]
    return [Finding("ok", "replication", f"the lag of {replication.replicas} replicas can be read")]


async def _replica(dsn: str) -> Finding:
    try:
        raw = await connect(dsn, wait=_REPLICA_SECONDS)
    except (OSError, TimeoutError, asyncpg.PostgresError, asyncpg.InterfaceError) as error:
        text = f"does not answer ({type(error).__name__}), and the database does its work: check that server"
        return Finding("warn", "replica", f"FRONTDESK_READ_DATABASE_URL {text}")
    try:
        delay = await replica_delay(Connection(raw))
    finally:
        await raw.close()
    if delay is None:
        return Finding("warn", "replica", "FRONTDESK_READ_DATABASE_URL is no replica: it accepts writes")
    state: State = "warn" if delay > _LATE_REPLICA_SECONDS else "ok"
    return Finding(state, "replica", f"answers, and is {delay:.0f} s behind")


async def _schema(raw: "asyncpg.Connection[Record]") -> Finding:
    try:
        has_all = await is_current(raw, read_migrations(migrations_folder()), read_functions(functions_folder()))
    except StartupError as error:
        return Finding("fail", "schema", str(error))
    if has_all:
        return Finding("ok", "schema", "has every migration")
    return Finding("warn", "schema", "migrations are missing: `frontdesk migrate`, or the next start, applies them")


async def _access(raw: "asyncpg.Connection[Record]") -> Finding:
    if await is_read_only(raw):
        return Finding("fail", "database", "is read-only: point FRONTDESK_DATABASE_URL at the primary server")
    try:
        await check_may_use(raw)
    except StartupError as error:
        return Finding("fail", "database", str(error))
    return Finding("ok", "database", f"PostgreSQL {raw.get_server_version().major} answers and accepts writes")


async def _connections(conn: Connection, settings: Settings) -> Finding:
    health = await get_database_health(conn)
    needed = MAX_CONNECTIONS * settings.workers
    text = f"{health.connections} of {health.max_connections} are used, and this machine uses up to {needed}"
    if needed > health.max_connections:
        return Finding("fail", "connections", f"{text}: raise max_connections or lower FRONTDESK_WORKERS")
    return Finding("ok", "connections", text)


async def _clock(conn: Connection) -> Finding:
    before = time.time()
    database = await get_database_time(conn)
    apart = abs(database.timestamp() - (before + time.time()) / 2)
    if apart > _CLOCK_SECONDS:
        text = f"this machine and the database are {apart:.0f} s apart: run a time service on both"
        return Finding("fail", "clock", text)
    return Finding("ok", "clock", "this machine and the database agree")


async def _secrets(conn: Connection, settings: Settings) -> Finding:
    in_database = await load_or_create_key_row(conn, create=False)
    found = (*settings.secret_keys, in_database, find_key_file(settings.data_dir))
    unreadable = await count_unreadable(conn, SecretBox([key for key in found if key] or ["no key was found here"]))
    if unreadable:
        text = f"{unreadable} stored secrets cannot be decrypted: append the earlier key to FRONTDESK_SECRET_KEY"
        return Finding("fail", "secrets", text)
    if settings.database_url and not settings.secret_keys:
        return Finding("warn", "secrets", "the key is stored in the database itself: set FRONTDESK_SECRET_KEY")
    return Finding("ok", "secrets", "can be decrypted")


async def _pictures(conn: Connection, settings: Settings) -> Finding:
    count = await count_pictures(conn, None, in_bucket=not settings.pictures_in_bucket)
    if settings.pictures_in_bucket:
        left = f"; {count} are in the database: `frontdesk pictures move --to bucket`" if count else ""
        return Finding("ok", "pictures", f"new ones are stored in the bucket{left}")
    if count and settings.storage is None:
        text = f"{count} are in a bucket and cannot be shown: set FRONTDESK_STORAGE_ENDPOINT and the settings beside it"
        return Finding("fail", "pictures", text)
    left = f"; {count} are in the bucket: `frontdesk pictures move --to database`" if count else ""
    return Finding("ok", "pictures", f"new ones are stored in the database{left}")


async def _sending(conn: Connection) -> Finding:
    is_held = await held_since(conn) is not None
    return Finding("warn" if is_held else "ok", "sending", NOT_SENDING if is_held else "mail and webhooks are sent")


async def _deliveries(conn: Connection) -> Finding:
    count, oldest = await count_due(conn)
    text = f"{count} are due" + (f", the oldest for {oldest:.0f} s" if count else "")
    if oldest > _LATE_SECONDS:
        return Finding(
            "fail", "webhooks", f"{text}: start `frontdesk serve` without --no-worker, or `frontdesk worker`"
        )
    return Finding("ok", "webhooks", text)
