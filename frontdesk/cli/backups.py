"""`frontdesk backup` and `frontdesk restore`."""

import os
import shutil
from pathlib import Path

import click

from frontdesk.async_stop_signals import run_async
from frontdesk.config import Settings, read_settings
from frontdesk.errors import StartupError
from frontdesk.postgres.backup import BackupFile, dump_database
from frontdesk.postgres.embedded.programs import find_bundled_binaries
from frontdesk.postgres.migrate import read_migrations
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
    """Write a consistent copy of the database to FILE, beside a running service or alone."""
    settings = read_settings()
    if os.path.lexists(file):
        raise StartupError(f"{file} is already there: choose another name")
    with database_address(settings) as dsn:
        major = run_async(_major_of_used(dsn))
        print_status(f"copying the database to {file}")
        size = dump_database(dsn, _program_folders(settings), major, file.absolute())
    print_status(f"wrote {size:,} bytes; keep the file safe, it holds everything about your customers")


@click.command()
@click.argument("file", type=_FILE)
@click.option("--force", is_flag=True, help="Replace what the database holds.")
def restore(file: Path, *, force: bool) -> None:
    """Fill the database from FILE; no service may run on it meanwhile."""
    settings = read_settings()
    copy = BackupFile(file.absolute(), _program_folders(settings))
    _check_origin(copy, file)
    with database_address(settings, alone=True) as dsn:
        run_async(_check_place(dsn, force=force))
        print_status(f"restoring {file}")
        copy.restore(dsn)
        migrate_now(dsn)
        run_async(_check_secrets(dsn, settings))
    print_status("the database is restored")


async def _check_secrets(dsn: str, settings: Settings) -> None:
    """One line where the copy was made with another key."""
    async with migrated_connection(dsn) as conn:
        await check_restored_secrets(conn, settings)


def _program_folders(settings: Settings) -> list[Path]:
    """The programs of the server's own version first; those that come with us read every copy we write."""
    ours = find_bundled_binaries()
    if not settings.database_url:
        return [settings.pg_bin, ours] if settings.pg_bin else [ours]
    found = shutil.which("pg_dump")
    return [Path(found).parent, ours] if found else [ours]


async def _major_of_used(dsn: str) -> int:
    """Not migrated first: a copy is often made to keep what was there before."""
    async with open_connection(dsn) as raw:
        if await raw.fetchval("SELECT to_regclass('schema_migrations')") is None:
            raise StartupError("there is nothing to copy: the database is empty")
        return raw.get_server_version().major


def _check_origin(copy: BackupFile, file: Path) -> None:
    """Before anything is touched: is it ours, and do we know all that it was made with?"""
    numbers = sorted(int(row[0]) for row in copy.rows_of("schema_migrations"))
    if not numbers:
        raise StartupError(f"{file} is a copy of some other database: name a file that `frontdesk backup` wrote")
    if numbers[-1] > len(read_migrations(migrations_folder())):
        raise StartupError(f"{file} was made by a newer Frontdesk: restore it with that one")


async def _check_place(dsn: str, *, force: bool) -> None:
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
            raise StartupError("the database is not empty: choose another one, or replace what it holds with --force")
