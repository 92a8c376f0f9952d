"""The lists that can be exported, with their columns. Each is read in batches, by a key."""

from frontdesk.exports.list_types import NAME, ExportedList, ListName
from frontdesk.exports.settings_lists import SETTINGS_LISTS
from frontdesk.exports.till_lists import TILL_LISTS

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
            "birthday",
            "allergies",
            "favorite_provider",
            "tags",
            "blocked",
            "created_at",
        ),
        """
        SELECT c.id, c.first_name, c.last_name, c.phone, c.email, c.type, c.city, c.address, c.note,
               c.tax_registration_number, c.birthday, c.allergies, (
                   SELECT s.name FROM staff s WHERE s.tenant_id = $1 AND s.id = c.favorite_staff_id), (
                   SELECT string_agg(g.name, ', ' ORDER BY g.name) FROM customer_tags ct
                   JOIN tags g ON g.tenant_id = $1 AND g.id = ct.tag_id
                   WHERE ct.tenant_id = $1 AND ct.customer_id = c.id), c.blocked, c.created_at
        FROM {rows} c ORDER BY c.id
        """,
        "customers",
        only=" AND a.erased_at IS NULL",
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
            "buffer_before",
            "buffer_after",
            "tax_class",
            "cost",
            "stock",
            "low_stock",
            "options",
            "base_sellable",
            "active",
        ),
        f"""
        SELECT i.id, i.type, i.name ->> 'en', i.name ->> 'ar', {NAME.format("c.name")}, i.sku, i.barcode,
               round(i.price, t.currency_decimals), round(i.offer_price, t.currency_decimals), i.duration,
               nullif(i.buffer_before, 0), nullif(i.buffer_after, 0), {NAME.format("x.name")},
               round(i.cost, t.currency_decimals), CASE WHEN NOT EXISTS (
                   SELECT FROM item_options o WHERE o.tenant_id = $1 AND o.item_id = i.id AND o.quantity IS NOT NULL)
                   THEN i.stock END, i.low_stock, (
                   SELECT string_agg(concat_ws(': ', concat_ws(' / ', o.name ->> 'en', o.name ->> 'ar'),
                       round(o.price, t.currency_decimals)::text, coalesce(o.duration, o.quantity)::text),
                       '; ' ORDER BY o.sort_order, o.id)
                   FROM item_options o WHERE o.tenant_id = $1 AND o.item_id = i.id), CASE WHEN EXISTS (
                   SELECT FROM item_options o WHERE o.tenant_id = $1 AND o.item_id = i.id) THEN i.base_sellable END,
               i.status
        FROM {{rows}} i JOIN tenants t ON t.id = $1
        LEFT JOIN categories c ON c.tenant_id = $1 AND c.id = i.category_id
        LEFT JOIN tax_classes x ON x.tenant_id = $1 AND x.id = i.tax_class_id ORDER BY i.id
        """,
        "items",
    ),
    ListName.PACKAGES: ExportedList(
        ("name_en", "name_ar", "sku", "price", "offer_price", "tax_class", "items", "branch", "active"),
        f"""
        SELECT p.id, p.name ->> 'en', p.name ->> 'ar', p.sku, round(p.price, t.currency_decimals),
               round(p.offer_price, t.currency_decimals), {NAME.format("x.name")}, (
                   SELECT string_agg({NAME.format("i.name")} || ' × ' || k.quantity, ', '
                                     ORDER BY k.sort_order, k.item_id)
                   FROM package_items k JOIN items i ON i.tenant_id = $1 AND i.id = k.item_id
                   WHERE k.tenant_id = $1 AND k.package_id = p.id), b.name, p.status
        FROM {{rows}} p JOIN tenants t ON t.id = $1 JOIN branches b ON b.tenant_id = $1 AND b.id = p.branch_id
        LEFT JOIN tax_classes x ON x.tenant_id = $1 AND x.id = p.tax_class_id ORDER BY p.id
        """,
        "packages",
    ),
    ListName.STAFF: ExportedList(
        ("name", "phone", "email", "branch", "services", "active"),
        f"""
        SELECT s.id, s.name, s.phone, s.email, b.name, (
                   SELECT string_agg({NAME.format("i.name")}, '; ' ORDER BY i.id)
                   FROM staff_services v JOIN items i ON i.tenant_id = $1 AND i.id = v.item_id
                   WHERE v.tenant_id = $1 AND v.staff_id = s.id), s.active
        FROM {{rows}} s JOIN tenants t ON t.id = $1 JOIN branches b ON b.tenant_id = $1 AND b.id = s.branch_id
        ORDER BY s.id
        """,
        "staff",
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
            "tax",
            "paid",
            "refunded",
        ),
        """
        SELECT o.order_number, o.order_number, o.created_at, o.starts_at, concat_ws(' ', c.first_name, c.last_name),
               c.phone, (SELECT string_agg(l.name || ' × ' || l.quantity, ', ' ORDER BY l.position) FROM order_lines l
                         WHERE l.tenant_id = $1 AND l.order_id = o.id), b.name, o.source, o.status, o.payment_status,
               round(o.sub_total, t.currency_decimals), round(o.discount_amount, t.currency_decimals),
               round(o.total, t.currency_decimals), round(o.tax_amount, t.currency_decimals),
               round(o.paid_amount, t.currency_decimals), round(o.refunded_amount, t.currency_decimals)
        FROM {rows} o JOIN tenants t ON t.id = $1 JOIN branches b ON b.tenant_id = $1 AND b.id = o.branch_id
        LEFT JOIN customers c ON c.tenant_id = $1 AND c.id = o.customer_id ORDER BY o.order_number
        """,
        "orders",
        "order_number",
        "created_at",
    ),
    ListName.TRANSACTIONS: ExportedList(
        ("number", "created_at", "order", "method", "amount", "status", "cashier", "reference", "note"),
        f"""
        SELECT o.transaction_no, o.transaction_no, o.date, r.order_number, {NAME.format("m.name")},
               round(o.amount, t.currency_decimals), o.status, o.cashier, o.reference_number, o.note
        FROM {{rows}} o JOIN tenants t ON t.id = $1 JOIN orders r ON r.tenant_id = $1 AND r.id = o.order_id
        JOIN payment_methods m ON m.tenant_id = $1 AND m.id = o.payment_method_id ORDER BY o.transaction_no
        """,
        "transactions",
        "transaction_no",
        "created_at",
    ),
    ListName.INVOICES: ExportedList(
        ("number", "issued_at", "order", "customer", "tax_number", "without_tax", "tax", "total", "currency"),
        """
        SELECT o.invoice_number, o.invoice_number, o.issued_at, r.order_number, o.buyer ->> 'name',
               o.buyer ->> 'tax_registration_number', round(o.total - o.tax_amount, t.currency_decimals),
               round(o.tax_amount, t.currency_decimals), round(o.total, t.currency_decimals), o.currency
        FROM {rows} o JOIN tenants t ON t.id = $1 JOIN orders r ON r.tenant_id = $1 AND r.id = o.order_id
        ORDER BY o.invoice_number
        """,
        "invoices",
        "invoice_number",
        "issued_at",
    ),
    ListName.CREDIT_NOTES: ExportedList(
        ("number", "issued_at", "invoice", "order", "customer", "without_tax", "tax", "total", "currency"),
        """
        SELECT o.credit_note_number, o.credit_note_number, o.issued_at, i.invoice_number, r.order_number,
               o.buyer ->> 'name', round(o.total - o.tax_amount, t.currency_decimals),
               round(o.tax_amount, t.currency_decimals), round(o.total, t.currency_decimals), o.currency
        FROM {rows} o JOIN tenants t ON t.id = $1 JOIN orders r ON r.tenant_id = $1 AND r.id = o.order_id
        JOIN invoices i ON i.tenant_id = $1 AND i.id = o.invoice_id ORDER BY o.credit_note_number
        """,
        "credit_notes",
        "credit_note_number",
        "issued_at",
    ),
    ListName.STOCK: ExportedList(
        ("created_at", "item", "sku", "option", "change", "quantity", "reason", "note", "order"),
        f"""
        SELECT o.id, o.created_at, {NAME.format("i.name")}, i.sku, {NAME.format("p.name")}, o.change, o.quantity,
               o.reason, o.note, r.order_number
        FROM {{rows}} o JOIN tenants t ON t.id = $1 JOIN items i ON i.tenant_id = $1 AND i.id = o.item_id
        LEFT JOIN item_options p ON p.tenant_id = $1 AND p.id = o.option_id
        LEFT JOIN orders r ON r.tenant_id = $1 AND r.id = o.order_id ORDER BY o.id
        """,
        "stock_movements",
        time="created_at",
    ),
    ListName.ACTIVITY: ExportedList(
        ("created_at", "who", "approved_by", "address", "action", "subject", "before", "after"),
        """
        SELECT o.id, o.created_at, coalesce(u.name, c.name, k.name, o.actor_type), b.name, o.address, o.action,
               o.subject, o.before::text, o.after::text
        FROM {rows} o
        LEFT JOIN users u ON o.actor_type = 'user' AND u.id = o.actor_id
        LEFT JOIN users b ON b.id = o.approved_by
        LEFT JOIN api_clients c ON c.tenant_id = $1 AND c.id = o.actor_id
        LEFT JOIN api_keys k ON k.tenant_id = $1 AND k.id = o.actor_id ORDER BY o.id
        """,
        "activity",
        time="created_at",
    ),
    **TILL_LISTS,
    **SETTINGS_LISTS,
}
