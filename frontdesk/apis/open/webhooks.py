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
from frontdesk.webhooks.documents import Delivery, Webhook, WebhookWithSecret
from frontdesk.webhooks.event_types import READ_SCOPE, EventType
from frontdesk.webhooks.queries import delete_webhook, get_webhook, list_deliveries, list_webhooks, update_webhook
from frontdesk.webhooks.subscribe import WithSecret, ping_webhook, retry_delivery, rotate_secret, subscribe
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
async def get_webhooks(request: Request, query: PageQuery) -> Response:
    """List this client's webhooks, newest first."""
    async with request.connection() as conn:
        page = await list_webhooks(conn, request.caller.tenant_id, request.caller.id, query.request())
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
async def post_webhook(request: Request, body: WebhookCreate, prepared: list[EventType]) -> Response:
    """Subscribe to events. The secret that signs them is told here and never again."""
    async with request.connection() as conn:
        made = await subscribe(
            conn,
            request.caller.tenant_id,
            request.caller.id,
            request.resources.vault,
            body.url,
            prepared,
            active=body.active is not False,
        )
    return _response_with_secret(made, 201)


@operations.get("/webhooks/{id}", response=DataResponse[Webhook], errors=[Code.NOT_FOUND])
async def get_one_webhook(request: Request, uuid: UUID) -> Response:
    """Read one webhook, with how its receiver is doing."""
    async with request.connection() as conn:
        return data_response(await get_webhook(conn, request.caller.tenant_id, request.caller.id, uuid))


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
async def patch_webhook(request: Request, uuid: UUID, body: WebhookUpdate, prepared: WebhookChange) -> Response:  # noqa: ARG001
    """Update a webhook's url, events or active flag; fields that are left out stay as they are."""
    async with request.connection() as conn:
        return data_response(await update_webhook(conn, request.caller.tenant_id, request.caller.id, uuid, prepared))


@operations.delete("/webhooks/{id}", status=204, errors=[Code.NOT_FOUND])
async def delete_one_webhook(request: Request, uuid: UUID) -> Response:
    """Unsubscribe. Deliveries that wait are not sent any more."""
    async with request.connection() as conn:
        await delete_webhook(conn, request.caller.tenant_id, request.caller.id, uuid)
    return Response(b"", 204)


@operations.post(
    "/webhooks/{id}/ping", response=DataResponse[Delivery], status=201, errors=[Code.NOT_FOUND, Code.VALIDATION_ERROR]
)
async def post_ping(request: Request, uuid: UUID) -> Response:
    """Send a webhook.ping to this webhook; answers with its delivery."""
    async with request.connection() as conn:
        return data_response(await ping_webhook(conn, request.caller.tenant_id, request.caller.id, uuid), 201)


@operations.post(
    "/webhooks/{id}/rotate-secret",
    response=DataResponse[WebhookWithSecret],
    contains_secret=True,
    errors=[Code.NOT_FOUND],
)
async def post_new_secret(request: Request, uuid: UUID) -> Response:
    """Sign with a new secret, told here and never again; the earlier one signs beside it for 24 hours."""
    async with request.connection() as conn:
        made = await rotate_secret(conn, request.caller.tenant_id, request.caller.id, uuid, request.resources.vault)
    return _response_with_secret(made)


@operations.get("/webhooks/{id}/deliveries", response=PageResponse[Delivery], errors=[Code.NOT_FOUND])
async def get_deliveries(request: Request, uuid: UUID, query: PageQuery) -> Response:
    """List what was sent to a webhook, or waits to be, newest first, with every attempt."""
    tenant_id, client_id = request.caller.tenant_id, request.caller.id
    async with request.connection() as conn:
        page = await list_deliveries(conn, tenant_id, client_id, uuid, query.request())
        if page.total == 0:
            await get_webhook(conn, tenant_id, client_id, uuid)  # unknown is not the same as silent
    return list_response(request, query, page)


@operations.post(
    "/webhooks/deliveries/{id}/retry", response=DataResponse[Delivery], errors=[Code.NOT_FOUND, Code.VALIDATION_ERROR]
)
async def post_retry(request: Request, uuid: UUID) -> Response:
    """Send an event again, whatever came of it before."""
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
        await validate_url(url, request.resources.names.resolve, allow_private=allow_private)
    except UrlRejected as refused:
        raise invalid({"url": [str(refused)]}) from refused


def _response_with_secret(made: WithSecret, status: int = 200) -> Response:
    """The database wrote the webhook; the secret, which it cannot read, is put behind it."""
    return data_response(f'{made.document.removesuffix("}")}, "secret": "{made.secret}"}}', status)
