"""An installed application: what it may do and really does, more or less of it, and the way out."""

from typing import Annotated
from uuid import UUID

import msgspec
from msgspec import Meta

from frontdesk.applications.change_scopes import change_scopes, get_install, get_installed_offer
from frontdesk.applications.disconnect import disconnect
from frontdesk.applications.queries.installs import find_stopping
from frontdesk.applications.queries.versions import find_version
from frontdesk.applications.rotate_secret import replace_secret
from frontdesk.applications.versions import compare
from frontdesk.auth.credentials import client_name
from frontdesk.auth.request_log_queries import list_requests, list_scope_uses
from frontdesk.http.responses import Answer
from frontdesk.ui.developer.labels import LINKS, PARTS, asked_groups, scope_names
from frontdesk.ui.settings.applications import HERE, Version
from frontdesk.ui.settings.first_call import first_call
from frontdesk.ui.shell.context import Visit
from frontdesk.ui.shell.i18n import mark
from frontdesk.ui.shell.permissions import OFFICE
from frontdesk.ui.shell.routing import Pages

pages = Pages()
_ONE = f"{HERE}/installed/{{install_id}}"


class ScopesForm(msgspec.Struct):
    version: Version
    scopes: list[str]


class SecretForm(msgspec.Struct):
    version: Annotated[int, Meta(ge=1, le=2**31 - 1)]
    keep_old: bool = False


@pages.get(_ONE, OFFICE)
async def show_install(visit: Visit, install_id: UUID) -> Answer:
    async with visit.connection() as conn:
        install = await get_install(conn, visit.tenant_id, install_id)
        offer = await get_installed_offer(conn, visit.tenant_id, install)
        accepted = await find_version(conn, install.application_id, install.version)
        uses = await list_scope_uses(conn, visit.tenant_id, install.client_id)
        requests = await list_requests(conn, visit.tenant_id, install.client_id, failed=False, before=None, most=5)
    return visit.show(
        "application_installed.html",
        install=install,
        application=offer.application,
        changes=compare(accepted, offer.application) if accepted and install.has_new_version else None,
        dropped=scope_names(set(install.scopes) - {one.scope for one in offer.application.scopes}),
        parts=PARTS,
        groups=asked_groups(offer.application.scopes),
        uses=uses,
        requests=requests,
        links=LINKS,
        public=client_name(visit.tenant_id, install.client_id),
    )


@pages.post(f"{_ONE}/scopes", OFFICE, again=show_install)
async def take_scopes(visit: Visit, install_id: UUID, form: ScopesForm) -> Answer:
    async with visit.connection() as conn:
        await change_scopes(conn, visit.business, install_id, form.scopes, form.version)
    return visit.go(f"{HERE}/installed/{install_id}", done=mark("Scopes changed. The next request feels it."))


@pages.get(f"{_ONE}/secret", OFFICE)
async def ask_secret(visit: Visit, install_id: UUID) -> Answer:
    async with visit.connection() as conn:
        install = await get_install(conn, visit.tenant_id, install_id)
    return visit.show("application_secret.html", install=install)


@pages.post(f"{_ONE}/secret", OFFICE, again=ask_secret)
async def take_secret(visit: Visit, install_id: UUID, form: SecretForm) -> Answer:
    async with visit.connection() as conn:
        secret = await replace_secret(conn, visit.tenant_id, install_id, form.version, keep_old=form.keep_old)
        install = await get_install(conn, visit.tenant_id, install_id)
        offer = await get_installed_offer(conn, visit.tenant_id, install)
    if secret is None:
        return visit.go(
            f"{HERE}/installed/{install_id}", done=mark("This secret was replaced before. It was shown once.")
        )
    public = client_name(visit.tenant_id, install.client_id)
    return visit.show(
        "install_credentials.html",
        application=offer.application,
        install_id=install_id,
        public=public,
        secret=secret,
        is_new=False,
        curl=first_call(visit.call.origin, public, secret, install.scopes),
    )


@pages.get(f"{_ONE}/disconnect", OFFICE)
async def ask_disconnect(visit: Visit, install_id: UUID) -> Answer:
    async with visit.connection() as conn:
        install = await get_install(conn, visit.tenant_id, install_id)
        stopping = await find_stopping(conn, visit.tenant_id, install)
    return visit.show("application_disconnect.html", install=install, stopping=stopping)


@pages.post(f"{_ONE}/disconnect", OFFICE)
async def take_disconnect(visit: Visit, install_id: UUID) -> Answer:
    async with visit.connection() as conn:
        await disconnect(conn, visit.tenant_id, install_id)
    return visit.go(HERE, done=mark("Disconnected. Its next request is refused."))
