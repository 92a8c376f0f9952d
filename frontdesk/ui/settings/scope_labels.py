"""What each scope means for a business, in plain words, in the groups that a page shows them in."""

from typing import NamedTuple

from frontdesk.auth.scopes import Scope
from frontdesk.ui.shell.i18n import mark


class ScopeWords(NamedTuple):
    scope: Scope
    name: str
    meaning: str


class ScopeGroup(NamedTuple):
    name: str
    scopes: tuple[ScopeWords, ...]


SCOPE_GROUPS = (
    ScopeGroup(
        mark("Orders and money"),
        (
            ScopeWords(
                Scope.ORDERS_READ,
                mark("Read orders"),
                mark("See every order with its lines, totals and status, past and future."),
            ),
            ScopeWords(
                Scope.ORDERS_WRITE,
                mark("Book and change orders"),
                mark("See free times, place orders and bookings, and move an order from status to status."),
            ),
            ScopeWords(
                Scope.TRANSACTIONS_READ,
                mark("Read payments"),
                mark("See payments and refunds with method, amount and reference. Never card numbers."),
            ),
            ScopeWords(
                Scope.TRANSACTIONS_WRITE,
                mark("Record payments"),
                mark("Record a payment against an order, for example when a bank transfer arrives."),
            ),
            ScopeWords(
                Scope.PAYMENT_METHODS_READ,
                mark("Read payment methods"),
                mark("See by which methods your customers can pay."),
            ),
            ScopeWords(
                Scope.PAYMENT_METHODS_WRITE,
                mark("Add payment methods"),
                mark("Add methods that your till then offers."),
            ),
        ),
    ),
    ScopeGroup(
        mark("People"),
        (
            ScopeWords(
                Scope.CUSTOMERS_READ,
                mark("Read customers"),
                mark("See names, phones, e-mails, addresses and tax registration numbers."),
            ),
            ScopeWords(
                Scope.CUSTOMERS_WRITE,
                mark("Add customers"),
                mark("Add people to your list of customers."),
            ),
            ScopeWords(
                Scope.STAFF_READ,
                mark("Read staff"),
                mark("See who works where, what they perform and their hours."),
            ),
        ),
    ),
    ScopeGroup(
        mark("Catalogue"),
        (
            ScopeWords(
                Scope.ITEMS_READ,
                mark("Read services and products"),
                mark("See the catalogue with prices, cost and stock."),
            ),
            ScopeWords(
                Scope.CATEGORIES_READ,
                mark("Read categories"),
                mark("See how the catalogue is ordered."),
            ),
            ScopeWords(
                Scope.BRANCHES_READ,
                mark("Read branches"),
                mark("See your stores with their addresses and phones."),
            ),
        ),
    ),
)
