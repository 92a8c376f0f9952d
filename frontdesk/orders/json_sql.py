"""The SQL that writes the published forms of lists.

In every statement that uses these, `o` is the order and `t` a transaction. The functions take the SQL for the
currency's decimals and the tenant's time zone, because these differ between statements.
"""

from functools import cache
from typing import NamedTuple


class LocalTimeFormat(NamedTuple):
    """Formats timestamps in the time zone that the given SQL returns."""

    zone: str

    def text(self, moment: str) -> str:
        """The same as the database function `format_local`, inlined, because a call costs three times as much."""
        return f"""(SELECT to_char({moment} AT TIME ZONE 'UTC' + z.shift, z.form) FROM time_zone_offsets z
            WHERE z.zone = {self.zone} AND z.starts <= {moment} ORDER BY z.starts DESC LIMIT 1)"""


_CUSTOMER = """CASE WHEN c.id IS NOT NULL THEN json_build_object(
            'id', c.id, 'first_name', c.first_name, 'last_name', c.last_name, 'phone', c.phone) END"""


@cache
def order_list_item(decimals: str, local_time: LocalTimeFormat | None = None, more: str = "") -> str:
    """`c` is the customer, if any, and `b` the branch. With `local_time` it has the further fields of the POS API."""
    if local_time:
        more = f", 'start', {local_time.text('o.starts_at')}, 'cashier', o.cashier"
    return f"""json_build_object(
        'id', o.id, 'order_number', o.order_number::text, 'parent_id', o.parent_id, 'status', o.status,
        'payment_status', o.payment_status, 'source', o.source,
        'customer', {_CUSTOMER},
        'branch', json_build_object('id', b.id, 'name', b.name), 'items', o.list_items,
        'currency', o.currency, 'total', round(o.total, {decimals}),
        'discount_amount', round(o.discount_amount, {decimals}),
        'created_at', format_utc(o.created_at), 'updated_at', format_utc(o.updated_at){more})"""


FIRST_BOOKING = """(SELECT booking_json(k, o.status, {zone}) FROM bookings k
        WHERE k.tenant_id = $1 AND k.order_id = o.id ORDER BY lower(k.during), k.id LIMIT 1)"""


def transaction_item(decimals: str, zone: str) -> str:
    """`o` is the order and `m` the payment method."""
    return f"transaction_json(t, m, o.order_number, {FIRST_BOOKING.format(zone=zone)}, {decimals}, {zone})"


ORDER_JOINS = """
    JOIN branches b ON b.tenant_id = $1 AND b.id = o.branch_id
    LEFT JOIN LATERAL (
        SELECT * FROM customers WHERE tenant_id = $1 AND id = o.customer_id OFFSET 0) c ON true"""
