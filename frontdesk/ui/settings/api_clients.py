"""Settings, API Integration: API clients with their scopes, secrets and request log."""

from typing import Annotated
from uuid import UUID

import msgspec
from msgspec import Meta

from frontdesk.auth.authenticate import DEFAULT_KEY_RATE
from frontdesk.auth.client_queries import list_clients, list_keys
from frontdesk.auth.clients import (
    approve_scopes,
    create_client,
    disable_client,
    enable_client,
    get_tenant_client,
    remove_client,
    rename_client,
    rotate_secret,
)
from frontdesk.auth.credentials import format_client_id
from frontdesk.auth.request_log_queries import list_requests, list_scope_uses
from frontdesk.auth.scopes import effective_scopes
from frontdesk.http.field_types import ShortText
from frontdesk.http.responses import Response
from frontdesk.i18n.texts import N_
from frontdesk.ui.components.curl_examples import client_curl_example
from frontdesk.ui.settings.request_log import LogQuery, show_log
from frontdesk.ui.shell.context import PageContext
from frontdesk.ui.shell.permissions import MANAGERS
from frontdesk.ui.shell.routing import Pages
from frontdesk.ui.shell.scope_labels import SCOPE_GROUPS, SCOPE_PRESETS
from frontdesk.values.ids import uuid7
from frontdesk.webhooks.tenant_webhook_queries import list_tenant_webhooks

pages = Pages()
PATH = "/settings/api"
_CLIENT = f"{PATH}/clients/{{client_id}}"
Version = Annotated[int, Meta(ge=1, le=2**31 - 1)]


class NewClientQuery(msgspec.Struct):
    preset: str = ""


class NewClientForm(msgspec.Struct):
    id: UUID
    name: ShortText
    scopes: Annotated[list[str], Meta(min_length=1)]


class NameForm(msgspec.Struct):
    version: Version
    name: ShortText


class ScopesForm(msgspec.Struct):
    version: Version
    scopes: list[str]


class RotationForm(msgspec.Struct):
    version: Version  # of the secret
    keep_old: bool = False


@pages.get(PATH, MANAGERS)
async def show_integration(context: PageContext) -> Response:
    async with context.connection() as conn:
        clients = await list_clients(conn, context.tenant_id)
        keys = await list_keys(conn, context.tenant_id)
        webhooks = await list_tenant_webhooks(conn, context.tenant_id)
    return context.render(
        "integration.html",
        clients=[(client, len(effective_scopes(frozenset(client.scopes), None))) for client in clients],
        names={client.id: format_client_id(context.tenant_id, client.id) for client in clients},
        keys=keys,
        webhooks=webhooks,
        default_rate=context.request.resources.settings.rate_limit,
        key_rate=DEFAULT_KEY_RATE,
    )


@pages.get(f"{PATH}/clients/new", MANAGERS)
async def show_new_client(context: PageContext, query: NewClientQuery | None = None) -> Response:
    """Nothing is selected, unless the address names a preset. With script a preset selects without loading the page."""
    chosen = next((preset for preset in SCOPE_PRESETS if query and preset.key == query.preset), None)
    return context.render(
        "client_new.html",
        id=uuid7(),
        groups=SCOPE_GROUPS,
        presets=SCOPE_PRESETS,
        chosen=chosen,
        default_rate=context.request.resources.settings.rate_limit,
    )


@pages.post(f"{PATH}/clients/new", MANAGERS, on_error=show_new_client)
async def submit_client(context: PageContext, form: NewClientForm) -> Response:
    """The secret is shown in this response only; submitting the form again creates and shows nothing."""
    secret = await context.call(create_client, context.tenant_id, form.id, form.name, form.scopes, actor=context.actor)
    if secret is None:
        return context.redirect(
            f"{PATH}/clients/{form.id}",
            flash=N_("This client already exists. Its secret was shown once and cannot be shown again."),
        )
    return _show_secret(context, form.id, form.name, secret, frozenset(form.scopes), is_new=True)


@pages.get(_CLIENT, MANAGERS)
async def show_client(context: PageContext, client_id: UUID) -> Response:
    async with context.connection() as conn:
        client = await get_tenant_client(conn, context.tenant_id, client_id)
        uses = await list_scope_uses(conn, context.tenant_id, client_id)
        requests = await list_requests(conn, context.tenant_id, client_id, failed=False, before=None, limit=5)
        webhooks = await list_tenant_webhooks(conn, context.tenant_id, client_id)
    return context.render(
        "client.html",
        client=client,
        name=format_client_id(context.tenant_id, client_id),
        approved=effective_scopes(frozenset(client.scopes), None),
        uses=uses,
        requests=requests,
        webhooks=webhooks,
        groups=SCOPE_GROUPS,
        default_rate=context.request.resources.settings.rate_limit,
    )


@pages.post(f"{_CLIENT}/name", MANAGERS, on_error=show_client)
async def rename(context: PageContext, client_id: UUID, form: NameForm) -> Response:
    await context.call(rename_client, context.tenant_id, client_id, form.version, form.name, actor=context.actor)
    return context.redirect(f"{PATH}/clients/{client_id}", flash=N_("Name changed."))


@pages.post(f"{_CLIENT}/scopes", MANAGERS, on_error=show_client)
async def change_scopes(context: PageContext, client_id: UUID, form: ScopesForm) -> Response:
    await context.call(
        approve_scopes, context.tenant_id, client_id, form.scopes, version=form.version, actor=context.actor
    )
    return context.redirect(
        f"{PATH}/clients/{client_id}", flash=N_("Scopes changed. They apply from the next request.")
    )


@pages.post(f"{_CLIENT}/disable", MANAGERS)
async def disable(context: PageContext, client_id: UUID) -> Response:
    await context.call(disable_client, context.tenant_id, client_id, actor=context.actor)
    return context.redirect(f"{PATH}/clients/{client_id}", flash=N_("Client disabled. Its requests are rejected."))


@pages.post(f"{_CLIENT}/enable", MANAGERS)
async def enable(context: PageContext, client_id: UUID) -> Response:
    await context.call(enable_client, context.tenant_id, client_id, actor=context.actor)
    return context.redirect(f"{PATH}/clients/{client_id}", flash=N_("Client enabled."))


@pages.get(f"{_CLIENT}/rotate", MANAGERS)
async def confirm_rotation(context: PageContext, client_id: UUID) -> Response:
    client = await context.call(get_tenant_client, context.tenant_id, client_id)
    return context.render("client_rotate.html", client=client)


@pages.post(f"{_CLIENT}/rotate", MANAGERS, on_error=confirm_rotation)
async def rotate(context: PageContext, client_id: UUID, form: RotationForm) -> Response:
    async with context.connection() as conn:
        secret = await rotate_secret(
            conn, context.tenant_id, client_id, form.version, keep_old=form.keep_old, actor=context.actor
        )
        client = await get_tenant_client(conn, context.tenant_id, client_id)
    if secret is None:
        return context.redirect(
            f"{PATH}/clients/{client_id}",
            flash=N_("This secret was already rotated. The new one was shown once and cannot be shown again."),
        )
    return _show_secret(context, client_id, client.name, secret, frozenset(client.scopes), is_new=False)


@pages.get(f"{_CLIENT}/delete", MANAGERS)
async def confirm_deletion(context: PageContext, client_id: UUID) -> Response:
    client = await context.call(get_tenant_client, context.tenant_id, client_id)
    return context.render("client_delete.html", client=client)


@pages.post(f"{_CLIENT}/delete", MANAGERS)
async def delete(context: PageContext, client_id: UUID) -> Response:
    await context.call(remove_client, context.tenant_id, client_id, actor=context.actor)
    return context.redirect(PATH, flash=N_("Client deleted, with its tokens and webhooks."))


@pages.get(f"{_CLIENT}/requests", MANAGERS)
async def show_requests(context: PageContext, client_id: UUID, query: LogQuery) -> Response:
    async with context.connection() as conn:
        client = await get_tenant_client(conn, context.tenant_id, client_id)
        return await show_log(conn, context, client_id, query, title=client.name, path=f"{PATH}/clients/{client_id}")


def _show_secret(
    context: PageContext, client_id: UUID, name: str, secret: str, scopes: frozenset[str], *, is_new: bool
) -> Response:
    public = format_client_id(context.tenant_id, client_id)
    return context.render(
        "client_secret.html",
        client_id=client_id,
        name=name,
        public=public,
        secret=secret,
        is_new=is_new,
        open_api=context.current_tenant.plan != "starter",
        curl=client_curl_example(context.request.origin, public, secret, effective_scopes(scopes, None)),
    )
