"""What was saved and does not work: one rule for each kind, as SQL about one row. `$1` is the tenant.

The list of the kind, the page of the record and the overview use the same rule.
"""

from typing import Final

# About `items i`: on sale, but no provider of its branch performs it. It cannot be booked. A statement that knows
# the providers of many services says by `{}` whether one of them does.
SERVICE_WITHOUT: Final = "(i.type = 'service' AND i.status AND NOT {})"
SERVICE_WITHOUT_PROVIDER: Final = SERVICE_WITHOUT.format(
    """EXISTS (
        SELECT FROM staff_services v JOIN staff f ON f.tenant_id = $1 AND f.id = v.staff_id
        WHERE v.tenant_id = $1 AND v.item_id = i.id AND f.active AND f.branch_id = i.branch_id)"""
)
# About `items i`: on sale, counted, and none left. Till and APIs refuse it.
PRODUCT_WITHOUT_STOCK: Final = "coalesce(i.type = 'product' AND i.status AND i.stock = 0, false)"
# About `items i`: on sale with an option only (`{}`: it has some), and none is on sale (`{}`: one is). Nobody can
# book or sell it.
ITEM_WITHOUT: Final = "(i.status AND NOT i.base_sellable AND {} AND NOT {})"
ITEM_WITHOUT_OPTION: Final = ITEM_WITHOUT.format(
    "EXISTS (SELECT FROM item_options z WHERE z.tenant_id = $1 AND z.item_id = i.id)",
    "EXISTS (SELECT FROM item_options z WHERE z.tenant_id = $1 AND z.item_id = i.id AND z.is_active)",
)
# About `packages p`: on sale, and a product in it has too little stock.
PACKAGE_WITHOUT_STOCK: Final = """(p.status AND EXISTS (
        SELECT FROM package_items w JOIN items q ON q.tenant_id = $1 AND q.id = w.item_id
        WHERE w.tenant_id = $1 AND w.package_id = p.id AND q.type = 'product' AND q.stock < w.quantity))"""
# About `staff s`: works in a branch with services, and performs none. Nobody can book this person.
STAFF_WITHOUT_SERVICE: Final = """(s.active AND NOT EXISTS (
        SELECT FROM staff_services v JOIN items q ON q.tenant_id = $1 AND q.id = v.item_id
        WHERE v.tenant_id = $1 AND v.staff_id = s.id AND q.branch_id = s.branch_id) AND EXISTS (
        SELECT FROM items q
        WHERE q.tenant_id = $1 AND q.branch_id = s.branch_id AND q.type = 'service' AND q.status))"""
# About `memberships o`: a provider sees the bookings of the staff member that they are, so without one there are none.
PROVIDER_WITHOUT_STAFF: Final = "(o.role = 'provider' AND o.staff_id IS NULL)"
# About `staff f`: works here, and nobody signs in as this person.
STAFF_WITHOUT_MEMBER: Final = """(f.active AND NOT EXISTS (
        SELECT FROM memberships l WHERE l.tenant_id = $1 AND l.staff_id = f.id))"""
# About `branches b`: the booking page shows no way to reach it.
BRANCH_WITHOUT_CONTACT: Final = """(b.status AND (b.phone IS NULL OR b.address IS NULL) AND NOT EXISTS (
        SELECT FROM booking_page_settings g WHERE g.tenant_id = $1 AND NOT g.shown))"""
# About `tenants n`: the owner has said neither which tax is charged nor that none is.
TAX_NOT_ANSWERED: Final = """(NOT n.charges_no_tax AND NOT EXISTS (
        SELECT FROM tax_classes x WHERE x.tenant_id = $1 AND x.is_default))"""
# About `messages m`: the mail server was not reached or has refused it, and it waits for the next attempt. One over the
# daily limit waits for the next day (messages/daily_limit.py).
MESSAGE_WAITS_FOR_SERVER: Final = "(m.state = 'due' AND m.answer <> 'daily limit')"
NO_PAYMENT_METHOD: Final = "NOT EXISTS (SELECT FROM payment_methods y WHERE y.tenant_id = $1 AND y.active)"
