"""The count at the close of a day, compared with what is expected."""

from collections.abc import Mapping
from decimal import Decimal
from uuid import UUID

from frontdesk.day_close.close_queries import SeenDay
from frontdesk.day_close.drawer_types import Count, MethodCount, StoredDrawer
from frontdesk.errors import invalid
from frontdesk.tenants.types import TenantContext
from frontdesk.values.money import exact_sum, fits_currency, format_amount


def check_count(tenant: TenantContext, seen: SeenDay, count: Count) -> None:
    """A difference needs a note. What stays in the drawer was counted."""
    entered = [amount for amount in (count.counted, count.left, *count.found.values()) if amount is not None]
    if not all(fits_currency(amount, tenant.currency_decimals) for amount in entered):
        raise invalid({"": ["Enter an amount such as 12.50."]})
    drawer = stored_drawer(seen, count)
    errors: dict[str, list[str]] = {}
    if drawer is not None and count.expected is not None and count.expected != drawer.expected:
        now = format_amount(drawer.expected, tenant.currency_decimals)
        errors[""] = [f"The drawer has changed while you counted. It should hold {now} now."]
    if drawer is not None and drawer.session_id is not None and count.counted is None:
        errors["pieces"] = ["Count the drawer."]
    elif count.left is not None and not 0 <= count.left <= (count.counted or 0):
        errors["left"] = ["Enter at most what was counted."]
    if differs(drawer, count_methods(seen, count)) and not count.note:
        errors["note"] = ["Say why it differs."]
    if errors:
        raise invalid(errors)


def differs(drawer: StoredDrawer | None, methods: list[MethodCount]) -> bool:
    short = drawer is not None and drawer.counted is not None and drawer.counted != drawer.expected
    return short or any(method.found != method.expected for method in methods)


def stored_drawer(seen: SeenDay, count: Count | None) -> StoredDrawer | None:
    sums = seen.drawer
    if sums is None:
        return None
    if count is None or count.counted is None:
        return StoredDrawer(sums, sums.expected, sums.session_id)
    left = count.counted if count.left is None else count.left
    pieces = None if count.pieces is None else list(count.pieces)
    return StoredDrawer(sums, sums.expected, sums.session_id, count.counted, left, pieces)


def expected_by_method(seen: SeenDay) -> Mapping[UUID, tuple[str, Decimal]]:
    """The type and the sum, with tips, of each method but cash, which is in the drawer."""
    sums = [(row.method_id, row.type, row.paid + row.refunded) for row in seen.methods]
    sums += [(row.method_id, row.type, row.amount) for row in seen.tips]
    types = {method_id: type_ for method_id, type_, _ in sums if type_ != "cash"}
    return {id_: (type_, exact_sum(amount for of, _, amount in sums if of == id_)) for id_, type_ in types.items()}


def count_methods(seen: SeenDay, count: Count) -> list[MethodCount]:
    return [
        MethodCount(id_, type_, expected, count.found.get(id_, expected))
        for id_, (type_, expected) in expected_by_method(seen).items()
    ]
