"""The reads of shifts: what one cashier took from the opening of a drawer until it was counted."""

import datetime as dt
from decimal import Decimal
from uuid import UUID

import msgspec

from frontdesk.day_close.drawer_queries import SUMS
from frontdesk.day_close.drawer_types import DrawerSums, MethodCount, StoredDrawer
from frontdesk.day_close.types import MethodTotal, TipTotal
from frontdesk.postgres.query import Query, decoded, found_decoded
from frontdesk.values.money import exact_sum

_CASHIER = "(SELECT u.name FROM users u WHERE u.id = s.cashier_id)"
# What the cashier took in the shift by each payment method.
_METHODS = """
        SELECT json_build_array(NULL, m.id, m.type,
            coalesce(sum(t.amount) FILTER (WHERE t.amount > 0), 0),
            coalesce(sum(t.amount) FILTER (WHERE t.amount < 0), 0),
            coalesce(sum(t.tendered_amount - t.amount) FILTER (WHERE t.amount > 0), 0)) AS totals,
            m.sort_order, m.created_at, m.id
        FROM drawer_window w
        JOIN transactions t ON t.tenant_id = $1 AND t.created_by_id = w.cashier_id
            AND t.status IN ('confirmed', 'refunded') AND t.created_at >= w.begins AND t.created_at < w.ends
        JOIN orders o ON o.tenant_id = $1 AND o.id = t.order_id AND o.branch_id = w.branch_id
        JOIN payment_methods m ON m.tenant_id = $1 AND m.id = t.payment_method_id
        GROUP BY m.id, m.type, m.sort_order, m.created_at"""
_TIPS = """
        SELECT json_build_array(NULL, m.id, m.type, sum(t.amount)) AS total
        FROM drawer_window w
        JOIN tips t ON t.tenant_id = $1 AND t.created_by_id = w.cashier_id
            AND t.created_at >= w.begins AND t.created_at < w.ends
        JOIN orders o ON o.tenant_id = $1 AND o.id = t.order_id AND o.branch_id = w.branch_id
        JOIN payment_methods m ON m.tenant_id = $1 AND m.id = t.payment_method_id
        GROUP BY m.id, m.type"""
_CLOSES = """
        SELECT json_agg(json_build_object('drawer', c.drawer, 'methods', c.methods, 'note', c.note,
            'closed_at', c.closed_at, 'closed_by', (SELECT u.name FROM users u WHERE u.id = c.closed_by_id))
            ORDER BY c.closed_at)
        FROM shift_closes c WHERE c.tenant_id = $1 AND c.session_id = $2"""
_COUNTS = """
        SELECT json_agg(json_build_object('counted', v.counted, 'at', v.created_at,
            'by', (SELECT u.name FROM users u WHERE u.id = v.created_by_id)) ORDER BY v.number)
        FROM drawer_movements v WHERE v.tenant_id = $1 AND v.session_id = $2 AND v.kind = 'count'"""
_SHIFT = f"""
    WITH shift AS MATERIALIZED (
        SELECT s.*, clock_timestamp() AS now FROM drawer_sessions s
        WHERE s.tenant_id = $1 AND s.id = $2 AND s.cashier_id IS NOT NULL
    ), drawer_window AS MATERIALIZED (
        SELECT s.branch_id, s.cashier_id, s.id AS session_id, s.opened_at, s.opened_by_id, s.float_amount,
               s.counts_from AS begins, coalesce(s.closed_at, s.now) AS ends
        FROM shift s
    )
    SELECT json_build_object('id', s.id, 'now', s.now, 'branch_id', s.branch_id,
        'branch', (SELECT b.name FROM branches b WHERE b.tenant_id = $1 AND b.id = s.branch_id),
        'drawer_count', (SELECT b.drawer_count FROM branches b WHERE b.tenant_id = $1 AND b.id = s.branch_id),
        'number', s.drawer, 'cashier_id', s.cashier_id, 'cashier', {_CASHIER},
        'day', report_day($1, s.opened_at), 'opened_at', s.opened_at, 'closed_at', s.closed_at,
        'is_day_closed', s.day_close_id IS NOT NULL,
        'is_followed', s.closed_at IS NOT NULL AND is_followed_shift($1, s.id),
        'drawer', (SELECT sums FROM ({SUMS}) sums), 'closes', coalesce(({_CLOSES}), '[]'),
        'counts', coalesce(({_COUNTS}), '[]'),
        'methods', (SELECT coalesce(json_agg(totals ORDER BY sort_order, created_at, id), '[]') FROM ({_METHODS}) m),
        'tips', (SELECT coalesce(json_agg(total), '[]') FROM ({_TIPS}) t),
        'tip_count', (SELECT count(*) FROM tips WHERE tenant_id = $1 AND created_at >= s.counts_from),
        'drawer_number', last_number($1, 'drawer_number'),
        'transaction_no', last_number($1, 'transaction_no'))::text AS document
    FROM shift s"""
# Those that were opened on a day, and open ones of earlier days.
_OF_DAY = f"""
    SELECT coalesce(json_agg(json_build_object('id', s.id, 'number', s.drawer, 'cashier_id', s.cashier_id,
        'cashier', {_CASHIER}, 'opened_at', s.opened_at, 'closed_at', s.closed_at, 'day_close_id', s.day_close_id,
        'taken', t.taken, 'cash', t.cash,
        'drawer', c.drawer, 'methods', coalesce(c.methods, '[]'), 'note', c.note)
        ORDER BY s.opened_at, s.id), '[]')::text AS document
    FROM drawer_sessions s
    LEFT JOIN shift_closes c ON c.tenant_id = $1 AND c.session_id = s.id AND c.closed_at = s.closed_at
    CROSS JOIN LATERAL (
        SELECT coalesce(sum(p.amount), 0) AS taken,
               coalesce(sum(CASE WHEN m.type = 'cash' THEN p.amount ELSE p.amount - p.tendered_amount END), 0) AS cash
        FROM transactions p
        JOIN orders o ON o.tenant_id = $1 AND o.id = p.order_id AND o.branch_id = s.branch_id
        JOIN payment_methods m ON m.tenant_id = $1 AND m.id = p.payment_method_id
        WHERE p.tenant_id = $1 AND p.created_by_id = s.cashier_id AND p.status IN ('confirmed', 'refunded')
          AND p.created_at >= s.counts_from AND p.created_at < coalesce(s.closed_at, 'infinity')) t
    WHERE s.tenant_id = $1 AND s.branch_id = $2 AND s.cashier_id IS NOT NULL
      AND s.opened_at < day_start($3::date + 1, context.timezone)
      AND (s.closed_at IS NULL OR s.opened_at >= day_start($3, context.timezone))"""


class ShiftClose(msgspec.Struct, frozen=True):
    """A count at the end of a shift. One that was reopened has several."""

    drawer: StoredDrawer
    methods: list[MethodCount]
    note: str | None
    closed_at: dt.datetime
    closed_by: str | None


class SavedCount(msgspec.Struct, frozen=True):
    """A count that was saved before the shift was closed."""

    counted: Decimal
    at: dt.datetime
    by: str | None


class Shift(msgspec.Struct, frozen=True):
    """A shift, and what its cashier took in it up to now or to its end."""

    id: UUID
    now: dt.datetime
    branch_id: UUID
    branch: str
    drawer_count: int
    number: int  # of its drawer
    cashier_id: UUID
    cashier: str | None
    day: dt.date  # on which it was opened
    opened_at: dt.datetime
    closed_at: dt.datetime | None
    is_day_closed: bool
    is_followed: bool  # so that it cannot be opened again
    drawer: DrawerSums
    closes: list[ShiftClose]  # from the first to the last
    counts: list[SavedCount]
    methods: list[MethodTotal]
    tips: list[TipTotal]
    tip_count: int  # of all branches, since it counts
    drawer_number: int
    transaction_no: int


class ShiftRow(msgspec.Struct, frozen=True):
    """A shift in the list of a day."""

    id: UUID
    number: int
    cashier_id: UUID
    cashier: str | None
    opened_at: dt.datetime
    closed_at: dt.datetime | None
    day_close_id: UUID | None
    taken: Decimal  # by all methods, refunds subtracted, without tips
    cash: Decimal
    drawer: StoredDrawer | None  # None: it is open
    methods: list[MethodCount]
    note: str | None

    @property
    def difference(self) -> Decimal | None:
        """Of all that was counted; None while it is open."""
        if self.drawer is None or self.drawer.counted is None:
            return None
        found = exact_sum(count.found - count.expected for count in self.methods if count.found is not None)
        return self.drawer.counted - self.drawer.expected + found


def get_shift(shift_id: UUID) -> Query[Shift]:
    return Query(_SHIFT, (shift_id,), found_decoded("shift", Shift))


def list_shifts(branch_id: UUID, day: dt.date) -> Query[list[ShiftRow]]:
    return Query(_OF_DAY, (branch_id, day), decoded(list[ShiftRow]))
