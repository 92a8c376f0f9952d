"""Changes the scopes of an installed application and accepts its new version."""

from collections.abc import Collection
from uuid import UUID

from frontdesk.activity.record import record_activity
from frontdesk.applications.install import insert_payment_methods, method_name, subscribe_application
from frontdesk.applications.queries.applications import find_installed_application, lock_application_of_install_shared
from frontdesk.applications.queries.installs import find_install, lock_install, update_accepted_version
from frontdesk.applications.queries.versions import find_version
from frontdesk.applications.scope_selection import validate_selection
from frontdesk.applications.types import Application, Install, InstallableApplication
from frontdesk.applications.versions import compare, require_version
from frontdesk.auth.install_queries import update_installed_name, update_installed_scopes
from frontdesk.payments.queries import deactivate_method
from frontdesk.postgres.pool import Connection
from frontdesk.problems import or_not_found
from frontdesk.tenants.quotas import lock_quotas
from frontdesk.values.actor import SYSTEM, Actor
from frontdesk.values.tenant_context import TenantContext
from frontdesk.webhooks.application_queries import update_application_webhook
from frontdesk.webhooks.emit_app_event import emit_app_scopes_changed
from frontdesk.webhooks.payloads import AppScopesChangedData


async def get_install(conn: Connection, tenant_id: UUID, install_id: UUID) -> Install:
    return or_not_found(await find_install(conn, tenant_id, install_id), "installed application")


async def get_installed_application(conn: Connection, tenant_id: UUID, install: Install) -> InstallableApplication:
    return or_not_found(await find_installed_application(conn, tenant_id, install.application_id), "application")


async def change_scopes(
    conn: Connection,
    tenant: TenantContext,
    install_id: UUID,
    selected: Collection[str],
    version: int,
    actor: Actor = SYSTEM,
) -> None:
    """Also accepts the approved version. `version` is the one that the page showed, 0 in the developer's sandbox."""
    tenant_id = tenant.tenant_id
    async with conn.transaction():
        await lock_application_of_install_shared(conn, tenant_id, install_id)
        await lock_install(conn, tenant_id, install_id)
        install = await get_install(conn, tenant_id, install_id)
        app = (await get_installed_application(conn, tenant_id, install)).application
        require_version(version, app.version)
        scopes = validate_selection(app.scopes, selected)
        await lock_quotas(conn, tenant_id)
        await update_installed_scopes(conn, tenant_id, install.client_id, scopes)
        if install.version != app.version:
            await _accept(conn, tenant, install, app)
        await record_activity(
            conn,
            tenant_id,
            actor,
            "application.updated",
            install_id,
            install.name,
            {"scopes": install.scopes},
            {"scopes": scopes},
        )
        event = AppScopesChangedData(
            install.application_id, install.id, install.client_id, install.name, scopes, install.scopes
        )
        await emit_app_scopes_changed(conn, tenant_id, event)


async def _accept(conn: Connection, tenant: TenantContext, install: Install, app: Application) -> None:
    """Updates the webhook and adds and deactivates payment methods as the new version requires."""
    tenant_id, before = tenant.tenant_id, await find_version(conn, app.id, install.version)
    if before is None:
        raise RuntimeError("versions are not deleted")
    changes = compare(before, app)
    await update_accepted_version(conn, tenant_id, install.id, app.version)
    await update_installed_name(conn, tenant_id, install.client_id, app.name)
    if changes.webhook:
        await _change_webhook(conn, tenant, install.client_id, app)
    for names in changes.dropped_methods:
        await deactivate_method(conn, tenant_id, install.id, method_name(tenant, names))
    await insert_payment_methods(conn, tenant, install.id, app.slug, changes.added_methods)


async def _change_webhook(conn: Connection, tenant: TenantContext, client_id: UUID, app: Application) -> None:
    url, events = app.webhook_url, app.webhook_events
    if not await update_application_webhook(conn, tenant.tenant_id, client_id, app.id, url, events):
        await subscribe_application(conn, tenant, client_id, app)
