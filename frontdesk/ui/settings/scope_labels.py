"""Names and explanations of the scopes, in the groups that pages show."""

from typing import NamedTuple

from frontdesk.auth.scopes import Scope
from frontdesk.ui.shell.i18n import N_


class ScopeLabels(NamedTuple):
    scope: Scope
    name: str
    meaning: str


class ScopeGroup(NamedTuple):
    name: str
    scopes: tuple[ScopeLabels, ...]


SCOPE_GROUPS = (
    ScopeGroup(
        N_("Orders and money"),
        (
            ScopeLabels(
                Scope.ORDERS_READ,
                N_("Read orders"),
                N_("See every order with its lines, totals and status, past and future."),
            ),
            ScopeLabels(
                Scope.ORDERS_WRITE,
                N_("Book and change orders"),
                N_("See available times, create orders and bookings, and change the status of orders."),
            ),
            ScopeLabels(
                Scope.TRANSACTIONS_READ,
                N_("Read payments"),
                N_("See payments and refunds with method, amount and reference. Never card numbers."),
            ),
            ScopeLabels(
                Scope.TRANSACTIONS_WRITE,
                N_("Record payments"),
                N_("Record a payment against an order, for example when a bank transfer arrives."),
            ),
            ScopeLabels(
                Scope.PAYMENT_METHODS_READ,
                N_("Read payment methods"),
                N_("See how your customers can pay."),
            ),
            ScopeLabels(
                Scope.PAYMENT_METHODS_WRITE,
                N_("Add payment methods"),
                N_("Add payment methods that your till then offers."),
            ),
        ),
    ),
    ScopeGroup(
        N_("People"),
        (
            ScopeLabels(
                Scope.CUSTOMERS_READ,
                N_("Read customers"),
                N_("See names, phones, e-mails, addresses and tax registration numbers."),
            ),
            ScopeLabels(
                Scope.CUSTOMERS_WRITE,
                N_("Add customers"),
                N_("Add people to your list of customers."),
            ),
            ScopeLabels(
                Scope.STAFF_READ,
                N_("Read staff"),
                N_("See who works where, what they perform and their hours."),
            ),
        ),
    ),
    ScopeGroup(
        N_("Catalogue"),
        (
            ScopeLabels(
                Scope.ITEMS_READ,
                N_("Read services and products"),
                N_("See the catalogue with prices, cost and stock."),
            ),
            ScopeLabels(
                Scope.CATEGORIES_READ,
                N_("Read categories"),
                N_("See how the catalogue is organized."),
            ),
            ScopeLabels(
                Scope.BRANCHES_READ,
                N_("Read branches"),
                N_("See your stores with their addresses and phones."),
            ),
        ),
    ),
)
SCOPE_NAMES = {labels.scope.value: labels.name for group in SCOPE_GROUPS for labels in group.scopes}
