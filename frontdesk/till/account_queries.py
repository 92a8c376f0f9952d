"""What customers owe for sales on account. There is no ledger beside the orders and their payments."""

from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal
from itertools import accumulate
from uuid import UUID

import msgspec

from frontdesk.payments.queries import METHOD_INFO
from frontdesk.payments.types import MethodInfo
from frontdesk.postgres.query import Query, decoded, optional_decoded
from frontdesk.values.money import exact_sum

# Of the order `o`: its customer owes the rest.
OWED = """o.on_account AND o.parent_id IS NULL AND o.status <> 'canceled'
    AND o.payment_status IN ('unpaid', 'partially_paid')"""
# What the customer `c` owes.
BALANCE = f"""(SELECT coalesce(sum(o.total - o.paid_amount), 0) FROM orders o
    WHERE o.tenant_id = $1 AND o.customer_id = c.id AND {OWED})"""


class OpenOrder(msgspec.Struct, frozen=True):
    id: UUID
    number: int
    version: int
    at: datetime
    currency: str
    total: Decimal
    paid: Decimal

    @property
    def remaining(self) -> Decimal:
        return self.total - self.paid


class AccountToSettle(msgspec.Struct, frozen=True):
    orders: list[OpenOrder]  # the oldest first
    methods: list[MethodInfo]

    @property
    def owed(self) -> Decimal:
        return exact_sum(order.remaining for order in self.orders)


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
    orders: list[OpenOrder]

    @property
    def balances(self) -> Sequence[Decimal]:
        """After each entry."""
        return list(accumulate((entry.amount for entry in self.entries), initial=self.before))[1:]


_OPEN = f"""(SELECT coalesce(json_agg(json_build_object('id', o.id, 'number', o.order_number, 'version', o.version,
        'at', format_utc(o.created_at), 'currency', o.currency, 'total', o.total::text, 'paid', o.paid_amount::text)
        ORDER BY o.order_number), '[]')
    FROM orders o WHERE o.tenant_id = $1 AND o.customer_id = $2 AND {OWED})"""


def account_to_settle(customer_id: UUID, method_id: UUID) -> Query[AccountToSettle]:
    return Query(
        f"""
        SELECT json_build_object('orders', {_OPEN}, 'methods', (SELECT coalesce(json_agg({METHOD_INFO}), '[]')
            FROM payment_methods m LEFT JOIN installs i ON i.tenant_id = $1 AND i.id = m.install_id
            WHERE m.tenant_id = $1 AND m.id = $3))::text AS document
        """,
        (customer_id, method_id),
        decoded(AccountToSettle),
    )


def find_account(customer_id: UUID, since: datetime, until: datetime) -> Query[Account | None]:
    """With what was sold on account and paid of it from `since` to before `until`."""
    return Query(
        f"""
        WITH sold AS MATERIALIZED (
            SELECT o.id, o.order_number, o.created_at, o.total FROM orders o
            WHERE o.tenant_id = $1 AND o.customer_id = $2 AND o.on_account AND o.parent_id IS NULL
                AND o.status <> 'canceled'
        ), entries AS MATERIALIZED (
            SELECT created_at AS at, id, order_number, total AS amount, NULL::jsonb AS method, 0 AS place FROM sold
            UNION ALL
            SELECT t.created_at, s.id, s.order_number, -t.amount, m.name, t.transaction_no
            FROM sold s JOIN transactions t ON t.tenant_id = $1 AND t.order_id = s.id
            JOIN payment_methods m ON m.tenant_id = $1 AND m.id = t.payment_method_id
            WHERE t.status = 'confirmed'
        )
        SELECT json_build_object('id', c.id, 'version', c.version, 'name', concat_ws(' ', c.first_name, c.last_name),
            'phone', c.phone, 'email', c.email, 'is_erased', c.erased_at IS NOT NULL,
            'limit', c.account_limit::text, 'owed', {BALANCE}::text,
            'before', (SELECT coalesce(sum(amount), 0) FROM entries WHERE at < $3)::text,
            'entries', (SELECT coalesce(json_agg(json_build_object('at', format_utc(e.at), 'order_id', e.id,
                    'number', e.order_number, 'amount', e.amount::text, 'method', e.method)
                    ORDER BY e.at, e.order_number, e.place), '[]')
                FROM entries e WHERE e.at >= $3 AND e.at < $4),
            'orders', {_OPEN})::text AS document
        FROM customers c WHERE c.tenant_id = $1 AND c.id = $2
        """,
        (customer_id, since, until),
        optional_decoded(Account),
    )
