"""Settings, API Integration: webhooks, their deliveries, and retries."""

from typing import Annotated
from uuid import UUID

import msgspec
from msgspec import Meta

from frontdesk.auth.clients import get_tenant_client
from frontdesk.auth.types import ApiClient
from frontdesk.http.field_types import PageNumber
from frontdesk.http.responses import Response
from frontdesk.i18n.texts import N_
from frontdesk.postgres.pool import Connection
from frontdesk.postgres.query import fetch
from frontdesk.problems import not_found
from frontdesk.tenants.queries import list_branch_names
from frontdesk.ui.settings.api_clients import PATH
from frontdesk.ui.shell.context import PageContext
from frontdesk.ui.shell.permissions import MANAGERS
from frontdesk.ui.shell.routing import Pages
from frontdesk.values.pagination import PageRequest
from frontdesk.webhooks.change import DeleteWebhook, RotateWebhookSecret, UpdateWebhook
from frontdesk.webhooks.documents import Webhook, WebhookDelivery
from frontdesk.webhooks.new_secret import new_secret
from frontdesk.webhooks.queries import get_webhook, list_deliveries, why_disabled
from frontdesk.webhooks.resend import MAX_RETRIED, PingWebhook, RetryDelivery, retry_failed_deliveries

pages = Pages()
CLIENT = f"{PATH}/clients/{{client_id}}"
WEBHOOK = f"{CLIENT}/webhooks/{{webhook_id}}"
_PER_PAGE = 25


class SecretForm(msgspec.Struct):
    """`seen` is the previous rotation shown on the page, so that a repeated form rotates once."""

    seen: Annotated[str, Meta(max_length=40)] = ""


class DeliveriesQuery(msgspec.Struct):
    page: PageNumber = 1


@pages.get(WEBHOOK, MANAGERS)
async def show_webhook(
    context: PageContext, client_id: UUID, webhook_id: UUID, query: DeliveriesQuery | None = None
) -> Response:
    page_request = PageRequest(query.page if query else 1, _PER_PAGE)
    async with context.connection() as conn:
        client = await get_tenant_client(conn, context.tenant_id, client_id)
        webhook = await read_webhook(conn, context, client_id, webhook_id)
        page = await fetch(conn, context.tenant_id, list_deliveries(webhook_id, page_request, client_id))
        reason = None if webhook.active else await fetch(conn, context.tenant_id, why_disabled(webhook_id))
        names = dict(await list_branch_names(conn, context.tenant_id)) if webhook.branches else {}
    deliveries = msgspec.json.decode(page.documents, type=list[WebhookDelivery])
    return context.render(
        "webhook.html",
        client=client,
        webhook=webhook,
        branches=[names[id_] for id_ in webhook.branches if id_ in names],
        why_disabled=reason,
        deliveries=deliveries,
        page=page_request.page,
        last=page.last_page(page_request),
    )


@pages.post(f"{WEBHOOK}/ping", MANAGERS, on_error=show_webhook)
async def ping(context: PageContext, client_id: UUID, webhook_id: UUID) -> Response:
    await context.run(PingWebhook(webhook_id, client_id))
    return context.redirect(webhook_page(client_id, webhook_id), flash=N_("A ping has been queued."))


@pages.post(f"{WEBHOOK}/deliveries/{{delivery_id}}/again", MANAGERS, on_error=show_webhook)
async def submit_retry(context: PageContext, client_id: UUID, webhook_id: UUID, delivery_id: UUID) -> Response:
    await context.run(RetryDelivery(delivery_id, client_id))
    return context.redirect(webhook_page(client_id, webhook_id), flash=N_("It has been queued again."))


@pages.post(f"{WEBHOOK}/again", MANAGERS, on_error=show_webhook)
async def submit_retry_failed(context: PageContext, client_id: UUID, webhook_id: UUID) -> Response:
    queued = await context.call(retry_failed_deliveries, context.tenant_id, client_id, webhook_id, context.actor)
    return context.redirect(webhook_page(client_id, webhook_id), flash=_queued_text(queued))


def _queued_text(queued: int) -> str:
    if queued == MAX_RETRIED:
        return N_("The 1,000 oldest failed deliveries are queued again. Press the button once more for the rest.")
    return N_("The failed deliveries are queued again.") if queued else N_("No delivery has failed.")


@pages.post(f"{WEBHOOK}/on", MANAGERS)
async def switch_on(context: PageContext, client_id: UUID, webhook_id: UUID) -> Response:
    return await _switch(context, client_id, webhook_id, active=True)


@pages.post(f"{WEBHOOK}/off", MANAGERS)
async def switch_off(context: PageContext, client_id: UUID, webhook_id: UUID) -> Response:
    return await _switch(context, client_id, webhook_id, active=False)


@pages.post(f"{WEBHOOK}/rotate", MANAGERS)
async def replace_secret(context: PageContext, client_id: UUID, webhook_id: UUID, form: SecretForm) -> Response:
    async with context.connection() as conn:
        client = await find_client(conn, context, client_id)
        webhook = await read_webhook(conn, context, client_id, webhook_id)
    if (webhook.previous_secret_until or "") != form.seen:
        message = N_("This secret was already rotated. The new one was shown once and cannot be shown again.")
        return context.redirect(webhook_page(client_id, webhook_id), flash=message)
    secret = new_secret(context.request.resources.secret_box)
    await context.run(RotateWebhookSecret(webhook_id, client_id, secret))
    return context.render("webhook_secret.html", client=client, url=webhook.url, id=webhook_id, secret=secret.text)


@pages.get(f"{WEBHOOK}/delete", MANAGERS)
async def confirm_deletion(context: PageContext, client_id: UUID, webhook_id: UUID) -> Response:
    async with context.connection() as conn:
        client = await find_client(conn, context, client_id)
        webhook = await read_webhook(conn, context, client_id, webhook_id)
    return context.render("webhook_delete.html", client=client, webhook=webhook)


@pages.post(f"{WEBHOOK}/delete", MANAGERS)
async def delete(context: PageContext, client_id: UUID, webhook_id: UUID) -> Response:
    await context.call(find_client, context, client_id)
    await context.run(DeleteWebhook(webhook_id, client_id))
    return context.redirect(
        f"{PATH}/clients/{client_id}", flash=N_("Endpoint deleted. Waiting deliveries are discarded.")
    )


async def _switch(context: PageContext, client_id: UUID, webhook_id: UUID, *, active: bool) -> Response:
    await context.call(find_client, context, client_id)
    await context.run(UpdateWebhook(webhook_id, client_id, active=active))
    message = N_("Endpoint enabled.") if active else N_("Endpoint disabled.")
    return context.redirect(webhook_page(client_id, webhook_id), flash=message)


async def find_client(conn: Connection, context: PageContext, client_id: UUID) -> ApiClient:
    """Webhooks of applications are changed by the application only."""
    client = await get_tenant_client(conn, context.tenant_id, client_id)
    if client.application:
        raise not_found("API client of your own")
    return client


async def read_webhook(conn: Connection, context: PageContext, client_id: UUID, webhook_id: UUID) -> Webhook:
    return msgspec.json.decode(await fetch(conn, context.tenant_id, get_webhook(webhook_id, client_id)), type=Webhook)


def webhook_page(client_id: UUID, webhook_id: UUID) -> str:
    return f"{PATH}/clients/{client_id}/webhooks/{webhook_id}"
