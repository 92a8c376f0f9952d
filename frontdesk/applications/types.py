from datetime import datetime
from enum import StrEnum
from typing import NamedTuple
from uuid import UUID

import msgspec

from frontdesk.auth.request_log_queries import LoggedRequest, ScopeUse


class Status(StrEnum):
    DRAFT = "draft"
    IN_REVIEW = "in_review"
    APPROVED = "approved"
    REJECTED = "rejected"
    SUSPENDED = "suspended"


class Step(StrEnum):
    """What moves an application from one status to the next."""

    SUBMITTED = "submitted"
    WITHDRAWN = "withdrawn"
    APPROVED = "approved"
    REJECTED = "rejected"
    SUSPENDED = "suspended"


class RequestedScope(msgspec.Struct, frozen=True):
    scope: str
    reason: str
    required: bool


class Picture(msgspec.Struct, frozen=True):
    id: UUID
    role: str  # mark: the small square one; view: what it looks like in use
    width: int
    height: int
    alternative: str


class Listing(msgspec.Struct, frozen=True):
    """What a developer says of an application."""

    name: str
    description: dict[str, str]  # by language
    links: dict[str, str]  # website, support, privacy, setup


class Application(msgspec.Struct, frozen=True):
    id: UUID
    developer_id: UUID
    developer: str
    name: str
    slug: str
    description: dict[str, str]
    links: dict[str, str]
    status: Status
    review_reason: str | None
    commission_note: str | None
    version: int | None  # which of its versions this is; None for the record that its developer edits
    submitted_version: int | None  # what an operator decides about
    approved_version: int | None  # what businesses see
    scopes: list[RequestedScope]
    webhook_url: str | None
    webhook_events: list[str]
    signs: bool  # it has the secret that its webhooks are signed with
    payment_methods: list[dict[str, str]]
    pictures: list[Picture]
    submitted_at: datetime | None
    approved_at: datetime | None
    created_at: datetime

    @property
    def may_change(self) -> bool:
        return self.status in (Status.DRAFT, Status.REJECTED)

    @property
    def mark(self) -> Picture | None:
        return next((picture for picture in self.pictures if picture.role == "mark"), None)

    @property
    def views(self) -> list[Picture]:
        return [picture for picture in self.pictures if picture.role == "view"]

    def describe(self, language: str) -> str:
        return self.description.get(language) or next((text for text in self.description.values() if text), "")


class InstallableApplication(msgspec.Struct, frozen=True):
    """An application as one business may install it: the approved version, but the record itself in a trial."""

    application: Application
    is_trial: bool  # in the sandbox of its own developer
    install_id: UUID | None  # of the install that the business has already
    businesses: int  # that have it installed


class ApplicationSummary(msgspec.Struct, frozen=True):
    """An application as the operator sees it in a list."""

    id: UUID
    slug: str
    name: str
    developer: str
    status: Status
    submitted_at: datetime | None
    created_at: datetime
    businesses: int
    version: int | None  # what an operator decides about


class ReviewStep(msgspec.Struct, frozen=True):
    step: Step
    version: int | None
    reason: str | None
    by: str | None
    at: datetime


class Install(msgspec.Struct, frozen=True):
    """An application at a business that let it in."""

    id: UUID
    application_id: UUID
    client_id: UUID
    name: str
    developer: str
    scopes: list[str]  # approved now
    secret_version: int
    installed_at: datetime
    suspended_at: datetime | None
    suspended_for: str | None
    last_used_at: datetime | None
    mark_id: UUID | None
    version: int | None  # that the business accepted; None in a trial
    approved_version: int | None

    @property
    def has_new_version(self) -> bool:
        return self.version is not None and self.version != self.approved_version


class DisconnectImpact(msgspec.Struct, frozen=True):
    """What disconnecting an application ends."""

    tokens: int
    webhooks: list[str]
    payment_methods: list[dict[str, str]]


class WebhookStats(NamedTuple):
    """How its webhook took what was sent."""

    arrived: int
    arrived_at: datetime | None
    failed: int  # given up, or to be tried again
    failure: str | None  # the last one


class SandboxUsage(NamedTuple):
    """What an application did in its developer's sandbox, through installs of its own."""

    installed: bool
    uses: dict[str, ScopeUse]
    webhook: WebhookStats
    errors: list[LoggedRequest]


class Developer(msgspec.Struct, frozen=True):
    name: str
    sandbox_id: UUID
    sandbox_name: str
