"""The command line: where each command is. Only the one that is asked for is loaded, because all of them take a second.

A command that cannot do its work says why in one line and ends with status 2.
"""

import sys
from importlib import import_module
from typing import Any, NamedTuple

import click

from frontdesk.errors import StartupError, WireError
from frontdesk.server.installation import check_installation
from frontdesk.stop_signals import Stopped, catch_stop_signals, leave_stop_signals


class CommandRef(NamedTuple):
    module: str  # in frontdesk.cli, under the command's own name
    summary: str  # the first line of its help
    starts_nothing: bool = False  # no database, no process: Ctrl-C may end it anywhere


COMMANDS = {
    "api": CommandRef("api", "Send a request to the Open API and print the response.", starts_nothing=True),
    "backup": CommandRef(
        "backups", "Write a consistent copy of the database to FILE, beside a running service or alone."
    ),
    "changelog": CommandRef(
        "changelog", "Print what changed from each published description to the next.", starts_nothing=True
    ),
    "client": CommandRef("clients", "Make, list and change the API clients of a business."),
    "key": CommandRef("clients", "Make, list and revoke the API keys of a business."),
    "migrate": CommandRef("serving", "Bring the database up to date."),
    "openapi": CommandRef("descriptions", "Print the description of an interface (OpenAPI 3.1).", starts_nothing=True),
    "operator": CommandRef("users", "Make and list the operators of this service, and end their office."),
    "restore": CommandRef("backups", "Fill the database from FILE; no service may run on it meanwhile."),
    "sandbox": CommandRef(
        "sandboxes", "Make a new sandbox business, beside a running service or alone, and print how to reach it."
    ),
    "secrets": CommandRef("secrets", "Look after the secrets that are stored encrypted."),
    "serve": CommandRef("serving", "Migrate if needed, then serve and deliver webhooks."),
    "tenant": CommandRef("tenants", "Make and list businesses, set their plan, suspend and resume them."),
    "user": CommandRef("users", "Make and list sign-ins, change passwords, disable and enable."),
    "worker": CommandRef("serving", "Deliver webhooks only, for set-ups of several machines."),
}


class Commands(click.Group):
    """Loads what is asked for, and turns what cannot start into one line."""

    _is_program = False

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's own signature
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = getattr(import_module(f"frontdesk.cli.{COMMANDS[cmd_name].module}"), cmd_name)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Signals are caught once the command is loaded; until then they end the process, which has started nothing."""
        name, command, rest = super().resolve_command(ctx, args)
        if self._is_program and name in COMMANDS:
            leave_stop_signals() if COMMANDS[name].starts_nothing else catch_stop_signals()
        return name, command, rest

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, COMMANDS[name].summary) for name in self.list_commands(ctx)])

    def __call__(self, *args: Any, **kwargs: Any) -> Any:  # noqa: ANN401
        """As a program of its own; tests call `main`, in a process whose signals are not ours."""
        self._is_program = True
        return super().__call__(*args, **kwargs)

    def invoke(self, ctx: click.Context) -> Any:  # noqa: ANN401 - click's own signature
        try:
            check_installation()
            return super().invoke(ctx)
        except Stopped as stopped:
            click.echo("frontdesk: stopped before it was finished", err=True)
            sys.exit(stopped.status)
        except (StartupError, WireError) as failure:
            click.echo(f"frontdesk: {failure}", err=True)
            sys.exit(2)


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
def main() -> None:
    """Booking and point of sale, with an Open API."""
