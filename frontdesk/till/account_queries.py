"""What customers owe for sales on account. There is no ledger beside the orders and their payments."""

from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal
from itertools import accumulate
from uuid import UUID

import msgspec

from frontdesk.customers.balance_queries import BALANCE, OWED
from frontdesk.postgres.query import Query, optional_decoded
from frontdesk.till.together_queries import OPEN, OpenOrder, OrdersToSettle, settling
from frontdesk.values.money import exact_sum


class Entry(msgspec.Struct, frozen=True):
    """A sale on account, or what was paid of one."""

    at: datetime
    order_id: UUID
    number: int
    amount: Decimal  # negative: a payment
    method: dict[str, str] | None  # of a payment


class Account(msgspec.Struct, frozen=True):
    id: UUID
    version: int
    name: str
    phone: str | None
    email: str | None
    is_erased: bool
    limit: Decimal | None
    owed: Decimal
    before: Decimal  # what was owed at the beginning of the time
    entries: list[Entry]
    orders: list[OpenOrder]  # that a payment in this branch pays

    @property
    def payable(self) -> Decimal:
        return exact_sum(order.remaining for order in self.orders)

    @property
    def balances(self) -> Sequence[Decimal]:
        """After each entry."""
        return list(accumulate((entry.amount for entry in self.entries), initial=self.before))[1:]


_ON_ACCOUNT = f"o.customer_id = $2 AND o.branch_id = $3 AND o.on_account AND {OWED} > 0"
_OPEN = OPEN.format(_ON_ACCOUNT)


def account_to_settle(customer_id: UUID, branch_id: UUID | None, method_id: UUID) -> Query[OrdersToSettle]:
    """The orders of one branch: its drawer gets the cash."""
    return settling(_ON_ACCOUNT, (customer_id, branch_id), method_id)


def find_account(customer_id: UUID, branch_id: UUID | None, since: datetime, until: datetime) -> Query[Account | None]:
    """With what was sold on account and paid of it from `since` to before `until`, in all branches."""
    return Query(
        f"""
        WITH sold AS MATERIALIZED (
            SELECT o.id, o.order_number, o.created_at, o.total FROM orders o
            WHERE o.tenant_id = $1 AND o.customer_id = $2 AND o.on_account AND o.parent_id IS NULL
                AND o.status NOT IN ('draft', 'canceled')
        ), entries AS MATERIALIZED (
            SELECT created_at AS at, id, order_number, total AS amount, NULL::jsonb AS method, 0 AS place FROM sold
            UNION ALL
            SELECT t.created_at, s.id, s.order_number, -t.amount, m.name, t.transaction_no
            FROM sold s JOIN transactions t ON t.tenant_id = $1 AND t.order_id = s.id
            JOIN payment_methods m ON m.tenant_id = $1 AND m.id = t.payment_method_id
            WHERE t.status IN ('confirmed', 'refunded') -- a refund is an order of its own
        )
        SELECT json_build_object('id', c.id, 'version', c.version, 'name', concat_ws(' ', c.first_name, c.last_name),
            'phone', c.phone, 'email', c.email, 'is_erased', c.erased_at IS NOT NULL,
            'limit', c.account_limit::text, 'owed', {BALANCE}::text,
            'before', (SELECT coalesce(sum(amount), 0) FROM entries WHERE at < $4)::text,
            'entries', (SELECT coalesce(json_agg(json_build_object('at', format_utc(e.at), 'order_id', e.id,
                    'number', e.order_number, 'amount', e.amount::text, 'method', e.method)
                    ORDER BY e.at, e.order_number, e.place), '[]')
                FROM entries e WHERE e.at >= $4 AND e.at < $5),
            'orders', {_OPEN})::text AS document
        FROM customers c WHERE c.tenant_id = $1 AND c.id = $2
        """,
        (customer_id, branch_id, since, until),
        optional_decoded(Account),
    )
