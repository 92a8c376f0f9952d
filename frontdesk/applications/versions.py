"""Versions of an application, and the differences between them."""

import msgspec

from frontdesk.applications.problems import ReviewProblem
from frontdesk.applications.types import Application, Picture, RequestedScope
from frontdesk.problems import Problem


class VersionedListing(msgspec.Struct, frozen=True):
    """The parts of an application that are versioned: what businesses see and the developer can edit."""

    name: str
    description: dict[str, str]
    links: dict[str, str]
    scopes: list[RequestedScope]
    webhook_url: str | None
    webhook_events: list[str]
    payment_methods: list[dict[str, str]]
    pictures: list[Picture]
    redirect_uris: list[str] = msgspec.field(default_factory=list)  # earlier versions have none


class Changes(msgspec.Struct, frozen=True):
    """From one version to a later one."""

    parts: list[str]  # names of the fields of a listing that differ
    added_scopes: list[str]
    dropped_scopes: list[str]
    added_methods: list[dict[str, str]]
    dropped_methods: list[dict[str, str]]

    @property
    def webhook(self) -> bool:
        return bool({"webhook_url", "webhook_events"} & set(self.parts))


def compare(before: VersionedListing, now: Application | VersionedListing) -> Changes:
    old, new = {scope.scope for scope in before.scopes}, {scope.scope for scope in now.scopes}
    return Changes(
        [name for name in VersionedListing.__struct_fields__ if getattr(before, name) != getattr(now, name)],
        sorted(new - old),
        sorted(old - new),
        [method for method in now.payment_methods if method not in before.payment_methods],
        [method for method in before.payment_methods if method not in now.payment_methods],
    )


def require_version(shown: int, current: int | None) -> None:
    """A form contains the version that its page showed, 0 for the developer's record."""
    if shown != (current or 0):
        raise Problem(ReviewProblem.VERSION_CHANGED)
