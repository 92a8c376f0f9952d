"""What happens at the business: webhooks, their deliveries, and the events themselves."""

from collections.abc import Sequence

from frontdesk.client.asking import ApiRequest, Id, at, read, write
from frontdesk.client.operations import Listing, Operation, Resource, TransportT
from frontdesk.values.envelopes import DataResponse, PageResponse
from frontdesk.values.pagination import MAX_PER_PAGE
from frontdesk.webhooks.documents import Event, Webhook, WebhookDelivery, WebhookWithSecret
from frontdesk.webhooks.event_types import EventType


class Webhooks(Resource[TransportT]):
    @Listing
    def list(self, *, per_page: int = MAX_PER_PAGE) -> ApiRequest[PageResponse[Webhook]]:
        """This client's webhooks, newest first."""
        return read("/webhooks", PageResponse[Webhook], per_page=per_page)

    @Operation
    def get(self, webhook_id: Id) -> ApiRequest[DataResponse[Webhook]]:
        """One webhook, with how its receiver is doing."""
        return read(at("/webhooks/{}", webhook_id), DataResponse[Webhook])

    @Operation
    def subscribe(
        self, *, url: str, events: Sequence[EventType | str], active: bool | None = None, key: str | None = None
    ) -> ApiRequest[DataResponse[WebhookWithSecret]]:
        """Subscribe to events. The secret that signs them is told here and never again."""
        return write("POST", "/webhooks", DataResponse[WebhookWithSecret], key, url=url, events=events, active=active)

    @Operation
    def change(
        self,
        webhook_id: Id,
        *,
        url: str | None = None,
        events: Sequence[EventType | str] | None = None,
        active: bool | None = None,
        key: str | None = None,
    ) -> ApiRequest[DataResponse[Webhook]]:
        """Update a webhook's url, events or active flag; fields that are left out stay as they are."""
        path = at("/webhooks/{}", webhook_id)
        return write("PATCH", path, DataResponse[Webhook], key, url=url, events=events, active=active)

    @Operation
    def delete(self, webhook_id: Id, *, key: str | None = None) -> ApiRequest[DataResponse[None]]:
        """Unsubscribe. Deliveries that wait are not sent any more."""
        return write("DELETE", at("/webhooks/{}", webhook_id), DataResponse[None], key)

    @Operation
    def ping(self, webhook_id: Id, *, key: str | None = None) -> ApiRequest[DataResponse[WebhookDelivery]]:
        """Send a webhook.ping to this webhook; answers with its delivery."""
        return write("POST", at("/webhooks/{}/ping", webhook_id), DataResponse[WebhookDelivery], key)

    @Operation
    def rotate_secret(self, webhook_id: Id, *, key: str | None = None) -> ApiRequest[DataResponse[WebhookWithSecret]]:
        """Sign with a new secret, told here and never again; the earlier one signs beside it for 24 hours."""
        return write("POST", at("/webhooks/{}/rotate-secret", webhook_id), DataResponse[WebhookWithSecret], key)

    @Listing
    def deliveries(self, webhook_id: Id, *, per_page: int = MAX_PER_PAGE) -> ApiRequest[PageResponse[WebhookDelivery]]:
        """What was sent to a webhook, or waits to be, newest first, with every attempt."""
        return read(at("/webhooks/{}/deliveries", webhook_id), PageResponse[WebhookDelivery], per_page=per_page)

    @Operation
    def retry(self, delivery_id: Id, *, key: str | None = None) -> ApiRequest[DataResponse[WebhookDelivery]]:
        """Send an event again, whatever came of it before."""
        return write("POST", at("/webhooks/deliveries/{}/retry", delivery_id), DataResponse[WebhookDelivery], key)


class Events(Resource[TransportT]):
    @Listing
    def list(
        self, *, after: int | None = None, type_: EventType | str | None = None, per_page: int = MAX_PER_PAGE
    ) -> ApiRequest[PageResponse[Event]]:
        """The events of the last 30 days that this token may read, in the order of their sequence."""
        return read("/events", PageResponse[Event], after=after, type_=type_, per_page=per_page)
