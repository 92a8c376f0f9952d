"""Whether a sale can be voided: the last one of the person who sold it, for some minutes."""

from datetime import timedelta
from typing import NamedTuple
from uuid import UUID

from asyncpg import Record

from frontdesk.invoices.order_queries import OrderToRefund, order_to_refund
from frontdesk.orders.problems import TillProblem
from frontdesk.postgres.query import Query, found
from frontdesk.problems import Problem
from frontdesk.till.queries import after_parameters

LIFETIME = timedelta(minutes=15)


class LastSale(NamedTuple):
    is_last: bool  # of the one who sold it
    is_recent: bool
    has_tips: bool
    is_taken_back: bool  # refunded or canceled
    is_paid: bool  # also in part

    @property
    def is_offered(self) -> bool:
        return self.problem is None and not self.is_taken_back

    @property
    def problem(self) -> Problem | None:
        if not self.is_last:
            return Problem(TillProblem.NOT_LAST_SALE)
        if not self.is_recent:
            return Problem(TillProblem.TOO_LATE_TO_VOID, minutes=int(LIFETIME.total_seconds()) // 60)
        return Problem(TillProblem.VOID_WITH_TIP) if self.has_tips else None


# $2 is the order, $3 the person, $4 for how long. A later sale of the same person means that the customer has gone.
_LAST_SALE = """
    SELECT o.source = 'pos' AND o.parent_id IS NULL AND o.created_by_id = $3 AND NOT EXISTS (
            SELECT FROM orders n WHERE n.tenant_id = $1 AND n.created_by_id = o.created_by_id AND n.source = 'pos'
              AND n.parent_id IS NULL AND n.status <> 'draft' AND n.created_at > o.created_at) AS is_last,
        o.created_at > now() - $4::interval AS is_recent,
        EXISTS (SELECT FROM tips t WHERE t.tenant_id = $1 AND t.order_id = o.id) AS has_tips,
        o.status = 'canceled'
            OR EXISTS (SELECT FROM refunds r WHERE r.tenant_id = $1 AND r.order_id = o.id) AS is_taken_back,
        o.paid_amount > 0 AS is_paid
    FROM orders o WHERE o.tenant_id = $1 AND o.id = $2"""


def find_last_sale(order_id: UUID, user_id: UUID) -> Query[LastSale | None]:
    return Query(_LAST_SALE, (order_id, user_id, LIFETIME), lambda row: None if row is None else LastSale(*row))


class SaleToVoid(NamedTuple):
    refund: OrderToRefund
    last: LastSale


def sale_to_void(order_id: UUID, user_id: UUID) -> Query[SaleToVoid]:
    """Both reads in one statement; the parameters of the second follow those of the first."""
    refund = order_to_refund(order_id, None)
    last = after_parameters(_LAST_SALE, len(refund.args))

    def read(row: Record) -> SaleToVoid:
        return SaleToVoid(refund.result(row), LastSale(*(row[name] for name in LastSale._fields)))

    return Query(
        f"SELECT refunded.*, last.* FROM ({refund.sql}) refunded, ({last}) last",
        (*refund.args, order_id, user_id, LIFETIME),
        found("order", read),
    )
