"""`frontdesk config`: what is set, and where."""

import click

from frontdesk.config import settings_in_force


@click.group()
def config() -> None:
    """Show the settings of this installation."""


@config.command()
def check() -> None:
    """Print each setting, its value without secrets, and where it comes from.

    Exits with status 2 and one line if a setting is wrong.
    """
    settings = settings_in_force()
    width = max(len(setting.name) for setting in settings)
    for name, value, source in settings:
        click.echo(f"{name:<{width}}  {value}  ({source})")
