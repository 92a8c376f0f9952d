"""What the overview says about a business today: its figures, and what needs attention. One statement each."""

from datetime import date, datetime
from decimal import Decimal
from typing import NamedTuple
from uuid import UUID

import msgspec

from frontdesk.postgres.query import Query, decoded

_COUNTED = 1000  # no number is counted further
_NAMED = 4  # that are named in a sentence


class Need(msgspec.Struct, frozen=True):
    """Something that needs attention: how many, and the first of them."""

    count: int
    names: list[str]
    order_id: UUID | None
    amount: Decimal = Decimal(0)


class Clash(msgspec.Struct, frozen=True):
    """A booking in the time off of its provider."""

    order_id: UUID
    staff: str
    customer: str | None
    starts: datetime


class FailingWebhook(msgspec.Struct, frozen=True):
    id: UUID
    client_id: UUID
    client: str
    since: datetime


class StaleCalendar(msgspec.Struct, frozen=True):
    """A calendar elsewhere that could not be read for hours."""

    staff_id: UUID
    staff: str


class TimeOffRequest(msgspec.Struct, frozen=True):
    """Not approved or declined yet."""

    staff_id: UUID
    staff: str


class LowProduct(msgspec.Struct, frozen=True):
    item_id: UUID
    name: dict[str, str]
    option: dict[str, str] | None
    stock: int


class OpenDrawer(msgspec.Struct, frozen=True):
    opened_at: datetime
    float_amount: Decimal


class Overview(msgspec.Struct, frozen=True):
    taken: Decimal  # today, refunds subtracted
    booked: Decimal  # the totals of today's appointments
    expected_tomorrow: Decimal
    new_customers: int  # with their first sale today
    new_customers_week: int
    unpaid: Need
    to_refund: Need  # canceled and paid
    drafts: Need
    clashes: list[Clash]
    webhooks: list[FailingWebhook]
    calendars: list[StaleCalendar]
    requests: list[TimeOffRequest]
    refused_messages: list[str]  # whom they were for, of the last week
    low: list[LowProduct]
    low_count: int
    sales: list[tuple[date, Decimal]]  # since the first of the month, and of the last two weeks
    drawer: OpenDrawer | None  # for all
    open_shifts: int


class Days(NamedTuple):
    """The local day and where it and the next one begin and end."""

    today: date
    starts: datetime
    tomorrow: datetime
    after_tomorrow: datetime


def get_overview(branch_id: UUID | None, days: Days) -> Query[Overview]:
    """Figures of a branch; what needs attention is of the whole business."""
    return Query(_OVERVIEW, (branch_id, *days), decoded(Overview))


_CUSTOMER = "nullif(concat_ws(' ', c.first_name, c.last_name), '')"


def _need(where: str, amount: str, then: str = "true") -> str:
    """Of the newest orders in an index that holds no others, those that `then` is true of."""
    return f"""(SELECT json_build_object('count', count(*), 'amount', coalesce(sum(n.amount), 0),
            'order_id', (array_agg(n.id ORDER BY n.position))[1],
            'names', to_json(coalesce(array_agg({_CUSTOMER} ORDER BY n.position) FILTER (
                WHERE n.position <= {_NAMED} AND {_CUSTOMER} IS NOT NULL), '{{}}')))
        FROM (
            SELECT id, customer_id, amount, row_number() OVER (ORDER BY order_number DESC) AS position FROM (
                SELECT o.id, o.order_number, o.customer_id, o.starts_at, {amount} AS amount
                FROM orders o WHERE o.tenant_id = $1 AND {where} ORDER BY o.order_number DESC LIMIT {_COUNTED}
            ) newest WHERE {then}
        ) n
        LEFT JOIN customers c ON c.tenant_id = $1 AND c.id = n.customer_id AND n.position <= {_NAMED})"""


_UNPAID = _need(
    # What is on account is on the pages of the customers.
    """o.status = 'completed' AND o.payment_status IN ('unpaid', 'partially_paid') AND o.parent_id IS NULL
                AND NOT o.on_account""",
    "o.total - o.paid_amount",
)
_REFUND_DAYS = 60  # after the appointment, so that what the business keeps is not named for ever
_TO_REFUND = _need(
    f"""o.status = 'canceled' AND NOT o.no_show AND o.paid_amount > 0 AND o.refunded_amount = 0 AND o.parent_id IS NULL
                AND o.starts_at > now() - interval '{_REFUND_DAYS} days'""",
    "o.paid_amount",
)
_DRAFTS = _need("o.status = 'draft'", "o.total", "starts_at IS NULL OR starts_at > $4::timestamptz")
# Each provider has few times off to come; their bookings are read by start.
_CLASHES = f"""(SELECT coalesce(json_agg(found ORDER BY found ->> 'starts'), '[]') FROM (
        SELECT json_build_object('order_id', k.order_id, 'staff', s.name, 'starts', format_utc(lower(k.during)),
            'customer', {_CUSTOMER}) AS found
        FROM staff s
        JOIN time_off f ON f.tenant_id = $1 AND f.staff_id = s.id AND f.status = 'approved' AND upper(f.during) > now()
        JOIN bookings k ON k.tenant_id = $1 AND k.staff_id = s.id AND k.is_active AND k.during && f.during
            AND lower(k.during) >= greatest(lower(f.during), now()) - interval '1 day'
            AND lower(k.during) < upper(f.during) AND upper(k.during) > now()
        JOIN orders o ON o.tenant_id = $1 AND o.id = k.order_id AND o.status IN ('confirmed', 'in-progress')
        LEFT JOIN customers c ON c.tenant_id = $1 AND c.id = o.customer_id
        WHERE s.tenant_id = $1 LIMIT 20) clashes)"""
_WEBHOOKS = """(SELECT coalesce(json_agg(json_build_object('id', w.id, 'client_id', w.client_id, 'client', a.name,
            'since', format_utc(w.failing_since)) ORDER BY w.failing_since), '[]')
        FROM webhooks w JOIN api_clients a ON a.tenant_id = $1 AND a.id = w.client_id
        WHERE w.tenant_id = $1 AND w.failing_since IS NOT NULL AND w.disabled_at IS NULL)"""
_CALENDARS = """(SELECT coalesce(json_agg(json_build_object('staff_id', s.id, 'staff', s.name)
            ORDER BY s.name, s.id), '[]')
        FROM external_calendars o JOIN staff s ON s.tenant_id = $1 AND s.id = o.staff_id AND s.active
        WHERE o.tenant_id = $1 AND o.failing_since IS NOT NULL
          AND coalesce(o.fetched_at, o.created_at) < pg_catalog.now() - interval '6 hours')"""
_REQUESTS = """(SELECT coalesce(json_agg(json_build_object('staff_id', s.id, 'staff', s.name)
            ORDER BY lower(f.during), s.name), '[]')
        FROM time_off f JOIN staff s ON s.tenant_id = $1 AND s.id = f.staff_id AND s.active
        WHERE f.tenant_id = $1 AND f.status = 'requested' AND upper(f.during) > now())"""
_REFUSED = f"""(SELECT coalesce(json_agg(coalesce(r.name, r.email, '')), '[]') FROM (
        SELECT name, email FROM messages
        WHERE tenant_id = $1 AND state = 'failed' AND sent_again_at IS NULL AND created_at > now() - interval '7 days'
        ORDER BY id DESC LIMIT {_COUNTED}) r)"""
# What has run out is named with what does not work (attention/rules.py).
_LOW = """
        SELECT i.id, i.name, NULL::jsonb AS option, i.stock FROM items i
        WHERE i.tenant_id = $1 AND i.type = 'product' AND i.status AND i.stock <= i.low_stock AND i.stock > 0
        UNION ALL
        SELECT i.id, i.name, o.name, o.quantity FROM item_options o
        JOIN items i ON i.tenant_id = $1 AND i.id = o.item_id AND i.type = 'product' AND i.status
        WHERE o.tenant_id = $1 AND o.is_active AND o.quantity <= o.low_stock"""
_TOTALS = """(SELECT coalesce(sum(o.total), 0) FROM orders o WHERE o.tenant_id = $1 AND o.branch_id = $2
            AND o.starts_at >= {} AND o.starts_at < {} AND o.status NOT IN ('draft', 'canceled'))"""
# As in the reports: whose first sale is on one of the days, also if it was canceled later.
_NEW_CUSTOMERS = """(SELECT count(DISTINCT customer_id) FROM sales_by_customer
            WHERE tenant_id = $1 AND NOT is_month AND day = first_day AND day BETWEEN {0} AND $3 AND branch_id = $2)"""
_OVERVIEW = f"""
    WITH low AS MATERIALIZED ({_LOW})
    SELECT json_build_object(
        'taken', (SELECT coalesce(sum(amount), 0) FROM payments_by_method
            WHERE tenant_id = $1 AND day = $3::date AND branch_id = $2 AND kind IN ('payment', 'refund')),
        'booked', {_TOTALS.format("$4", "$5")}, 'expected_tomorrow', {_TOTALS.format("$5", "$6")},
        'new_customers', {_NEW_CUSTOMERS.format("$3")}, 'new_customers_week', {_NEW_CUSTOMERS.format("$3 - 6")},
        'unpaid', {_UNPAID}, 'to_refund', {_TO_REFUND}, 'drafts', {_DRAFTS}, 'clashes', {_CLASHES},
        'webhooks', {_WEBHOOKS},
        'calendars', {_CALENDARS},
        'requests', {_REQUESTS},
        'refused_messages', {_REFUSED},
        'low_count', (SELECT count(*) FROM low),
        'low', (SELECT coalesce(json_agg(json_build_object('item_id', id, 'name', name, 'option', option,
            'stock', stock)), '[]') FROM (SELECT * FROM low ORDER BY stock, id LIMIT {_NAMED}) lowest),
        'sales', (SELECT coalesce(json_agg(json_build_array(day, total) ORDER BY day), '[]') FROM (
            SELECT day, sum(total) AS total FROM sales_by_source
            WHERE tenant_id = $1 AND day BETWEEN least(date_trunc('month', $3)::date, $3 - 13) AND $3 AND branch_id = $2
            GROUP BY day) sales),
        'drawer', (SELECT json_build_object('opened_at', opened_at, 'float_amount', float_amount) FROM drawer_sessions
            WHERE tenant_id = $1 AND branch_id = $2::uuid AND closed_at IS NULL AND cashier_id IS NULL),
        'open_shifts', (SELECT count(*) FROM drawer_sessions
            WHERE tenant_id = $1 AND branch_id = $2 AND closed_at IS NULL AND cashier_id IS NOT NULL))::text AS document
    FROM (SELECT $6::timestamptz) AS last_instant"""
