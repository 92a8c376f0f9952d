"""The reads of a drawer: what is in it, and everything that moved it."""

from datetime import datetime
from decimal import Decimal
from uuid import UUID

import msgspec

from frontdesk.day_close.drawer_types import DrawerSums
from frontdesk.postgres.query import Lock, Query, found_decoded

_SHOWN = 200  # events of one session on the page

# Whether money `t` is in the drawer of `drawer_window`: a shift has what its cashier took, and the drawer of all has
# the rest. So nothing is in two of them.
BELONGS = """CASE WHEN w.cashier_id IS NOT NULL THEN t.created_by_id = w.cashier_id ELSE NOT EXISTS (
                SELECT FROM drawer_sessions own WHERE own.tenant_id = $1 AND own.branch_id = w.branch_id
                    AND own.cashier_id = t.created_by_id AND own.counts_from <= t.created_at
                    AND (own.closed_at IS NULL OR own.closed_at > t.created_at)) END"""
# The cash of a branch in the time of `drawer_window`, a row with the open session or nulls. Change is paid out in cash
# for payments by other methods too.
_CASH = f"""
        SELECT t.created_at, t.transaction_no, o.id AS order_id, o.order_number, t.cashier, t.created_by_id,
               m.type = 'cash' AS is_cash,
               CASE WHEN m.type = 'cash' THEN t.amount ELSE t.amount - t.tendered_amount END AS amount
        FROM drawer_window w
        JOIN transactions t ON t.tenant_id = $1 AND t.status IN ('confirmed', 'refunded')
            AND t.created_at >= w.begins AND t.created_at < w.ends
        JOIN orders o ON o.tenant_id = $1 AND o.id = t.order_id AND o.branch_id = w.branch_id
        JOIN payment_methods m ON m.tenant_id = $1 AND m.id = t.payment_method_id
        WHERE (m.type = 'cash' OR t.tendered_amount > t.amount) AND {BELONGS}"""
# Tips beside the totals of orders, in cash.
_TIPS = f"""
        SELECT t.created_at, o.id AS order_id, o.order_number, t.cashier, t.created_by_id, t.amount
        FROM drawer_window w
        JOIN tips t ON t.tenant_id = $1 AND t.created_at >= w.begins AND t.created_at < w.ends
        JOIN orders o ON o.tenant_id = $1 AND o.id = t.order_id AND o.branch_id = w.branch_id
        JOIN payment_methods m ON m.tenant_id = $1 AND m.id = t.payment_method_id AND m.type = 'cash'
        WHERE {BELONGS}"""
SUMS = f"""
        SELECT json_build_object(
            'session_id', w.session_id, 'opened_at', w.opened_at,
            'opened_by', (SELECT u.name FROM users u WHERE u.id = w.opened_by_id),
            'float_amount', coalesce(w.float_amount, 0), 'paid', c.paid,
            'paid_before', c.paid_before, 'refunded', c.refunded, 'change', c.change,
            'tips', (SELECT coalesce(sum(amount), 0) FROM ({_TIPS}) tips),
            'put_in', v.put_in, 'taken_out', v.taken_out, 'to_safe', v.to_safe) AS sums
        FROM drawer_window w, LATERAL (
            SELECT coalesce(sum(amount) FILTER (WHERE is_cash AND amount > 0), 0) AS paid,
                   coalesce(sum(amount) FILTER (WHERE is_cash AND amount > 0 AND created_at < w.opened_at), 0)
                       AS paid_before,
                   coalesce(sum(amount) FILTER (WHERE is_cash AND amount < 0), 0) AS refunded,
                   coalesce(sum(amount) FILTER (WHERE NOT is_cash), 0) AS change
            FROM ({_CASH}) cash
        ) c, LATERAL (
            SELECT coalesce(sum(amount) FILTER (WHERE kind = 'in'), 0) AS put_in,
                   coalesce(sum(amount) FILTER (WHERE kind = 'out'), 0) AS taken_out,
                   coalesce(sum(amount) FILTER (WHERE kind = 'safe'), 0) AS to_safe
            FROM drawer_movements WHERE tenant_id = $1 AND session_id = w.session_id
        ) v"""
_EVENTS = f"""
        SELECT e.*, sum(amount) OVER (ORDER BY created_at, position) AS balance FROM (
            SELECT 'opened' AS kind, s.opened_at AS created_at, 0::bigint AS position, s.float_amount AS amount,
                   s.float_reason AS reason, NULL::uuid AS order_id, NULL::bigint AS order_number,
                   NULL::text AS cashier, s.opened_by_id AS actor_id, NULL::numeric AS counted,
                   NULL::integer[] AS pieces
            FROM open_session s
            UNION ALL
            SELECT CASE WHEN is_cash THEN 'sale' ELSE 'change' END,
                   created_at, transaction_no, amount, NULL, order_id, order_number, cashier, created_by_id, NULL, NULL
            FROM ({_CASH}) cash WHERE NOT (is_cash AND amount < 0)
            UNION ALL -- a refund gives back several payments at once
            SELECT 'refund', min(created_at), min(transaction_no), sum(amount), NULL, order_id, order_number, cashier,
                   created_by_id, NULL, NULL
            FROM ({_CASH}) cash WHERE is_cash AND amount < 0 GROUP BY order_id, order_number, cashier, created_by_id
            UNION ALL
            SELECT 'tip', created_at, 0, amount, NULL, order_id, order_number, cashier, created_by_id, NULL, NULL
            FROM ({_TIPS}) tips
            UNION ALL
            SELECT v.kind, v.created_at, v.number, v.amount, v.reason, NULL, NULL, NULL, v.created_by_id, v.counted,
                   v.pieces
            FROM open_session s JOIN drawer_movements v ON v.tenant_id = $1 AND v.session_id = s.id
        ) e"""
# What was left in drawer `n` at the last close that ended a session or counted the drawer. The first drawer is also
# that of all.
_LEFT = """
        SELECT json_build_object('amount', c.amount, 'closed_at', c.closed_at,
            'closed_by', (SELECT u.name FROM users u WHERE u.id = c.closed_by_id)) AS document
        FROM (
            SELECT d.drawer -> 'left' AS amount, d.closed_at, d.closed_by_id FROM standing_day_closes d
            WHERE n = 1 AND d.tenant_id = $1 AND d.branch_id = branch.id
              AND (d.drawer ->> 'session_id' IS NOT NULL OR d.drawer ->> 'left' IS NOT NULL)
            UNION ALL
            SELECT c.drawer -> 'left', c.closed_at, c.closed_by_id FROM drawer_sessions s
            JOIN shift_closes c ON c.tenant_id = $1 AND c.session_id = s.id AND c.closed_at = s.closed_at
            WHERE s.tenant_id = $1 AND s.branch_id = branch.id AND s.drawer = n) c
        ORDER BY c.closed_at DESC LIMIT 1"""
_DRAWERS = f"""
        SELECT json_agg(json_build_object('number', n, 'left', ({_LEFT}), 'is_open', s.id IS NOT NULL,
            'cashier', (SELECT u.name FROM users u WHERE u.id = s.cashier_id)) ORDER BY n)
        FROM generate_series(1, branch.drawer_count) n LEFT JOIN drawer_sessions s
            ON s.tenant_id = $1 AND s.branch_id = branch.id AND s.drawer = n AND s.closed_at IS NULL"""
_DRAWER = f"""
    WITH branch AS MATERIALIZED (
        SELECT id, name, drawer_count FROM branches
        WHERE tenant_id = $1 AND ($2::uuid IS NULL OR id = $2) ORDER BY status DESC, name, id LIMIT 1
    ), open_session AS MATERIALIZED (
        SELECT s.* FROM branch JOIN drawer_sessions s
            ON s.tenant_id = $1 AND s.branch_id = branch.id AND s.closed_at IS NULL
            AND (s.cashier_id IS NULL OR s.cashier_id = $3::uuid)
        ORDER BY s.cashier_id LIMIT 1 -- nulls come last
    ), drawer_window AS MATERIALIZED (
        SELECT s.branch_id, s.cashier_id, s.id AS session_id, s.opened_at, s.opened_by_id, s.float_amount,
               s.counts_from AS begins, 'infinity'::timestamptz AS ends
        FROM open_session s
    ), events AS ({_EVENTS})
    SELECT json_build_object(
        'now', clock_timestamp(), 'branch_id', branch.id, 'branch', branch.name,
        'branches', (SELECT json_agg(json_build_object('id', id, 'name', name) ORDER BY status DESC, name, id)
            FROM branches WHERE tenant_id = $1 AND (status OR id = branch.id)),
        'methods', (SELECT coalesce(json_agg(json_build_object('id', id, 'name', name, 'type', type)
            ORDER BY type <> 'cash', sort_order, created_at, id), '[]') FROM payment_methods WHERE tenant_id = $1),
        'sums', (SELECT sums FROM ({SUMS}) s), 'drawers', ({_DRAWERS}),
        'number', (SELECT drawer FROM open_session), 'cashier_id', (SELECT cashier_id FROM open_session),
        'shifts_since', (SELECT min(s.opened_at) FROM drawer_sessions s WHERE s.tenant_id = $1
            AND s.branch_id = branch.id AND s.cashier_id IS NOT NULL AND s.day_close_id IS NULL),
        'own_shifts', context.own_shifts, 'blind_count', context.blind_count,
        'events', (SELECT coalesce(json_agg(json_build_object('kind', kind, 'created_at', created_at,
                'amount', amount, 'balance', balance, 'reason', reason, 'order_id', order_id,
                'order_number', order_number, 'counted', counted, 'pieces', pieces,
                'actor', coalesce(cashier, (SELECT u.name FROM users u WHERE u.id = actor_id)))
                ORDER BY created_at DESC, position DESC), '[]')
            FROM (SELECT * FROM events ORDER BY created_at DESC, position DESC LIMIT {_SHOWN}) newest),
        'drawer_number', last_number($1, 'drawer_number'),
        'day_close_number', last_number($1, 'day_close_number'))::text AS document
    FROM branch"""


class Named(msgspec.Struct, frozen=True):
    id: UUID
    name: str


class Method(msgspec.Struct, frozen=True):
    id: UUID
    name: dict[str, str]
    type: str


class Left(msgspec.Struct, frozen=True):
    """What the last close left in the drawer."""

    amount: Decimal | None  # None: the drawer was not counted
    closed_at: datetime
    closed_by: str | None


class DrawerPlace(msgspec.Struct, frozen=True):
    """One of the drawers of a branch."""

    number: int
    left: Left | None
    is_open: bool
    cashier: str | None  # whose shift it is open for


class DrawerEvent(msgspec.Struct, frozen=True):
    kind: str  # opened, sale, refund, change, or the kind of a movement
    created_at: datetime
    amount: Decimal
    balance: Decimal
    reason: str | None
    order_id: UUID | None
    order_number: int | None
    counted: Decimal | None
    pieces: list[int] | None
    actor: str | None


class Drawer(msgspec.Struct, frozen=True):
    """The drawers of a branch, and the open one of a cashier or of all, with its events from the newest on."""

    now: datetime
    branch_id: UUID
    branch: str
    branches: list[Named]
    methods: list[Method]
    drawers: list[DrawerPlace]
    sums: DrawerSums | None  # None: it is closed
    number: int | None  # of the drawer that is open
    cashier_id: UUID | None  # whose shift it is; None: of all
    shifts_since: datetime | None  # of cashiers, that belong to no day close yet
    own_shifts: bool
    blind_count: bool
    events: list[DrawerEvent]
    drawer_number: int
    day_close_number: int

    @property
    def left(self) -> Left | None:
        """In the first drawer, which is also that of all."""
        return self.drawers[0].left

    @property
    def is_counted(self) -> bool:
        """Nothing has moved the cash since it was counted."""
        return bool(self.events) and self.events[0].kind == "count"


def get_drawer(branch_id: UUID | None, cashier_id: UUID | None = None) -> Query[Drawer]:
    """Of a branch, or of the first by name: the shift of the cashier, else the drawer of all."""
    return Query(_DRAWER, (branch_id, cashier_id), found_decoded("branch", Drawer))


LOCK = Lock(
    "SELECT FROM tenant_counters WHERE tenant_id = $1 AND name = 'drawer_number' FOR NO KEY UPDATE",
    (),
)
