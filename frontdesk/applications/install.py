"""Installs an application at a business, with the scopes that the business selected."""

from collections.abc import Collection, Iterable
from typing import NamedTuple
from uuid import UUID

from frontdesk.activity.record import record_activity
from frontdesk.applications.problems import InstallProblem
from frontdesk.applications.queries.applications import find_installable, find_webhook_secret, lock_application_shared
from frontdesk.applications.queries.installs import insert_install
from frontdesk.applications.scope_selection import validate_selection
from frontdesk.applications.types import Application, InstallableApplication
from frontdesk.applications.versions import require_version
from frontdesk.auth.credentials import new_client_secret
from frontdesk.auth.install_queries import insert_installed_client
from frontdesk.payments.create_method import create_method
from frontdesk.payments.types import NewMethod
from frontdesk.postgres.pool import Connection
from frontdesk.postgres.write import call
from frontdesk.problems import Problem, or_not_found
from frontdesk.security.secrets import hash_secret
from frontdesk.tenants.quotas import Quota, lock_quotas, require_within
from frontdesk.values.actor import SYSTEM, Actor
from frontdesk.values.ids import uuid7
from frontdesk.values.tenant_context import TenantContext
from frontdesk.webhooks.emit_app_event import emit_app_installed
from frontdesk.webhooks.event_types import EventType
from frontdesk.webhooks.payloads import AppEventData
from frontdesk.webhooks.subscribe import CreateWebhook, subscribe_if_below_limit

METHOD_TYPE = "third-party"


class InstallCredentials(NamedTuple):
    """The credentials of the application. The secret is returned only here."""

    client_id: UUID
    secret: str
    scopes: list[str]


async def get_installable_application(
    conn: Connection, tenant_id: UUID, application_id: UUID
) -> InstallableApplication:
    return or_not_found(await find_installable(conn, tenant_id, application_id), "application")


async def install(
    conn: Connection,
    tenant: TenantContext,
    install_id: UUID,
    application_id: UUID,
    actor: Actor,
    selected: Collection[str],
    version: int,
) -> InstallCredentials | None:
    """`version` is the one that the page showed, 0 in the developer's sandbox. None if the form is repeated."""
    tenant_id, client_id, secret = tenant.tenant_id, uuid7(), new_client_secret()
    async with conn.transaction():
        await lock_application_shared(conn, application_id)
        limits = await lock_quotas(conn, tenant_id)
        offer = await get_installable_application(conn, tenant_id, application_id)
        app = offer.application
        require_version(version, app.version)
        scopes = validate_selection(app.scopes, selected)
        if not await insert_install(conn, tenant_id, install_id, application_id, app.version, actor.id):
            return None
        await insert_installed_client(conn, tenant_id, client_id, install_id, app.name, hash_secret(secret), scopes)
        await require_within(conn, tenant_id, limits, Quota.API_CLIENTS)
        await subscribe_application(conn, tenant, client_id, app)
        await insert_payment_methods(conn, tenant, install_id, app.slug, app.payment_methods)
        await record_activity(
            conn, tenant_id, actor, "application.installed", install_id, app.name, None, {"scopes": scopes}
        )
        await emit_app_installed(conn, tenant_id, AppEventData(app.id, install_id, client_id, app.name, scopes))
    return InstallCredentials(client_id, secret, scopes)


async def subscribe_application(conn: Connection, tenant: TenantContext, client_id: UUID, app: Application) -> None:
    """Subscribes to all requested events. Scopes are checked when an event is emitted, so that a scope that is added
    later also delivers its events."""
    if app.webhook_url is None:
        return
    encrypted = await find_webhook_secret(conn, app.id)
    if encrypted is None:
        raise Problem(InstallProblem.NO_SIGNING_SECRET)
    events = [EventType(name) for name in app.webhook_events]
    act = CreateWebhook(app.webhook_url, events, client_id=client_id, encrypted_secret=encrypted)
    await subscribe_if_below_limit(conn, tenant, act, SYSTEM)


async def insert_payment_methods(
    conn: Connection,
    tenant: TenantContext,
    install_id: UUID,
    slug_of_application: str,
    methods: Iterable[dict[str, str]],
) -> None:
    """The slug contains the install id, so that no concurrent insert can have the same one."""
    slug = f"{slug_of_application}-{install_id.hex[-8:]}"
    for names in methods:
        new = NewMethod(method_name(tenant, names), METHOD_TYPE, slug, active=True, install_id=install_id)
        await call(conn, tenant.tenant_id, create_method(new), SYSTEM)


def method_name(tenant: TenantContext, names: dict[str, str]) -> dict[str, str]:
    """A name in every language of the tenant, even if the developer gave only one."""
    first = next(iter(names.values()))
    return {language: names.get(language, first) for language in tenant.languages}
