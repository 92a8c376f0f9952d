"""`frontdesk export`, `frontdesk apply`: the set-up of a business as a file, over HTTP."""

import sys
from pathlib import Path

import click
import msgspec

from frontdesk.cli.api import local_base_url
from frontdesk.cli.developing import with_credentials
from frontdesk.developer_tools.set_up_file.business import connected_to, read_business
from frontdesk.developer_tools.set_up_file.carry_out import carry_out
from frontdesk.developer_tools.set_up_file.plan import Plan, Step, make_plan, summary
from frontdesk.developer_tools.set_up_file.reading import read_file
from frontdesk.developer_tools.set_up_file.schema import file_schema
from frontdesk.developer_tools.set_up_file.writing import file_of
from frontdesk.errors import StartupError

_SIGNS = {"create": ("+", "green"), "change": ("~", "yellow"), "move": ("~", "yellow"), "retire": ("-", "red")}


@click.command()
@click.option("--output", metavar="FILE", type=click.Path(dir_okay=False, path_type=Path), help="Default: prints it.")
@click.option("--schema", "as_schema", is_flag=True, help="Print the JSON Schema of such files instead.")
@with_credentials
def export(
    output: Path | None,
    base_url: str | None,
    client_id: str | None,
    client_secret: str | None,
    *,
    as_schema: bool,
) -> None:
    """Write the set-up of a business as a YAML file.

    Branches, catalog, staff, hours, payment methods and settings, by their names; no customers, no sales and nothing
    secret.
    """
    if as_schema:
        text = msgspec.json.format(msgspec.json.encode(file_schema())).decode() + "\n"
    else:
        with connected_to(base_url or local_base_url(), client_id, client_secret) as api:
            text = file_of(read_business(api))
    if output is None:
        click.echo(text, nl=False)
        return
    try:
        output.write_text(text, "utf-8")
    except OSError as error:
        raise StartupError(f"{output}: {error.strerror}") from error


@click.command()
@click.argument("file", type=click.Path(path_type=Path, allow_dash=True))
@click.option("--plan", "only_plan", is_flag=True, help="Show the plan and change nothing.")
@click.option("--yes", is_flag=True, help="Do not ask before it changes anything.")
@click.option("--retire", is_flag=True, help="Also retire what the sections of the file do not have.")
@with_credentials
def apply(
    file: Path,
    base_url: str | None,
    client_id: str | None,
    client_secret: str | None,
    *,
    only_plan: bool,
    yes: bool,
    retire: bool,
) -> None:
    """Make a business match a set-up file.

    `frontdesk export` writes such a file, or a person. Shows what it would create, change and move, and asks. It stops
    at the first refusal; run again, it continues.
    """
    wanted = read_file(_text(file))
    with connected_to(base_url or local_base_url(), client_id, client_secret) as api:
        business = read_business(api)
        plan = make_plan(wanted, business, retires=retire)
        _show(plan)
        if plan.steps and not only_plan and (yes or click.confirm("Apply it?")):
            carry_out(api, plan, business, retires=retire, tell=click.echo)


def _text(file: Path) -> str:
    try:
        return sys.stdin.read() if str(file) == "-" else file.read_text("utf-8")
    except OSError as error:
        raise StartupError(f"{file}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise StartupError(f"{file}: it is not a text in UTF-8") from error


def _show(plan: Plan) -> None:
    for step in plan.steps:
        sign, color = _SIGNS[step.action]
        click.echo(click.style(f"{sign} {_line(step)}", fg=color))
    click.echo(summary(plan))


def _line(step: Step) -> str:
    line = f"{step.action}  {step.kind.noun:<14}  {step.key}"
    return f"{line}: {'; '.join(step.changes)}" if step.changes else line
