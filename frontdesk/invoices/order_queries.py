"""The reads of writes that create refunds and invoices."""

from typing import NamedTuple
from uuid import UUID

import msgspec
from asyncpg import Record

from frontdesk.invoices.money_types import (
    InvoiceParties,
    InvoiceToCredit,
    RefundableLine,
    RefundablePayment,
    RefundToCredit,
)
from frontdesk.orders.queries.order_state import METHODS, STATE, WHERE, read_methods, read_state
from frontdesk.orders.types import OrderState
from frontdesk.payments.types import MethodInfo
from frontdesk.postgres.query import Query, found

# The lines of an order, and what has been refunded of each.
_SOLD = """(
        SELECT coalesce(json_agg(json_build_object(
            'id', l.id, 'type', l.type, 'name', l.name, 'price', l.price, 'quantity', l.quantity,
            'discount_amount', l.discount_amount, 'total', l.total, 'tax_rate', l.tax_rate, 'tax_amount', l.tax_amount,
            'names', printed_names(l.name, coalesce(i.name, p.name)), 'refunded', coalesce(r.units, 0),
            'refunded_total', coalesce(r.total, 0), 'refunded_tax', coalesce(r.tax, 0)) ORDER BY l.position), '[]')
        FROM order_lines l
        LEFT JOIN LATERAL (SELECT sum(b.returned) AS units, -sum(b.total) AS total, -sum(b.tax_amount) AS tax
            FROM order_lines b WHERE b.tenant_id = $1 AND b.parent_line_id = l.id) r ON true
        LEFT JOIN items i ON i.tenant_id = $1 AND i.id = l.item_id
        LEFT JOIN packages p ON p.tenant_id = $1 AND p.id = l.package_id
        WHERE l.tenant_id = $1 AND l.order_id = o.id)::text AS sold"""
# The payments of an order with something left to refund, the newest first.
_PAID = """(
        SELECT coalesce(json_agg(json_build_object(
            'payment_id', p.id, 'method_id', p.payment_method_id, 'remaining', p.remaining)
            ORDER BY p.transaction_no DESC), '[]')
        FROM (
            SELECT t.id, t.payment_method_id, t.transaction_no, t.amount + coalesce((
                SELECT sum(r.amount) FROM transactions r
                WHERE r.tenant_id = $1 AND r.refund_of_id = t.id), 0) AS remaining
            FROM transactions t
            WHERE t.tenant_id = $1 AND t.order_id = o.id AND t.status = 'confirmed' AND t.refund_of_id IS NULL) p
        WHERE p.remaining > 0)::text AS paid"""
_INVOICE = """(
        SELECT json_build_object('seller', v.seller)
        FROM invoices v WHERE v.tenant_id = $1 AND v.order_id = o.id)::text AS invoice"""
# The current data of the seller and the buyer.
PARTIES = """(
        SELECT json_build_object(
            'seller', json_build_object('name', n.name, 'tax_registration_number', n.tax_registration_number,
                'branch', b.name, 'branch_names', b.names, 'address', b.address, 'phone', b.phone,
                'timezone', n.timezone, 'note', n.invoice_note),
            'buyer', CASE WHEN c.id IS NOT NULL THEN json_build_object(
                'id', c.id, 'name', concat_ws(' ', c.first_name, c.last_name), 'type', c.type, 'address', c.address,
                'city', c.city, 'tax_registration_number', c.tax_registration_number) END)
        FROM tenants n
        JOIN branches b ON b.tenant_id = $1 AND b.id = o.branch_id
        LEFT JOIN customers c ON c.tenant_id = $1 AND c.id = o.customer_id
        WHERE n.id = $1)"""
_REFUNDS = """(
        SELECT coalesce(json_agg(json_build_object('child_id', r.child_order_id, 'amount', r.amount, 'lines', (
            SELECT coalesce(json_agg(json_build_object(
                'name', l.name, 'names', printed_names(l.name, coalesce(i.name, p.name)), 'type', l.type,
                'quantity', -l.quantity, 'price', l.price, 'discount_amount', -l.discount_amount, 'total', -l.total,
                'tax_rate', l.tax_rate, 'tax_amount', -l.tax_amount) ORDER BY l.position), '[]')
            FROM order_lines l
            LEFT JOIN items i ON i.tenant_id = $1 AND i.id = l.item_id
            LEFT JOIN packages p ON p.tenant_id = $1 AND p.id = l.package_id
            WHERE l.tenant_id = $1 AND l.order_id = r.child_order_id)) ORDER BY child.order_number), '[]')
        FROM refunds r JOIN orders child ON child.tenant_id = $1 AND child.id = r.child_order_id
        WHERE r.tenant_id = $1 AND r.order_id = o.id)::text AS refunds"""


class OrderToRefund(NamedTuple):
    order: OrderState
    sold: list[RefundableLine]
    paid: list[RefundablePayment]
    invoice: InvoiceToCredit | None
    methods: list[MethodInfo]


def order_to_refund(order_id: UUID, method_id: UUID | None) -> Query[OrderToRefund]:
    return Query(_TO_REFUND, (order_id, method_id, None), found("order", _to_refund))


_TO_REFUND = f"SELECT {STATE}, {_SOLD}, {_PAID}, {_INVOICE}, {METHODS} FROM orders o WHERE {WHERE}"


def _to_refund(row: Record) -> OrderToRefund:
    return OrderToRefund(
        read_state(row),
        msgspec.json.decode(row["sold"], type=list[RefundableLine]),
        msgspec.json.decode(row["paid"], type=list[RefundablePayment]),
        msgspec.json.decode(row["invoice"] or "null", type=InvoiceToCredit | None),
        read_methods(row),
    )


class OrderToInvoice(NamedTuple):
    order: OrderState
    sold: list[RefundableLine]
    parties: InvoiceParties
    refunds: list[RefundToCredit]  # in the order in which they were made


def order_to_invoice(order_id: UUID) -> Query[OrderToInvoice]:
    return Query(_TO_INVOICE, (order_id,), found("order", _to_invoice))


_TO_INVOICE = f"SELECT {STATE}, {_SOLD}, {PARTIES}::text AS parties, {_REFUNDS} FROM orders o WHERE {WHERE}"


def _to_invoice(row: Record) -> OrderToInvoice:
    return OrderToInvoice(
        read_state(row),
        msgspec.json.decode(row["sold"], type=list[RefundableLine]),
        msgspec.json.decode(row["parties"], type=InvoiceParties),
        msgspec.json.decode(row["refunds"], type=list[RefundToCredit]),
    )
