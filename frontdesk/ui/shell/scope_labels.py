"""Names and explanations of the scopes, in the groups that pages show."""

from collections.abc import Mapping
from typing import NamedTuple

from frontdesk.auth.customer_reads import ShownFields
from frontdesk.auth.scopes import Scope
from frontdesk.i18n.texts import N_


class ScopeLabels(NamedTuple):
    scope: Scope
    name: str
    meaning: str


class ScopeGroup(NamedTuple):
    name: str
    scopes: tuple[ScopeLabels, ...]


class ScopePreset(NamedTuple):
    """A usual choice of scopes, to begin with."""

    key: str
    name: str
    meaning: str
    scopes: frozenset[Scope]


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
                N_("See and hold available times, create and change orders, move bookings, and keep the waiting list."),
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
                Scope.REFUNDS_WRITE,
                N_("Refund orders"),
                N_("Give money back for an order, as you do on its page, and cancel its appointment with it."),
            ),
            ScopeLabels(
                Scope.PAYMENT_METHODS_READ,
                N_("Read payment methods"),
                N_("See how your customers can pay."),
            ),
            ScopeLabels(
                Scope.PAYMENT_METHODS_WRITE,
                N_("Add and change payment methods"),
                N_("Add, rename, switch off and delete the payment methods that your till offers."),
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
                N_("Add and change customers"),
                N_("Add people to your list of customers, change what it says of them, tag, block and merge them."),
            ),
            ScopeLabels(
                Scope.CUSTOMER_NOTES_READ,
                N_("Read notes about customers"),
                N_("See what your team has written about customers. It can be private, such as an illness."),
            ),
            ScopeLabels(
                Scope.CUSTOMER_NOTES_WRITE,
                N_("Add and change notes about customers"),
                N_("Add and delete notes about customers, and make a note a warning that the team sees first."),
            ),
            ScopeLabels(
                Scope.STAFF_READ,
                N_("Read staff"),
                N_("See who works where, what they perform and their hours."),
            ),
            ScopeLabels(
                Scope.STAFF_WRITE,
                N_("Add and change staff"),
                N_("Add and change people and cashiers, what they perform and earn, and set hours and time off."),
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
                Scope.ITEMS_WRITE,
                N_("Change the catalogue"),
                N_("Add, change and delete services, products, packages and categories, with their prices and stock."),
            ),
            ScopeLabels(
                Scope.CATEGORIES_READ,
                N_("Read categories"),
                N_("See how the catalogue is organized."),
            ),
        ),
    ),
    ScopeGroup(
        N_("Branches and settings"),
        (
            ScopeLabels(
                Scope.BRANCHES_READ,
                N_("Read branches"),
                N_("See your stores with their addresses and phones, and the settings of the business."),
            ),
            ScopeLabels(
                Scope.SETTINGS_WRITE,
                N_("Change settings"),
                N_("Change the settings of the business, branches with their hours and closed days, and tax classes."),
            ),
        ),
    ),
)
SCOPE_NAMES = {labels.scope.value: labels.name for group in SCOPE_GROUPS for labels in group.scopes}
SCOPE_PRESETS = (
    ScopePreset(
        "bookings",
        N_("Bookings"),
        N_("For a website or an assistant: reads what can be booked, adds customers, books and records payments."),
        frozenset(
            (
                Scope.BRANCHES_READ,
                Scope.CATEGORIES_READ,
                Scope.ITEMS_READ,
                Scope.STAFF_READ,
                Scope.PAYMENT_METHODS_READ,
                Scope.CUSTOMERS_WRITE,
                Scope.ORDERS_READ,
                Scope.ORDERS_WRITE,
                Scope.TRANSACTIONS_WRITE,
            )
        ),
    ),
    ScopePreset(
        "read",
        N_("Read only"),
        N_("For reports and accounting: sees all but notes about customers, also payments, and changes nothing."),
        frozenset(scope for scope in Scope if scope.endswith(":read")) - {Scope.CUSTOMER_NOTES_READ},
    ),
    ScopePreset(
        "everything",
        N_("Everything"),
        N_("All scopes, for a program that you run yourself."),
        frozenset(Scope),
    ),
)
# What programs were shown of a customer.
SHOWN_FIELDS: Mapping[ShownFields, str] = {
    ShownFields.CONTACT: N_("Name and contact details"),
    ShownFields.NOTES: N_("Notes of the team"),
    ShownFields.ORDERS: N_("Bookings and purchases"),
}
