"""The command line. Commands are loaded lazily, because importing all of them takes a second.

A command that fails prints one line and exits with status 2.
"""

import gc
import sys
from importlib import import_module
from typing import Any, NamedTuple

import click

from frontdesk.errors import StartupError
from frontdesk.http.errors import WireError
from frontdesk.problems import Problem
from frontdesk.runtime.stop_signals import Stopped, catch_stop_signals, restore_default_signals
from frontdesk.server.installation import check_installation
from frontdesk.version import version_line


class CommandRef(NamedTuple):
    module: str  # in frontdesk.cli; it has an attribute with the name of the command
    summary: str  # the first line of its help
    starts_nothing: bool = False  # uses no database and no process, so Ctrl-C may interrupt it anywhere


COMMANDS = {
    "api": CommandRef("api", "Send a request to the Open API and print the response.", starts_nothing=True),
    "apply": CommandRef("set_up_files", "Make a business match a set-up file.", starts_nothing=True),
    "backup": CommandRef(
        "backups", "Write a backup of the database to FILE, or verify one. The service may be running."
    ),
    "changelog": CommandRef(
        "changelog", "Print what changed between the published API descriptions.", starts_nothing=True
    ),
    "check": CommandRef("check", "Check the data of every business, and print how many rows break each rule."),
    "client": CommandRef("clients", "Create, list and change the API clients of a business."),
    "cluster": CommandRef("clusters", "Show the nodes of a distributed database, add one, and move businesses."),
    "config": CommandRef("settings", "Show the settings of this installation.", starts_nothing=True),
    "conformance": CommandRef(
        "conformance", "Try scenarios on the program of an integrator, and say what it does wrong."
    ),
    "distribute": CommandRef("distribution", "Distribute the database over the nodes of a Citus cluster, by business."),
    "doctor": CommandRef("doctor", "Check this installation, and print what is wrong and what to do."),
    "export": CommandRef("set_up_files", "Write the set-up of a business as a YAML file.", starts_nothing=True),
    "key": CommandRef("clients", "Create, list and revoke the API keys of a business."),
    "listen": CommandRef("developing", "Print events as they happen, and forward them to a receiver."),
    "mcp": CommandRef("mcp", "Offer the Open API as tools of the Model Context Protocol."),
    "migrate": CommandRef("migrations", "Apply the missing database migrations, while older programs run."),
    "openapi": CommandRef("descriptions", "Print the OpenAPI 3.1 description of an API.", starts_nothing=True),
    "operator": CommandRef("users", "Create, list and revoke the operators of this service."),
    "pictures": CommandRef("pictures", "Move pictures between the database and the bucket, and compare the two."),
    "restore": CommandRef(
        "backups", "Restore the database from FILE, or as it was at a TIME. No service may be running on it."
    ),
    "sandbox": CommandRef(
        "sandboxes", "Create a sandbox business and print its credentials. The service may be running."
    ),
    "secrets": CommandRef("secrets", "Manage the encrypted secrets of the database."),
    "sending": CommandRef("sending", "Show whether mail and webhooks are sent, or switch it ON or OFF."),
    "serve": CommandRef("serving", "Apply migrations, then serve requests, deliver webhooks and send mail."),
    "tenant": CommandRef("tenants", "Create and list businesses, set their plan, suspend and resume them."),
    "trigger": CommandRef("developing", "Make an event happen in a sandbox, by real calls."),
    "user": CommandRef("users", "Create and list users, change passwords, disable and enable users."),
    "worker": CommandRef("workers", "Send mail and webhooks only, for installations on several machines."),
}

_EXTRAS = {"frontdesk_client": "client", "mcp": "mcp", "mcp_types": "mcp"}  # by the package that is missing


class Commands(click.Group):
    """Loads commands on demand and reports their errors in one line."""

    _is_program = False

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        try:
            module = import_module(f"frontdesk.cli.{COMMANDS[cmd_name].module}")
        except ModuleNotFoundError as missing:
            package = (missing.name or "").partition(".")[0]
            if package == __package__.partition(".")[0]:
                raise
            extra = _EXTRAS.get(package)
            how = f"pip install 'frontdesk[{extra}]'" if extra else f"{package}; install frontdesk without --no-deps"
            raise StartupError(f"this command needs more packages: {how}") from missing
        command: click.Command = getattr(module, cmd_name)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Installs signal handlers after the command is loaded; before that, a signal may end the process."""
        name, command, rest = super().resolve_command(ctx, args)
        gc.enable()
        if self._is_program and name in COMMANDS:
            restore_default_signals() if COMMANDS[name].starts_nothing else catch_stop_signals()
        return name, command, rest

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, COMMANDS[name].summary) for name in self.list_commands(ctx)])

    def __call__(self, *args: Any, **kwargs: Any) -> Any:  # noqa: ANN401
        """Called when run as a program. Tests call `main` instead, in a process whose signals are not ours."""
        self._is_program = True
        return super().__call__(*args, **kwargs)

    def invoke(self, ctx: click.Context) -> Any:  # noqa: ANN401 - click's own signature
        try:
            check_installation()
            return super().invoke(ctx)
        except Stopped as stopped:
            click.echo("frontdesk: interrupted", err=True)
            sys.exit(stopped.status)
        except Problem as problem:
            click.echo(f"frontdesk: {import_module('frontdesk.cli.problems').problem_line(problem)}", err=True)
            sys.exit(2)
        except (StartupError, WireError) as error:
            click.echo(f"frontdesk: {error}", err=True)
            sys.exit(2)


def _print_version(ctx: click.Context, _option: click.Parameter, is_given: bool) -> None:
    if is_given:
        click.echo(version_line())
        ctx.exit()


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_print_version,
    help="Print the version, the commit and the number of the schema.",
)
def main() -> None:
    """Booking and point of sale, with an Open API."""
