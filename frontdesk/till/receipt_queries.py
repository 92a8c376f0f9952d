"""What the receipt of an order or a refund shows."""

from collections.abc import Collection, Sequence
from datetime import datetime
from decimal import Decimal
from uuid import UUID

import msgspec

from frontdesk.invoices.money_types import InvoiceSeller
from frontdesk.invoices.order_queries import PARTIES
from frontdesk.postgres.query import Query, decoded, found_decoded, optional_decoded
from frontdesk.values.money import exact_sum
from frontdesk.values.tenant_context import TenantContext


class ReceiptLine(msgspec.Struct, frozen=True):
    name: str
    names: dict[str, str]  # by language; those of the invoice, if one is issued; empty if the item was renamed since
    options: list[dict[str, str]]
    staff: str | None
    staff_names: dict[str, str] | None  # what customers read in place of `staff`, by language
    quantity: int
    price: Decimal
    discount_amount: Decimal
    total: Decimal
    tax_rate: Decimal
    tax_amount: Decimal


class ReceiptPayment(msgspec.Struct, frozen=True):
    """What was paid by one method, with the tip."""

    method: dict[str, str]
    amount: Decimal
    tendered: Decimal | None
    is_deposit: bool  # paid at an earlier moment than what settled the order
    returned_from: int | None  # the number of the earlier sale, if returned lines pay this
    date: datetime

    @property
    def change(self) -> Decimal:
        return self.tendered - self.amount if self.tendered is not None else Decimal(0)


def change_to_give(payments: Collection[ReceiptPayment]) -> Decimal:
    """Of the last payment; that of a deposit was given at another moment."""
    last = max((payment.date for payment in payments), default=None)
    return exact_sum(payment.change for payment in payments if payment.date == last)


class ReceiptParties(msgspec.Struct, frozen=True):
    seller: InvoiceSeller


class Receipt(msgspec.Struct, frozen=True):
    id: UUID
    number: int
    version: int
    status: str
    sale_id: UUID | None  # of a refund
    sale_number: int | None
    currency: str
    sub_total: Decimal
    discount_amount: Decimal
    total: Decimal
    tax_amount: Decimal
    paid_amount: Decimal
    cashier: str | None
    customer: str | None
    email: str | None
    placed_at: datetime
    invoice_number: int | None
    credit_note_number: int | None
    credited_number: int | None  # of the invoice that the credit note refers to
    issued_at: datetime | None  # of the invoice or credit note, as are the parties and the code
    reason: str | None  # of the credit note
    buyer_tax_number: str | None
    qr: str | None  # of the invoice or credit note
    lines: list[ReceiptLine]
    payments: list[ReceiptPayment]
    tip: Decimal
    came_back: Decimal  # the refund of an exchange, of which these payments take a part
    link_id: UUID | None
    parties: ReceiptParties
    tenant: TenantContext

    @property
    def remaining(self) -> Decimal:
        return max(self.total - self.paid_amount, Decimal(0)) if self.sale_id is None else Decimal(0)

    @property
    def given_back(self) -> Decimal:
        """In an exchange, what came back beyond what was taken instead."""
        return self.came_back - exact_sum(payment.amount for payment in self.payments if payment.returned_from)

    @property
    def payment_rows(self) -> list[ReceiptPayment]:
        """A refund names a method once, however many payments it gives back."""
        if not self.is_refund:
            return self.payments
        rows: dict[tuple[tuple[str, str], ...], ReceiptPayment] = {}
        for payment in self.payments:
            key = tuple(payment.method.items())
            amount = payment.amount + (rows[key].amount if key in rows else 0)
            rows[key] = msgspec.structs.replace(payment, amount=amount)
        return list(rows.values())

    @property
    def date(self) -> datetime:
        """When the invoice was issued, else when it was paid last. A booking is made days before it is paid."""
        return self.issued_at or max((payment.date for payment in self.payments), default=self.placed_at)

    @property
    def can_be_invoiced(self) -> bool:
        return self.sale_id is None and self.invoice_number is None and self.status not in ("draft", "canceled")

    @property
    def is_refund(self) -> bool:
        return self.sale_id is not None


# A tip was handed over with the last payment by its method, or alone; never with the value of what came back.
# Payments of one moment have the same date. Those of the moment that settled the order are no deposits to the reader.
_PAID = """
    SELECT coalesce(t.payment_method_id, p.payment_method_id) AS payment_method_id, t.transaction_no AS number,
        coalesce(t.amount, 0) + coalesce(p.amount, 0) AS amount, t.tendered_amount + coalesce(p.amount, 0) AS tendered,
        coalesce(t.is_deposit AND (o.paid_amount < o.total OR t.date <> t.last_date), false) AS is_deposit,
        t.returned_order_id, coalesce(t.date, p.date) AS date
    FROM (SELECT a.*, first_value(a.date) OVER (ORDER BY a.transaction_no DESC) AS last_date,
              CASE WHEN a.returned_order_id IS NULL THEN row_number() OVER (
                  PARTITION BY a.payment_method_id, a.returned_order_id ORDER BY a.transaction_no DESC) END AS nth
          FROM transactions a
          WHERE a.tenant_id = $1 AND a.order_id = o.id AND a.status IN ('confirmed', 'refunded')) t
    FULL JOIN (SELECT b.payment_method_id, sum(b.amount) AS amount, max(b.created_at) AS date, 1 AS nth
          FROM tips b WHERE b.tenant_id = $1 AND b.order_id = o.id GROUP BY b.payment_method_id) p
        ON p.payment_method_id = t.payment_method_id AND p.nth = t.nth"""
_RECEIPT = f"""
    SELECT json_build_object(
        'id', o.id, 'number', o.order_number, 'version', o.version, 'status', o.status, 'sale_id', o.parent_id,
        'sale_number', (SELECT s.order_number FROM orders s WHERE s.tenant_id = $1 AND s.id = o.parent_id),
        'currency', o.currency, 'sub_total', o.sub_total::text,
        'discount_amount', o.discount_amount::text, 'total', o.total::text, 'tax_amount', o.tax_amount::text,
        'paid_amount', o.paid_amount::text, 'cashier', coalesce(o.cashier, (
            SELECT t.cashier FROM transactions t
            WHERE t.tenant_id = $1 AND t.order_id = o.id AND t.amount > 0 AND t.cashier IS NOT NULL
            ORDER BY t.transaction_no DESC LIMIT 1)),
        'customer', nullif(concat_ws(' ', c.first_name, c.last_name), ''), 'email', c.email,
        'placed_at', format_utc(o.created_at), 'invoice_number', v.invoice_number,
        'credit_note_number', n.credit_note_number, 'credited_number', (
            SELECT i.invoice_number FROM invoices i WHERE i.tenant_id = $1 AND i.id = n.invoice_id),
        'reason', (SELECT r.reason FROM refunds r WHERE r.tenant_id = $1 AND r.child_order_id = n.order_id),
        'issued_at', format_utc(coalesce(v.issued_at, n.issued_at)),
        'buyer_tax_number', coalesce(v.buyer, n.buyer)->>'tax_registration_number', 'qr', coalesce(v.qr, n.qr),
        'lines', (SELECT coalesce(json_agg(json_build_object(
                'name', l.name, 'names', coalesce(coalesce(v.lines, n.lines) -> l.line_index -> 'names',
                    printed_names(l.name, coalesce(i.name, p.name))), 'options', ARRAY(
                    SELECT q.name FROM item_options q WHERE q.tenant_id = $1 AND q.id = ANY (l.option_ids)),
                'staff', s.name, 'staff_names', s.names, 'quantity', l.quantity, 'price', l.price::text,
                'discount_amount', l.discount_amount::text, 'total', l.total::text, 'tax_rate', l.tax_rate::text,
                'tax_amount', l.tax_amount::text) ORDER BY l.position), '[]')
            FROM (SELECT x.*, row_number() OVER (ORDER BY x.position)::integer - 1 AS line_index FROM order_lines x
                  WHERE x.tenant_id = $1 AND x.order_id = o.id) l
            LEFT JOIN items i ON i.tenant_id = $1 AND i.id = l.item_id
            LEFT JOIN packages p ON p.tenant_id = $1 AND p.id = l.package_id
            LEFT JOIN staff s ON s.tenant_id = $1 AND s.id = l.staff_id),
        'payments', (SELECT coalesce(json_agg(json_build_object(
                'method', m.name, 'amount', t.amount::text, 'tendered', t.tendered::text, 'is_deposit', t.is_deposit,
                'returned_from', (SELECT s.order_number FROM orders s
                    WHERE s.tenant_id = $1 AND s.id = t.returned_order_id),
                'date', format_utc(t.date)) ORDER BY t.number NULLS LAST, t.date), '[]')
            FROM ({_PAID}) t JOIN payment_methods m ON m.tenant_id = $1 AND m.id = t.payment_method_id),
        'tip', (SELECT coalesce(sum(t.amount), 0)::text FROM tips t WHERE t.tenant_id = $1 AND t.order_id = o.id),
        'came_back', (SELECT coalesce(-sum(x.amount), 0)::text
            FROM orders r JOIN transactions x ON x.tenant_id = $1 AND x.order_id = r.id
            WHERE r.tenant_id = $1 AND r.order_number = o.order_number - 1 AND r.parent_id IN (
                SELECT t.returned_order_id FROM transactions t WHERE t.tenant_id = $1 AND t.order_id = o.id)),
        'link_id', (SELECT k.id FROM receipt_links k WHERE k.tenant_id = $1 AND k.order_id = o.id),
        'parties', CASE WHEN v.id IS NULL AND n.id IS NULL THEN {PARTIES}
            ELSE json_build_object('seller', coalesce(v.seller, n.seller)) END,
        'tenant', json_build_object('tenant_id', $1::uuid, 'timezone', context.timezone, 'currency', context.currency,
            'currency_decimals', context.currency_decimals, 'languages', context.languages,
            'grid_minutes', context.grid_minutes))::text AS document
    FROM orders o
    LEFT JOIN customers c ON c.tenant_id = $1 AND c.id = o.customer_id
    LEFT JOIN invoices v ON v.tenant_id = $1 AND v.order_id = o.id
    LEFT JOIN credit_notes n ON n.tenant_id = $1 AND n.order_id = o.id AND o.parent_id IS NOT NULL
    WHERE o.tenant_id = $1 AND {{found}} AND o.status <> 'draft'"""
_OF_ORDER = _RECEIPT.format(found="o.id = $2")
_OF_ORDERS = f"""
    SELECT coalesce(json_agg(r.document::json ORDER BY (r.document::json ->> 'number')::bigint), '[]')::text AS document
    FROM ({_RECEIPT.format(found="o.id = ANY ($2::uuid[])")}) r"""
_OF_LINK = _RECEIPT.format(found="o.id = (SELECT k.order_id FROM receipt_links k WHERE k.tenant_id = $1 AND k.id = $2)")


_receipt = optional_decoded(Receipt)


def find_receipt(order_id: UUID) -> Query[Receipt | None]:
    return Query(_OF_ORDER, (order_id,), _receipt)


def get_receipt(order_id: UUID) -> Query[Receipt]:
    return Query(_OF_ORDER, (order_id,), found_decoded("receipt", Receipt))


def list_receipts(order_ids: Sequence[UUID]) -> Query[list[Receipt]]:
    """By number."""
    return Query(_OF_ORDERS, (list(order_ids),), decoded(list[Receipt]))


def find_shared_receipt(link_id: UUID) -> Query[Receipt | None]:
    return Query(_OF_LINK, (link_id,), _receipt)
