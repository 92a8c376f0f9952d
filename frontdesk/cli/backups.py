"""`frontdesk backup` and `frontdesk restore`."""

import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path

import click

from frontdesk.activity.operator_acts import About
from frontdesk.cli.bucket import FileToRead, file_to_read, file_to_write
from frontdesk.cli.check import run_check, verdict
from frontdesk.cli.console import record_command, recorded
from frontdesk.config import Settings, read_settings
from frontdesk.errors import StartupError
from frontdesk.invariants.counts import count_rows
from frontdesk.postgres.backup import BackupFile, dump_database
from frontdesk.postgres.embedded.archive import Archive
from frontdesk.postgres.embedded.files import find_cluster
from frontdesk.postgres.embedded.programs import find_bundled_binaries
from frontdesk.postgres.embedded.recovery import recovered_server
from frontdesk.postgres.embedded.temporary import temporary_server
from frontdesk.postgres.pool import Connection
from frontdesk.postgres.schema.migration_files import read_migrations
from frontdesk.postgres.sending import NOT_SENDING, hold_sending
from frontdesk.postgres.server_checks import check_unused
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


class _FileOrCommand(click.Group):
    """What is not the name of a command is a file: `frontdesk backup FILE` is `frontdesk backup write FILE`."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        return super().resolve_command(ctx, args if args[0] in self.commands else ["write", *args])


@click.group(cls=_FileOrCommand, subcommand_metavar="FILE | COMMAND [ARGS]...")
def backup() -> None:
    """Write a backup of the database to FILE, or verify one. The service may be running.

    A file with the name of a command is written with its folder: ./verify. The file bucket:NAME is in the bucket.
    """


@backup.command()
@click.argument("file", type=_FILE)
def write(file: Path) -> None:
    """Write a backup to FILE; the word `write` may be left out."""
    settings = read_settings()
    if os.path.lexists(file):
        raise StartupError(f"{file} already exists: choose another name")
    with (
        database_address(settings) as dsn,
        recorded(dsn, "database.backed_up", file.name),
        file_to_write(file, settings) as path,
    ):
        major = run_async(_server_version(dsn))
        print_status(f"writing a backup to {file}")
        size = dump_database(dsn, _program_folders(settings), major, path.absolute())
    print_status(f"wrote {size:,} bytes; keep the file safe, it contains all customer data")


@backup.command()
@click.option("--keep", type=click.IntRange(1), default=2, show_default=True, help="How many base backups to keep.")
def base(*, keep: int) -> None:
    """Write a base backup to FRONTDESK_ARCHIVE_DIR. The service may be running.

    Older base backups, and the log before the oldest one that is kept, are removed.
    """
    settings = read_settings()
    if settings.database_url:
        raise StartupError("base backups are for the embedded database: for another PostgreSQL see the guide Backups")
    if settings.archive_dir is None:
        raise StartupError("set FRONTDESK_ARCHIVE_DIR, for this command and for the service")
    archive, cluster = Archive(settings.archive_dir), find_cluster(settings.data_dir)
    if cluster is None:
        raise StartupError(
            f"there is no database in {settings.data_dir}: set FRONTDESK_DATA_DIR to the folder that the service uses"
        )
    with database_address(settings) as dsn, recorded(dsn, "database.backed_up", "base"):
        run_async(_check_archiving(dsn))
        archive.claim(cluster)
        print_status("writing a base backup")
        path = archive.write_base(dsn, settings.pg_bin or find_bundled_binaries())
    bases, files = archive.remove_old(keep)
    print_status(f"wrote {path}; removed {bases} older ones and {files} files of the log")


@backup.command()
@click.argument("file", type=FileToRead())
def verify(file: Path) -> None:
    """Restore FILE into a temporary database, check the data, and print what it contains.

    Exits with status 1 if the file is not whole or a rule is broken. The folder of the temporary database is in TMPDIR
    and is removed at the end.
    """
    settings = read_settings()
    with file_to_read(file, settings) as path:
        broken = _verify(settings, file, path)
    print_status(f"{file} can be restored, and its data is {verdict(broken)}")
    sys.exit(1 if broken else 0)


def _verify(settings: Settings, file: Path, path: Path) -> int:
    with _status_1():
        source = BackupFile(path.absolute(), _program_folders(settings))
        _check_origin(source, file)
    with temporary_server(None if settings.database_url else settings.pg_bin) as dsn:
        print_status(f"restoring {file} into a temporary database")
        with _status_1():
            source.restore(dsn, sends=False)
        migrate_now(dsn)
        run_async(_check_secrets(dsn, settings))
        for name, rows in run_async(_count_rows(dsn)).items():
            click.echo(f"{rows:>8}  {name}")
        return run_async(run_check(dsn))


@contextmanager
def _status_1() -> Iterator[None]:
    """For what is wrong with the file; other errors have status 2."""
    try:
        yield
    except StartupError as error:
        click.echo(f"frontdesk: {error}", err=True)
        sys.exit(1)


@click.command()
@click.argument("file", type=_FILE, required=False)
@click.option("--to", "moment", metavar="TIME", help="Restore from FRONTDESK_ARCHIVE_DIR, as it was then; or `latest`.")
@click.option("--force", is_flag=True, help="Replace the contents of the database.")
@click.option("--send", is_flag=True, help="Send mail and webhooks: the copy takes the place of the original.")
def restore(file: Path | None, *, moment: str | None, force: bool, send: bool) -> None:
    """Restore the database from FILE, or as it was at a TIME. No service may be running on it.

    TIME has a zone: 2026-11-18T14:30:00+03:00.
    """
    settings = read_settings()
    if (file is None) == (moment is None):
        raise click.UsageError("Name either FILE or --to TIME.")
    if file is not None:
        with file_to_read(file, settings) as path:
            _restore_file(settings, file, path, force=force, send=send)
    elif moment is not None:
        _restore_moment(settings, moment, force=force, send=send)
    print_status("the database is restored")
    if not send:
        print_status(NOT_SENDING)


def _restore_moment(settings: Settings, moment: str, *, force: bool, send: bool) -> None:
    if settings.archive_dir is None:
        raise StartupError("set FRONTDESK_ARCHIVE_DIR to the archive of the embedded database")
    target = None if moment == "latest" else _read_moment(moment)
    print_status(f"restoring the database as of {target or 'the end of the archive'}")
    with recovered_server(settings.data_dir, settings.pg_bin, settings.archive_dir, target, force=force) as dsn:
        run_async(_finish_moment(dsn, settings, moment, send=send))
    print_status("write a base backup of it when the service runs again: frontdesk backup base")


async def _finish_moment(dsn: str, settings: Settings, moment: str, *, send: bool) -> None:
    """The table that holds sending back is not in the log, so it is always empty here."""
    async with migrated_connection(dsn) as conn:
        if not send:
            await hold_sending(conn)
        await record_command(conn, "database.restored", About(detail=moment))
        await check_restored_secrets(conn, settings)


def _read_moment(text: str) -> datetime:
    with suppress(ValueError):
        moment = datetime.fromisoformat(text)
        if moment.tzinfo is not None:
            return moment
    raise StartupError(f"{text!r} is no time with a zone: write 2026-11-18T14:30:00+03:00, or `latest`")


def _restore_file(settings: Settings, file: Path, path: Path, *, force: bool, send: bool) -> None:
    source = BackupFile(path.absolute(), _program_folders(settings))
    _check_origin(source, file)
    with database_address(settings, exclusive=True) as dsn, recorded(dsn, None):
        run_async(_check_target(dsn, force=force))
        print_status(f"restoring {file}")
        source.restore(dsn, sends=send)
        migrate_now(dsn)
        run_async(_finish_file(dsn, settings, file.name))


async def _finish_file(dsn: str, settings: Settings, name: str) -> None:
    await _check_secrets(dsn, settings)
    async with open_connection(dsn) as raw:
        await record_command(Connection(raw), "database.restored", About(detail=name))


async def _check_secrets(dsn: str, settings: Settings) -> None:
    """Warns if the backup was made with another encryption key."""
    async with migrated_connection(dsn) as conn:
        await check_restored_secrets(conn, settings)


async def _check_archiving(dsn: str) -> None:
    async with open_connection(dsn) as raw:
        if await raw.fetchval("SHOW archive_mode") != "on":
            raise StartupError("the service runs without FRONTDESK_ARCHIVE_DIR: restart it with that setting")


async def _count_rows(dsn: str) -> dict[str, int]:
    async with open_connection(dsn) as raw:
        return await count_rows(Connection(raw))


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
        await check_unused(raw)
        used = await raw.fetchval("SELECT to_regclass('tenants') IS NOT NULL") and await raw.fetchval(
            "SELECT EXISTS (SELECT true FROM tenants) OR EXISTS (SELECT true FROM users)"
        )
        foreign = await raw.fetchval(
            """
            SELECT EXISTS (SELECT FROM pg_class WHERE relnamespace = to_regnamespace('public') AND relkind = 'r')
                   AND to_regclass('schema_migrations') IS NULL
            """
        )
        if (used or foreign) and not force:
            raise StartupError("the database is not empty: choose another one, or replace its contents with --force")
