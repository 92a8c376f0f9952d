"""The act of giving an installed application more or less than before. Acts on its next request."""

from collections.abc import Collection
from uuid import UUID

from frontdesk.access.install_queries import update_installed_scopes
from frontdesk.applications.queries.installing import find_install, lock_install
from frontdesk.applications.queries.records import find_installed_offer
from frontdesk.applications.ticks import read_ticks
from frontdesk.applications.types import Install, Offer
from frontdesk.errors import not_found
from frontdesk.events.builders import AppScopesChanged
from frontdesk.events.tell_app import tell_app_scopes_changed
from frontdesk.kit.db import Connection


async def get_install(conn: Connection, tenant_id: UUID, install_id: UUID) -> Install:
    install = await find_install(conn, tenant_id, install_id)
    if install is None:
        raise not_found("installed application")
    return install


async def get_installed_offer(conn: Connection, tenant_id: UUID, install: Install) -> Offer:
    offer = await find_installed_offer(conn, tenant_id, install.application_id)
    if offer is None:
        raise not_found("application")
    return offer


async def change_scopes(conn: Connection, tenant_id: UUID, install_id: UUID, ticked: Collection[str]) -> None:
    async with conn.transaction():
        await lock_install(conn, tenant_id, install_id)
        install = await get_install(conn, tenant_id, install_id)
        scopes = read_ticks((await get_installed_offer(conn, tenant_id, install)).asked, ticked)
        await update_installed_scopes(conn, tenant_id, install.client_id, scopes)
        told = AppScopesChanged(
            install.application_id, install.id, install.client_id, install.name, scopes, install.scopes
        )
        await tell_app_scopes_changed(conn, tenant_id, told)
