"""`frontdesk client` and `frontdesk key`: manage API clients and keys from scripts."""

from collections.abc import Awaitable
from datetime import UTC, datetime
from typing import Protocol
from uuid import UUID

import click
import msgspec

from frontdesk.activity.operator_acts import About
from frontdesk.auth.client_queries import list_clients, list_keys
from frontdesk.auth.clients import (
    approve_scopes,
    create_client,
    create_key,
    disable_client,
    enable_client,
    get_tenant_client,
    remove_client,
    revoke_api_key,
    rotate_secret,
)
from frontdesk.auth.credentials import format_client_id
from frontdesk.auth.scopes import Scope
from frontdesk.cli.console import as_json, change_database, in_database, show_rows
from frontdesk.postgres.pool import Connection
from frontdesk.problems import not_found
from frontdesk.server.database import print_status
from frontdesk.tenants.queries import exists_tenant
from frontdesk.values.actor import COMMAND, Actor
from frontdesk.values.ids import uuid7

_CLIENT_COLUMNS = ("id", "name", "scopes", "rate_limit", "application", "disabled_at", "last_used_at")
_KEY_COLUMNS = ("id", "name", "last_four", "branch", "expires_at", "revoked_at", "last_used_at")
_tenant = click.argument("tenant_id", type=click.UUID)
_client = click.argument("client_id", type=click.UUID)
_scopes = click.option("--scopes", default=" ".join(Scope), help="Scopes, separated by spaces. Default: all.")


class _ClientAct(Protocol):
    def __call__(self, conn: Connection, tenant_id: UUID, client_id: UUID, *, actor: Actor) -> Awaitable[None]: ...


class ClientCredentials(msgspec.Struct):
    id: UUID
    client_id: str
    client_secret: str


class KeyCredentials(msgspec.Struct):
    id: UUID
    api_key: str


@click.group()
def client() -> None:
    """Create, list and change the API clients of a business."""


@client.command("create")
@_tenant
@click.argument("name")
@_scopes
def create(tenant_id: UUID, name: str, scopes: str) -> None:
    """Create an API client and print its credentials as JSON. They are shown only once."""
    client_id = uuid7()

    async def work(conn: Connection) -> str | None:
        await _require_tenant(conn, tenant_id)
        return await create_client(conn, tenant_id, client_id, name, scopes.split(), actor=COMMAND)

    secret = change_database(work, "api_client.created", About(tenant_id, detail=name))
    _print_secret(ClientCredentials(client_id, format_client_id(tenant_id, client_id), secret or ""))


@client.command("list")
@_tenant
@as_json
def list_all(tenant_id: UUID, *, as_json: bool) -> None:
    """List the API clients of a business, newest first."""
    show_rows(in_database(lambda conn: list_clients(conn, tenant_id)), _CLIENT_COLUMNS, as_json=as_json)


@client.command()
@_tenant
@_client
@click.option("--keep-old", is_flag=True, help="Accept the old secret for another 24 hours.")
def rotate(tenant_id: UUID, client_id: UUID, *, keep_old: bool) -> None:
    """Rotate the secret of an API client and print the new one. It is shown only once."""

    async def work(conn: Connection) -> str | None:
        version = (await get_tenant_client(conn, tenant_id, client_id)).secret_version
        return await rotate_secret(conn, tenant_id, client_id, version, keep_old=keep_old, actor=COMMAND)

    secret = change_database(work, "api_client.secret_rotated", About(tenant_id, detail=str(client_id)))
    _print_secret(ClientCredentials(client_id, format_client_id(tenant_id, client_id), secret or ""))


@client.command()
@_tenant
@_client
@_scopes
def scopes(tenant_id: UUID, client_id: UUID, scopes: str) -> None:
    """Set the approved scopes of an API client."""
    about = About(tenant_id, detail=f"{client_id}: {scopes}")
    change_database(
        lambda conn: approve_scopes(conn, tenant_id, client_id, scopes.split(), actor=COMMAND),
        "api_client.scopes_changed",
        about,
    )
    print_status(f"{client_id} has the scopes {scopes}")


@client.command()
@_tenant
@_client
def disable(tenant_id: UUID, client_id: UUID) -> None:
    """Disable an API client: its requests are rejected until it is enabled again."""
    _change_client(disable_client, tenant_id, client_id, "api_client.disabled")
    print_status(f"{client_id} is disabled")


@client.command()
@_tenant
@_client
def enable(tenant_id: UUID, client_id: UUID) -> None:
    """Enable a disabled API client."""
    _change_client(enable_client, tenant_id, client_id, "api_client.enabled")
    print_status(f"{client_id} is enabled")


@client.command()
@_tenant
@_client
def delete(tenant_id: UUID, client_id: UUID) -> None:
    """Delete an API client with its tokens, webhooks and request log."""
    _change_client(remove_client, tenant_id, client_id, "api_client.deleted")
    print_status(f"{client_id} is deleted")


@click.group()
def key() -> None:
    """Create, list and revoke the API keys of a business."""


@key.command("create")
@_tenant
@click.argument("name")
@click.option("--branch", "branch_id", type=click.UUID, help="Restrict the key to this branch.")
@click.option("--expires", type=click.DateTime(), help="When the key expires, in UTC.")
def create_api_key(tenant_id: UUID, name: str, branch_id: UUID | None, expires: datetime | None) -> None:
    """Create an API key and print it as JSON. It is shown only once."""
    key_id, expires_at = uuid7(), expires.replace(tzinfo=UTC) if expires else None

    async def work(conn: Connection) -> str | None:
        await _require_tenant(conn, tenant_id)
        return await create_key(conn, tenant_id, key_id, name, branch_id, expires_at, actor=COMMAND)

    secret = change_database(work, "api_key.created", About(tenant_id, detail=name))
    _print_secret(KeyCredentials(key_id, secret or ""))


@key.command("list")
@_tenant
@as_json
def list_all_keys(tenant_id: UUID, *, as_json: bool) -> None:
    """List the API keys of a business, active ones first."""
    show_rows(in_database(lambda conn: list_keys(conn, tenant_id)), _KEY_COLUMNS, as_json=as_json)


@key.command()
@_tenant
@click.argument("key_id", type=click.UUID)
def revoke(tenant_id: UUID, key_id: UUID) -> None:
    """Revoke an API key."""
    about = About(tenant_id, detail=str(key_id))
    change_database(lambda conn: revoke_api_key(conn, tenant_id, key_id, actor=COMMAND), "api_key.revoked", about)
    print_status(f"{key_id} is revoked")


def _change_client(act: _ClientAct, tenant_id: UUID, client_id: UUID, action: str) -> None:
    about = About(tenant_id, detail=str(client_id))
    change_database(lambda conn: act(conn, tenant_id, client_id, actor=COMMAND), action, about)


async def _require_tenant(conn: Connection, tenant_id: UUID) -> None:
    if not await exists_tenant(conn, tenant_id):
        raise not_found("business")


def _print_secret(credentials: msgspec.Struct) -> None:
    click.echo(msgspec.json.encode(credentials).decode())
