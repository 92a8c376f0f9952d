"""A business approves an application that asked for it: installs it, or changes its scopes, and issues a code."""

from collections.abc import Collection
from datetime import timedelta
from typing import NamedTuple
from uuid import UUID

from frontdesk.applications.authorization import AuthorizationRequest
from frontdesk.applications.change_scopes import change_scopes, get_install
from frontdesk.applications.install import get_installable_application, install
from frontdesk.applications.queries.codes import insert_code
from frontdesk.auth.credentials import new_code
from frontdesk.postgres.pool import Connection
from frontdesk.security.secrets import hash_secret
from frontdesk.values.actor import Actor
from frontdesk.values.tenant_context import TenantContext

CODE_LIFETIME = timedelta(minutes=2)


class Approval(NamedTuple):
    install_id: UUID  # chosen by the form, in case it is not installed yet
    application_id: UUID
    scopes: Collection[str]
    version: int  # that the page showed, 0 in the developer's sandbox


async def authorize(
    conn: Connection, tenant: TenantContext, request: AuthorizationRequest, approval: Approval, actor: Actor
) -> str:
    """The code, which is returned only here. The caller has checked the request against the same version."""
    async with conn.transaction():
        install_id = await _install_or_change(conn, tenant, approval, actor)
        code = new_code(tenant.tenant_id)
        await insert_code(
            conn,
            tenant.tenant_id,
            hash_secret(code),
            install_id,
            request.redirect_uri,
            request.code_challenge,
            CODE_LIFETIME,
        )
    return code


async def _install_or_change(conn: Connection, tenant: TenantContext, approval: Approval, actor: Actor) -> UUID:
    offer = await get_installable_application(conn, tenant.tenant_id, approval.application_id)
    if offer.install_id is None:
        # This first secret is never returned: the exchange of the code replaces it.
        await install(
            conn,
            tenant,
            approval.install_id,
            approval.application_id,
            actor,
            approval.scopes,
            approval.version,
        )
        return approval.install_id
    before = await get_install(conn, tenant.tenant_id, offer.install_id)
    is_same = before.version == offer.application.version and set(before.scopes) == set(approval.scopes)
    if not is_same or approval.version != (offer.application.version or 0):
        await change_scopes(conn, tenant, offer.install_id, approval.scopes, approval.version, actor)
    return offer.install_id
