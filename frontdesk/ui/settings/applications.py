"""Settings, Applications: what a business has let in, what it could let in, and letting it in tick by tick."""

from typing import Annotated
from uuid import UUID

import msgspec
from msgspec import Meta

from frontdesk.applications.install import get_offer, install
from frontdesk.applications.queries.applications import list_offers
from frontdesk.applications.queries.installs import list_installs
from frontdesk.auth.credentials import client_name
from frontdesk.http.responses import Answer
from frontdesk.ui.developer.labels import EVENTS, LINKS, STATUSES, asked_groups
from frontdesk.ui.settings.first_call import first_call
from frontdesk.ui.shell.context import Visit
from frontdesk.ui.shell.i18n import mark
from frontdesk.ui.shell.permissions import OFFICE
from frontdesk.ui.shell.routing import Pages
from frontdesk.values.ids import new_id

pages = Pages()
HERE = "/settings/applications"
DIRECTORY = f"{HERE}/directory"
Version = Annotated[int, Meta(ge=0, le=2**31 - 1)]  # that the page showed; 0 in a trial


class SearchQuery(msgspec.Struct):
    text: Annotated[str, Meta(max_length=100)] = ""


class InstallForm(msgspec.Struct):
    id: UUID
    version: Version
    scopes: list[str]


@pages.get(HERE, OFFICE)
async def show_installed(visit: Visit) -> Answer:
    async with visit.connection() as conn:
        installs = await list_installs(conn, visit.tenant_id)
    return visit.show("applications.html", installs=installs)


@pages.get(DIRECTORY, OFFICE)
async def show_directory(visit: Visit, query: SearchQuery) -> Answer:
    async with visit.connection() as conn:
        offers = await list_offers(conn, visit.tenant_id, query.text)
    return visit.show("application_directory.html", offers=offers, text=query.text, statuses=STATUSES)


@pages.get(f"{DIRECTORY}/{{application_id}}", OFFICE)
async def show_offer(visit: Visit, application_id: UUID) -> Answer:
    async with visit.connection() as conn:
        offer = await get_offer(conn, visit.tenant_id, application_id)
    return visit.show(
        "application_install.html",
        offer=offer,
        id=new_id(),
        groups=asked_groups(offer.application.scopes),
        events=EVENTS,
        links=LINKS,
        rate=visit.call.resources.settings.rate_limit,
    )


@pages.post(f"{DIRECTORY}/{{application_id}}", OFFICE, again=show_offer)
async def take_install(visit: Visit, application_id: UUID, form: InstallForm) -> Answer:
    """The secret is shown in this answer alone; sending the form again makes nothing and shows nothing."""
    async with visit.connection() as conn:
        made = await install(conn, visit.business, form.id, application_id, visit.person.id, form.scopes, form.version)
        if made is None:
            return visit.go(
                f"{HERE}/installed/{form.id}", done=mark("It was installed before. Its secret was shown once.")
            )
        offer = await get_offer(conn, visit.tenant_id, application_id)
    public = client_name(visit.tenant_id, made.client_id)
    return visit.show(
        "install_credentials.html",
        application=offer.application,
        install_id=form.id,
        public=public,
        secret=made.secret,
        is_new=True,
        curl=first_call(visit.call.origin, public, made.secret, made.scopes),
    )
