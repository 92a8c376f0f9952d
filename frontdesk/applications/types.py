from datetime import datetime
from enum import StrEnum
from typing import NamedTuple
from uuid import UUID

import msgspec

from frontdesk.auth.request_log_queries import LoggedRequest, ScopeUse


class ApplicationStatus(StrEnum):
    DRAFT = "draft"
    IN_REVIEW = "in_review"
    APPROVED = "approved"
    REJECTED = "rejected"
    SUSPENDED = "suspended"


class ReviewAction(StrEnum):
    """A change of the review status."""

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
    role: str  # icon (square) or screenshot
    width: int
    height: int
    alt_text: str


class Listing(msgspec.Struct, frozen=True):
    """The public description of an application, written by its developer."""

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
    status: ApplicationStatus
    review_reason: str | None
    commission_note: str | None
    version: int | None  # None for the record that the developer edits
    submitted_version: int | None  # the version in review
    approved_version: int | None  # the version that businesses see
    scopes: list[RequestedScope]
    webhook_url: str | None
    webhook_events: list[str]
    signs: bool  # it has a signing secret for webhooks
    payment_methods: list[dict[str, str]]
    pictures: list[Picture]
    submitted_at: datetime | None
    approved_at: datetime | None
    created_at: datetime
    redirect_uris: list[str] = msgspec.field(default_factory=list)  # earlier versions have none

    @property
    def is_editable(self) -> bool:
        return self.status in (ApplicationStatus.DRAFT, ApplicationStatus.REJECTED)

    @property
    def icon(self) -> Picture | None:
        return next((picture for picture in self.pictures if picture.role == "icon"), None)

    @property
    def screenshots(self) -> list[Picture]:
        return [picture for picture in self.pictures if picture.role == "screenshot"]

    def describe(self, language: str) -> str:
        return self.description.get(language) or next((text for text in self.description.values() if text), "")


class InstallableApplication(msgspec.Struct, frozen=True):
    """An application that a business can install: the approved version, or the draft in the developer's sandbox."""

    application: Application
    is_trial: bool  # in the sandbox of its own developer
    install_id: UUID | None  # if the business has installed it
    businesses: int  # that have it installed


class ApplicationSummary(msgspec.Struct, frozen=True):
    """An application in the operator's list."""

    id: UUID
    slug: str
    name: str
    developer: str
    status: ApplicationStatus
    submitted_at: datetime | None
    created_at: datetime
    businesses: int
    version: int | None  # the version in review


class ReviewLogEntry(msgspec.Struct, frozen=True):
    step: ReviewAction
    version: int | None
    reason: str | None
    by: str | None
    at: datetime


class Install(msgspec.Struct, frozen=True):
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
    icon_id: UUID | None
    version: int | None  # accepted by the business; None in the developer's sandbox
    approved_version: int | None

    @property
    def has_new_version(self) -> bool:
        return self.version is not None and self.version != self.approved_version


class DisconnectImpact(msgspec.Struct, frozen=True):
    """What stops working when an application is disconnected."""

    tokens: int
    webhooks: list[str]
    payment_methods: list[dict[str, str]]


class WebhookStats(NamedTuple):
    """Results of its webhook deliveries."""

    arrived: int
    arrived_at: datetime | None
    failed: int  # failed permanently, or waiting for a retry
    failure: str | None  # the last one


class TriedScenario(msgspec.Struct, frozen=True):
    """How a program did when something went wrong. The texts are those of the kit, in English."""

    id: str
    outcome: str
    title: str
    expected: str
    message: str | None = None


class ConformanceResult(NamedTuple):
    kit: str
    passed: int
    failed: int
    skipped: int
    scenarios: list[TriedScenario]
    created_at: datetime

    def with_outcome(self, outcome: str) -> list[TriedScenario]:
        return [scenario for scenario in self.scenarios if scenario.outcome == outcome]


class SandboxUsage(NamedTuple):
    """What an application did in its developer's sandbox."""

    installed: bool
    uses: dict[str, ScopeUse]
    webhook: WebhookStats
    errors: list[LoggedRequest]
    conformance: ConformanceResult | None


class Developer(msgspec.Struct, frozen=True):
    name: str
    sandbox_id: UUID
    sandbox_name: str
