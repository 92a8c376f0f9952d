"""What happens at the business: webhooks, their deliveries, and the events themselves."""

from collections.abc import Sequence

from frontdesk.client.asking import Ask, Id, at, read, write
from frontdesk.client.operations import Listing, Operation, Resource, Way
from frontdesk.values.envelopes import DataOf, PageOf
from frontdesk.values.pagination import LONGEST_PAGE
from frontdesk.webhooks.documents import Delivery, Event, Webhook, WebhookWithSecret
from frontdesk.webhooks.event_types import Kind


class Webhooks(Resource[Way]):
    @Listing
    def list(self, *, per_page: int = LONGEST_PAGE) -> Ask[PageOf[Webhook]]:
        """This client's webhooks, newest first."""
        return read("/webhooks", PageOf[Webhook], per_page=per_page)

    @Operation
    def get(self, webhook_id: Id) -> Ask[DataOf[Webhook]]:
        """One webhook, with how its receiver is doing."""
        return read(at("/webhooks/{}", webhook_id), DataOf[Webhook])

    @Operation
    def subscribe(
        self, *, url: str, events: Sequence[Kind | str], active: bool | None = None, key: str | None = None
    ) -> Ask[DataOf[WebhookWithSecret]]:
        """Subscribe to events. The secret that signs them is told here and never again."""
        return write("POST", "/webhooks", DataOf[WebhookWithSecret], key, url=url, events=events, active=active)

    @Operation
    def change(
        self,
        webhook_id: Id,
        *,
        url: str | None = None,
        events: Sequence[Kind | str] | None = None,
        active: bool | None = None,
        key: str | None = None,
    ) -> Ask[DataOf[Webhook]]:
        """Update a webhook's url, events or active flag; fields that are left out stay as they are."""
        path = at("/webhooks/{}", webhook_id)
        return write("PATCH", path, DataOf[Webhook], key, url=url, events=events, active=active)

    @Operation
    def delete(self, webhook_id: Id, *, key: str | None = None) -> Ask[DataOf[None]]:
        """Unsubscribe. Deliveries that wait are not sent any more."""
        return write("DELETE", at("/webhooks/{}", webhook_id), DataOf[None], key)

    @Operation
    def ping(self, webhook_id: Id, *, key: str | None = None) -> Ask[DataOf[Delivery]]:
        """Send a webhook.ping to this webhook; answers with its delivery."""
        return write("POST", at("/webhooks/{}/ping", webhook_id), DataOf[Delivery], key)

    @Operation
    def rotate_secret(self, webhook_id: Id, *, key: str | None = None) -> Ask[DataOf[WebhookWithSecret]]:
        """Sign with a new secret, told here and never again; the earlier one signs beside it for 24 hours."""
        return write("POST", at("/webhooks/{}/rotate-secret", webhook_id), DataOf[WebhookWithSecret], key)

    @Listing
    def deliveries(self, webhook_id: Id, *, per_page: int = LONGEST_PAGE) -> Ask[PageOf[Delivery]]:
        """What was sent to a webhook, or waits to be, newest first, with every attempt."""
        return read(at("/webhooks/{}/deliveries", webhook_id), PageOf[Delivery], per_page=per_page)

    @Operation
    def retry(self, delivery_id: Id, *, key: str | None = None) -> Ask[DataOf[Delivery]]:
        """Send an event again, whatever came of it before."""
        return write("POST", at("/webhooks/deliveries/{}/retry", delivery_id), DataOf[Delivery], key)


class Events(Resource[Way]):
    @Listing
    def list(
        self, *, after: int | None = None, type_: Kind | str | None = None, per_page: int = LONGEST_PAGE
    ) -> Ask[PageOf[Event]]:
        """The events of the last 30 days that this token may read, in the order of their sequence."""
        return read("/events", PageOf[Event], after=after, type_=type_, per_page=per_page)
