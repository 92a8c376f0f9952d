from typing import Annotated
from uuid import UUID

import msgspec
from msgspec import Meta

from frontdesk.apis.open.authentication import require_scope
from frontdesk.http.endpoints import Endpoints
from frontdesk.http.errors import Code
from frontdesk.http.outbound_urls import check_outbound_url
from frontdesk.http.pagination import DataResponse, PageQuery, PageResponse, list_response
from frontdesk.http.request import Request
from frontdesk.http.responses import Response, data_response
from frontdesk.net.safe_url import MAX_URL_LENGTH
from frontdesk.postgres.act import FunctionCall
from frontdesk.postgres.write import Look
from frontdesk.values.ids import uuid7
from frontdesk.webhooks import queries
from frontdesk.webhooks.change import plan_deletion, plan_rotation, plan_update
from frontdesk.webhooks.documents import Webhook, WebhookDelivery, WebhookWithSecret
from frontdesk.webhooks.event_types import READ_SCOPES, EventType
from frontdesk.webhooks.resend import plan_ping, plan_retry
from frontdesk.webhooks.signing import new_secret
from frontdesk.webhooks.state_queries import look_at_counts, look_at_delivery, look_at_webhook
from frontdesk.webhooks.subscribe import plan_webhook
from frontdesk.webhooks.types import DeliveryState, NewWebhook, WebhookChange, WebhookCounts, WebhookState

operations = Endpoints()

Url = Annotated[str, Meta(min_length=1, max_length=MAX_URL_LENGTH)]
EventTypes = Annotated[list[EventType], Meta(min_length=1, max_length=100)]


class WebhookCreate(msgspec.Struct):
    url: Url
    events: EventTypes
    active: bool | None = True


class WebhookUpdate(msgspec.Struct):
    url: Url | None = None
    events: EventTypes | None = None
    active: bool | None = None


@operations.get("/webhooks", response=PageResponse[Webhook])
async def list_webhooks(request: Request, query: PageQuery) -> Response:
    """List the webhooks of this client, newest first."""
    page = await request.fetch(queries.list_webhooks(query.request()))
    return list_response(request, query, page)


def _look_at_counts(body: WebhookCreate) -> Look[WebhookCounts]:  # noqa: ARG001
    return look_at_counts()


async def _prepare_webhook(request: Request, body: WebhookCreate) -> list[EventType]:
    events = _allowed(request, body.events)
    await check_outbound_url(request.resources, body.url)
    return events


@operations.post(
    "/webhooks",
    response=DataResponse[WebhookWithSecret],
    status=201,
    look=_look_at_counts,
    prepare=_prepare_webhook,
    contains_secret=True,
    errors=[Code.INSUFFICIENT_SCOPE, Code.VALIDATION_ERROR],
)
def create_webhook(
    request: Request, body: WebhookCreate, prepared: list[EventType], seen: WebhookCounts
) -> FunctionCall:
    """Create a webhook.

    The signing secret is returned in this response only.
    """
    secret = new_secret(request.resources.secret_box)
    active = body.active is not False
    new = NewWebhook(uuid7(), request.caller.id, body.url, prepared, secret.encrypted, active)
    return plan_webhook(seen, new)._replace(secret=secret)


@operations.get("/webhooks/{id}", response=DataResponse[Webhook], errors=[Code.NOT_FOUND])
async def get_webhook(request: Request, uuid: UUID) -> Response:
    """Retrieve a webhook and its delivery health."""
    return data_response(await request.fetch(queries.get_webhook(uuid)))


def _look_at_change(uuid: UUID, body: WebhookUpdate) -> Look[WebhookState | None]:  # noqa: ARG001
    return look_at_webhook(uuid)


async def _prepare_change(request: Request, uuid: UUID, body: WebhookUpdate) -> WebhookChange:  # noqa: ARG001
    events = None if body.events is None else _allowed(request, body.events)
    if body.url is not None:
        await check_outbound_url(request.resources, body.url)
    return WebhookChange(body.url, events, body.active)


@operations.patch(
    "/webhooks/{id}",
    look=_look_at_change,
    prepare=_prepare_change,
    response=DataResponse[Webhook],
    errors=[Code.NOT_FOUND, Code.INSUFFICIENT_SCOPE, Code.VALIDATION_ERROR],
)
def update_webhook(
    request: Request,  # noqa: ARG001
    uuid: UUID,  # noqa: ARG001
    body: WebhookUpdate,  # noqa: ARG001
    prepared: WebhookChange,
    seen: WebhookState | None,
) -> FunctionCall:
    """Update the `url`, `events` or `active` flag of a webhook; omitted fields keep their values."""
    return plan_update(seen, prepared)


def _look_at_webhook(uuid: UUID) -> Look[WebhookState | None]:
    return look_at_webhook(uuid)


@operations.delete("/webhooks/{id}", look=_look_at_webhook, status=204, errors=[Code.NOT_FOUND])
def delete_webhook(request: Request, uuid: UUID, seen: WebhookState | None) -> FunctionCall:  # noqa: ARG001
    """Delete a webhook; its pending deliveries are dropped."""
    return plan_deletion(seen)


@operations.post(
    "/webhooks/{id}/ping",
    look=_look_at_webhook,
    response=DataResponse[WebhookDelivery],
    status=201,
    errors=[Code.NOT_FOUND, Code.VALIDATION_ERROR],
)
def ping_webhook(request: Request, uuid: UUID, seen: WebhookState | None) -> FunctionCall:  # noqa: ARG001
    """Send a `webhook.ping` event to a webhook and return its delivery."""
    return plan_ping(seen)


@operations.post(
    "/webhooks/{id}/rotate-secret",
    look=_look_at_webhook,
    response=DataResponse[WebhookWithSecret],
    contains_secret=True,
    errors=[Code.NOT_FOUND],
)
def rotate_webhook_secret(request: Request, uuid: UUID, seen: WebhookState | None) -> FunctionCall:  # noqa: ARG001
    """Rotate the signing secret of a webhook.

    The new secret is returned in this response only. The previous secret also signs deliveries for 24 hours.
    """
    return plan_rotation(seen, new_secret(request.resources.secret_box))


@operations.get("/webhooks/{id}/deliveries", response=PageResponse[WebhookDelivery], errors=[Code.NOT_FOUND])
async def list_webhook_deliveries(request: Request, uuid: UUID, query: PageQuery) -> Response:
    """List the deliveries of a webhook and their attempts, newest first."""
    page = await request.fetch(queries.list_deliveries(uuid, query.request()))
    return list_response(request, query, page)


def _look_at_delivery(uuid: UUID) -> Look[DeliveryState | None]:
    return look_at_delivery(uuid)


@operations.post(
    "/webhooks/deliveries/{id}/retry",
    look=_look_at_delivery,
    response=DataResponse[WebhookDelivery],
    errors=[Code.NOT_FOUND, Code.VALIDATION_ERROR],
)
def retry_webhook_delivery(request: Request, uuid: UUID, seen: DeliveryState | None) -> FunctionCall:  # noqa: ARG001
    """Retry a delivery in any state.

    A delivery that is being sent at the moment is not queued again.
    """
    return plan_retry(seen)


def _allowed(request: Request, events: list[EventType]) -> list[EventType]:
    """Removes duplicates. The caller needs the scopes of each event type."""
    for event_type in events:
        for scope in READ_SCOPES[event_type]:
            require_scope(request, scope)
    return list(dict.fromkeys(events))
