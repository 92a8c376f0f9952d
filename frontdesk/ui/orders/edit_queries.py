"""What the page shows on which the lines of an order are changed."""

from datetime import datetime
from decimal import Decimal
from uuid import UUID

import msgspec

from frontdesk.orders.pricing import Discount
from frontdesk.orders.queries.order_to_edit import SOLD, SoldLine
from frontdesk.orders.types import LineType
from frontdesk.postgres.query import Query, found_decoded
from frontdesk.tenants.price_queries import BASE_SELLABLE, CHARGED, OFFER, TAX

MAX_FOUND = 8


class ChoiceOption(msgspec.Struct, frozen=True):
    id: UUID
    name: dict[str, str]
    is_active: bool


class ChoicePerformer(msgspec.Struct, frozen=True):
    id: UUID
    name: str


class ChoiceItem(msgspec.Struct, frozen=True):
    """An item or a package, with what can be chosen for a line of it."""

    id: UUID
    type: LineType
    name: dict[str, str]  # by language
    price: Decimal  # as it is charged
    options: list[ChoiceOption]
    base_sellable: bool
    performers: list[ChoicePerformer]
    stock: int | None

    @property
    def needs_option(self) -> bool:
        return not self.base_sellable


class EditableOrder(msgspec.Struct, frozen=True):
    id: UUID
    version: int
    number: int
    status: str
    payment_status: str
    customer: str | None
    starts_at: datetime | None
    total: Decimal
    paid_amount: Decimal
    tax_amount: Decimal
    is_refund: bool
    invoiced: bool
    refunded: bool
    discount: Discount | None
    lines: list[SoldLine]
    items: list[ChoiceItem]  # of the lines, of those that were added, and found ones
    found: list[UUID]  # by the search
    notified: list[str]  # applications whose webhooks get order.updated

    @property
    def is_refundable(self) -> bool:
        return self.invoiced and not self.is_refund and self.status != "canceled"


_ITEMS = f"""
    SELECT i.id, i.type, i.name, {CHARGED.format(f"coalesce({OFFER.format('i')}, i.price)")} AS price, i.stock,
            {BASE_SELLABLE} AS base_sellable, (
            SELECT json_agg(json_build_object('id', v.id, 'name', v.name, 'is_active', v.is_active)
                ORDER BY v.sort_order, v.id)
            FROM item_options v WHERE v.tenant_id = $1 AND v.item_id = i.id) AS options, (
            SELECT json_agg(json_build_object('id', s.id, 'name', s.name) ORDER BY s.name_search, s.id)
            FROM staff_services ss JOIN staff s ON s.tenant_id = $1 AND s.id = ss.staff_id
            WHERE ss.tenant_id = $1 AND ss.item_id = i.id AND s.active AND s.branch_id = o.branch_id) AS performers
    FROM items i {TAX.format("i")} WHERE i.tenant_id = $1 AND (i.id = ANY ($3) OR i.id = ANY (found.ids)
        OR i.id IN (SELECT l.item_id FROM order_lines l WHERE l.tenant_id = $1 AND l.order_id = o.id))
    UNION ALL
    SELECT p.id, 'package', p.name, {CHARGED.format(f"coalesce({OFFER.format('p')}, p.price)")}, NULL, true, NULL, NULL
    FROM packages p {TAX.format("p")} WHERE p.tenant_id = $1 AND (p.id = ANY ($3) OR p.id = ANY (found.ids)
        OR p.id IN (SELECT l.package_id FROM order_lines l WHERE l.tenant_id = $1 AND l.order_id = o.id))"""
_FOUND = f"""
    SELECT ARRAY(
        SELECT f.id FROM (
            SELECT i.id, 1 AS kind, i.sort_order FROM items i
            WHERE i.tenant_id = $1 AND i.branch_id = o.branch_id AND i.status AND $4 <> ''
              AND (position($4 IN i.name_search) > 0 OR i.barcode = $4 OR lower(i.sku) = $4)
            UNION ALL
            SELECT p.id, 2, 0 FROM packages p
            WHERE p.tenant_id = $1 AND p.branch_id = o.branch_id AND p.status AND $4 <> ''
              AND position($4 IN lower(p.name::text)) > 0) f
        ORDER BY f.kind, f.sort_order, f.id LIMIT {MAX_FOUND}) AS ids"""


def editable_order(order_id: UUID, added: list[UUID], search: str) -> Query[EditableOrder]:
    """`added` are items of new lines; `search` is a search key, or empty."""
    return Query(
        _SQL,
        (order_id, added, search),
        found_decoded("order", EditableOrder),
    )


_SQL = f"""
    SELECT json_build_object(
        'id', o.id, 'version', o.version, 'number', o.order_number, 'status', o.status,
        'payment_status', o.payment_status, 'customer', nullif(concat_ws(' ', c.first_name, c.last_name), ''),
        'starts_at', format_utc(o.starts_at), 'total', o.total::text, 'paid_amount', o.paid_amount::text,
        'tax_amount', o.tax_amount::text, 'is_refund', o.parent_id IS NOT NULL,
        'invoiced', EXISTS (SELECT FROM invoices v WHERE v.tenant_id = $1 AND v.order_id = o.id),
        'refunded', EXISTS (SELECT FROM orders r WHERE r.tenant_id = $1 AND r.parent_id = o.id),
        'discount', o.discount, 'lines', {SOLD}::json, 'found', found.ids,
        'items', (SELECT coalesce(json_agg(json_build_object(
            'id', i.id, 'type', i.type, 'name', i.name, 'price', i.price::text, 'stock', i.stock,
            'base_sellable', i.base_sellable, 'options', coalesce(i.options, '[]'),
            'performers', coalesce(i.performers, '[]'))), '[]')
            FROM ({_ITEMS}) i),
        'notified', ARRAY(SELECT DISTINCT a.name FROM webhooks w
            JOIN api_clients a ON a.tenant_id = $1 AND a.id = w.client_id
            WHERE w.tenant_id = $1 AND w.disabled_at IS NULL AND 'order.updated' = ANY (w.events)))::text AS document
    FROM orders o LEFT JOIN customers c ON c.tenant_id = $1 AND c.id = o.customer_id, LATERAL ({_FOUND}) found
    WHERE o.tenant_id = $1 AND o.id = $2"""
