"""Labels of applications: status, review actions, events, links and requested scopes."""

from collections.abc import Collection, Iterable
from typing import NamedTuple

from frontdesk.applications.types import ApplicationStatus, RequestedScope, ReviewAction
from frontdesk.i18n.texts import N_
from frontdesk.ui.shell.scope_labels import SCOPE_GROUPS, ScopeLabels
from frontdesk.webhooks.event_types import EventType

# The label, and the icon of the order status that it resembles.
STATUSES = {
    ApplicationStatus.DRAFT: (N_("Draft"), "draft"),
    ApplicationStatus.IN_REVIEW: (N_("In review"), "in-progress"),
    ApplicationStatus.APPROVED: (N_("Approved"), "completed"),
    ApplicationStatus.REJECTED: (N_("Rejected"), "canceled"),
    ApplicationStatus.SUSPENDED: (N_("Suspended"), "canceled"),
}
STEPS = {
    ReviewAction.SUBMITTED: N_("Submitted"),
    ReviewAction.WITHDRAWN: N_("Withdrawn"),
    ReviewAction.APPROVED: N_("Approved"),
    ReviewAction.REJECTED: N_("Rejected"),
    ReviewAction.SUSPENDED: N_("Suspended"),
}
EVENTS = {
    EventType.ORDER_CREATED: N_("An order is placed"),
    EventType.ORDER_STATUS_CHANGED: N_("An order changes its status"),
    EventType.ORDER_RESCHEDULED: N_("An appointment is moved"),
    EventType.ORDER_UPDATED: N_("The lines of an order change"),
    EventType.ORDER_PAYMENT_STATUS_CHANGED: N_("An order is paid or refunded"),
    EventType.TRANSACTION_CREATED: N_("A payment or refund is recorded"),
    EventType.CUSTOMER_CREATED: N_("A customer is added"),
    EventType.CUSTOMER_UPDATED: N_("A customer is changed"),
    EventType.CUSTOMER_DELETED: N_("A customer is merged or removed"),
    EventType.ITEM_STOCK_CHANGED: N_("Stock changes"),
    EventType.ITEM_CREATED: N_("A service or product is added"),
    EventType.ITEM_UPDATED: N_("A service or product is changed"),
    EventType.ITEM_DELETED: N_("A service or product is deleted"),
    EventType.CATEGORY_CREATED: N_("A category is added"),
    EventType.CATEGORY_UPDATED: N_("A category is changed"),
    EventType.CATEGORY_DELETED: N_("A category is deleted"),
    EventType.PACKAGE_CREATED: N_("A package is added"),
    EventType.PACKAGE_UPDATED: N_("A package is changed"),
    EventType.PACKAGE_DELETED: N_("A package is deleted"),
    EventType.STAFF_CREATED: N_("A staff member is added"),
    EventType.STAFF_UPDATED: N_("A staff member is changed"),
    EventType.STAFF_DELETED: N_("A staff member is deleted"),
    EventType.WORKING_HOURS_UPDATED: N_("The weekly hours of a branch or a staff member change"),
    EventType.HOUR_EXCEPTION_CREATED: N_("A day gets other hours"),
    EventType.HOUR_EXCEPTION_UPDATED: N_("The other hours of a day change"),
    EventType.HOUR_EXCEPTION_DELETED: N_("A day gets its usual hours back"),
    EventType.TIME_OFF_CREATED: N_("Time off is added or requested"),
    EventType.TIME_OFF_UPDATED: N_("Time off is approved or declined"),
    EventType.TIME_OFF_DELETED: N_("Time off is removed"),
    EventType.CLOSED_DAYS_UPDATED: N_("The closed days of a branch change"),
    EventType.BRANCH_CREATED: N_("A branch is added"),
    EventType.BRANCH_UPDATED: N_("A branch is changed"),
    EventType.PAYMENT_METHOD_CREATED: N_("A payment method is added"),
    EventType.PAYMENT_METHOD_UPDATED: N_("A payment method is changed"),
    EventType.PAYMENT_METHOD_DELETED: N_("A payment method is deleted"),
    EventType.TAX_CLASS_CREATED: N_("A tax class is added"),
    EventType.TAX_CLASS_UPDATED: N_("A tax class is changed"),
    EventType.TAX_CLASS_DELETED: N_("A tax class is deleted"),
    EventType.SETTINGS_UPDATED: N_("The settings of the business change"),
    EventType.BOOKING_PAGE_UPDATED: N_("The settings of the booking page change"),
    EventType.DRAWER_SETTINGS_UPDATED: N_("The settings of drawers change"),
    EventType.MESSAGE_SETTINGS_UPDATED: N_("The settings of messages change"),
    EventType.MESSAGE_DUE: N_("A message to a customer is due"),
    EventType.APP_INSTALLED: N_("The application is installed"),
    EventType.APP_SCOPES_CHANGED: N_("What the application may do changes"),
}
LINKS = {
    "website": N_("Website"),
    "support": N_("Support"),
    "privacy": N_("Privacy policy"),
    "setup": N_("Set-up page"),
}
# Addresses for frames and buttons of the dashboard.
DASHBOARD_LINKS = {
    "settings": N_("Its settings for a business"),
    "order_panel": N_("Panel beside an order"),
    "customer_panel": N_("Panel beside a customer"),
}
# The parts that can differ between two versions.
PARTS = {
    "name": N_("Name"),
    "description": N_("Description"),
    "links": N_("Links"),
    "scopes": N_("Scopes"),
    "webhook_url": N_("Webhook address"),
    "webhook_events": N_("Webhook events"),
    "payment_methods": N_("Payment methods"),
    "pictures": N_("Pictures"),
    "redirect_uris": N_("Redirect addresses"),
}


class RequestedScopeLabels(NamedTuple):
    labels: ScopeLabels
    requested: RequestedScope


class RequestedScopeGroup(NamedTuple):
    name: str
    scopes: list[RequestedScopeLabels]


def requested_scope_groups(requested: Iterable[RequestedScope]) -> list[RequestedScopeGroup]:
    """The requested scopes in their groups and their usual order, without empty groups."""
    by_scope = {scope.scope: scope for scope in requested}
    groups = [
        RequestedScopeGroup(
            group.name,
            [
                RequestedScopeLabels(labels, by_scope[labels.scope])
                for labels in group.scopes
                if labels.scope in by_scope
            ],
        )
        for group in SCOPE_GROUPS
    ]
    return [group for group in groups if group.scopes]


def scope_labels(scopes: Collection[str]) -> list[ScopeLabels]:
    """In their usual order."""
    return [labels for group in SCOPE_GROUPS for labels in group.scopes if labels.scope in scopes]


def scope_names(scopes: Collection[str]) -> list[str]:
    """The names of the scopes, in their usual order."""
    return [labels.name for labels in scope_labels(scopes)]
