"""Settings, API Integration: the programs that a business lets in, what they may do and what they did."""

from typing import Annotated
from uuid import UUID

import msgspec
from msgspec import Meta

from frontdesk.auth.authenticate_queries import DEFAULT_KEY_RATE
from frontdesk.auth.client_queries import list_clients, list_keys
from frontdesk.auth.clients import (
    approve_scopes,
    create_client,
    disable_client,
    enable_client,
    get_own_client,
    remove_client,
    rename_client,
    rotate_secret,
)
from frontdesk.auth.credentials import client_name
from frontdesk.auth.request_log_queries import list_requests, list_scope_uses
from frontdesk.auth.scopes import effective
from frontdesk.http.field_types import ShortText
from frontdesk.http.responses import Answer
from frontdesk.ui.settings.first_call import first_call
from frontdesk.ui.settings.request_log import LogQuery, show_log
from frontdesk.ui.settings.scope_labels import SCOPE_GROUPS
from frontdesk.ui.shell.context import Visit
from frontdesk.ui.shell.i18n import mark
from frontdesk.ui.shell.permissions import OFFICE
from frontdesk.ui.shell.routing import Pages
from frontdesk.values.ids import new_id
from frontdesk.webhooks.tenant_webhook_queries import list_business_webhooks

pages = Pages()
HERE = "/settings/api"
_CLIENT = f"{HERE}/clients/{{client_id}}"


class NewClientForm(msgspec.Struct):
    id: UUID
    name: ShortText
    scopes: list[str]


class NameForm(msgspec.Struct):
    name: ShortText


class ScopesForm(msgspec.Struct):
    scopes: list[str]


class RotationForm(msgspec.Struct):
    version: Annotated[int, Meta(ge=1, le=2**31 - 1)]
    keep_old: bool = False


@pages.get(HERE, OFFICE)
async def show_integration(visit: Visit) -> Answer:
    async with visit.connection() as conn:
        clients = await list_clients(conn, visit.tenant_id)
        keys = await list_keys(conn, visit.tenant_id)
        webhooks = await list_business_webhooks(conn, visit.tenant_id)
    return visit.show(
        "integration.html",
        clients=[(client, len(effective(frozenset(client.scopes), None))) for client in clients],
        names={client.id: client_name(visit.tenant_id, client.id) for client in clients},
        keys=keys,
        webhooks=webhooks,
        default_rate=visit.call.resources.settings.rate_limit,
        key_rate=DEFAULT_KEY_RATE,
    )


@pages.get(f"{HERE}/clients/new", OFFICE)
async def show_new_client(visit: Visit) -> Answer:
    rate = visit.call.resources.settings.rate_limit
    return visit.show("client_new.html", id=new_id(), groups=SCOPE_GROUPS, default_rate=rate)


@pages.post(f"{HERE}/clients/new", OFFICE, again=show_new_client)
async def make_client(visit: Visit, form: NewClientForm) -> Answer:
    """The secret is shown in this answer alone; sending the form again makes nothing and shows nothing."""
    async with visit.connection() as conn:
        secret = await create_client(conn, visit.tenant_id, form.id, form.name, form.scopes)
    if secret is None:
        return visit.go(
            f"{HERE}/clients/{form.id}", done=mark("This client was made before. Its secret was shown once.")
        )
    return _tell_secret(visit, form.id, form.name, secret, frozenset(form.scopes), is_new=True)


@pages.get(_CLIENT, OFFICE)
async def show_client(visit: Visit, client_id: UUID) -> Answer:
    async with visit.connection() as conn:
        client = await get_own_client(conn, visit.tenant_id, client_id)
        uses = await list_scope_uses(conn, visit.tenant_id, client_id)
        requests = await list_requests(conn, visit.tenant_id, client_id, failed=False, before=None, most=5)
        webhooks = await list_business_webhooks(conn, visit.tenant_id, client_id)
    return visit.show(
        "client.html",
        client=client,
        name=client_name(visit.tenant_id, client_id),
        approved=effective(frozenset(client.scopes), None),
        uses=uses,
        requests=requests,
        webhooks=webhooks,
        groups=SCOPE_GROUPS,
        default_rate=visit.call.resources.settings.rate_limit,
    )


@pages.post(f"{_CLIENT}/name", OFFICE, again=show_client)
async def rename(visit: Visit, client_id: UUID, form: NameForm) -> Answer:
    async with visit.connection() as conn:
        await rename_client(conn, visit.tenant_id, client_id, form.name)
    return visit.go(f"{HERE}/clients/{client_id}", done=mark("Name changed."))


@pages.post(f"{_CLIENT}/scopes", OFFICE, again=show_client)
async def change_scopes(visit: Visit, client_id: UUID, form: ScopesForm) -> Answer:
    async with visit.connection() as conn:
        await approve_scopes(conn, visit.tenant_id, client_id, form.scopes)
    return visit.go(f"{HERE}/clients/{client_id}", done=mark("Scopes changed. The next request feels it."))


@pages.post(f"{_CLIENT}/disable", OFFICE)
async def disable(visit: Visit, client_id: UUID) -> Answer:
    async with visit.connection() as conn:
        await disable_client(conn, visit.tenant_id, client_id)
    return visit.go(f"{HERE}/clients/{client_id}", done=mark("Client disabled. Its next request is refused."))


@pages.post(f"{_CLIENT}/enable", OFFICE)
async def enable(visit: Visit, client_id: UUID) -> Answer:
    async with visit.connection() as conn:
        await enable_client(conn, visit.tenant_id, client_id)
    return visit.go(f"{HERE}/clients/{client_id}", done=mark("Client enabled."))


@pages.get(f"{_CLIENT}/rotate", OFFICE)
async def ask_rotation(visit: Visit, client_id: UUID) -> Answer:
    async with visit.connection() as conn:
        client = await get_own_client(conn, visit.tenant_id, client_id)
    return visit.show("client_rotate.html", client=client)


@pages.post(f"{_CLIENT}/rotate", OFFICE, again=ask_rotation)
async def rotate(visit: Visit, client_id: UUID, form: RotationForm) -> Answer:
    async with visit.connection() as conn:
        secret = await rotate_secret(conn, visit.tenant_id, client_id, form.version, keep_old=form.keep_old)
        client = await get_own_client(conn, visit.tenant_id, client_id)
    if secret is None:
        return visit.go(f"{HERE}/clients/{client_id}", done=mark("This secret was replaced before. It was shown once."))
    return _tell_secret(visit, client_id, client.name, secret, frozenset(client.scopes), is_new=False)


@pages.get(f"{_CLIENT}/delete", OFFICE)
async def ask_deletion(visit: Visit, client_id: UUID) -> Answer:
    async with visit.connection() as conn:
        client = await get_own_client(conn, visit.tenant_id, client_id)
    return visit.show("client_delete.html", client=client)


@pages.post(f"{_CLIENT}/delete", OFFICE)
async def delete(visit: Visit, client_id: UUID) -> Answer:
    async with visit.connection() as conn:
        await remove_client(conn, visit.tenant_id, client_id)
    return visit.go(HERE, done=mark("Client deleted. Its tokens and webhooks are gone."))


@pages.get(f"{_CLIENT}/requests", OFFICE)
async def show_requests(visit: Visit, client_id: UUID, query: LogQuery) -> Answer:
    async with visit.connection() as conn:
        client = await get_own_client(conn, visit.tenant_id, client_id)
        return await show_log(conn, visit, client_id, query, title=client.name, path=f"{HERE}/clients/{client_id}")


def _tell_secret(
    visit: Visit, client_id: UUID, name: str, secret: str, scopes: frozenset[str], *, is_new: bool
) -> Answer:
    public = client_name(visit.tenant_id, client_id)
    return visit.show(
        "client_secret.html",
        client_id=client_id,
        name=name,
        public=public,
        secret=secret,
        is_new=is_new,
        open_api=visit.desk.plan != "starter",
        curl=first_call(visit.call.origin, public, secret, effective(scopes, None)),
    )
