"""Reads one order for the dashboard, with all details."""

from datetime import datetime
from decimal import Decimal
from typing import Literal
from uuid import UUID

import msgspec

from frontdesk.customers.care_queries import CARE_NOTES, CareNote
from frontdesk.orders.types import Notice
from frontdesk.postgres.pool import Connection
from frontdesk.problems import not_found
from frontdesk.values.clock import current_time


class DashboardLine(msgspec.Struct, frozen=True):
    id: UUID
    type: str
    name: str
    price: Decimal
    quantity: int
    discount_amount: Decimal
    total: Decimal
    refunded: int  # of the quantity
    staff: str | None
    booking: str | None  # its reference
    starts: datetime | None
    ends: datetime | None
    staff_id: UUID | None = None
    is_extra: bool | None = None  # booked on purpose at a time that was not free
    options: list[dict[str, str]] = []

    @property
    def left(self) -> int:
        return self.quantity - self.refunded


class DashboardPayment(msgspec.Struct, frozen=True):
    number: int
    method: dict[str, str]  # its name by language
    type: str
    amount: Decimal
    status: str
    is_deposit: bool
    reference: str | None
    note: str | None
    date: datetime
    method_id: UUID


class DashboardRefund(msgspec.Struct, frozen=True):
    order_id: UUID
    number: int
    amount: Decimal
    restocked: bool
    credit_note: int | None  # its number
    reason: str | None
    at: datetime
    by: str | None


class DashboardChange(msgspec.Struct, frozen=True):
    """An entry of the history. The actor has a name unless it is the service itself."""

    kind: Literal["status", "payment", "refund", "invoice", "credit_note"]
    by_type: Literal["app", "key", "user", "customer", "system"]
    by: str | None
    at: datetime
    to: str | None = None  # the status
    is_first: bool = False
    note: str | None = None
    previous_start: datetime | None = None
    new_start: datetime | None = None
    previous_total: Decimal | None = None  # of a change of the lines
    new_total: Decimal | None = None
    amount: Decimal | None = None
    method: dict[str, str] | None = None
    number: int | None = None  # of the invoice or credit note, or of the refund's order


class DashboardInvoice(msgspec.Struct, frozen=True):
    number: int
    issued_at: datetime


class DashboardCreditNote(msgspec.Struct, frozen=True):
    order_id: UUID  # the refund, or the order that was canceled
    number: int
    total: Decimal
    invoice_number: int
    issued_at: datetime


class DashboardOrderRow(msgspec.Struct, frozen=True):
    """The sale that a refund belongs to."""

    id: UUID
    number: int


class DashboardCustomer(msgspec.Struct, frozen=True):
    id: UUID
    name: str
    phone: str | None
    email: str | None
    tags: list[str]
    allergies: str | None
    notes: list[CareNote]


class SeriesBooking(msgspec.Struct, frozen=True):
    id: UUID
    number: int
    status: str
    starts_at: datetime


class DashboardSeries(msgspec.Struct, frozen=True):
    every_weeks: int
    orders: list[SeriesBooking]  # all of them, by start


class DashboardOrder(msgspec.Struct, frozen=True):
    id: UUID
    version: int
    number: int
    status: str
    payment_status: str
    source: str
    branch: str
    customer: DashboardCustomer | None
    sale: DashboardOrderRow | None
    sub_total: Decimal
    discount_amount: Decimal
    total: Decimal
    tax_amount: Decimal  # contained in the total
    paid_amount: Decimal
    refunded_amount: Decimal
    note: str | None
    cancel_reason: dict[str, str] | None  # of a canceled order, by language
    placed_at: datetime
    lines: list[DashboardLine]
    payments: list[DashboardPayment]
    refunds: list[DashboardRefund]
    history: list[DashboardChange]  # newest first
    invoice: DashboardInvoice | None
    credit_notes: list[DashboardCreditNote]  # of a refund its own, of an order all of its invoice
    series: DashboardSeries | None
    link: str | None  # the path of the customer's own page, if it was made
    notice: Notice | None = None  # of a cancellation
    on_account: bool = False

    @property
    def remaining(self) -> Decimal:
        return max(self.total - self.paid_amount, Decimal(0))

    @property
    def is_owed(self) -> bool:
        return self.on_account and self.remaining > 0 and self.status != "canceled"

    @property
    def refundable(self) -> Decimal:
        """The part of the payments that can be refunded."""
        return self.paid_amount - self.refunded_amount

    @property
    def to_credit(self) -> Decimal:
        """What is left of the invoice; credit notes were issued for the refunds."""
        return self.total - self.refunded_amount if self.invoice and self.status != "canceled" else Decimal(0)

    @property
    def to_refund(self) -> Decimal:
        """What was paid for a canceled order and not given back."""
        return self.refundable if self.status == "canceled" and self.sale is None else Decimal(0)

    @property
    def is_open(self) -> bool:
        """Neither draft nor canceled nor a refund, so it can be paid and invoiced."""
        return self.sale is None and self.status not in ("draft", "canceled")

    @property
    def is_upcoming(self) -> bool:
        """Whether it has an appointment that has not begun."""
        starts = [line.starts for line in self.lines if line.starts is not None]
        return self.is_open and bool(starts) and min(starts) > current_time()

    @property
    def appointment(self) -> tuple[datetime, datetime] | None:
        """From the first service to the last."""
        times = [(line.starts, line.ends) for line in self.lines if line.starts and line.ends]
        return (min(start for start, _ in times), max(end for _, end in times)) if times else None

    @property
    def providers(self) -> list[str]:
        return sorted({line.staff for line in self.lines if line.staff and line.starts})

    @property
    def has_products(self) -> bool:
        return any(line.type != "service" for line in self.lines)


# A line stores its name in the tenant's first language; in other languages it has the current name in the catalog.
LINE_NAME = "coalesce(coalesce(i.name, g.name)->>$2::text, l.name)"
CATALOGUED = """
    LEFT JOIN items i ON i.tenant_id = $1 AND i.id = l.item_id
    LEFT JOIN packages g ON g.tenant_id = $1 AND g.id = l.package_id"""
_LINES = f"""(
    SELECT coalesce(json_agg(json_build_object(
        'id', l.id, 'type', l.type, 'name', {LINE_NAME}, 'price', l.price::text, 'quantity', l.quantity,
        'discount_amount', l.discount_amount::text, 'total', l.total::text, 'refunded', coalesce((
            SELECT sum(r.returned) FROM order_lines r WHERE r.tenant_id = $1 AND r.parent_line_id = l.id), 0),
        'staff', p.name, 'staff_id', l.staff_id, 'options', ARRAY(
            SELECT v.name FROM item_options v WHERE v.tenant_id = $1 AND v.id = ANY (l.option_ids)),
         'booking', k.reference, 'is_extra', k.is_extra,
        'starts', format_utc(lower(k.during)), 'ends', format_utc(upper(k.during))
        ) ORDER BY l.position), '[]')
    FROM order_lines l {CATALOGUED}
    LEFT JOIN staff p ON p.tenant_id = $1 AND p.id = l.staff_id
    LEFT JOIN bookings k ON k.tenant_id = $1 AND k.line_id = l.id
    WHERE l.tenant_id = $1 AND l.order_id = o.id)"""
_PAYMENTS = """(
    SELECT coalesce(json_agg(json_build_object(
        'number', t.transaction_no, 'method_id', m.id, 'method', m.name, 'type', m.type, 'amount', t.amount::text,
        'status', t.status,
        'is_deposit', t.is_deposit, 'reference', t.reference_number, 'note', t.note, 'date', format_utc(t.date)
        ) ORDER BY t.transaction_no DESC), '[]')
    FROM transactions t JOIN payment_methods m ON m.tenant_id = $1 AND m.id = t.payment_method_id
    WHERE t.tenant_id = $1 AND t.order_id = o.id)"""
_REFUNDS = """(
    SELECT coalesce(json_agg(json_build_object(
        'order_id', r.child_order_id, 'number', d.order_number, 'amount', r.amount::text, 'restocked', r.restocked,
        'credit_note', n.credit_note_number,
        'reason', r.reason, 'at', format_utc(r.created_at), 'by', u.name) ORDER BY d.order_number DESC), '[]')
    FROM refunds r
    JOIN orders d ON d.tenant_id = $1 AND d.id = r.child_order_id
    LEFT JOIN credit_notes n ON n.tenant_id = $1 AND n.order_id = r.child_order_id
    LEFT JOIN users u ON u.id = r.created_by
    WHERE r.tenant_id = $1 AND r.order_id = o.id)"""
_SERIES = """(
    SELECT json_build_object('every_weeks', r.every_weeks, 'orders', (
        SELECT json_agg(json_build_object('id', q.id, 'number', q.order_number, 'status', q.status,
            'starts_at', format_utc(q.starts_at)) ORDER BY q.starts_at, q.order_number)
        FROM orders q WHERE q.tenant_id = $1 AND q.series_id = r.id AND q.starts_at IS NOT NULL))
    FROM order_series r WHERE r.tenant_id = $1 AND r.id = o.series_id)"""
_HISTORY = """(
    SELECT coalesce(json_agg((e.entry::jsonb || jsonb_build_object(
        'at', format_utc(e.at), 'by_type', e.by_type, 'by', CASE e.by_type
            WHEN 'user' THEN (SELECT u.name FROM users u WHERE u.id = e.by_id)
            WHEN 'app' THEN (SELECT a.name FROM api_clients a WHERE a.tenant_id = $1 AND a.id = e.by_id)
            WHEN 'key' THEN (SELECT k.name FROM api_keys k WHERE k.tenant_id = $1 AND k.id = e.by_id) END))
        ORDER BY e.at DESC, e.id DESC), '[]')
    FROM (
        SELECT h.created_at AS at, h.id, h.changed_by_type AS by_type, h.changed_by_id AS by_id, json_build_object(
            'kind', 'status', 'to', h.to_status, 'is_first', h.from_status IS NULL, 'note', h.note,
            'previous_start', format_utc(h.previous_start), 'new_start', format_utc(h.new_start),
            'previous_total', h.previous_total::text, 'new_total', h.new_total::text) AS entry
        FROM order_status_history h WHERE h.tenant_id = $1 AND h.order_id = o.id
        UNION ALL
        SELECT t.created_at, t.id, coalesce(t.created_by_type, 'system'), t.created_by_id, json_build_object(
            'kind', 'payment', 'amount', t.amount::text, 'method', m.name)
        FROM transactions t JOIN payment_methods m ON m.tenant_id = $1 AND m.id = t.payment_method_id
        WHERE t.tenant_id = $1 AND t.order_id = o.id AND t.amount > 0
        UNION ALL
        SELECT r.created_at, r.id, CASE WHEN r.created_by IS NULL THEN 'system' ELSE d.created_by_type END,
            r.created_by, json_build_object(
                'kind', 'refund', 'amount', r.amount::text, 'number', d.order_number, 'note', r.reason)
        FROM refunds r JOIN orders d ON d.tenant_id = $1 AND d.id = r.child_order_id
        WHERE r.tenant_id = $1 AND r.order_id = o.id
        UNION ALL
        SELECT v.issued_at, v.id, CASE WHEN v.issued_by IS NULL THEN 'system' ELSE 'user' END, v.issued_by,
            json_build_object('kind', 'invoice', 'number', v.invoice_number)
        FROM invoices v WHERE v.tenant_id = $1 AND v.order_id = o.id
        UNION ALL
        SELECT n.issued_at, n.id, CASE WHEN n.issued_by IS NULL THEN 'system' ELSE 'user' END, n.issued_by,
            json_build_object('kind', 'credit_note', 'number', n.credit_note_number, 'amount', n.total::text)
        FROM credit_notes n JOIN invoices v ON v.tenant_id = $1 AND v.id = n.invoice_id
        WHERE n.tenant_id = $1 AND o.id IN (n.order_id, v.order_id)
    ) e)"""


async def get_dashboard_order(
    conn: Connection, tenant_id: UUID, order_id: UUID, language: str | None = None
) -> DashboardOrder:
    """`language` is for the names of the lines; None means the tenant's first language."""
    document: str | None = await conn.fetchval(
        f"""
        SELECT json_build_object(
            'id', o.id, 'version', o.version, 'number', o.order_number, 'status', o.status, 'source', o.source,
            'branch', b.name, 'notice', CASE WHEN o.status = 'confirmed' AND o.starts_at > now() THEN notice_json(
                $1, 'cancellation', o.created_by_type,
                message_address(o.created_by_type, o.contact_email, c.email), c.phone) END,
            'payment_status', payment_status(o.total, o.paid_amount, o.refunded_amount),
            'customer', CASE WHEN c.id IS NOT NULL THEN json_build_object(
                'id', c.id, 'name', concat_ws(' ', c.first_name, c.last_name), 'phone', c.phone,
                'email', c.email, 'allergies', c.allergies, 'notes', {CARE_NOTES},
                'tags', ARRAY(SELECT t.name FROM customer_tags x JOIN tags t ON t.tenant_id = $1 AND t.id = x.tag_id
                              WHERE x.tenant_id = $1 AND x.customer_id = c.id ORDER BY t.name_folded)) END,
            'sale', CASE WHEN s.id IS NOT NULL THEN json_build_object('id', s.id, 'number', s.order_number) END,
            'sub_total', o.sub_total::text, 'discount_amount', o.discount_amount::text, 'total', o.total::text,
            'tax_amount', o.tax_amount::text, 'on_account', o.on_account,
            'paid_amount', o.paid_amount::text, 'refunded_amount', o.refunded_amount::text, 'note', o.note,
            'cancel_reason', CASE WHEN o.status = 'canceled' THEN o.cancel_reason END,
            'placed_at', format_utc(o.created_at), 'lines', {_LINES}, 'payments', {_PAYMENTS}, 'refunds', {_REFUNDS},
            'history', {_HISTORY}, 'series', {_SERIES}, 'link', (
                SELECT concat('/book/', k.slug, '/', w.code) FROM booking_links w, tenant_slugs k
                WHERE w.tenant_id = $1 AND w.order_id = o.id AND k.tenant_id = $1 AND k.is_current), 'invoice', (
                SELECT json_build_object('number', i.invoice_number, 'issued_at', format_utc(i.issued_at))
                FROM invoices i WHERE i.tenant_id = $1 AND i.order_id = o.id),
            'credit_notes', (
                SELECT coalesce(json_agg(json_build_object('order_id', n.order_id, 'number', n.credit_note_number,
                    'total', n.total::text, 'invoice_number', i.invoice_number, 'issued_at', format_utc(n.issued_at))
                    ORDER BY n.credit_note_number), '[]')
                FROM credit_notes n JOIN invoices i ON i.tenant_id = $1 AND i.id = n.invoice_id
                WHERE n.tenant_id = $1 AND o.id IN (n.order_id, i.order_id)))::text
        FROM orders o
        JOIN branches b ON b.tenant_id = $1 AND b.id = o.branch_id
        LEFT JOIN customers c ON c.tenant_id = $1 AND c.id = o.customer_id
        LEFT JOIN orders s ON s.tenant_id = $1 AND s.id = o.parent_id
        WHERE o.tenant_id = $1 AND o.id = $3
        """,
        tenant_id,
        language,
        order_id,
    )
    if document is None:
        raise not_found("order")
    return msgspec.json.decode(document, type=DashboardOrder)
