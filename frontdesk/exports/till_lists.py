"""Lists of the front desk: who waits, the drawer, closed days, messages to customers."""

from frontdesk.exports.list_types import NAME, ExportedList, ListName

_DRAWER_AMOUNT = "round((o.drawer ->> '{}')::numeric, t.currency_decimals)"

TILL_LISTS = {
    ListName.WAITING_LIST: ExportedList(
        ("customer", "phone", "services", "provider", "first_day", "last_day", "part_of_day", "note", "created_at"),
        f"""
        SELECT o.id, concat_ws(' ', c.first_name, c.last_name), c.phone, (
                   SELECT string_agg({NAME.format("i.name")}, ', ' ORDER BY n.position)
                   FROM unnest(o.item_id || o.more_item_ids) WITH ORDINALITY n (id, position)
                   JOIN items i ON i.tenant_id = $1 AND i.id = n.id), s.name, o.first_day, o.last_day, o.part_of_day,
               o.note, o.created_at
        FROM {{rows}} o JOIN tenants t ON t.id = $1 JOIN customers c ON c.tenant_id = $1 AND c.id = o.customer_id
        LEFT JOIN staff s ON s.tenant_id = $1 AND s.id = o.staff_id ORDER BY o.id
        """,
        "waiting_list",
        time="created_at",
    ),
    ListName.DRAWER: ExportedList(
        ("created_at", "branch", "movement", "amount", "expected", "counted", "reason", "who", "opened_at", "float"),
        """
        SELECT o.number, o.created_at, b.name, o.kind, round(o.amount, t.currency_decimals),
               round(o.expected, t.currency_decimals), round(o.counted, t.currency_decimals), o.reason,
               coalesce(u.name, k.name, o.created_by_type), s.opened_at, round(s.float_amount, t.currency_decimals)
        FROM {rows} o JOIN tenants t ON t.id = $1
        JOIN drawer_sessions s ON s.tenant_id = $1 AND s.id = o.session_id
        JOIN branches b ON b.tenant_id = $1 AND b.id = s.branch_id
        LEFT JOIN users u ON u.id = o.created_by_id
        LEFT JOIN api_keys k ON k.tenant_id = $1 AND k.id = o.created_by_id ORDER BY o.number
        """,
        "drawer_movements",
        "number",
        "created_at",
    ),
    ListName.DAY_CLOSES: ExportedList(
        (
            *(
                "number",
                "day",
                "starts_at",
                "ends_at",
                "branch",
                "closed_at",
                "who",
                "expected",
                "counted",
                "difference",
            ),
            *("left", "note", "reopened_at", "reopening_reason"),
        ),
        f"""
        SELECT o.close_number, o.close_number, o.day, o.starts_at, o.ends_at, b.name, o.closed_at,
               coalesce(u.name, k.name, o.closed_by_type),
               {_DRAWER_AMOUNT.format("expected")}, {_DRAWER_AMOUNT.format("counted")},
               {_DRAWER_AMOUNT.format("counted")} - {_DRAWER_AMOUNT.format("expected")},
               {_DRAWER_AMOUNT.format("left")}, o.note, r.reopened_at, r.reason
        FROM {{rows}} o JOIN tenants t ON t.id = $1 JOIN branches b ON b.tenant_id = $1 AND b.id = o.branch_id
        LEFT JOIN day_reopenings r ON r.tenant_id = $1 AND r.day_close_id = o.id
        LEFT JOIN users u ON u.id = o.closed_by_id
        LEFT JOIN api_keys k ON k.tenant_id = $1 AND k.id = o.closed_by_id ORDER BY o.close_number
        """,
        "day_closes",
        "close_number",
        "closed_at",
    ),
    ListName.MESSAGES: ExportedList(
        ("created_at", "message", "customer", "email", "phone", "order", "state", "answer", "finished_at"),
        """
        SELECT o.id, o.created_at, o.kind, o.name, o.email, o.phone, r.order_number, o.state,
               coalesce(o.handled_by, o.answer), o.finished_at
        FROM {rows} o LEFT JOIN orders r ON r.tenant_id = $1 AND r.id = o.order_id ORDER BY o.id
        """,
        "messages",
        time="created_at",
    ),
    ListName.COMMISSION_RATES: ExportedList(
        ("provider", "item", "starts_on", "percent"),
        f"""
        SELECT o.id, s.name, {NAME.format("i.name")}, o.starts_on, o.percent
        FROM {{rows}} o JOIN tenants t ON t.id = $1 LEFT JOIN staff s ON s.tenant_id = $1 AND s.id = o.staff_id
        LEFT JOIN items i ON i.tenant_id = $1 AND i.id = o.item_id ORDER BY o.id
        """,
        "commission_rates",
    ),
}
