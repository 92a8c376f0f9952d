"""Applications in plain words: their status, what they can be told of, and the scopes they ask for."""

from collections.abc import Collection, Iterable
from typing import NamedTuple

from frontdesk.applications.types import AskedScope, Status, Step
from frontdesk.ui.settings.scope_labels import SCOPE_GROUPS, ScopeWords
from frontdesk.ui.shell.i18n import mark
from frontdesk.webhooks.event_types import Kind

# The word and the glyph of the work that it is like.
STATUSES = {
    Status.DRAFT: (mark("Draft"), "draft"),
    Status.IN_REVIEW: (mark("In review"), "in-progress"),
    Status.APPROVED: (mark("Approved"), "completed"),
    Status.REJECTED: (mark("Rejected"), "canceled"),
    Status.SUSPENDED: (mark("Suspended"), "canceled"),
}
STEPS = {
    Step.SUBMITTED: mark("Handed in"),
    Step.WITHDRAWN: mark("Taken back"),
    Step.APPROVED: mark("Approved"),
    Step.REJECTED: mark("Rejected"),
    Step.SUSPENDED: mark("Suspended"),
}
EVENTS = {
    Kind.ORDER_CREATED: mark("An order is placed"),
    Kind.ORDER_STATUS_CHANGED: mark("An order changes its status"),
    Kind.ORDER_RESCHEDULED: mark("An appointment is moved"),
    Kind.ORDER_PAYMENT_STATUS_CHANGED: mark("An order is paid or refunded"),
    Kind.TRANSACTION_CREATED: mark("A payment or refund is recorded"),
    Kind.CUSTOMER_CREATED: mark("A customer is added"),
    Kind.CUSTOMER_UPDATED: mark("A customer is changed"),
    Kind.ITEM_STOCK_CHANGED: mark("Stock changes"),
    Kind.APP_INSTALLED: mark("The application is installed"),
    Kind.APP_SCOPES_CHANGED: mark("What the application may do changes"),
}
LINKS = {
    "website": mark("Website"),
    "support": mark("Support"),
    "privacy": mark("Privacy policy"),
    "setup": mark("Set-up page"),
}
# The parts of a version that can differ from the one before.
PARTS = {
    "name": mark("Name"),
    "description": mark("Description"),
    "links": mark("Links"),
    "scopes": mark("Scopes"),
    "webhook_url": mark("Webhook address"),
    "webhook_events": mark("Webhook events"),
    "payment_methods": mark("Payment methods"),
    "pictures": mark("Pictures"),
}
# What an application lacks, and what is refused about one; said in frontdesk/applications.
FAULTS = (
    mark("It needs a description."),
    mark("It needs links to support and to its privacy policy."),
    mark("It asks for no scope."),
    mark("It is to be told of events that no scope it asks for can read."),
    mark("Its webhooks need a signing secret."),
    mark("This application is installed already."),
    mark("This application cannot be changed now: take it back to a draft first."),
    mark("This cannot be decided about an application that is {q}."),
    mark("The developer changed it meanwhile. Look at it again before you decide."),
    mark("Only a draft can be handed in."),
    mark("Only what is in review or approved can be taken back."),
    mark("You are a developer already."),
    mark("cannot be left out"),
    mark("{q} is not asked for"),
    mark("{q} needs the scope {q}, which is not asked for"),
    mark("must be an address that begins with https://"),
    mark("must have at most {n} entries"),
    mark("must be smaller than {n} kB"),
    mark("must be a PNG or JPEG file"),
    mark("must be at most {n} pixels wide and high"),
    mark("must be as wide as it is high"),
    mark("would be more than {n}: remove one first"),
)


class AskedWords(NamedTuple):
    words: ScopeWords
    asked: AskedScope


class AskedGroup(NamedTuple):
    name: str
    scopes: list[AskedWords]


def asked_groups(asked: Iterable[AskedScope]) -> list[AskedGroup]:
    """In the order and the groups of every page about scopes; groups of which nothing is asked are left out."""
    by_scope = {one.scope: one for one in asked}
    groups = [
        AskedGroup(
            group.name, [AskedWords(words, by_scope[words.scope]) for words in group.scopes if words.scope in by_scope]
        )
        for group in SCOPE_GROUPS
    ]
    return [group for group in groups if group.scopes]


def scope_names(scopes: Collection[str]) -> list[str]:
    """In the order of every page about scopes."""
    return [words.name for group in SCOPE_GROUPS for words in group.scopes if words.scope in scopes]
