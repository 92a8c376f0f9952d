"""Webhooks, their deliveries, and events."""

from collections.abc import Sequence

from frontdesk_client.models import (
    DataResponse,
    DateTime,
    DeletedResource,
    Deletion,
    Event,
    EventType,
    Id,
    Page,
    Webhook,
    WebhookDelivery,
    WebhookPayload,
    WebhookWithSecret,
)
from frontdesk_client.operations import ListOperation, Operation, Resource, TransportT
from frontdesk_client.request import MAX_PER_PAGE, ApiRequest, path, read, write


class Webhooks(Resource[TransportT]):
    @ListOperation
    def list(self, *, per_page: int = MAX_PER_PAGE) -> ApiRequest[Page[Webhook]]:
        """List the webhooks of this API client, newest first."""
        return read("/webhooks", Page[Webhook], per_page=per_page)

    @Operation
    def get(self, webhook_id: Id) -> ApiRequest[DataResponse[Webhook]]:
        """Get a webhook."""
        return read(path("/webhooks/{}", webhook_id), DataResponse[Webhook])

    @Operation
    def create(
        self,
        *,
        url: str,
        events: Sequence[EventType],
        branches: Sequence[Id] | None = None,
        changed_fields: Sequence[str] | None = None,
        payload: WebhookPayload | None = None,
        active: bool | None = None,
        idempotency_key: str | None = None,
    ) -> ApiRequest[DataResponse[WebhookWithSecret]]:
        """Create a webhook. The response contains its signing secret, which is not shown again."""
        return write(
            "POST",
            "/webhooks",
            DataResponse[WebhookWithSecret],
            idempotency_key,
            url=url,
            events=events,
            branches=branches,
            changed_fields=changed_fields,
            payload=payload,
            active=active,
        )

    @Operation
    def update(
        self,
        webhook_id: Id,
        *,
        url: str | None = None,
        events: Sequence[EventType] | None = None,
        branches: Sequence[Id] | None = None,
        changed_fields: Sequence[str] | None = None,
        payload: WebhookPayload | None = None,
        active: bool | None = None,
        idempotency_key: str | None = None,
    ) -> ApiRequest[DataResponse[Webhook]]:
        """Update a webhook. Omitted fields keep their value; an empty list of branches or fields means all."""
        return write(
            "PATCH",
            path("/webhooks/{}", webhook_id),
            DataResponse[Webhook],
            idempotency_key,
            url=url,
            events=events,
            branches=branches,
            changed_fields=changed_fields,
            payload=payload,
            active=active,
        )

    @Operation
    def delete(self, webhook_id: Id, *, idempotency_key: str | None = None) -> ApiRequest[DataResponse[None]]:
        """Delete a webhook. Its pending deliveries are not sent."""
        return write("DELETE", path("/webhooks/{}", webhook_id), DataResponse[None], idempotency_key)

    @Operation
    def ping(self, webhook_id: Id, *, idempotency_key: str | None = None) -> ApiRequest[DataResponse[WebhookDelivery]]:
        """Send a webhook.ping event to this webhook and return its delivery."""
        return write("POST", path("/webhooks/{}/ping", webhook_id), DataResponse[WebhookDelivery], idempotency_key)

    @Operation
    def rotate_secret(
        self, webhook_id: Id, *, idempotency_key: str | None = None
    ) -> ApiRequest[DataResponse[WebhookWithSecret]]:
        """Create a new signing secret, which is not shown again. The old one also signs for 24 hours."""
        return write(
            "POST", path("/webhooks/{}/rotate-secret", webhook_id), DataResponse[WebhookWithSecret], idempotency_key
        )

    @ListOperation
    def list_deliveries(self, webhook_id: Id, *, per_page: int = MAX_PER_PAGE) -> ApiRequest[Page[WebhookDelivery]]:
        """List the deliveries to a webhook with their attempts, newest first."""
        return read(path("/webhooks/{}/deliveries", webhook_id), Page[WebhookDelivery], per_page=per_page)

    @Operation
    def retry_delivery(
        self, delivery_id: Id, *, idempotency_key: str | None = None
    ) -> ApiRequest[DataResponse[WebhookDelivery]]:
        """Send an event again, even if it was delivered."""
        return write(
            "POST", path("/webhooks/deliveries/{}/retry", delivery_id), DataResponse[WebhookDelivery], idempotency_key
        )


class Deletions(Resource[TransportT]):
    @ListOperation
    def list(
        self,
        *,
        since: DateTime | None = None,
        after: str | None = None,
        resource: DeletedResource | None = None,
        per_page: int = MAX_PER_PAGE,
    ) -> ApiRequest[Page[Deletion]]:
        """List what was deleted, merged or erased, of the kinds that the token's scopes can read, earliest first."""
        return read("/deletions", Page[Deletion], since=since, after=after, resource=resource, per_page=per_page)


class Events(Resource[TransportT]):
    @ListOperation
    def list(
        self, *, after: int | None = None, type_: EventType | None = None, per_page: int = MAX_PER_PAGE
    ) -> ApiRequest[Page[Event]]:
        """List the events of the last 30 days that the token's scopes can read, ordered by sequence."""
        return read("/events", Page[Event], after=after, type_=type_, per_page=per_page)
