"""`frontdesk backup` and `frontdesk restore`."""

import os
import shutil
from pathlib import Path

import click

from frontdesk.config import Settings, read_settings
from frontdesk.errors import StartupError
from frontdesk.postgres.backup import BackupFile, dump_database
from frontdesk.postgres.embedded.programs import find_bundled_binaries
from frontdesk.postgres.migrate import read_migrations
from frontdesk.postgres.sending import NOT_SENDING
from frontdesk.runtime.async_stop_signals import run_async
from frontdesk.server.database import (
    check_restored_secrets,
    database_address,
    migrate_now,
    migrated_connection,
    migrations_folder,
    open_connection,
    print_status,
)

_FILE = click.Path(dir_okay=False, path_type=Path)


@click.command()
@click.argument("file", type=_FILE)
def backup(file: Path) -> None:
    """Write a consistent backup of the database to FILE. The service may be running."""
    settings = read_settings()
    if os.path.lexists(file):
        raise StartupError(f"{file} already exists: choose another name")
    with database_address(settings) as dsn:
        major = run_async(_server_version(dsn))
        print_status(f"writing a backup to {file}")
        size = dump_database(dsn, _program_folders(settings), major, file.absolute())
    print_status(f"wrote {size:,} bytes; keep the file safe, it contains all customer data")


@click.command()
@click.argument("file", type=_FILE)
@click.option("--force", is_flag=True, help="Replace the contents of the database.")
@click.option("--send", is_flag=True, help="Send mail and webhooks: the copy takes the place of the original.")
def restore(file: Path, *, force: bool, send: bool) -> None:
    """Restore the database from FILE. No service may be running on it."""
    settings = read_settings()
    source = BackupFile(file.absolute(), _program_folders(settings))
    _check_origin(source, file)
    with database_address(settings, exclusive=True) as dsn:
        run_async(_check_target(dsn, force=force))
        print_status(f"restoring {file}")
        source.restore(dsn, sends=send)
        migrate_now(dsn)
        run_async(_check_secrets(dsn, settings))
    print_status("the database is restored")
    if not send:
        print_status(NOT_SENDING)


async def _check_secrets(dsn: str, settings: Settings) -> None:
    """Warns if the backup was made with another encryption key."""
    async with migrated_connection(dsn) as conn:
        await check_restored_secrets(conn, settings)


def _program_folders(settings: Settings) -> list[Path]:
    """Programs of the server's own version first; the bundled ones can read every backup that we write."""
    bundled = find_bundled_binaries()
    if not settings.database_url:
        return [settings.pg_bin, bundled] if settings.pg_bin else [bundled]
    found = shutil.which("pg_dump")
    return [Path(found).parent, bundled] if found else [bundled]


async def _server_version(dsn: str) -> int:
    """Does not migrate: a backup is often made before a migration."""
    async with open_connection(dsn) as raw:
        if await raw.fetchval("SELECT to_regclass('schema_migrations')") is None:
            raise StartupError("there is nothing to back up: the database is empty")
        return raw.get_server_version().major


def _check_origin(source: BackupFile, file: Path) -> None:
    """Checks before anything is changed that the file is ours and not from a newer version."""
    numbers = sorted(int(row[0]) for row in source.rows_of("schema_migrations"))
    if not numbers:
        raise StartupError(f"{file} is not a backup of Frontdesk: choose a file that `frontdesk backup` wrote")
    if numbers[-1] > len(read_migrations(migrations_folder())):
        raise StartupError(f"{file} was made by a newer version of Frontdesk: restore it with that version")


async def _check_target(dsn: str, *, force: bool) -> None:
    async with open_connection(dsn) as raw:
        if await raw.fetchval(
            """
            SELECT EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database()
                           AND pid <> pg_backend_pid() AND application_name = 'frontdesk')
            """
        ):
            raise StartupError("Frontdesk is running on this database: stop it first")
        used = await raw.fetchval("SELECT to_regclass('tenants') IS NOT NULL") and await raw.fetchval(
            "SELECT EXISTS (SELECT FROM tenants) OR EXISTS (SELECT FROM users)"
        )
        foreign = await raw.fetchval(
            """
            SELECT EXISTS (SELECT FROM pg_class WHERE relnamespace = to_regnamespace('public') AND relkind = 'r')
                   AND to_regclass('schema_migrations') IS NULL
            """
        )
        if (used or foreign) and not force:
            raise StartupError("the database is not empty: choose another one, or replace its contents with --force")
