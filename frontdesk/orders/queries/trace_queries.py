"""What the trace of an order is made of."""

from collections.abc import Collection
from decimal import Decimal
from uuid import UUID

import msgspec

from frontdesk.availability.types import ProviderChoice
from frontdesk.orders.documents import SoldOption
from frontdesk.orders.origins import PriceOrigin
from frontdesk.orders.pricing import Discount
from frontdesk.orders.trace_documents import TracePayment, TraceRefund, TraceTip
from frontdesk.orders.types import LineType, Source
from frontdesk.postgres.query import Query, decoded, found_decoded, json_bytes
from frontdesk.values.actor import Author
from frontdesk.webhooks.payloads import ChangedBy


class StoredLine(msgspec.Struct, frozen=True):
    id: UUID
    parent_line_id: UUID | None  # of a refund
    item_id: UUID  # or the package
    name: str
    type: LineType
    quantity: int
    option: SoldOption | None
    price: Decimal
    own_discount: Decimal
    discount_amount: Decimal
    total: Decimal
    tax_rate: Decimal
    tax_amount: Decimal
    discountable: bool
    staff_id: UUID | None
    priced: PriceOrigin | None
    chosen: ProviderChoice | None


class StoredOrder(msgspec.Struct, frozen=True):
    id: UUID
    number: str
    parent_id: UUID | None
    source: Source
    created_by: ChangedBy
    created_at: str
    currency: str
    decimals: int
    discount: Discount | None
    discount_by: Author | None
    sub_total: Decimal
    discount_amount: Decimal
    total: Decimal
    tax_amount: Decimal
    lines: list[StoredLine]
    payments: list[TracePayment]  # without what they settle
    tips: list[TraceTip]
    refunds: list[TraceRefund]


_LINES = """(
    SELECT coalesce(json_agg(json_build_object(
        'id', l.id, 'parent_line_id', l.parent_line_id,
        'item_id', coalesce(l.item_id, l.package_id), 'name', l.name, 'type', l.type, 'quantity', l.quantity,
        'option', CASE WHEN l.option_ids <> '{}' THEN json_build_object(
            'id', l.option_ids[1], 'name', coalesce(l.option_name, '')) END,
        'price', l.price, 'discount_amount', l.discount_amount,
        'own_discount', CASE WHEN o.discount IS NULL THEN l.discount_amount ELSE l.own_discount END,
        'total', l.total, 'tax_rate', l.tax_rate, 'tax_amount', l.tax_amount, 'discountable', l.apply_discount,
        'staff_id', l.staff_id, 'priced', l.priced, 'chosen', l.chosen) ORDER BY l.position), '[]')
    FROM order_lines l WHERE l.tenant_id = $1 AND l.order_id = o.id)"""
_PAYMENTS = """(
    SELECT coalesce(json_agg(json_build_object(
        'id', t.id, 'transaction_no', t.transaction_no, 'amount', t.amount,
        'date', format_local(t.date, context.timezone), 'is_deposit', t.is_deposit,
        'payment_method', json_build_object('id', m.id, 'name', m.name, 'slug', m.slug),
        'returned_order_id', t.returned_order_id, 'settles', ARRAY[]::json[]) ORDER BY t.transaction_no), '[]')
    FROM transactions t JOIN payment_methods m ON m.tenant_id = $1 AND m.id = t.payment_method_id
    WHERE t.tenant_id = $1 AND t.order_id = o.id AND t.amount > 0 AND t.status NOT IN ('refused', 'canceled'))"""
_TIPS = """(
    SELECT coalesce(json_agg(json_build_object(
        'amount', round(t.amount, context.currency_decimals), 'staff_id', t.staff_id) ORDER BY t.id), '[]')
    FROM tips t WHERE t.tenant_id = $1 AND t.order_id = o.id)"""
_REFUNDS = """(
    SELECT coalesce(json_agg(json_build_object(
        'order_id', r.child_order_id, 'order_number', d.order_number::text,
        'amount', round(r.amount, context.currency_decimals), 'reason', r.reason,
        'created_at', format_utc(r.created_at), 'lines', (
            SELECT coalesce(json_agg(json_build_object(
                'line_id', l.parent_line_id, 'quantity', l.returned,
                'amount', round(-l.total, context.currency_decimals),
                'tax_amount', round(-l.tax_amount, context.currency_decimals)) ORDER BY l.position), '[]')
            FROM order_lines l WHERE l.tenant_id = $1 AND l.order_id = d.id)) ORDER BY d.order_number), '[]')
    FROM refunds r JOIN orders d ON d.tenant_id = $1 AND d.id = r.child_order_id
    WHERE r.tenant_id = $1 AND r.order_id = o.id)"""


def order_to_trace(order_id: UUID) -> Query[StoredOrder]:
    return Query(_SQL, (order_id,), found_decoded("order", StoredOrder))


_DOCUMENT = f"""json_build_object(
    'id', o.id, 'number', o.order_number::text, 'parent_id', o.parent_id, 'source', o.source,
    'created_by', changed_by_json(o.created_by_type, o.created_by_id), 'created_at', format_utc(o.created_at),
    'currency', o.currency, 'decimals', context.currency_decimals,
    'discount', o.discount, 'discount_by', o.discount_by, 'sub_total', o.sub_total,
    'discount_amount', o.discount_amount, 'total', o.total, 'tax_amount', o.tax_amount,
    'lines', {_LINES}, 'payments', {_PAYMENTS}, 'tips', {_TIPS}, 'refunds', {_REFUNDS})"""
_SQL = f"SELECT {json_bytes(_DOCUMENT)} AS document FROM orders o WHERE o.tenant_id = $1 AND o.id = $2"


def names_of_trace(ids: Collection[UUID], language: str | None) -> Query[dict[UUID, str]]:
    """Of everything that a trace names by its id: people, applications, items and tax classes."""
    return Query(_NAMES, (list(ids), language), decoded(dict[UUID, str]))


_NAMES = """
    SELECT convert_to(coalesce(json_object_agg(n.id, n.name), '{}')::text, 'UTF8') AS document FROM (
        SELECT s.id, s.name FROM staff s WHERE s.tenant_id = $1 AND s.id = ANY ($2)
        UNION ALL SELECT a.id, a.name FROM api_clients a WHERE a.tenant_id = $1 AND a.id = ANY ($2)
        UNION ALL SELECT k.id, k.name FROM api_keys k WHERE k.tenant_id = $1 AND k.id = ANY ($2)
        UNION ALL SELECT u.id, u.name FROM users u WHERE u.id = ANY ($2)
        UNION ALL SELECT i.id, coalesce(i.name ->> $3, published_text(i.name, context.languages)) FROM items i
            WHERE i.tenant_id = $1 AND i.id = ANY ($2)
        UNION ALL SELECT g.id, coalesce(g.name ->> $3, published_text(g.name, context.languages)) FROM packages g
            WHERE g.tenant_id = $1 AND g.id = ANY ($2)
        UNION ALL SELECT c.id, coalesce(c.name ->> $3, published_text(c.name, context.languages)) FROM tax_classes c
            WHERE c.tenant_id = $1 AND c.id = ANY ($2)) n"""
