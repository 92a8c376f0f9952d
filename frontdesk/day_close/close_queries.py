"""The reads from which the close of a day is computed."""

from datetime import date, datetime
from typing import NamedTuple
from uuid import UUID

import msgspec
from asyncpg import Record

from frontdesk.day_close.drawer_queries import SUMS
from frontdesk.day_close.drawer_types import DrawerSums
from frontdesk.day_close.problems import CloseProblem
from frontdesk.day_close.types import MethodTotal, OrderTotals, PaidBack, StoredDayClose, TipTotal
from frontdesk.postgres.query import Lock, Query
from frontdesk.postgres.records import from_row
from frontdesk.problems import Problem

# What of the local day is not closed yet: from the end of its last close.
_CLOSES = """
        SELECT * FROM standing_day_closes WHERE tenant_id = $1 AND branch_id = $2 AND day = $3"""
_PERIOD = """
        SELECT d.now, d.day_starts, d.day_ends, s.starts, greatest(s.starts, least(d.day_ends, d.now)) AS ends
        FROM (SELECT clock_timestamp() AS now, day_start($3, context.timezone) AS day_starts,
                     day_start($3 + 1, context.timezone) AS day_ends OFFSET 0) d,
        LATERAL (SELECT greatest(d.day_starts, (SELECT max(ends_at) FROM closes)) AS starts) s"""
# Orders that became a sale in the period and were one at its end, those that were a sale before it but not at its end,
# and those whose lines changed meanwhile, with their totals before and after the period. Read from the status history,
# which is append-only, so a later change belongs to a later period.
_TOTAL_AT = """o.total - coalesce((SELECT sum(h.new_total - h.previous_total) FROM order_status_history h
                WHERE h.tenant_id = $1 AND h.order_id = o.id AND h.created_at >= (SELECT {moment} FROM period)), 0)"""
_SALES = f"""
        SELECT o.cashier, o.parent_id,
            {_TOTAL_AT.format(moment="starts")} AS total_before, {_TOTAL_AT.format(moment="ends")} AS total,
            coalesce((SELECT h.to_status NOT IN ('draft', 'canceled') FROM order_status_history h
                WHERE h.tenant_id = $1 AND h.order_id = o.id AND h.created_at < (SELECT starts FROM period)
                ORDER BY h.created_at DESC, h.id DESC LIMIT 1), false) AS before,
            (SELECT h.to_status NOT IN ('draft', 'canceled') FROM order_status_history h
                WHERE h.tenant_id = $1 AND h.order_id = o.id AND h.created_at < (SELECT ends FROM period)
                ORDER BY h.created_at DESC, h.id DESC LIMIT 1) AS after
        FROM (
            SELECT DISTINCT order_id FROM order_status_history
            WHERE tenant_id = $1 AND created_at >= (SELECT starts FROM period)
              AND created_at < (SELECT ends FROM period)) changed
        JOIN orders o ON o.tenant_id = $1 AND o.id = changed.order_id AND o.branch_id = $2"""
_ORDER_TOTALS = """
        SELECT json_build_array(cashier, count(*) FILTER (WHERE NOT before AND parent_id IS NULL),
            coalesce(sum(CASE WHEN before THEN total - total_before ELSE total END)
                FILTER (WHERE after AND parent_id IS NULL), 0),
            count(*) FILTER (WHERE parent_id IS NOT NULL),
            coalesce(sum(total) FILTER (WHERE parent_id IS NOT NULL), 0),
            count(*) FILTER (WHERE NOT after),
            coalesce(-sum(total_before) FILTER (WHERE NOT after), 0)) AS totals
        FROM sales WHERE before <> after OR (after AND total <> total_before) GROUP BY cashier"""
# Transactions of the period, regardless of later changes of their orders. A payment that was recorded outside of a
# till, such as the deposit of a booking, belongs to the user who recorded it.
_METHOD_TOTALS = """
        SELECT json_build_array(coalesce(t.cashier, u.name), m.id, m.type,
            coalesce(sum(t.amount) FILTER (WHERE t.amount > 0), 0),
            coalesce(sum(t.amount) FILTER (WHERE t.amount < 0), 0),
            coalesce(sum(t.tendered_amount - t.amount) FILTER (WHERE t.amount > 0), 0)) AS totals,
            m.created_at, m.id
        FROM transactions t
        JOIN orders o ON o.tenant_id = $1 AND o.id = t.order_id
        JOIN payment_methods m ON m.tenant_id = $1 AND m.id = t.payment_method_id
        LEFT JOIN users u ON u.id = t.created_by_id
        WHERE t.tenant_id = $1 AND o.branch_id = $2 AND t.status IN ('confirmed', 'refunded')
          AND t.created_at >= (SELECT starts FROM period) AND t.created_at < (SELECT ends FROM period)
        GROUP BY coalesce(t.cashier, u.name), m.id, m.type, m.created_at"""
# Tips are no part of the published totals.
_TIPS = """
        SELECT json_build_array(t.cashier, m.id, m.type, sum(t.amount)) AS total
        FROM tips t
        JOIN orders o ON o.tenant_id = $1 AND o.id = t.order_id AND o.branch_id = $2
        JOIN payment_methods m ON m.tenant_id = $1 AND m.id = t.payment_method_id
        WHERE t.tenant_id = $1 AND t.created_at >= (SELECT starts FROM period)
          AND t.created_at < (SELECT ends FROM period)
        GROUP BY t.cashier, m.id, m.type"""
_REFUNDS = """
        SELECT json_build_array(o.id, o.order_number, t.payment_method_id, coalesce(t.cashier, u.name),
            format_utc(min(t.created_at)), sum(t.amount)) AS refund
        FROM transactions t JOIN orders o ON o.tenant_id = $1 AND o.id = t.order_id AND o.branch_id = $2
        LEFT JOIN users u ON u.id = t.created_by_id
        WHERE t.tenant_id = $1 AND t.amount < 0 AND t.status IN ('confirmed', 'refunded')
          AND t.created_at >= (SELECT starts FROM period) AND t.created_at < (SELECT ends FROM period)
        GROUP BY o.id, o.order_number, t.payment_method_id, coalesce(t.cashier, u.name)
        ORDER BY min(t.created_at) DESC, min(t.transaction_no) DESC LIMIT 100"""
# The drawer of all. One that was opened after the day has nothing to do with it. Cash that an earlier session counted
# is not counted again.
_WINDOW = """
        SELECT $2::uuid AS branch_id, NULL::uuid AS cashier_id, s.id AS session_id, s.opened_at, s.opened_by_id,
               s.float_amount,
               CASE WHEN s.id IS NULL THEN greatest(period.starts, (
                   SELECT max(e.closed_at) FROM drawer_sessions e
                   WHERE e.tenant_id = $1 AND e.branch_id = $2 AND e.cashier_id IS NULL))
                   ELSE s.counts_from END AS begins,
               CASE WHEN s.id IS NULL THEN period.ends ELSE period.now END AS ends
        FROM period LEFT JOIN drawer_sessions s
            ON s.tenant_id = $1 AND s.branch_id = $2 AND s.cashier_id IS NULL AND s.closed_at IS NULL
        WHERE s.id IS NULL OR s.opened_at < period.day_ends"""
# Shifts of cashiers that were opened on the day and belong to no close yet, and open ones of earlier days.
_SHIFTS = """
        SELECT s.id, s.closed_at, s.opened_at, u.name FROM drawer_sessions s JOIN users u ON u.id = s.cashier_id
        WHERE s.tenant_id = $1 AND s.branch_id = $2 AND s.day_close_id IS NULL AND s.opened_at < period.day_ends
          AND (s.closed_at IS NULL OR s.opened_at >= period.day_starts)"""
_STORED = """SELECT json_build_array(c.id, c.close_number, c.currency, c.cashiers, format_utc(c.starts_at),
        format_utc(c.ends_at), format_utc(c.closed_at)) AS stored, c.close_number FROM closes c"""
_DAY = f"""
    WITH closes AS MATERIALIZED ({_CLOSES}), period AS MATERIALIZED ({_PERIOD}), sales AS ({_SALES}),
    drawer_window AS MATERIALIZED ({_WINDOW}), order_totals AS ({_ORDER_TOTALS}), method_totals AS ({_METHOD_TOTALS})
    SELECT EXISTS (SELECT FROM branches WHERE tenant_id = $1 AND id = $2) AS is_branch, period.*,
           (SELECT coalesce(json_agg(stored ORDER BY close_number), '[]')::text FROM ({_STORED}) stored) AS stored,
           (SELECT coalesce(json_agg(totals), '[]')::text FROM order_totals) AS orders,
           (SELECT coalesce(json_agg(totals ORDER BY created_at, id), '[]')::text FROM method_totals) AS methods,
           (SELECT count(*) FROM order_status_history
            WHERE tenant_id = $1 AND created_at >= period.starts) AS status_changes,
           (SELECT coalesce(json_agg(total), '[]')::text FROM ({_TIPS}) t) AS tips,
           (SELECT coalesce(json_agg(refund), '[]')::text FROM ({_REFUNDS}) r) AS refunds,
           (SELECT count(*) FROM tips WHERE tenant_id = $1 AND created_at >= period.starts) AS tip_count,
           (SELECT sums::text FROM ({SUMS}) s) AS drawer,
           EXISTS ({_SHIFTS}) AS has_shifts,
           (SELECT coalesce(json_agg(s.name ORDER BY s.opened_at, s.id), '[]')::text
            FROM ({_SHIFTS}) s WHERE s.closed_at IS NULL) AS open_shifts,
           last_number($1, 'drawer_number') AS drawer_number,
           last_number($1, 'order_number') AS order_number, last_number($1, 'transaction_no') AS transaction_no
    FROM period"""


class DayToClose(NamedTuple):
    """A day of a branch: its closes that stand, and the totals of what is not closed yet."""

    now: datetime
    day_starts: datetime
    starts: datetime  # of what is not closed yet
    ends: datetime
    stored: list[StoredDayClose]  # from the first to the last
    orders: list[OrderTotals]
    methods: list[MethodTotal]
    tips: list[TipTotal]
    refunds: list[PaidBack]  # the newest hundred
    tip_count: int  # of all branches, since the start
    drawer: DrawerSums | None
    has_shifts: bool  # of cashiers, that belong to no close yet
    open_shifts: list[str]  # whose
    status_changes: int
    drawer_number: int
    order_number: int
    transaction_no: int

    @property
    def is_closed(self) -> bool:
        """Nothing was booked, sold or paid since the last close."""
        return bool(self.stored) and not (self.orders or self.has_money)

    @property
    def has_money(self) -> bool:
        """Since the last close something was paid or given as a tip, or the drawer is open."""
        is_open = self.drawer is not None and self.drawer.session_id is not None
        return bool(self.methods or self.tips or is_open)


def get_day(branch_id: UUID, day: date) -> Query[DayToClose]:
    return Query(_DAY, (branch_id, day), _day_to_close)


def _day_to_close(row: Record | None) -> DayToClose:
    if row is None or not row["is_branch"]:
        raise Problem(CloseProblem.UNKNOWN_BRANCH, "branch_id")
    return from_row(
        DayToClose,
        row,
        stored=msgspec.json.decode(row["stored"], type=list[StoredDayClose]),
        orders=msgspec.json.decode(row["orders"], type=list[OrderTotals]),
        methods=msgspec.json.decode(row["methods"], type=list[MethodTotal]),
        tips=msgspec.json.decode(row["tips"], type=list[TipTotal]),
        refunds=msgspec.json.decode(row["refunds"], type=list[PaidBack]),
        open_shifts=msgspec.json.decode(row["open_shifts"], type=list[str]),
        drawer=row["drawer"] and msgspec.json.decode(row["drawer"], type=DrawerSums),
    )


# Transactions that write orders, payments or movements of the drawer lock one of these counters.
LOCK = Lock(
    """
    SELECT FROM tenant_counters WHERE tenant_id = $1 AND name IN ('drawer_number', 'order_number', 'transaction_no')
    ORDER BY name FOR NO KEY UPDATE
    """,
    (),
)
