"""Settings, Applications: installed applications, the directory, and installation with selected scopes."""

from typing import Annotated
from uuid import UUID

import msgspec
from msgspec import Meta

from frontdesk.applications.install import get_installable_application, install
from frontdesk.applications.queries.applications import list_installable
from frontdesk.applications.queries.installs import list_installs
from frontdesk.applications.queries.vitals import list_vitals
from frontdesk.auth.credentials import format_client_id
from frontdesk.http.responses import Response
from frontdesk.i18n.texts import N_
from frontdesk.ui.components.application_labels import EVENTS, LINKS, STATUSES, requested_scope_groups
from frontdesk.ui.components.curl_examples import client_curl_example
from frontdesk.ui.shell.context import PageContext
from frontdesk.ui.shell.permissions import MANAGERS
from frontdesk.ui.shell.routing import Pages
from frontdesk.values.ids import uuid7

pages = Pages()
PATH = "/settings/applications"
DIRECTORY = f"{PATH}/directory"
Version = Annotated[int, Meta(ge=0, le=2**31 - 1)]  # shown on the page; 0 in the developer's own sandbox


class SearchQuery(msgspec.Struct):
    text: Annotated[str, Meta(max_length=100)] = ""


class InstallForm(msgspec.Struct):
    id: UUID
    version: Version
    scopes: list[str]


@pages.get(PATH, MANAGERS)
async def show_installed(context: PageContext) -> Response:
    installs = await context.call(list_installs, context.tenant_id)
    return context.render("applications.html", installs=installs)


@pages.get(DIRECTORY, MANAGERS)
async def show_directory(context: PageContext, query: SearchQuery) -> Response:
    async with context.connection() as conn:
        offers = await list_installable(conn, context.tenant_id, query.text)
        vitals = await list_vitals(conn, [offer.application.id for offer in offers])
    return context.render(
        "application_directory.html", offers=offers, vitals=vitals, text=query.text, statuses=STATUSES
    )


@pages.get(f"{DIRECTORY}/{{application_id}}", MANAGERS)
async def show_installable(context: PageContext, application_id: UUID) -> Response:
    async with context.connection() as conn:
        offer = await get_installable_application(conn, context.tenant_id, application_id)
        vitals = await list_vitals(conn, [application_id])
    return context.render(
        "application_install.html",
        offer=offer,
        vitals=vitals.get(application_id),
        id=uuid7(),
        groups=requested_scope_groups(offer.application.scopes),
        events=EVENTS,
        links=LINKS,
        rate=context.request.resources.settings.rate_limit,
    )


@pages.post(f"{DIRECTORY}/{{application_id}}", MANAGERS, on_error=show_installable)
async def submit_install(context: PageContext, application_id: UUID, form: InstallForm) -> Response:
    """The secret is shown in this response only; submitting the form again installs and shows nothing."""
    async with context.connection() as conn:
        installed = await install(
            conn, context.tenant, form.id, application_id, context.actor, form.scopes, form.version
        )
        if installed is None:
            return context.redirect(
                f"{PATH}/installed/{form.id}",
                flash=N_("It is already installed. Its secret was shown once and cannot be shown again."),
            )
        offer = await get_installable_application(conn, context.tenant_id, application_id)
    public = format_client_id(context.tenant_id, installed.client_id)
    return context.render(
        "install_credentials.html",
        application=offer.application,
        install_id=form.id,
        public=public,
        secret=installed.secret,
        is_new=True,
        curl=client_curl_example(context.request.origin, public, installed.secret, installed.scopes),
    )
