"""An installed application: scopes and their use, secret, and disconnection."""

from typing import Annotated
from uuid import UUID

import msgspec
from msgspec import Meta

from frontdesk.applications.change_scopes import change_scopes, get_install, get_installed_application
from frontdesk.applications.disconnect import disconnect
from frontdesk.applications.queries.installs import find_disconnect_impact
from frontdesk.applications.queries.versions import find_version
from frontdesk.applications.rotate_secret import rotate_install_secret
from frontdesk.applications.versions import compare
from frontdesk.auth.budgets import is_countable, list_budgets
from frontdesk.auth.credentials import format_client_id
from frontdesk.auth.request_log_queries import list_requests, list_scope_uses
from frontdesk.http.responses import Response
from frontdesk.i18n.texts import N_
from frontdesk.postgres.query import fetch
from frontdesk.ui.applications.pages import PATH, Version
from frontdesk.ui.components.application_labels import LINKS, PARTS, requested_scope_groups, scope_labels, scope_names
from frontdesk.ui.components.curl_examples import client_curl_example
from frontdesk.ui.shell.context import PageContext
from frontdesk.ui.shell.permissions import MANAGERS
from frontdesk.ui.shell.routing import Pages

pages = Pages()
_INSTALL = f"{PATH}/installed/{{install_id}}"


class ScopesForm(msgspec.Struct):
    version: Version
    scopes: list[str]


class SecretForm(msgspec.Struct):
    version: Annotated[int, Meta(ge=1, le=2**31 - 1)]
    keep_old: bool = False


@pages.get(_INSTALL, MANAGERS)
async def show_install(context: PageContext, install_id: UUID) -> Response:
    async with context.connection() as conn:
        install = await get_install(conn, context.tenant_id, install_id)
        offer = await get_installed_application(conn, context.tenant_id, install)
        accepted = await find_version(conn, install.application_id, install.version)
        uses = await list_scope_uses(conn, context.tenant_id, install.client_id)
        budgets = await fetch(conn, context.tenant_id, list_budgets(install.client_id))
        requests = await list_requests(conn, context.tenant_id, install.client_id, failed=False, before=None, limit=5)
    return context.render(
        "application_installed.html",
        install=install,
        application=offer.application,
        changes=compare(accepted, offer.application) if accepted and install.has_new_version else None,
        dropped=scope_names(set(install.scopes) - {scope.scope for scope in offer.application.scopes}),
        parts=PARTS,
        groups=requested_scope_groups(offer.application.scopes),
        uses=uses,
        reads=[scope for scope in scope_labels(install.scopes) if is_countable(scope.scope, install.scopes)],
        budgets=budgets,
        stopped_names={labels.scope: labels.name for labels in scope_labels(budgets)},
        stopped=[budgets[scope] for scope in install.scopes if scope in budgets and budgets[scope].stopped_at],
        requests=requests,
        links=LINKS,
        public=format_client_id(context.tenant_id, install.client_id),
    )


@pages.post(f"{_INSTALL}/scopes", MANAGERS, on_error=show_install)
async def submit_scopes(context: PageContext, install_id: UUID, form: ScopesForm) -> Response:
    await context.call(change_scopes, context.tenant, install_id, form.scopes, form.version, context.actor)
    return context.redirect(
        f"{PATH}/installed/{install_id}", flash=N_("Scopes changed. They apply from the next request.")
    )


@pages.get(f"{_INSTALL}/secret", MANAGERS)
async def confirm_secret(context: PageContext, install_id: UUID) -> Response:
    install = await context.call(get_install, context.tenant_id, install_id)
    return context.render("application_secret.html", install=install)


@pages.post(f"{_INSTALL}/secret", MANAGERS, on_error=confirm_secret)
async def submit_secret(context: PageContext, install_id: UUID, form: SecretForm) -> Response:
    async with context.connection() as conn:
        secret = await rotate_install_secret(
            conn, context.tenant_id, install_id, form.version, keep_old=form.keep_old, actor=context.actor
        )
        install = await get_install(conn, context.tenant_id, install_id)
        offer = await get_installed_application(conn, context.tenant_id, install)
    if secret is None:
        return context.redirect(
            f"{PATH}/installed/{install_id}",
            flash=N_("This secret was already rotated. The new one was shown once and cannot be shown again."),
        )
    public = format_client_id(context.tenant_id, install.client_id)
    return context.render(
        "install_credentials.html",
        application=offer.application,
        install_id=install_id,
        public=public,
        secret=secret,
        is_new=False,
        curl=client_curl_example(context.request.origin, public, secret, install.scopes),
    )


@pages.get(f"{_INSTALL}/disconnect", MANAGERS)
async def confirm_disconnect(context: PageContext, install_id: UUID) -> Response:
    async with context.connection() as conn:
        install = await get_install(conn, context.tenant_id, install_id)
        impact = await find_disconnect_impact(conn, context.tenant_id, install)
    return context.render("application_disconnect.html", install=install, impact=impact)


@pages.post(f"{_INSTALL}/disconnect", MANAGERS)
async def submit_disconnect(context: PageContext, install_id: UUID) -> Response:
    await context.call(disconnect, context.tenant_id, install_id, context.actor)
    return context.redirect(PATH, flash=N_("Disconnected. Its requests are rejected."))
