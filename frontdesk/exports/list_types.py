"""What a list to export is: its name, its columns and how its rows are read."""

from enum import StrEnum
from typing import NamedTuple


class ListName(StrEnum):
    CUSTOMERS = "customers"
    ITEMS = "items"
    STAFF = "staff"
    ORDERS = "orders"
    TRANSACTIONS = "transactions"
    INVOICES = "invoices"
    CREDIT_NOTES = "credit-notes"
    PACKAGES = "packages"
    STOCK = "stock"
    WAITING_LIST = "waiting-list"
    DRAWER = "drawer"
    DAY_CLOSES = "day-closes"
    MESSAGES = "messages"
    COMMISSION_RATES = "commission-rates"
    BRANCHES = "branches"
    PAYMENT_METHODS = "payment-methods"
    CASHIERS = "cashiers"
    TAX_CLASSES = "tax-classes"
    MEMBERS = "members"
    INVITATIONS = "invitations"
    ACTIVITY = "activity"


class ExportedList(NamedTuple):
    """`sql` reads the table from {rows}: a batch of its rows in the order of the key, with all filters applied.

    The first column is the key, which is not exported. `time` is the column that a period is compared with.
    """

    columns: tuple[str, ...]
    sql: str
    table: str
    key: str = "id"
    time: str | None = None
    only: str = ""  # a condition that all exported rows meet

    @property
    def key_type(self) -> str:
        return "uuid" if self.key.endswith("id") else "bigint"

    @property
    def first_key(self) -> object:
        return _NO_UUID if self.key_type == "uuid" else 0


_NO_UUID = "00000000-0000-0000-0000-000000000000"
# The name in the first language of the business, or in any.
NAME = "coalesce({0} ->> t.languages[1], (SELECT min(value) FROM jsonb_each_text({0})))"
