"""Applications in plain words: their status, what they can be told of, and the scopes they ask for."""

from collections.abc import Iterable
from typing import NamedTuple

from frontdesk.applications.types import AskedScope, Status, Step
from frontdesk.dashboard.language import mark
from frontdesk.dashboard.scope_words import SCOPE_GROUPS, ScopeWords
from frontdesk.events.kinds import Kind

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
