"""What the commands share: a connection to work with, rows to show, a password to get."""

import sys
from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime
from typing import Any, TypeVar

import click
import msgspec

from frontdesk.async_stop_signals import run_async
from frontdesk.auth.users import new_password
from frontdesk.config import read_settings
from frontdesk.postgres.pool import Connection
from frontdesk.server.database import database_address, migrated_connection, print_status
from frontdesk.stop_signals import interruptible_input

T = TypeVar("T")
Decorated = TypeVar("Decorated", bound=Callable[..., Any])

as_json = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


def in_database(work: Callable[[Connection], Awaitable[T]]) -> T:
    """Beside a running service, or alone."""

    async def run(dsn: str) -> T:
        async with migrated_connection(dsn) as conn:
            return await work(conn)

    with database_address(read_settings()) as dsn:
        return run_async(run(dsn))


def show_rows(rows: Sequence[msgspec.Struct], columns: Sequence[str], *, as_json: bool) -> None:
    """JSON has everything; the table has what fits a screen."""
    if as_json:
        click.echo(msgspec.json.encode(rows).decode())
        return
    table = [columns, *([_cell(getattr(row, column)) for column in columns] for row in rows)]
    widths = [max(len(line[place]) for line in table) for place in range(len(columns))]
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
    ask = click.option("--ask-password", is_flag=True, help="Ask for the password; else one is made and shown once.")
    stdin = click.option("--password-stdin", is_flag=True, help="Read the password from the first line of the input.")
    return ask(stdin(command))


class Password(msgspec.Struct, frozen=True):
    text: str
    was_made: bool

    def show(self, email: str) -> None:
        if self.was_made:
            print_status(f"the password of {email}, shown this once:")
            click.echo(self.text)


def get_password(*, ask_password: bool, password_stdin: bool) -> Password:
    """Never an argument of the command: other users of the machine could read it there."""
    if not password_stdin and not ask_password:
        return Password(new_password(), was_made=True)
    with interruptible_input():
        if password_stdin:
            return Password(sys.stdin.readline().rstrip("\r\n"), was_made=False)
        return Password(click.prompt("Password", hide_input=True, confirmation_prompt=True, err=True), was_made=False)
