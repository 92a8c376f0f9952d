"""Settings, API Integration: where events are sent, what became of each, and sending one again."""

from typing import Annotated
from uuid import UUID

import msgspec
from msgspec import Meta

from frontdesk.auth.clients import get_own_client
from frontdesk.auth.scopes import effective
from frontdesk.auth.types import ApiClient
from frontdesk.errors import WireError, invalid, not_found
from frontdesk.http.field_types import PageNumber
from frontdesk.http.responses import Answer
from frontdesk.net.safe_url import MOST_URL, Refused, check_url
from frontdesk.postgres.pool import Connection
from frontdesk.ui.settings.api_clients import HERE
from frontdesk.ui.settings.event_labels import KIND_WORDS
from frontdesk.ui.shell.context import Visit
from frontdesk.ui.shell.i18n import mark
from frontdesk.ui.shell.permissions import OFFICE
from frontdesk.ui.shell.routing import Pages
from frontdesk.values.ids import new_id
from frontdesk.values.pagination import PageRequest
from frontdesk.webhooks.documents import Delivery, Webhook
from frontdesk.webhooks.event_types import Kind, readable_kinds
from frontdesk.webhooks.queries import delete_webhook, get_webhook, list_deliveries, update_webhook
from frontdesk.webhooks.subscribe import (
    MOST_SENT_AGAIN,
    MadeBefore,
    ping_webhook,
    rotate_secret,
    send_again,
    send_failed_again,
    subscribe,
)
from frontdesk.webhooks.types import WebhookChange

pages = Pages()
_CLIENT = f"{HERE}/clients/{{client_id}}"
_HOOK = f"{_CLIENT}/webhooks/{{webhook_id}}"
_LINES = 25


class NewWebhookForm(msgspec.Struct):
    id: UUID
    url: Annotated[str, Meta(min_length=1, max_length=MOST_URL)]
    events: list[Kind]


class SecretForm(msgspec.Struct):
    """What was seen of an earlier replacement, so that a form that is sent twice replaces once."""

    seen: Annotated[str, Meta(max_length=40)] = ""


class DeliveriesQuery(msgspec.Struct):
    page: PageNumber = 1


@pages.get(f"{_CLIENT}/webhooks/new", OFFICE)
async def show_new_webhook(visit: Visit, client_id: UUID) -> Answer:
    async with visit.connection() as conn:
        client = await _own(conn, visit, client_id)
    kinds = [
        kind for kind in readable_kinds(effective(frozenset(client.scopes), None)) if kind is not Kind.WEBHOOK_PING
    ]
    return visit.show("webhook_new.html", id=new_id(), client=client, kinds=kinds, words=KIND_WORDS)


@pages.post(f"{_CLIENT}/webhooks/new", OFFICE, again=show_new_webhook)
async def make_webhook(visit: Visit, client_id: UUID, form: NewWebhookForm) -> Answer:
    """The secret is shown in this answer alone; sending the form again makes nothing and shows nothing."""
    await _check_url(visit, form.url)
    async with visit.connection() as conn:
        client = await _own(conn, visit, client_id)
        if await _is_there(conn, visit.tenant_id, client_id, form.id):
            return _made_before(visit, client_id, form.id)
        allowed = readable_kinds(effective(frozenset(client.scopes), None))
        events = [kind for kind in form.events if kind in allowed]
        if not events:
            raise invalid({"events": ["must have at least 1 entry"]})
        vault = visit.call.resources.vault
        try:
            made = await subscribe(
                conn, visit.tenant_id, client_id, vault, form.url, events, active=True, webhook_id=form.id
            )
        except MadeBefore:
            return _made_before(visit, client_id, form.id)
    return visit.show("webhook_secret.html", client=client, url=form.url, id=form.id, secret=made.secret)


@pages.get(_HOOK, OFFICE)
async def show_webhook(visit: Visit, client_id: UUID, webhook_id: UUID, query: DeliveriesQuery | None = None) -> Answer:
    wanted = PageRequest(query.page if query else 1, _LINES)
    async with visit.connection() as conn:
        client = await get_own_client(conn, visit.tenant_id, client_id)
        hook = await _webhook(conn, visit, client_id, webhook_id)
        page = await list_deliveries(conn, visit.tenant_id, client_id, webhook_id, wanted)
    deliveries = msgspec.json.decode(page.documents, type=list[Delivery])
    return visit.show(
        "webhook.html", client=client, hook=hook, deliveries=deliveries, page=wanted.page, last=page.last_page(wanted)
    )


@pages.post(f"{_HOOK}/ping", OFFICE, again=show_webhook)
async def ping(visit: Visit, client_id: UUID, webhook_id: UUID) -> Answer:
    async with visit.connection() as conn:
        await ping_webhook(conn, visit.tenant_id, client_id, webhook_id)
    return visit.go(_address(client_id, webhook_id), done=mark("A ping is on its way."))


async def _show_its_webhook(visit: Visit, client_id: UUID, webhook_id: UUID, delivery_id: UUID) -> Answer:  # noqa: ARG001
    return await show_webhook(visit, client_id, webhook_id)


@pages.post(f"{_HOOK}/deliveries/{{delivery_id}}/again", OFFICE, again=_show_its_webhook)
async def deliver_again(visit: Visit, client_id: UUID, webhook_id: UUID, delivery_id: UUID) -> Answer:
    async with visit.connection() as conn:
        await send_again(conn, visit.tenant_id, client_id, delivery_id)
    return visit.go(_address(client_id, webhook_id), done=mark("It is on its way again."))


@pages.post(f"{_HOOK}/again", OFFICE, again=show_webhook)
async def deliver_failed_again(visit: Visit, client_id: UUID, webhook_id: UUID) -> Answer:
    async with visit.connection() as conn:
        queued = await send_failed_again(conn, visit.tenant_id, client_id, webhook_id)
    return visit.go(_address(client_id, webhook_id), done=_queued_words(queued))


def _queued_words(queued: int) -> str:
    if queued == MOST_SENT_AGAIN:
        return mark("The 1,000 oldest failed deliveries are queued again. Press the button once more for the rest.")
    return mark("The failed deliveries are queued again.") if queued else mark("No delivery has failed.")


@pages.post(f"{_HOOK}/on", OFFICE)
async def switch_on(visit: Visit, client_id: UUID, webhook_id: UUID) -> Answer:
    return await _switch(visit, client_id, webhook_id, active=True)


@pages.post(f"{_HOOK}/off", OFFICE)
async def switch_off(visit: Visit, client_id: UUID, webhook_id: UUID) -> Answer:
    return await _switch(visit, client_id, webhook_id, active=False)


@pages.post(f"{_HOOK}/rotate", OFFICE)
async def replace_secret(visit: Visit, client_id: UUID, webhook_id: UUID, form: SecretForm) -> Answer:
    async with visit.connection() as conn:
        client = await _own(conn, visit, client_id)
        hook = await _webhook(conn, visit, client_id, webhook_id)
        if (hook.previous_secret_until or "") != form.seen:
            done = mark("This secret was replaced before. It was shown once.")
            return visit.go(_address(client_id, webhook_id), done=done)
        made = await rotate_secret(conn, visit.tenant_id, client_id, webhook_id, visit.call.resources.vault)
    return visit.show("webhook_secret.html", client=client, url=hook.url, id=webhook_id, secret=made.secret)


@pages.get(f"{_HOOK}/delete", OFFICE)
async def ask_deletion(visit: Visit, client_id: UUID, webhook_id: UUID) -> Answer:
    async with visit.connection() as conn:
        client = await _own(conn, visit, client_id)
        hook = await _webhook(conn, visit, client_id, webhook_id)
    return visit.show("webhook_delete.html", client=client, hook=hook)


@pages.post(f"{_HOOK}/delete", OFFICE)
async def delete(visit: Visit, client_id: UUID, webhook_id: UUID) -> Answer:
    async with visit.connection() as conn:
        await _own(conn, visit, client_id)
        await delete_webhook(conn, visit.tenant_id, client_id, webhook_id)
    return visit.go(f"{HERE}/clients/{client_id}", done=mark("Endpoint deleted. What waited for it is not sent."))


def _made_before(visit: Visit, client_id: UUID, webhook_id: UUID) -> Answer:
    done = mark("This endpoint was made before. Its secret was shown once.")
    return visit.go(_address(client_id, webhook_id), done=done)


async def _switch(visit: Visit, client_id: UUID, webhook_id: UUID, *, active: bool) -> Answer:
    async with visit.connection() as conn:
        await _own(conn, visit, client_id)
        await update_webhook(conn, visit.tenant_id, client_id, webhook_id, WebhookChange(None, None, active))
    done = mark("Endpoint switched on.") if active else mark("Endpoint switched off.")
    return visit.go(_address(client_id, webhook_id), done=done)


async def _own(conn: Connection, visit: Visit, client_id: UUID) -> ApiClient:
    """What an application subscribed to is changed by the application."""
    client = await get_own_client(conn, visit.tenant_id, client_id)
    if client.application:
        raise not_found("API client of your own")
    return client


async def _webhook(conn: Connection, visit: Visit, client_id: UUID, webhook_id: UUID) -> Webhook:
    return msgspec.json.decode(await get_webhook(conn, visit.tenant_id, client_id, webhook_id), type=Webhook)


async def _is_there(conn: Connection, tenant_id: UUID, client_id: UUID, webhook_id: UUID) -> bool:
    try:
        await get_webhook(conn, tenant_id, client_id, webhook_id)
    except WireError:
        return False
    return True


async def _check_url(visit: Visit, url: str) -> None:
    resources = visit.call.resources
    try:
        await check_url(url, resources.names.resolve, allow_private=resources.settings.webhook_allow_private)
    except Refused as refused:
        raise invalid({"url": [str(refused)]}) from refused


def _address(client_id: UUID, webhook_id: UUID) -> str:
    return f"{HERE}/clients/{client_id}/webhooks/{webhook_id}"
