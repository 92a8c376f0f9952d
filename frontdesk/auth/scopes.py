"""The scopes of the Open API and what each of them allows."""

from collections.abc import Iterable
from enum import StrEnum


class Scope(StrEnum):
    ORDERS_READ = "orders:read"
    ORDERS_WRITE = "orders:write"
    CUSTOMERS_READ = "customers:read"
    CUSTOMERS_WRITE = "customers:write"
    CUSTOMER_NOTES_READ = "customer_notes:read"
    CUSTOMER_NOTES_WRITE = "customer_notes:write"
    ITEMS_READ = "items:read"
    ITEMS_WRITE = "items:write"
    STAFF_READ = "staff:read"
    STAFF_WRITE = "staff:write"
    BRANCHES_READ = "branches:read"
    CATEGORIES_READ = "categories:read"
    PAYMENT_METHODS_READ = "payment_methods:read"
    PAYMENT_METHODS_WRITE = "payment_methods:write"
    REFUNDS_WRITE = "refunds:write"
    SETTINGS_WRITE = "settings:write"
    TRANSACTIONS_READ = "transactions:read"
    TRANSACTIONS_WRITE = "transactions:write"


SCOPE_DESCRIPTIONS: dict[Scope, str] = {
    Scope.ORDERS_READ: "Read orders",
    Scope.ORDERS_WRITE: "Create orders, change order status, check availability",
    Scope.CUSTOMERS_READ: "Read customers",
    Scope.CUSTOMERS_WRITE: "Create customers",
    Scope.CUSTOMER_NOTES_READ: "Read the notes of the team about customers",
    Scope.CUSTOMER_NOTES_WRITE: "Add and delete notes about customers, and make them warnings",
    Scope.ITEMS_READ: "Read items (services and products)",
    Scope.ITEMS_WRITE: "Create, change and delete items, packages and categories, record stock movements",
    Scope.STAFF_READ: "Read staff and their services, working hours",
    Scope.STAFF_WRITE: "Create and change staff, what they perform and earn, and cashiers, set hours and time off",
    Scope.BRANCHES_READ: "Read branches",
    Scope.CATEGORIES_READ: "Read categories",
    Scope.PAYMENT_METHODS_READ: "Read payment methods",
    Scope.PAYMENT_METHODS_WRITE: "Create, change and delete payment methods",
    Scope.REFUNDS_WRITE: "Refund orders",
    Scope.SETTINGS_WRITE: "Change the settings of the business, its branches with their hours, and tax classes",
    Scope.TRANSACTIONS_READ: "Read transactions",
    Scope.TRANSACTIONS_WRITE: "Record order payments (also needed for an inline payment)",
}

WILDCARD = "*"
_ALL: frozenset[str] = frozenset(Scope)


def unknown_scopes(names: Iterable[str]) -> list[str]:
    return [name for name in names if name != WILDCARD and name not in Scope.__members__.values()]


def effective_scopes(approved: frozenset[str], requested: frozenset[str] | None) -> frozenset[str]:
    """The scopes of a token: those that the tenant currently approves, restricted to the requested ones."""
    granted = _ALL if WILDCARD in approved else approved
    return granted if requested is None else granted & requested
