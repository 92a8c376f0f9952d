"""Management of API clients and keys. Every change applies from the next request.

The caller chooses the id of a new record, and names the version of the secret that it replaces. So a form that is
submitted twice has no further effect, and a secret is shown only once.
"""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import datetime, timedelta
from uuid import UUID

from frontdesk.activity.record import record_activity
from frontdesk.auth.client_queries import (
    delete_client,
    find_key,
    find_tenant_client,
    insert_client,
    insert_key,
    lock_client,
    lock_client_webhooks,
    revoke_key,
    update_client_disabled,
    update_client_name,
    update_client_scopes,
    update_client_secret,
)
from frontdesk.auth.credentials import new_client_secret, new_key
from frontdesk.auth.problems import ClientProblem
from frontdesk.auth.request_log_queries import delete_usage
from frontdesk.auth.scopes import Scope, unknown_scopes
from frontdesk.auth.types import ApiClient, ApiKey
from frontdesk.postgres.pool import Connection
from frontdesk.problems import Problem, check_version, not_found, or_not_found
from frontdesk.security.secrets import hash_secret
from frontdesk.tenants.quotas import Quota, lock_quotas, require_within
from frontdesk.values.actor import SYSTEM, Actor
from frontdesk.values.clock import current_time

GRACE = timedelta(hours=24)


async def get_tenant_client(conn: Connection, tenant_id: UUID, client_id: UUID) -> ApiClient:
    return or_not_found(await find_tenant_client(conn, tenant_id, client_id), "API client")


async def create_client(
    conn: Connection, tenant_id: UUID, client_id: UUID, name: str, scopes: Sequence[str], *, actor: Actor = SYSTEM
) -> str | None:
    """Returns the secret, which is shown only once; None if the client already exists."""
    secret = new_client_secret()
    approved = _validate_scopes(scopes)
    async with conn.transaction():
        limits = await lock_quotas(conn, tenant_id)
        made = await insert_client(
            conn, tenant_id, client_id, name=name, secret_hash=hash_secret(secret), scopes=approved
        )
        if made:
            await require_within(conn, tenant_id, limits, Quota.API_CLIENTS)
            await record_activity(
                conn, tenant_id, actor, "api_client.created", client_id, name, None, {"scopes": approved}
            )
    return secret if made else None


async def rename_client(
    conn: Connection, tenant_id: UUID, client_id: UUID, version: int, name: str, *, actor: Actor = SYSTEM
) -> None:
    async with _recorded_change(conn, tenant_id, client_id, actor, version):
        _raise_if_missing(await update_client_name(conn, tenant_id, client_id, name))


async def approve_scopes(
    conn: Connection,
    tenant_id: UUID,
    client_id: UUID,
    scopes: Sequence[str],
    *,
    version: int | None = None,
    actor: Actor = SYSTEM,
) -> None:
    """Without a version, whatever they are now."""
    approved = _validate_scopes(scopes)
    async with _recorded_change(conn, tenant_id, client_id, actor, version):
        _raise_if_missing(await update_client_scopes(conn, tenant_id, client_id, approved))


async def disable_client(conn: Connection, tenant_id: UUID, client_id: UUID, *, actor: Actor = SYSTEM) -> None:
    async with _recorded_change(conn, tenant_id, client_id, actor):
        _raise_if_missing(await update_client_disabled(conn, tenant_id, client_id, disabled=True))


async def enable_client(conn: Connection, tenant_id: UUID, client_id: UUID, *, actor: Actor = SYSTEM) -> None:
    async with _recorded_change(conn, tenant_id, client_id, actor):
        _raise_if_missing(await update_client_disabled(conn, tenant_id, client_id, disabled=False))


@asynccontextmanager
async def _recorded_change(
    conn: Connection, tenant_id: UUID, client_id: UUID, actor: Actor, version: int | None = None
) -> AsyncIterator[None]:
    async with conn.transaction():
        await lock_client(conn, tenant_id, client_id)
        before = await get_tenant_client(conn, tenant_id, client_id)
        if version is not None:
            check_version(version, before.version, client_id)
        yield
        after = await get_tenant_client(conn, tenant_id, client_id)
        await record_activity(
            conn, tenant_id, actor, "api_client.updated", client_id, after.name, _recorded(before), _recorded(after)
        )


def _recorded(client: ApiClient) -> dict[str, object]:
    return {"name": client.name, "scopes": client.scopes, "active": client.disabled_at is None}


async def rotate_secret(
    conn: Connection, tenant_id: UUID, client_id: UUID, version: int, *, keep_old: bool, actor: Actor = SYSTEM
) -> str | None:
    """Returns the new secret, which is shown only once; None if that version was already replaced."""
    secret = new_client_secret()
    async with conn.transaction():
        changed = await update_client_secret(
            conn, tenant_id, client_id, version, secret_hash=hash_secret(secret), grace=GRACE if keep_old else None
        )
        client = await get_tenant_client(conn, tenant_id, client_id)
        if changed:
            await record_activity(conn, tenant_id, actor, "api_client.secret_rotated", client_id, client.name)
    return secret if changed else None


async def remove_client(conn: Connection, tenant_id: UUID, client_id: UUID, *, actor: Actor = SYSTEM) -> None:
    async with conn.transaction():
        await lock_client(conn, tenant_id, client_id)
        client = await get_tenant_client(conn, tenant_id, client_id)
        await record_activity(conn, tenant_id, actor, "api_client.deleted", client_id, client.name)
        await lock_client_webhooks(conn, tenant_id, client_id)
        _raise_if_missing(await delete_client(conn, tenant_id, client_id))
        await delete_usage(conn, tenant_id, client_id)


async def get_key(conn: Connection, tenant_id: UUID, key_id: UUID) -> ApiKey:
    return or_not_found(await find_key(conn, tenant_id, key_id), "API key")


async def create_key(
    conn: Connection,
    tenant_id: UUID,
    key_id: UUID,
    name: str,
    branch_id: UUID | None,
    expires_at: datetime | None,
    *,
    actor: Actor = SYSTEM,
) -> str | None:
    """Returns the key, which is shown only once; None if it already exists."""
    if expires_at is not None and expires_at <= current_time():
        raise Problem(ClientProblem.EXPIRES_IN_PAST, "expires_on")
    key = new_key(tenant_id)
    async with conn.transaction():
        limits = await lock_quotas(conn, tenant_id)
        made = await insert_key(
            conn,
            tenant_id,
            key_id,
            key_hash=hash_secret(key),
            last_four=key[-4:],
            name=name,
            branch_id=branch_id,
            expires_at=expires_at,
        )
        if made:
            await require_within(conn, tenant_id, limits, Quota.API_KEYS)
            await record_activity(conn, tenant_id, actor, "api_key.created", key_id, name)
    return key if made else None


async def revoke_api_key(conn: Connection, tenant_id: UUID, key_id: UUID, *, actor: Actor = SYSTEM) -> None:
    async with conn.transaction():
        if not await revoke_key(conn, tenant_id, key_id):
            raise not_found("API key")
        key = await get_key(conn, tenant_id, key_id)
        await record_activity(conn, tenant_id, actor, "api_key.revoked", key_id, key.name)


def _validate_scopes(scopes: Sequence[str]) -> list[str]:
    unknown = unknown_scopes(scopes)
    if unknown:
        raise Problem(ClientProblem.UNKNOWN_SCOPE, "scopes", scope=unknown[0])
    if not scopes:
        raise Problem(ClientProblem.SCOPE_REQUIRED, "scopes")
    return [scope for scope in Scope if scope in scopes]


def _raise_if_missing(found: bool) -> None:
    if not found:
        raise not_found("API client")
