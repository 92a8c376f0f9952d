"""Changing a webhook: its URL, events and filters, whether it is enabled, its signing secret; and deleting it."""

from collections.abc import Collection, Sequence
from uuid import UUID

from frontdesk.postgres.act import Act, Context, FunctionCall, NewSecret, ResponseDocument
from frontdesk.postgres.query import Query, lock_row
from frontdesk.problems import Problem, SharedProblem, not_found, raise_all, stored_form
from frontdesk.webhooks.event_types import EventType
from frontdesk.webhooks.problems import OffReason, WebhookProblem
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
    branch_ids: Sequence[UUID] | None = None
    changed_fields: Sequence[str] | None = None
    is_thin: bool | None = None
    seen: str | None = None  # when the webhook was last changed that a form shows

    def load(self) -> Query[WebhookState | None]:
        query = webhook_state(self.webhook_id, self.client_id, self.branch_ids or ())
        return query.locking(lock_row("webhooks", self.webhook_id, "UPDATE"))

    def decide(self, context: Context[WebhookState | None]) -> FunctionCall:
        webhook = require_webhook(context.loaded)
        if self.seen not in (None, webhook.updated_at):
            raise Problem(SharedProblem.OUTDATED, subject_id=webhook.id, tenant_id=None, version=None)
        require_branches(self.branch_ids or (), webhook.known_branches)
        argument = {
            "id": webhook.id,
            "client_id": webhook.client_id,
            "url": self.url,
            "events": self.events,
            "branch_ids": self.branch_ids,
            "changed_fields": self.changed_fields,
            "is_thin": self.is_thin,
            "active": self.active,
            "disabled_reason": SWITCHED_OFF,
            "seen": self.seen,
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


def require_branches(requested: Sequence[UUID], known: Collection[UUID]) -> None:
    unknown = [index for index, branch_id in enumerate(requested) if branch_id not in known]
    raise_all([Problem(WebhookProblem.UNKNOWN_BRANCH, "branch_ids", index) for index in unknown])
