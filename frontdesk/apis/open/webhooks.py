from typing import Annotated
from uuid import UUID

import msgspec
from msgspec import Meta

from frontdesk.apis.open.authentication import require_scope
from frontdesk.errors import Code, invalid
from frontdesk.http.endpoints import Operations
from frontdesk.http.pagination import DataOf, PageOf, PageQuery, list_answer
from frontdesk.http.request import Call
from frontdesk.http.responses import Answer, data_answer
from frontdesk.net.safe_url import MOST_URL, Refused, check_url
from frontdesk.webhooks.documents import Delivery, Webhook, WebhookWithSecret
from frontdesk.webhooks.event_types import READ_SCOPE, Kind
from frontdesk.webhooks.queries import delete_webhook, get_webhook, list_deliveries, list_webhooks, update_webhook
from frontdesk.webhooks.subscribe import WithSecret, ping_webhook, rotate_secret, send_again, subscribe
from frontdesk.webhooks.types import WebhookChange

operations = Operations()

Url = Annotated[str, Meta(min_length=1, max_length=MOST_URL)]
Kinds = Annotated[list[Kind], Meta(min_length=1, max_length=100)]


class WebhookToMake(msgspec.Struct):
    url: Url
    events: Kinds
    active: bool | None = True


class WebhookToChange(msgspec.Struct):
    url: Url | None = None
    events: Kinds | None = None
    active: bool | None = None


@operations.get("/webhooks", answer=PageOf[Webhook])
async def get_webhooks(call: Call, query: PageQuery) -> Answer:
    """List this client's webhooks, newest first."""
    async with call.connection() as conn:
        page = await list_webhooks(conn, call.caller.tenant_id, call.caller.id, query.request())
    return list_answer(call, query, page)


async def _prepare_webhook(call: Call, body: WebhookToMake) -> list[Kind]:
    events = _allowed(call, body.events)
    await _check_url(call, body.url)
    return events


@operations.post(
    "/webhooks",
    answer=DataOf[WebhookWithSecret],
    status=201,
    prepare=_prepare_webhook,
    tells_secret=True,
    errors=[Code.INSUFFICIENT_SCOPE, Code.VALIDATION_ERROR],
)
async def post_webhook(call: Call, body: WebhookToMake, prepared: list[Kind]) -> Answer:
    """Subscribe to events. The secret that signs them is told here and never again."""
    async with call.connection() as conn:
        made = await subscribe(
            conn,
            call.caller.tenant_id,
            call.caller.id,
            call.resources.vault,
            body.url,
            prepared,
            active=body.active is not False,
        )
    return _answer_with_secret(made, 201)


@operations.get("/webhooks/{id}", answer=DataOf[Webhook], errors=[Code.NOT_FOUND])
async def get_one_webhook(call: Call, uuid: UUID) -> Answer:
    """Read one webhook, with how its receiver is doing."""
    async with call.connection() as conn:
        return data_answer(await get_webhook(conn, call.caller.tenant_id, call.caller.id, uuid))


async def _prepare_change(call: Call, uuid: UUID, body: WebhookToChange) -> WebhookChange:  # noqa: ARG001
    events = None if body.events is None else _allowed(call, body.events)
    if body.url is not None:
        await _check_url(call, body.url)
    return WebhookChange(body.url, events, body.active)


@operations.patch(
    "/webhooks/{id}",
    prepare=_prepare_change,
    answer=DataOf[Webhook],
    errors=[Code.NOT_FOUND, Code.INSUFFICIENT_SCOPE, Code.VALIDATION_ERROR],
)
async def patch_webhook(call: Call, uuid: UUID, body: WebhookToChange, prepared: WebhookChange) -> Answer:  # noqa: ARG001
    """Update a webhook's url, events or active flag; fields that are left out stay as they are."""
    async with call.connection() as conn:
        return data_answer(await update_webhook(conn, call.caller.tenant_id, call.caller.id, uuid, prepared))


@operations.delete("/webhooks/{id}", status=204, errors=[Code.NOT_FOUND])
async def delete_one_webhook(call: Call, uuid: UUID) -> Answer:
    """Unsubscribe. Deliveries that wait are not sent any more."""
    async with call.connection() as conn:
        await delete_webhook(conn, call.caller.tenant_id, call.caller.id, uuid)
    return Answer(b"", 204)


@operations.post(
    "/webhooks/{id}/ping", answer=DataOf[Delivery], status=201, errors=[Code.NOT_FOUND, Code.VALIDATION_ERROR]
)
async def post_ping(call: Call, uuid: UUID) -> Answer:
    """Send a webhook.ping to this webhook; answers with its delivery."""
    async with call.connection() as conn:
        return data_answer(await ping_webhook(conn, call.caller.tenant_id, call.caller.id, uuid), 201)


@operations.post(
    "/webhooks/{id}/rotate-secret", answer=DataOf[WebhookWithSecret], tells_secret=True, errors=[Code.NOT_FOUND]
)
async def post_new_secret(call: Call, uuid: UUID) -> Answer:
    """Sign with a new secret, told here and never again; the earlier one signs beside it for 24 hours."""
    async with call.connection() as conn:
        made = await rotate_secret(conn, call.caller.tenant_id, call.caller.id, uuid, call.resources.vault)
    return _answer_with_secret(made)


@operations.get("/webhooks/{id}/deliveries", answer=PageOf[Delivery], errors=[Code.NOT_FOUND])
async def get_deliveries(call: Call, uuid: UUID, query: PageQuery) -> Answer:
    """List what was sent to a webhook, or waits to be, newest first, with every attempt."""
    tenant_id, client_id = call.caller.tenant_id, call.caller.id
    async with call.connection() as conn:
        page = await list_deliveries(conn, tenant_id, client_id, uuid, query.request())
        if page.total == 0:
            await get_webhook(conn, tenant_id, client_id, uuid)  # unknown is not the same as silent
    return list_answer(call, query, page)


@operations.post(
    "/webhooks/deliveries/{id}/retry", answer=DataOf[Delivery], errors=[Code.NOT_FOUND, Code.VALIDATION_ERROR]
)
async def post_retry(call: Call, uuid: UUID) -> Answer:
    """Send an event again, whatever came of it before."""
    async with call.connection() as conn:
        return data_answer(await send_again(conn, call.caller.tenant_id, call.caller.id, uuid))


def _allowed(call: Call, events: list[Kind]) -> list[Kind]:
    """Each kind once. One that the caller may not read is refused as reading it would be."""
    for kind in events:
        scope = READ_SCOPE[kind]
        if scope is not None:
            require_scope(call, scope)
    return list(dict.fromkeys(events))


async def _check_url(call: Call, url: str) -> None:
    allow_private = call.resources.settings.webhook_allow_private
    try:
        await check_url(url, call.resources.names.resolve, allow_private=allow_private)
    except Refused as refused:
        raise invalid({"url": [str(refused)]}) from refused


def _answer_with_secret(made: WithSecret, status: int = 200) -> Answer:
    """The database wrote the webhook; the secret, which it cannot read, is put behind it."""
    return data_answer(f'{made.document.removesuffix("}")}, "secret": "{made.secret}"}}', status)
