from collections.abc import Sequence
from typing import Annotated
from uuid import UUID

import msgspec
from msgspec import Meta
from msgspec.structs import replace

from frontdesk.apis.open.authentication import require_scope
from frontdesk.event_forms.changed_fields import check_field_names
from frontdesk.http.app_state import check_outbound_url
from frontdesk.http.endpoints import Endpoints
from frontdesk.http.errors import Code
from frontdesk.http.pagination import DataResponse, PageQuery, PageResponse, list_response
from frontdesk.http.request import Request
from frontdesk.http.responses import Response, data_response
from frontdesk.net.safe_url import MAX_URL_LENGTH
from frontdesk.webhooks import queries
from frontdesk.webhooks.change import DeleteWebhook, RotateWebhookSecret, UpdateWebhook
from frontdesk.webhooks.documents import Payload, Webhook, WebhookDelivery, WebhookWithSecret
from frontdesk.webhooks.event_types import READ_SCOPES, EventType
from frontdesk.webhooks.new_secret import new_secret
from frontdesk.webhooks.resend import PingWebhook, RetryDelivery
from frontdesk.webhooks.subscribe import CreateWebhook

operations = Endpoints()

Url = Annotated[str, Meta(min_length=1, max_length=MAX_URL_LENGTH)]
EventTypes = Annotated[list[EventType], Meta(min_length=1, max_length=100)]
Branches = Annotated[list[UUID], Meta(max_length=100)]
FieldNames = Annotated[list[Annotated[str, Meta(max_length=60)]], Meta(max_length=100)]


class WebhookCreate(msgspec.Struct):
    url: Url
    events: EventTypes
    branches: Branches | None = None
    changed_fields: FieldNames | None = None
    payload: Payload | None = None
    active: bool | None = True


class WebhookUpdate(msgspec.Struct):
    url: Url | None = None
    events: EventTypes | None = None
    branches: Branches | None = None
    changed_fields: FieldNames | None = None
    payload: Payload | None = None
    active: bool | None = None


@operations.get("/webhooks", response=PageResponse[Webhook])
async def list_webhooks(request: Request, query: PageQuery) -> Response:
    """List the webhooks of this client, newest first."""
    page = await request.fetch(queries.list_webhooks(query.request()))
    return list_response(request, query, page)


async def _complete_webhook(request: Request, act: CreateWebhook) -> CreateWebhook:
    events = _allowed(request, act.events)
    check_field_names(act.changed_fields, events)
    await check_outbound_url(request.resources, act.url)
    secret = new_secret(request.resources.secret_box)
    return replace(act, events=events, client_id=request.caller.id, encrypted_secret=secret.encrypted, secret=secret)


@operations.post(
    "/webhooks",
    response=DataResponse[WebhookWithSecret],
    status=201,
    creates="webhook",
    fields={"branch_ids": "branches"},
    prepare=_complete_webhook,
    returns_secret=True,
    errors=[Code.INSUFFICIENT_SCOPE, Code.VALIDATION_ERROR],
)
def create_webhook(body: WebhookCreate) -> CreateWebhook:
    """Create a webhook.

    The signing secret is returned in this response only.
    """
    return CreateWebhook(
        body.url,
        body.events,
        active=body.active is not False,
        branch_ids=list(dict.fromkeys(body.branches or ())),
        changed_fields=list(dict.fromkeys(body.changed_fields or ())),
        is_thin=body.payload == "thin",
    )


@operations.get("/webhooks/{id}", response=DataResponse[Webhook], errors=[Code.NOT_FOUND])
async def get_webhook(request: Request, uuid: UUID) -> Response:
    """Retrieve a webhook and its delivery health."""
    return data_response(await request.fetch(queries.get_webhook(uuid)))


async def _check_change(request: Request, act: UpdateWebhook) -> UpdateWebhook:
    events = None if act.events is None else _allowed(request, act.events)
    if act.changed_fields:
        kinds = await request.fetch(queries.events_of_webhook(act.webhook_id)) if events is None else events
        check_field_names(act.changed_fields, kinds)
    if act.url is not None:
        await check_outbound_url(request.resources, act.url)
    return replace(act, events=events)


@operations.patch(
    "/webhooks/{id}",
    prepare=_check_change,
    response=DataResponse[Webhook],
    fields={"branch_ids": "branches"},
    errors=[Code.NOT_FOUND, Code.INSUFFICIENT_SCOPE, Code.VALIDATION_ERROR],
)
def update_webhook(uuid: UUID, body: WebhookUpdate) -> UpdateWebhook:
    """Update a webhook; omitted fields keep their values.

    An empty list of `branches` or `changed_fields` removes that filter.
    """
    return UpdateWebhook(
        uuid,
        url=body.url,
        events=body.events,
        active=body.active,
        branch_ids=None if body.branches is None else list(dict.fromkeys(body.branches)),
        changed_fields=None if body.changed_fields is None else list(dict.fromkeys(body.changed_fields)),
        is_thin=None if body.payload is None else body.payload == "thin",
    )


@operations.delete("/webhooks/{id}", status=204, errors=[Code.NOT_FOUND])
def delete_webhook(uuid: UUID) -> DeleteWebhook:
    """Delete a webhook; its pending deliveries are dropped."""
    return DeleteWebhook(uuid)


@operations.post(
    "/webhooks/{id}/ping",
    response=DataResponse[WebhookDelivery],
    status=201,
    creates="webhook_delivery",
    errors=[Code.NOT_FOUND, Code.VALIDATION_ERROR],
)
def ping_webhook(uuid: UUID) -> PingWebhook:
    """Send a `webhook.ping` event to a webhook and return its delivery."""
    return PingWebhook(uuid)


async def _add_secret(request: Request, act: RotateWebhookSecret) -> RotateWebhookSecret:
    return replace(act, secret=new_secret(request.resources.secret_box))


@operations.post(
    "/webhooks/{id}/rotate-secret",
    prepare=_add_secret,
    response=DataResponse[WebhookWithSecret],
    returns_secret=True,
    errors=[Code.NOT_FOUND],
)
def rotate_webhook_secret(uuid: UUID) -> RotateWebhookSecret:
    """Rotate the signing secret of a webhook.

    The new secret is returned in this response only. The previous secret also signs deliveries for 24 hours.
    """
    return RotateWebhookSecret(uuid)


@operations.get("/webhooks/{id}/deliveries", response=PageResponse[WebhookDelivery], errors=[Code.NOT_FOUND])
async def list_webhook_deliveries(request: Request, uuid: UUID, query: PageQuery) -> Response:
    """List the deliveries of a webhook and their attempts, newest first."""
    page = await request.fetch(queries.list_deliveries(uuid, query.request()))
    return list_response(request, query, page)


@operations.post(
    "/webhooks/deliveries/{id}/retry",
    response=DataResponse[WebhookDelivery],
    errors=[Code.NOT_FOUND, Code.VALIDATION_ERROR],
)
def retry_webhook_delivery(uuid: UUID) -> RetryDelivery:
    """Retry a delivery in any state.

    A delivery that is being sent at the moment is not queued again.
    """
    return RetryDelivery(uuid)


def _allowed(request: Request, events: Sequence[EventType]) -> list[EventType]:
    """Removes duplicates. The caller needs the scopes of each event type."""
    for event_type in events:
        for scope in READ_SCOPES[event_type]:
            require_scope(request, scope)
    return list(dict.fromkeys(events))
