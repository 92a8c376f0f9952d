"""The lists that can be exported, with their columns. Each is read in batches, by a key."""

from enum import StrEnum
from typing import NamedTuple


class ListName(StrEnum):
    CUSTOMERS = "customers"
    ITEMS = "items"
    STAFF = "staff"
    ORDERS = "orders"
    TRANSACTIONS = "transactions"
    STOCK = "stock"
    ACTIVITY = "activity"


class ExportedList(NamedTuple):
    """`sql` has {period} where rows of a period are chosen; $2 is the key of the last row, $3 the size of a batch.

    The first column is the key, which is not exported. $4 and $5 are the first and the last day, if there are any.
    """

    columns: tuple[str, ...]
    sql: str
    first_key: object
    has_period: bool


_NO_UUID = "00000000-0000-0000-0000-000000000000"
_NAME = "coalesce({0} ->> t.languages[1], (SELECT min(value) FROM jsonb_each_text({0})))"

LISTS = {
    ListName.CUSTOMERS: ExportedList(
        (
            "first_name",
            "last_name",
            "phone",
            "email",
            "type",
            "city",
            "address",
            "note",
            "tax_number",
            "tags",
            "blocked",
            "created_at",
        ),
        """
        SELECT c.id, c.first_name, c.last_name, c.phone, c.email, c.type, c.city, c.address, c.note,
               c.tax_registration_number, (
                   SELECT string_agg(g.name, ', ' ORDER BY g.name) FROM customer_tags ct
                   JOIN tags g ON g.tenant_id = $1 AND g.id = ct.tag_id
                   WHERE ct.tenant_id = $1 AND ct.customer_id = c.id), c.blocked, c.created_at
        FROM customers c WHERE c.tenant_id = $1 AND c.id > $2::uuid AND c.erased_at IS NULL ORDER BY c.id LIMIT $3
        """,
        _NO_UUID,
        has_period=False,
    ),
    ListName.ITEMS: ExportedList(
        (
            "type",
            "name_en",
            "name_ar",
            "category",
            "sku",
            "barcode",
            "price",
            "offer_price",
            "duration",
            "cost",
            "stock",
            "active",
        ),
        f"""
        SELECT i.id, i.type, i.name ->> 'en', i.name ->> 'ar', {_NAME.format("c.name")}, i.sku, i.barcode,
               round(i.price, t.currency_decimals), round(i.offer_price, t.currency_decimals), i.duration,
               round(i.cost, t.currency_decimals), i.stock, i.status
        FROM items i JOIN tenants t ON t.id = $1
        LEFT JOIN categories c ON c.tenant_id = $1 AND c.id = i.category_id
        WHERE i.tenant_id = $1 AND i.id > $2::uuid ORDER BY i.id LIMIT $3
        """,
        _NO_UUID,
        has_period=False,
    ),
    ListName.STAFF: ExportedList(
        ("name", "phone", "email", "branch", "active"),
        """
        SELECT s.id, s.name, s.phone, s.email, b.name, s.active
        FROM staff s JOIN branches b ON b.tenant_id = $1 AND b.id = s.branch_id
        WHERE s.tenant_id = $1 AND s.id > $2::uuid ORDER BY s.id LIMIT $3
        """,
        _NO_UUID,
        has_period=False,
    ),
    ListName.ORDERS: ExportedList(
        (
            "number",
            "created_at",
            "starts_at",
            "customer",
            "phone",
            "items",
            "branch",
            "source",
            "status",
            "payment",
            "sub_total",
            "discount",
            "total",
            "paid",
            "refunded",
        ),
        """
        SELECT o.order_number, o.order_number, o.created_at, o.starts_at, concat_ws(' ', c.first_name, c.last_name),
               c.phone, (SELECT string_agg(l.name || ' × ' || l.quantity, ', ' ORDER BY l.position) FROM order_lines l
                         WHERE l.tenant_id = $1 AND l.order_id = o.id), b.name, o.source, o.status, o.payment_status,
               round(o.sub_total, t.currency_decimals), round(o.discount_amount, t.currency_decimals),
               round(o.total, t.currency_decimals), round(o.paid_amount, t.currency_decimals),
               round(o.refunded_amount, t.currency_decimals)
        FROM orders o JOIN tenants t ON t.id = $1 JOIN branches b ON b.tenant_id = $1 AND b.id = o.branch_id
        LEFT JOIN customers c ON c.tenant_id = $1 AND c.id = o.customer_id
        WHERE o.tenant_id = $1 AND o.order_number > $2::bigint {period} ORDER BY o.order_number LIMIT $3
        """,
        0,
        has_period=True,
    ),
    ListName.TRANSACTIONS: ExportedList(
        ("number", "created_at", "order", "method", "amount", "status", "cashier", "reference", "note"),
        f"""
        SELECT o.transaction_no, o.transaction_no, o.date, r.order_number, {_NAME.format("m.name")},
               round(o.amount, t.currency_decimals), o.status, o.cashier, o.reference_number, o.note
        FROM transactions o JOIN tenants t ON t.id = $1 JOIN orders r ON r.tenant_id = $1 AND r.id = o.order_id
        JOIN payment_methods m ON m.tenant_id = $1 AND m.id = o.payment_method_id
        WHERE o.tenant_id = $1 AND o.transaction_no > $2::bigint {{period}} ORDER BY o.transaction_no LIMIT $3
        """,
        0,
        has_period=True,
    ),
    ListName.STOCK: ExportedList(
        ("created_at", "item", "sku", "option", "change", "quantity", "reason", "note", "order"),
        f"""
        SELECT o.id, o.created_at, {_NAME.format("i.name")}, i.sku, {_NAME.format("p.name")}, o.change, o.quantity,
               o.reason, o.note, r.order_number
        FROM stock_movements o JOIN tenants t ON t.id = $1 JOIN items i ON i.tenant_id = $1 AND i.id = o.item_id
        LEFT JOIN item_options p ON p.tenant_id = $1 AND p.id = o.option_id
        LEFT JOIN orders r ON r.tenant_id = $1 AND r.id = o.order_id
        WHERE o.tenant_id = $1 AND o.id > $2::uuid {{period}} ORDER BY o.id LIMIT $3
        """,
        _NO_UUID,
        has_period=True,
    ),
    ListName.ACTIVITY: ExportedList(
        ("created_at", "who", "address", "action", "subject", "before", "after"),
        """
        SELECT o.id, o.created_at, coalesce(u.name, c.name, k.name, o.actor_type), o.address, o.action, o.subject,
               o.before::text, o.after::text
        FROM activity o JOIN tenants t ON t.id = $1
        LEFT JOIN users u ON o.actor_type = 'user' AND u.id = o.actor_id
        LEFT JOIN api_clients c ON c.tenant_id = $1 AND c.id = o.actor_id
        LEFT JOIN api_keys k ON k.tenant_id = $1 AND k.id = o.actor_id
        WHERE o.tenant_id = $1 AND o.id > $2::uuid {period} ORDER BY o.id LIMIT $3
        """,
        _NO_UUID,
        has_period=True,
    ),
}
