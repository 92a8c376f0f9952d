"""Settings, API Integration: the form of a webhook, for a new one and for one that exists."""

import re
from collections.abc import Sequence
from typing import Annotated, Literal
from uuid import UUID

import msgspec
from msgspec import Meta

from frontdesk.auth.scopes import effective_scopes
from frontdesk.auth.types import ApiClient
from frontdesk.event_forms.changed_fields import known_field_names
from frontdesk.http.app_state import check_outbound_url
from frontdesk.http.problems import ValueProblem
from frontdesk.http.responses import Response
from frontdesk.i18n.texts import N_
from frontdesk.net.safe_url import MAX_URL_LENGTH
from frontdesk.problems import Problem
from frontdesk.tenants.queries import list_branch_names
from frontdesk.ui.settings.event_labels import EVENT_TYPE_LABELS
from frontdesk.ui.settings.webhooks import CLIENT, WEBHOOK, find_client, read_webhook, webhook_page
from frontdesk.ui.shell.context import PageContext
from frontdesk.ui.shell.permissions import MANAGERS
from frontdesk.ui.shell.routing import Pages
from frontdesk.values.ids import uuid7
from frontdesk.webhooks.change import UpdateWebhook
from frontdesk.webhooks.documents import Webhook
from frontdesk.webhooks.event_types import EventType, readable_event_types
from frontdesk.webhooks.new_secret import new_secret
from frontdesk.webhooks.problems import WebhookProblem
from frontdesk.webhooks.subscribe import AlreadyExists, CreateWebhook

pages = Pages()
_FIELDS = {"branch_ids": "branches"}
_BETWEEN_NAMES = re.compile(r"[\s,،]+")


class WebhookForm(msgspec.Struct, kw_only=True):
    url: Annotated[str, Meta(min_length=1, max_length=MAX_URL_LENGTH)]
    events: list[EventType]
    branches: Annotated[list[UUID], Meta(max_length=100)] = []
    changed_fields: Annotated[str, Meta(max_length=2000)] = ""
    thin: Literal["yes"] | None = None


class NewWebhookForm(WebhookForm, kw_only=True):
    id: UUID


class ChangedWebhookForm(WebhookForm, kw_only=True):
    seen: Annotated[str, Meta(max_length=40)] | None = None  # when the webhook was last changed


@pages.get(f"{CLIENT}/webhooks/new", MANAGERS)
async def show_new_webhook(context: PageContext, client_id: UUID) -> Response:
    client = await context.call(find_client, context, client_id)
    return await _show(context, client, None)


@pages.post(f"{CLIENT}/webhooks/new", MANAGERS, on_error=show_new_webhook, fields=_FIELDS)
async def submit_webhook(context: PageContext, client_id: UUID, form: NewWebhookForm) -> Response:
    """The secret is shown in this response only; submitting the form again creates and shows nothing."""
    await check_outbound_url(context.request.resources, form.url)
    client = await context.call(find_client, context, client_id)
    events, changed_fields = _chosen(client, form)
    secret = new_secret(context.request.resources.secret_box)
    act = CreateWebhook(
        form.url,
        events,
        branch_ids=list(dict.fromkeys(form.branches)),
        changed_fields=changed_fields,
        is_thin=form.thin is not None,
        client_id=client_id,
        encrypted_secret=secret.encrypted,
        webhook_id=form.id,
    )
    try:
        await context.run(act)
    except AlreadyExists:
        message = N_("This endpoint already exists. Its secret was shown once and cannot be shown again.")
        return context.redirect(webhook_page(client_id, form.id), flash=message)
    return context.render("webhook_secret.html", client=client, url=form.url, id=form.id, secret=secret.text)


@pages.get(f"{WEBHOOK}/edit", MANAGERS)
async def show_webhook_form(context: PageContext, client_id: UUID, webhook_id: UUID) -> Response:
    async with context.connection() as conn:
        client = await find_client(conn, context, client_id)
        webhook = await read_webhook(conn, context, client_id, webhook_id)
    return await _show(context, client, webhook)


@pages.post(f"{WEBHOOK}/edit", MANAGERS, on_error=show_webhook_form, fields=_FIELDS)
async def submit_change(context: PageContext, client_id: UUID, webhook_id: UUID, form: ChangedWebhookForm) -> Response:
    await check_outbound_url(context.request.resources, form.url)
    async with context.connection() as conn:
        client = await find_client(conn, context, client_id)
    events, changed_fields = _chosen(client, form)
    act = UpdateWebhook(
        webhook_id,
        client_id,
        url=form.url,
        events=events,
        branch_ids=list(dict.fromkeys(form.branches)),
        changed_fields=changed_fields,
        is_thin=form.thin is not None,
        seen=form.seen,
    )
    await context.run(act)
    return context.redirect(webhook_page(client_id, webhook_id), flash=N_("Saved."))


async def _show(context: PageContext, client: ApiClient, webhook: Webhook | None) -> Response:
    return context.render(
        "webhook_form.html",
        id=webhook.id if webhook else uuid7(),
        client=client,
        webhook=webhook,
        event_types=_readable(client),
        labels=EVENT_TYPE_LABELS,
        branches=await context.call(list_branch_names, context.tenant_id),
    )


def _readable(client: ApiClient) -> list[EventType]:
    """A ping is sent without being asked for."""
    found = readable_event_types(effective_scopes(frozenset(client.scopes), None))
    return [event_type for event_type in found if event_type is not EventType.WEBHOOK_PING]


def _chosen(client: ApiClient, form: WebhookForm) -> tuple[list[EventType], Sequence[str]]:
    """The events that the client may read, and the fields of them."""
    allowed = _readable(client)
    events = [event_type for event_type in form.events if event_type in allowed]
    if not events:
        raise Problem(ValueProblem.NO_ENTRY, "events")
    known = known_field_names(events)
    names = list(dict.fromkeys(name for name in _BETWEEN_NAMES.split(form.changed_fields) if name))
    for name in names:
        if name not in known:
            raise Problem(WebhookProblem.UNKNOWN_FIELD, "changed_fields", name=name, choices=known)
    return events, names
