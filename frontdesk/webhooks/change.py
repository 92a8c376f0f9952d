"""Changing a webhook: its URL, its events, whether it is enabled, its signing secret; and deleting it."""

from collections.abc import Sequence
from uuid import UUID

from frontdesk.postgres.act import Act, Context, FunctionCall, NewSecret, ResponseDocument
from frontdesk.postgres.query import Query, lock_row
from frontdesk.problems import Problem, not_found, stored_form
from frontdesk.webhooks.event_types import EventType
from frontdesk.webhooks.problems import OffReason
from frontdesk.webhooks.state_queries import webhook_state
from frontdesk.webhooks.types import WebhookState

SWITCHED_OFF = stored_form(Problem(OffReason.SWITCHED_OFF))


class WebhookAct(Act[WebhookState | None], frozen=True):
    webhook_id: UUID
    client_id: UUID | None = None  # whose it is; None: the caller's

    def load(self) -> Query[WebhookState | None]:
        return webhook_state(self.webhook_id, self.client_id).locking(lock_row("webhooks", self.webhook_id, "UPDATE"))


class UpdateWebhook(WebhookAct, frozen=True):
    """None means unchanged."""

    url: str | None = None
    events: Sequence[EventType] | None = None
    active: bool | None = None

    def decide(self, context: Context[WebhookState | None]) -> FunctionCall:
        webhook = require_webhook(context.loaded)
        argument = {
            "id": webhook.id,
            "client_id": webhook.client_id,
            "url": self.url,
            "events": self.events,
            "active": self.active,
            "disabled_reason": SWITCHED_OFF,
        }
        return FunctionCall("update_webhook", argument, ResponseDocument("webhook_document", webhook.id))


class DeleteWebhook(WebhookAct, frozen=True):
    def decide(self, context: Context[WebhookState | None]) -> FunctionCall:
        webhook = require_webhook(context.loaded)
        return FunctionCall("delete_webhook", {"id": webhook.id, "client_id": webhook.client_id})


class RotateWebhookSecret(WebhookAct, frozen=True):
    secret: NewSecret | None = None  # that of an API request is added before it is decided

    def decide(self, context: Context[WebhookState | None]) -> FunctionCall:
        webhook = require_webhook(context.loaded)
        encrypted = self.secret and self.secret.encrypted
        argument = {"id": webhook.id, "client_id": webhook.client_id, "secret": encrypted}
        document = ResponseDocument("webhook_document", webhook.id)
        return FunctionCall("rotate_webhook_secret", argument, document, secret=self.secret)


def require_webhook(loaded: WebhookState | None) -> WebhookState:
    if loaded is None:
        raise not_found("webhook")
    return loaded
