from typing import Annotated
from uuid import UUID

import msgspec
from msgspec import Meta

from frontdesk.apis.open.authentication import require_scope
from frontdesk.errors import Code, invalid
from frontdesk.http.endpoints import Endpoints
from frontdesk.http.pagination import DataResponse, PageQuery, PageResponse, list_response
from frontdesk.http.request import Request
from frontdesk.http.responses import Response, data_response
from frontdesk.net.safe_url import MAX_URL_LENGTH, UrlRejected, validate_url
from frontdesk.webhooks import queries
from frontdesk.webhooks import subscribe as subscriptions
from frontdesk.webhooks.documents import Webhook, WebhookDelivery, WebhookWithSecret
from frontdesk.webhooks.event_types import READ_SCOPE, EventType
from frontdesk.webhooks.subscribe import WithSecret, retry_delivery, rotate_secret, subscribe
from frontdesk.webhooks.types import WebhookChange

operations = Endpoints()

Url = Annotated[str, Meta(min_length=1, max_length=MAX_URL_LENGTH)]
Kinds = Annotated[list[EventType], Meta(min_length=1, max_length=100)]


class WebhookCreate(msgspec.Struct):
    url: Url
    events: Kinds
    active: bool | None = True


class WebhookUpdate(msgspec.Struct):
    url: Url | None = None
    events: Kinds | None = None
    active: bool | None = None


@operations.get("/webhooks", response=PageResponse[Webhook])
async def list_webhooks(request: Request, query: PageQuery) -> Response:
    """List the webhooks of this client, newest first."""
    page = await request.fetch(queries.list_webhooks(query.request()))
    return list_response(request, query, page)


async def _prepare_webhook(request: Request, body: WebhookCreate) -> list[EventType]:
    events = _allowed(request, body.events)
    await _check_url(request, body.url)
    return events


@operations.post(
    "/webhooks",
    response=DataResponse[WebhookWithSecret],
    status=201,
    prepare=_prepare_webhook,
    contains_secret=True,
    errors=[Code.INSUFFICIENT_SCOPE, Code.VALIDATION_ERROR],
)
async def create_webhook(request: Request, body: WebhookCreate, prepared: list[EventType]) -> Response:
    """Create a webhook.

    The signing secret is returned in this response only.
    """
    async with request.connection() as conn:
        made = await subscribe(
            conn,
            request.caller.tenant_id,
            request.caller.id,
            request.resources.secret_box,
            body.url,
            prepared,
            active=body.active is not False,
        )
    return _response_with_secret(made, 201)


@operations.get("/webhooks/{id}", response=DataResponse[Webhook], errors=[Code.NOT_FOUND])
async def get_webhook(request: Request, uuid: UUID) -> Response:
    """Retrieve a webhook and its delivery health."""
    return data_response(await request.fetch(queries.get_webhook(uuid)))


async def _prepare_change(request: Request, uuid: UUID, body: WebhookUpdate) -> WebhookChange:  # noqa: ARG001
    events = None if body.events is None else _allowed(request, body.events)
    if body.url is not None:
        await _check_url(request, body.url)
    return WebhookChange(body.url, events, body.active)


@operations.patch(
    "/webhooks/{id}",
    prepare=_prepare_change,
    response=DataResponse[Webhook],
    errors=[Code.NOT_FOUND, Code.INSUFFICIENT_SCOPE, Code.VALIDATION_ERROR],
)
async def update_webhook(request: Request, uuid: UUID, body: WebhookUpdate, prepared: WebhookChange) -> Response:  # noqa: ARG001
    """Update the `url`, `events` or `active` flag of a webhook; omitted fields keep their values."""
    async with request.connection() as conn:
        return data_response(
            await queries.update_webhook(conn, request.caller.tenant_id, request.caller.id, uuid, prepared)
        )


@operations.delete("/webhooks/{id}", status=204, errors=[Code.NOT_FOUND])
async def delete_webhook(request: Request, uuid: UUID) -> Response:
    """Delete a webhook; its pending deliveries are dropped."""
    async with request.connection() as conn:
        await queries.delete_webhook(conn, request.caller.tenant_id, request.caller.id, uuid)
    return Response(b"", 204)


@operations.post(
    "/webhooks/{id}/ping",
    response=DataResponse[WebhookDelivery],
    status=201,
    errors=[Code.NOT_FOUND, Code.VALIDATION_ERROR],
)
async def ping_webhook(request: Request, uuid: UUID) -> Response:
    """Send a `webhook.ping` event to a webhook and return its delivery."""
    async with request.connection() as conn:
        return data_response(
            await subscriptions.ping_webhook(conn, request.caller.tenant_id, request.caller.id, uuid), 201
        )


@operations.post(
    "/webhooks/{id}/rotate-secret",
    response=DataResponse[WebhookWithSecret],
    contains_secret=True,
    errors=[Code.NOT_FOUND],
)
async def rotate_webhook_secret(request: Request, uuid: UUID) -> Response:
    """Rotate the signing secret of a webhook.

    The new secret is returned in this response only. The previous secret also signs deliveries for 24 hours.
    """
    async with request.connection() as conn:
        made = await rotate_secret(
            conn, request.caller.tenant_id, request.caller.id, uuid, request.resources.secret_box
        )
    return _response_with_secret(made)


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
async def retry_webhook_delivery(request: Request, uuid: UUID) -> Response:
    """Retry a delivery, whatever its current state."""
    async with request.connection() as conn:
        return data_response(await retry_delivery(conn, request.caller.tenant_id, request.caller.id, uuid))


def _allowed(request: Request, events: list[EventType]) -> list[EventType]:
    """Each kind once. One that the caller may not read is refused as reading it would be."""
    for kind in events:
        scope = READ_SCOPE[kind]
        if scope is not None:
            require_scope(request, scope)
    return list(dict.fromkeys(events))


async def _check_url(request: Request, url: str) -> None:
    allow_private = request.resources.settings.webhook_allow_private
    try:
        await validate_url(url, request.resources.dns.resolve, allow_private=allow_private)
    except UrlRejected as refused:
        raise invalid({"url": [str(refused)]}) from refused


def _response_with_secret(made: WithSecret, status: int = 200) -> Response:
    """The database wrote the webhook; the secret, which it cannot read, is put behind it."""
    return data_response(f'{made.document.removesuffix("}")}, "secret": "{made.secret}"}}', status)
