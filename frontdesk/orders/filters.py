"""The filters of lists of orders and transactions, as SQL conditions."""

from datetime import date
from typing import NamedTuple
from uuid import UUID

from frontdesk.custom_data.queries import conditions
from frontdesk.custom_data.types import NO_FILTER, CustomDataFilter
from frontdesk.orders.types import Status
from frontdesk.values.pagination import ChangesSince
from frontdesk.values.phones import digits_of

_MAX_DIGITS = 15
_BY_APPLICATION = "(created_by_type = 'app' AND created_by_id = $?)"
OF_STAFF = "id IN (SELECT l.order_id FROM order_lines l WHERE l.tenant_id = $1 AND l.staff_id = $?)"


_OF_CUSTOMER, _OF_BRANCH, _OF_ORDER = "customer_id = $?", "branch_id = $?", "order_id = $?"
_OF_BOOKING = "order_id = (SELECT k.order_id FROM bookings k WHERE k.tenant_id = $1 AND k.id = $?)"
# Filters by id: their condition, and the table of the record that they name.
RECORDS = {
    "customer_id": (_OF_CUSTOMER, "customers"),
    "staff_id": (OF_STAFF, "staff"),
    "branch_id": (_OF_BRANCH, "branches"),
    "order_id": (_OF_ORDER, "orders"),
    "booking_id": (_OF_BOOKING, "bookings"),
}


# Those that changed at a moment or later, and not before the record with this id; both are one parameter.
_CHANGED = """(updated_at, {1}) > (($?::text[])[1]::timestamptz, coalesce((
    SELECT p.{1} FROM {0} p WHERE p.tenant_id = $1 AND p.id = ($?::text[])[2]::uuid), 0))"""


def _changed(since: ChangesSince | None) -> list[str | None] | None:
    return None if since is None else [since.moment.isoformat(), None if since.after is None else str(since.after)]


class OrderFilter(NamedTuple):
    first: date | None = None
    last: date | None = None
    status: Status | None = None
    payment_status: str | None = None
    branch_id: UUID | None = None
    customer_id: UUID | None = None
    staff_id: UUID | None = None  # who performs one of its lines
    starts_from: date | None = None
    starts_to: date | None = None
    since: ChangesSince | None = None
    number: int | None = None
    numbers: tuple[int, ...] | None = None
    cashier: str | None = None
    client_id: UUID | None = None  # the application that created it
    ids: tuple[UUID, ...] | None = None
    of_key_branch: bool = False  # only what an API key bound to a branch may see
    own: CustomDataFilter = NO_FILTER

    @property
    def is_range(self) -> bool:
        """Whether the filter finds rows by an index that is not sorted by number."""
        return self.own != NO_FILTER or not (self.starts_from is None and self.starts_to is None)

    def conditions(self) -> dict[str, object]:
        """Conditions on other columns than the number, as SQL with `$?` for the value."""
        tests: dict[str, object | None] = {
            "status = $?": self.status,
            "payment_status = $?": self.payment_status,
            _OF_BRANCH: self.branch_id,
            _OF_CUSTOMER: self.customer_id,
            OF_STAFF: self.staff_id,
            "starts_at >= day_start($?::date, context.timezone)": self.starts_from,
            "starts_at < day_start($?::date + 1, context.timezone)": self.starts_to,
            _CHANGED.format("orders", "order_number"): _changed(self.since),
            "order_number = $?": self.number,
            "order_number = ANY ($?)": self.numbers,
            "position(lower($?::text) IN lower(cashier)) > 0": self.cashier,
            _BY_APPLICATION: self.client_id,
            "id = ANY ($?)": self.ids,
        }
        return {test: value for test, value in tests.items() if value is not None} | conditions(self.own, "order")


def typed_number(text: str) -> int | None:
    """The order number that people type into a search."""
    digits = digits_of(text)
    is_number = digits and len(digits) <= _MAX_DIGITS and not any(letter.isalpha() for letter in text)
    return int(digits) if is_number else None


class TransactionFilter(NamedTuple):
    first: date | None = None
    last: date | None = None
    status: str | None = None
    order_id: UUID | None = None
    booking_id: UUID | None = None
    since: ChangesSince | None = None

    @property
    def is_range(self) -> bool:
        return False

    def conditions(self) -> dict[str, object]:
        tests: dict[str, object | None] = {
            "status = $?": self.status,
            _OF_ORDER: self.order_id,
            _OF_BOOKING: self.booking_id,
            _CHANGED.format("transactions", "transaction_no"): _changed(self.since),
        }
        return {test: value for test, value in tests.items() if value is not None}
