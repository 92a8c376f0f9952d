"""Creating a webhook, within the limits of its client and of the tenant's plan."""

from collections.abc import Sequence
from uuid import UUID

import msgspec

from frontdesk.postgres.act import Act, Context, FunctionCall, NewSecret, ResponseDocument
from frontdesk.postgres.pool import Connection
from frontdesk.postgres.query import Lock, Query, fetch
from frontdesk.postgres.write import call
from frontdesk.problems import Problem
from frontdesk.tenants.quotas import Quota, require_room
from frontdesk.values.actor import Actor
from frontdesk.values.ids import uuid7
from frontdesk.values.tenant_context import TenantContext
from frontdesk.webhooks.change import SWITCHED_OFF, require_branches
from frontdesk.webhooks.event_types import EventType
from frontdesk.webhooks.problems import WebhookProblem
from frontdesk.webhooks.state_queries import webhook_counts
from frontdesk.webhooks.types import WebhookCounts

MAX_WEBHOOKS = 20  # of one client


class AlreadyExists(Exception):
    """A webhook has this id already."""


class CreateWebhook(Act[WebhookCounts], frozen=True):
    """The client and the secret of an API request are added before it is decided."""

    url: str
    events: Sequence[EventType]
    active: bool = True
    branch_ids: Sequence[UUID] = ()  # empty: events of all
    changed_fields: Sequence[str] = ()  # empty: changes of all
    is_thin: bool = False
    client_id: UUID | None = None
    encrypted_secret: bytes = b""
    secret: NewSecret | None = None  # added to the response
    webhook_id: UUID = msgspec.field(default_factory=uuid7)

    def load(self) -> Query[WebhookCounts]:
        return webhook_counts(self.client_id, self.webhook_id, self.branch_ids).locking(
            Lock("SELECT lock_quotas($1)", ())
        )

    def decide(self, context: Context[WebhookCounts]) -> FunctionCall:
        counts = context.loaded
        if counts.id_exists:
            raise AlreadyExists
        if counts.of_client >= MAX_WEBHOOKS:
            raise Problem(WebhookProblem.TOO_MANY, "url", most=MAX_WEBHOOKS)
        require_branches(self.branch_ids, counts.known_branches)
        argument = {
            "id": self.webhook_id,
            "client_id": self.client_id,
            "url": self.url,
            "events": self.events,
            "branch_ids": self.branch_ids,
            "changed_fields": self.changed_fields,
            "is_thin": self.is_thin,
            "secret": self.encrypted_secret,
            "disabled_reason": None if self.active else SWITCHED_OFF,
            "plan": counts.plan,
            "quota": require_room(counts.plan, Quota.WEBHOOKS, counts.of_tenant),
            "max_of_client": MAX_WEBHOOKS,
        }
        document = ResponseDocument("webhook_document", self.webhook_id)
        return FunctionCall("create_webhook", argument, document, secret=self.secret)


async def subscribe_if_below_limit(conn: Connection, tenant: TenantContext, act: CreateWebhook, actor: Actor) -> None:
    """Inside a transaction that has locked the quotas. Does nothing if the client has MAX_WEBHOOKS."""
    counts = await fetch(conn, tenant.tenant_id, act.load())
    if counts.of_client < MAX_WEBHOOKS:
        await call(conn, tenant.tenant_id, act.decide(Context(tenant, actor, counts)), actor)
