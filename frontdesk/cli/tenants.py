"""`frontdesk tenant`: the businesses on this service."""

from contextlib import nullcontext
from pathlib import Path
from uuid import UUID

import click

from frontdesk.activity.operator_acts import About
from frontdesk.cli.bucket import FileToRead, file_to_read, file_to_write, optional_bucket
from frontdesk.cli.console import as_json, change_database, change_in_steps, in_database, record_command, show_rows
from frontdesk.cli.pictures import move_pictures
from frontdesk.config import Settings, read_settings
from frontdesk.errors import StartupError
from frontdesk.exports.archive import export_archive
from frontdesk.exports.archive_queries import read_tenant
from frontdesk.exports.restore import restore_archive
from frontdesk.postgres.pool import Connection
from frontdesk.server.database import print_status
from frontdesk.tenants.administration import change_plan, resume_tenant, suspend_tenant
from frontdesk.tenants.queries import list_tenants
from frontdesk.tenants.register import register_tenant
from frontdesk.tenants.types import NewTenant, Plan
from frontdesk.values.actor import COMMAND

_COLUMNS = ("id", "name", "plan", "timezone", "currency", "is_sandbox", "suspended_at", "created_at")
_plan = click.Choice([plan.value for plan in Plan])


@click.group()
def tenant() -> None:
    """Create and list businesses, set their plan, suspend and resume them."""


@tenant.command()
@click.argument("name")
@click.option("--timezone", required=True, help="For example Asia/Riyadh.")
@click.option("--currency", required=True, help="For example SAR.")
@click.option("--language", "languages", multiple=True, default=["en"], show_default=True, help="May be repeated.")
@click.option("--branch", help="Name of its first branch. Default: the name of the business.")
@click.option("--plan", type=_plan, default=Plan.STARTER.value, show_default=True)
@click.option("--country", help="For example SA.")
@click.option("--slug", help="Its name in web addresses. Default: made from the name.")
def create(
    name: str,
    timezone: str,
    currency: str,
    languages: tuple[str, ...],
    branch: str | None,
    plan: str,
    country: str | None,
    slug: str | None,
) -> None:
    """Create a business with its first branch and payment methods, and print its id."""
    new = NewTenant(name, branch or name, Plan(plan), timezone, currency, languages, slug, country)

    async def register(conn: Connection) -> UUID:
        async with conn.transaction():
            made = await register_tenant(conn, new, COMMAND)
            await record_command(conn, "business.created", About(made, detail=plan))
        return made

    click.echo(change_in_steps(register))


@tenant.command("list")
@as_json
def list_all(*, as_json: bool) -> None:
    """List all businesses, oldest first."""
    show_rows(in_database(list_tenants), _COLUMNS, as_json=as_json)


@tenant.command("plan")
@click.argument("tenant_id", type=click.UUID)
@click.argument("plan", type=_plan)
def set_plan(tenant_id: UUID, plan: str) -> None:
    """Change the plan of a business."""
    about = About(tenant_id, detail=plan)
    change_database(lambda conn: change_plan(conn, tenant_id, Plan(plan), COMMAND), "business.plan_changed", about)
    print_status(f"{tenant_id} has the plan {plan}")


@tenant.command()
@click.argument("tenant_id", type=click.UUID)
@click.option("--reason", default="", help="Stored for operators; the business does not see it.")
def suspend(tenant_id: UUID, reason: str) -> None:
    """Suspend a business: requests of its users, applications and tills are rejected until it is resumed."""
    about = About(tenant_id, detail=reason)
    change_database(lambda conn: suspend_tenant(conn, tenant_id, reason, COMMAND), "business.suspended", about)
    print_status(f"{tenant_id} is suspended")


@tenant.command()
@click.argument("tenant_id", type=click.UUID)
def resume(tenant_id: UUID) -> None:
    """Resume a suspended business."""
    change_database(lambda conn: resume_tenant(conn, tenant_id, COMMAND), "business.resumed", About(tenant_id))
    print_status(f"{tenant_id} is resumed")


@tenant.command("export")
@click.argument("tenant_id", type=click.UUID)
@click.argument("file", type=click.Path(dir_okay=False, writable=True, path_type=Path))
def export(tenant_id: UUID, file: Path) -> None:
    """Write a whole business into one archive, without sign-ins, keys and webhooks.

    FILE can be bucket:NAME.
    """
    settings = read_settings()

    async def export_recorded(conn: Connection) -> None:
        async with optional_bucket(settings) as store:
            await export_archive(lambda: nullcontext(conn), tenant_id, target, COMMAND, store, _report)
        await record_command(conn, "business.exported", About(tenant_id, detail=file.name))

    with file_to_write(file, settings) as path, path.open("wb") as target:
        change_in_steps(export_recorded)
    print_status(f"{tenant_id} is in {file}")


@tenant.command("import")
@click.argument("file", type=FileToRead())
@click.option("--name", help="Name of the new business. Default: the name in the archive.")
@click.option("--plan", type=_plan, help="Default: the plan in the archive.")
def import_archive(file: Path, name: str | None, plan: str | None) -> None:
    """Create a business from an archive and print its id. It has no members yet.

    Its pictures are moved to the bucket afterwards, if new ones are stored there.
    """
    settings = read_settings()
    chosen = Plan(plan) if plan else None

    async def restore(conn: Connection) -> UUID:
        async with conn.transaction():
            made = await restore_archive(conn, source, name=name, plan=chosen, report=_report, actor=COMMAND)
            tenant = await read_tenant(conn, made)
            await record_command(conn, "business.restored", About(made, detail=file.name))
        print_status(f"it has the plan {tenant['plan']}")
        return made

    with file_to_read(file, settings) as path, path.open("rb") as source:
        made = change_in_steps(restore)
    click.echo(made)
    if settings.pictures_in_bucket:
        _move_pictures(settings, made)


def _move_pictures(settings: Settings, tenant_id: UUID) -> None:
    """The business is made already, so a bucket that does not answer is no failure."""
    try:
        move_pictures(settings, "bucket", tenant_id)
    except StartupError as error:
        print_status(f"its pictures are in the database: {error}; later `frontdesk pictures move --to bucket`")


def _report(table: str, rows: int) -> None:
    if rows:
        print_status(f"{table}: {rows}")
