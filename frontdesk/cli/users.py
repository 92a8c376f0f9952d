"""`frontdesk user` and `frontdesk operator`: the users of the dashboard."""

from collections.abc import Awaitable, Callable
from uuid import UUID

import click

from frontdesk.accounts.email_verification import LINK_LIFETIME, create_verification
from frontdesk.accounts.members import add_member, remove_member_as_operator
from frontdesk.accounts.operators import disable_user, enable_user, grant_operator, revoke_operator
from frontdesk.accounts.password_reset import RESET_LIFETIME, create_reset
from frontdesk.accounts.second_factors import remove_all_factors
from frontdesk.accounts.user_queries import list_users
from frontdesk.accounts.users import (
    change_password,
    create_member,
    create_operator,
    create_user,
    get_user_id,
    sign_out_everywhere,
)
from frontdesk.activity.operator_acts import About
from frontdesk.auth.types import Role
from frontdesk.cli.applications import (
    approve_application,
    list_applications_command,
    reject_application,
    suspend_application,
)
from frontdesk.cli.console import as_json, change_database, get_password, in_database, password_options, show_rows
from frontdesk.config import read_settings
from frontdesk.postgres.pool import Connection
from frontdesk.server.database import print_status
from frontdesk.values.actor import COMMAND, Actor

_COLUMNS = (
    "id",
    "email",
    "name",
    "is_operator",
    "email_verified_at",
    "second_factors",
    "disabled_at",
    "memberships",
    "created_at",
)


@click.group()
def user() -> None:
    """Create and list users, change passwords, disable and enable users."""


@user.command()
@click.argument("email")
@click.option("--name", required=True)
@click.option("--tenant", "tenant_id", type=click.UUID, help="Make the user a member of this business.")
@click.option("--role", type=click.Choice([role.value for role in Role]), default=Role.OWNER.value, show_default=True)
@password_options
def create(
    email: str, name: str, tenant_id: UUID | None, role: str, *, ask_password: bool, password_stdin: bool
) -> None:
    """Create a user."""
    password = get_password(ask_password=ask_password, password_stdin=password_stdin)

    async def create(conn: Connection) -> None:
        if tenant_id is None:
            await create_user(conn, email, name, password.text)
        else:
            await create_member(conn, tenant_id, email, name, password.text, Role(role), COMMAND)

    change_database(create, "user.created", About(tenant_id, subject=email, detail=role if tenant_id else None))
    password.show(email)


@user.command()
@click.argument("email")
@click.argument("tenant_id", type=click.UUID)
@click.option("--role", type=click.Choice([role.value for role in Role]), default=Role.OWNER.value, show_default=True)
def join(email: str, tenant_id: UUID, role: str) -> None:
    """Make an existing user a member of a business, or change their role there."""
    about = About(tenant_id, subject=email, detail=role)
    change_database(lambda conn: add_member(conn, tenant_id, email, Role(role), COMMAND), "member.added", about)
    print_status(f"{email} is a member of {tenant_id} with the role {role}")


@user.command()
@click.argument("email")
@click.argument("tenant_id", type=click.UUID)
def leave(email: str, tenant_id: UUID) -> None:
    """Remove a user from a business. The last owner cannot be removed."""
    about = About(tenant_id, subject=email)
    change_database(lambda conn: remove_member_as_operator(conn, tenant_id, email, COMMAND), "member.deleted", about)
    print_status(f"{email} is no longer a member of {tenant_id}")


@user.command("verify-email-link")
@click.argument("email")
def verify_email_link(email: str) -> None:
    """Print a link that verifies a user's e-mail address. Send it to that address only."""
    about = About(subject=email)
    token = change_database(lambda conn: create_verification(conn, email), "user.verification_link_created", about)
    print_status(
        f"this link for {email} works once, within {LINK_LIFETIME.days} days, after signing in to that account:"
    )
    click.echo(f"{read_settings().address}/verify-email?token={token}")


@user.command("reset-link")
@click.argument("email")
def reset_link(email: str) -> None:
    """Print a link with which a user sets a new password."""
    token = change_database(lambda conn: _create_reset(conn, email), "user.reset_link_created", About(subject=email))
    print_status(f"this link for {email} works once, within {int(RESET_LIFETIME.total_seconds()) // 3600} hours:")
    click.echo(f"{read_settings().address}/reset-password?token={token}")


@user.command("remove-second-factor")
@click.argument("email")
def remove_second_factor(email: str) -> None:
    """Remove all second factors of a user who has lost them, and sign the user out."""
    _change_user(email, remove_all_factors, "user.second_factor_removed")
    print_status(f"{email} signs in with the password alone")


@user.command("sign-out")
@click.argument("email")
def sign_out(email: str) -> None:
    """End all sessions of a user."""
    change_database(lambda conn: sign_out_everywhere(conn, email), "user.signed_out", About(subject=email))
    print_status(f"{email} is signed out everywhere")


@user.command("list")
@as_json
def list_all(*, as_json: bool) -> None:
    """List all users."""
    show_rows(in_database(list_users), _COLUMNS, as_json=as_json)


@user.command()
@click.argument("email")
@password_options
def password(email: str, *, ask_password: bool, password_stdin: bool) -> None:
    """Change the password of a user."""
    new = get_password(ask_password=ask_password, password_stdin=password_stdin)
    about = About(subject=email)
    change_database(lambda conn: change_password(conn, email, new.text, COMMAND), "user.password_set", about)
    new.show(email)


@user.command()
@click.argument("email")
def disable(email: str) -> None:
    """Disable a user: end all sessions and reject sign-ins."""
    _change_user(email, disable_user, "user.disabled")
    print_status(f"{email} cannot sign in")


@user.command()
@click.argument("email")
def enable(email: str) -> None:
    """Enable a disabled user."""
    _change_user(email, enable_user, "user.enabled")
    print_status(f"{email} can sign in")


async def _create_reset(conn: Connection, email: str) -> str:
    return await create_reset(conn, await get_user_id(conn, email), COMMAND)


def _change_user(email: str, act: Callable[[Connection, UUID, Actor], Awaitable[None]], action: str) -> None:
    async def work(conn: Connection) -> None:
        await act(conn, await get_user_id(conn, email), COMMAND)

    change_database(work, action, About(subject=email))


def _change_operator(email: str, act: Callable[[Connection, UUID], Awaitable[None]], action: str) -> None:
    async def work(conn: Connection) -> None:
        await act(conn, await get_user_id(conn, email))

    change_database(work, action, About(subject=email))


@click.group()
def operator() -> None:
    """Create, list and revoke the operators of this service."""


@operator.command("create")
@click.argument("email")
@click.option("--name", required=True)
@password_options
def create_operator_command(email: str, name: str, *, ask_password: bool, password_stdin: bool) -> None:
    """Create a user who can operate the whole service."""
    new = get_password(ask_password=ask_password, password_stdin=password_stdin)
    about = About(subject=email)
    change_database(lambda conn: create_operator(conn, email, name, new.text), "operator.created", about)
    new.show(email)


@operator.command()
@click.argument("email")
def grant(email: str) -> None:
    """Make an existing user an operator."""
    _change_operator(email, grant_operator, "operator.granted")
    print_status(f"{email} is an operator")


@operator.command()
@click.argument("email")
def revoke(email: str) -> None:
    """Revoke a user's operator rights. The last operator cannot be revoked."""
    _change_operator(email, revoke_operator, "operator.revoked")
    print_status(f"{email} is no longer an operator")


@operator.command("list")
@as_json
def list_operators(*, as_json: bool) -> None:
    """List the operators."""
    rows = [user for user in in_database(list_users) if user.is_operator]
    show_rows(rows, _COLUMNS, as_json=as_json)


for command in (list_applications_command, approve_application, reject_application, suspend_application):
    operator.add_command(command)
