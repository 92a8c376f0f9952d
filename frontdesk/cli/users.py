"""`frontdesk user` and `frontdesk operator`: people who sign in to the dashboard."""

from collections.abc import Awaitable, Callable
from uuid import UUID

import click

from frontdesk.auth.email_verification import LINK_LIFETIME, create_verification
from frontdesk.auth.members import add_member, remove_member_as_operator
from frontdesk.auth.operators import disable_user, enable_user, grant_operator, revoke_operator
from frontdesk.auth.types import Role
from frontdesk.auth.user_queries import list_users
from frontdesk.auth.users import (
    change_password,
    create_member,
    create_operator,
    create_user,
    get_user_id,
    sign_out_everywhere,
)
from frontdesk.cli.applications import approve_one, list_all_applications, reject_one, suspend_one
from frontdesk.cli.console import as_json, get_password, in_database, password_options, show_rows
from frontdesk.config import read_settings
from frontdesk.postgres.pool import Connection
from frontdesk.server.database import print_status

_COLUMNS = ("id", "email", "name", "is_operator", "email_verified_at", "disabled_at", "memberships", "created_at")


@click.group()
def user() -> None:
    """Make and list sign-ins, change passwords, disable and enable."""


@user.command()
@click.argument("email")
@click.option("--name", required=True)
@click.option("--tenant", "tenant_id", type=click.UUID, help="The business that the person belongs to.")
@click.option("--role", type=click.Choice([role.value for role in Role]), default=Role.OWNER.value, show_default=True)
@password_options
def create(
    email: str, name: str, tenant_id: UUID | None, role: str, *, ask_password: bool, password_stdin: bool
) -> None:
    """Make a sign-in."""
    password = get_password(ask_password=ask_password, password_stdin=password_stdin)
    if tenant_id is None:
        in_database(lambda conn: create_user(conn, email, name, password.text))
    else:
        in_database(lambda conn: create_member(conn, tenant_id, email, name, password.text, Role(role)))
    password.show(email)


@user.command()
@click.argument("email")
@click.argument("tenant_id", type=click.UUID)
@click.option("--role", type=click.Choice([role.value for role in Role]), default=Role.OWNER.value, show_default=True)
def join(email: str, tenant_id: UUID, role: str) -> None:
    """Let somebody who can sign in already into a business too, or change their role there."""
    in_database(lambda conn: add_member(conn, tenant_id, email, Role(role)))
    print_status(f"{email} belongs to {tenant_id} as {role}")


@user.command()
@click.argument("email")
@click.argument("tenant_id", type=click.UUID)
def leave(email: str, tenant_id: UUID) -> None:
    """Take somebody out of a business; the last owner stays."""
    in_database(lambda conn: remove_member_as_operator(conn, tenant_id, email))
    print_status(f"{email} does not belong to {tenant_id} any more")


@user.command("verify-email-link")
@click.argument("email")
def verify_email_link(email: str) -> None:
    """Print a link that proves somebody's e-mail address. Send it to that address, and to nobody else."""
    token = in_database(lambda conn: create_verification(conn, email))
    print_status(f"a link for {email}, good once, for {LINK_LIFETIME.days} days, after signing in to that account:")
    click.echo(f"{read_settings().address}/verify-email?token={token}")


@user.command("sign-out")
@click.argument("email")
def sign_out(email: str) -> None:
    """End every session of somebody."""
    in_database(lambda conn: sign_out_everywhere(conn, email))
    print_status(f"{email} is signed out everywhere")


@user.command("list")
@as_json
def list_all(*, as_json: bool) -> None:
    """List everybody who can sign in."""
    show_rows(in_database(list_users), _COLUMNS, as_json=as_json)


@user.command()
@click.argument("email")
@password_options
def password(email: str, *, ask_password: bool, password_stdin: bool) -> None:
    """Give somebody a new password."""
    new = get_password(ask_password=ask_password, password_stdin=password_stdin)
    in_database(lambda conn: change_password(conn, email, new.text))
    new.show(email)


@user.command()
@click.argument("email")
def disable(email: str) -> None:
    """Sign somebody out everywhere and refuse them, in every business."""
    in_database(lambda conn: _about(conn, email, disable_user))
    print_status(f"{email} cannot sign in")


@user.command()
@click.argument("email")
def enable(email: str) -> None:
    """Let somebody who was disabled sign in again."""
    in_database(lambda conn: _about(conn, email, enable_user))
    print_status(f"{email} can sign in")


async def _about(conn: Connection, email: str, act: Callable[[Connection, UUID], Awaitable[None]]) -> None:
    await act(conn, await get_user_id(conn, email))


@click.group()
def operator() -> None:
    """Make and list the operators of this service, and end their office."""


@operator.command("create")
@click.argument("email")
@click.option("--name", required=True)
@password_options
def create_one(email: str, name: str, *, ask_password: bool, password_stdin: bool) -> None:
    """Make a sign-in that may operate the whole service."""
    new = get_password(ask_password=ask_password, password_stdin=password_stdin)
    in_database(lambda conn: create_operator(conn, email, name, new.text))
    new.show(email)


@operator.command()
@click.argument("email")
def grant(email: str) -> None:
    """Make an operator of somebody who can sign in already."""
    in_database(lambda conn: _about(conn, email, grant_operator))
    print_status(f"{email} is an operator")


@operator.command()
@click.argument("email")
def revoke(email: str) -> None:
    """Take it from somebody, unless they are the last operator; their sign-in stays."""
    in_database(lambda conn: _about(conn, email, revoke_operator))
    print_status(f"{email} is no operator")


@operator.command("list")
@as_json
def list_operators(*, as_json: bool) -> None:
    """List the operators."""
    rows = [one for one in in_database(list_users) if one.is_operator]
    show_rows(rows, _COLUMNS, as_json=as_json)


for command in (list_all_applications, approve_one, reject_one, suspend_one):
    operator.add_command(command)
