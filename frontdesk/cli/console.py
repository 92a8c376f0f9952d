"""Shared by the commands: a database connection, tables of rows, and passwords."""

import os
import pwd
import socket
import sys
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import datetime
from typing import Any, TypeVar

import click
import msgspec

from frontdesk.accounts.users import new_password
from frontdesk.activity.operator_act_queries import can_record_acts
from frontdesk.activity.operator_acts import NOTHING, About, Operator, record_operator_act
from frontdesk.config import read_settings
from frontdesk.errors import StartupError
from frontdesk.postgres.pool import Connection
from frontdesk.postgres.snapshot import refuse_writes
from frontdesk.runtime.async_stop_signals import run_async
from frontdesk.runtime.stop_signals import interruptible_input
from frontdesk.server.database import database_address, migrated_connection, open_connection, print_status

T = TypeVar("T")
Decorated = TypeVar("Decorated", bound=Callable[..., Any])

as_json = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


def in_database(work: Callable[[Connection], Awaitable[T]]) -> T:
    """Starts the embedded database if no service is running. It reads only: who changes something records it."""

    async def read(conn: Connection) -> T:
        await refuse_writes(conn)
        return await work(conn)

    return _with_connection(read)


def change_database(work: Callable[[Connection], Awaitable[T]], action: str, about: About = NOTHING) -> T:
    """In one transaction, which also records the act."""

    async def change(conn: Connection) -> T:
        async with conn.transaction():
            result = await work(conn)
            await record_command(conn, action, about)
        return result

    return _with_connection(change)


def change_in_steps(work: Callable[[Connection], Awaitable[T]]) -> T:
    """For work with transactions of its own, or whose result is what is recorded: it calls `record_command` itself."""
    return _with_connection(work)


@contextmanager
def recorded(dsn: str, action: str | None, detail: str | None = None) -> Iterator[None]:
    """For work on the database as a whole. What was done is recorded when it has ended, and a failure with its reason.

    Without an action only a failure is. It does not fail where nothing can be recorded: before the first migration, and
    on a replica, which a backup may be of.
    """
    try:
        yield
    except Exception as error:
        command = click.get_current_context().command_path.partition(" ")[2]
        _record(dsn, "command.failed", f"{command}: {error}")
        raise
    if action is not None:
        _record(dsn, action, detail)


def _record(dsn: str, action: str, detail: str | None) -> None:
    async def run() -> None:
        async with open_connection(dsn) as raw:
            conn = Connection(raw)
            if await can_record_acts(conn):
                await record_command(conn, action, About(detail=detail))

    with suppress(StartupError):
        run_async(run())


async def record_command(conn: Connection, action: str, about: About = NOTHING) -> None:
    await record_operator_act(conn, Operator(None, _machine_user(), socket.gethostname()), action, about)


def _machine_user() -> str:
    """By its number, because the environment says whatever its user wants; a container may have no name for it."""
    try:
        return pwd.getpwuid(os.getuid()).pw_name
    except KeyError:
        return str(os.getuid())


def _with_connection(work: Callable[[Connection], Awaitable[T]]) -> T:
    async def run(dsn: str) -> T:
        async with migrated_connection(dsn) as conn:
            return await work(conn)

    with database_address(read_settings()) as dsn:
        return run_async(run(dsn))


def show_rows(rows: Sequence[msgspec.Struct], columns: Sequence[str], *, as_json: bool) -> None:
    """JSON contains all fields; the table contains `columns`."""
    if as_json:
        click.echo(msgspec.json.encode(rows).decode())
        return
    table = [columns, *([_cell(getattr(row, column)) for column in columns] for row in rows)]
    widths = [max(len(line[index]) for line in table) for index in range(len(columns))]
    for line in table:
        click.echo("  ".join(text.ljust(width) for text, width in zip(line, widths, strict=True)).rstrip())


def _cell(value: object) -> str:
    if isinstance(value, datetime):
        return value.strftime("%Y-%m-%d %H:%M")
    if isinstance(value, bool):
        return "yes" if value else ""
    if isinstance(value, list):
        return ", ".join(map(_cell, value))
    if isinstance(value, msgspec.Struct):
        return " ".join(str(part) for part in msgspec.structs.astuple(value))
    return "" if value is None else str(value)


def password_options(command: Decorated) -> Decorated:
    ask = click.option(
        "--ask-password", is_flag=True, help="Prompt for the password. Default: generate one and show it once."
    )
    stdin = click.option(
        "--password-stdin", is_flag=True, help="Read the password from the first line of standard input."
    )
    return ask(stdin(command))


class Password(msgspec.Struct, frozen=True):
    text: str
    is_generated: bool

    def show(self, email: str) -> None:
        if self.is_generated:
            print_status(f"the password of {email} is shown only once:")
            click.echo(self.text)


def get_password(*, ask_password: bool, password_stdin: bool) -> Password:
    """Never a command-line argument, because other users of the machine could read it."""
    if not password_stdin and not ask_password:
        return Password(new_password(), is_generated=True)
    with interruptible_input():
        if password_stdin:
            return Password(sys.stdin.readline().rstrip("\r\n"), is_generated=False)
        return Password(
            click.prompt("Password", hide_input=True, confirmation_prompt=True, err=True), is_generated=False
        )
