"""The count at the close of a day or of a shift, compared with what is expected."""

from collections.abc import Iterator, Mapping
from decimal import Decimal
from uuid import UUID

from frontdesk.day_close.drawer_types import CashierCount, Count, MethodCount, StoredDrawer, Takings
from frontdesk.day_close.problems import CloseProblem
from frontdesk.day_close.types import MethodTotal
from frontdesk.problems import Problem, raise_all
from frontdesk.values.money import exact_sum, round_half_up
from frontdesk.values.tenant_context import TenantContext


def check_count(tenant: TenantContext, taken: Takings, count: Count) -> None:
    """A difference needs a note. What stays in the drawer was counted."""
    drawer = stored_drawer(taken, count)
    problems = list(count.problems)
    if drawer is not None and count.expected is not None and count.expected != drawer.expected:
        now = round_half_up(drawer.expected, tenant.currency_decimals)
        problems.append(Problem(CloseProblem.DRAWER_CHANGED, expected=now))
    is_misread = any(problem.at[0] in ("pieces", "amount") for problem in count.problems)
    if drawer is not None and drawer.session_id is not None and count.counted is None and not is_misread:
        problems.append(Problem(CloseProblem.NOT_COUNTED, "pieces"))
    elif count.left is not None and not is_misread and not 0 <= count.left <= (count.counted or 0):
        problems.append(Problem(CloseProblem.LEFT_ABOVE_COUNTED, "left"))
    if (
        count.found.keys() - expected_by_method(taken).keys()
        or count.by_cashier.keys() - expected_by_cashier(taken).keys()
    ):
        problems.append(Problem(CloseProblem.OTHER_ROWS))
    problems += _sum_problems(tenant, taken, count)
    if differs(drawer, count_methods(taken, count), count_cashiers(taken, count)) and not count.note:
        problems.append(Problem(CloseProblem.NOTE_REQUIRED, "note"))
    raise_all(problems)


def _sum_problems(tenant: TenantContext, taken: Takings, count: Count) -> Iterator[Problem]:
    """What was found by a method is what its cashiers handed over, if both were entered."""
    for id_ in count.found:
        total = _handed_over(taken, count, id_)
        if total is not None and total != count.found[id_]:
            together = round_half_up(total, tenant.currency_decimals)
            yield Problem(CloseProblem.HANDED_OVER_DIFFERS, "found", str(id_), total=together)


def differs(drawer: StoredDrawer | None, methods: list[MethodCount], cashiers: list[CashierCount]) -> bool:
    short = drawer is not None and drawer.counted is not None and drawer.counted != drawer.expected
    counted = [(row.found, row.expected) for row in methods] + [(row.found, row.expected) for row in cashiers]
    return short or any(found is not None and found != expected for found, expected in counted)


def stored_drawer(taken: Takings, count: Count | None) -> StoredDrawer | None:
    sums = taken.drawer
    if sums is None:
        return None
    if count is None or count.counted is None:
        return StoredDrawer(sums, sums.expected, sums.session_id)
    left = count.counted if count.left is None else count.left
    pieces = None if count.pieces is None else list(count.pieces)
    return StoredDrawer(sums, sums.expected, sums.session_id, count.counted, left, pieces)


def expected_by_method(taken: Takings) -> Mapping[UUID, tuple[str, Decimal]]:
    """The type and the sum, with tips, of each method but cash, which is in the drawer."""
    sums = [(row.method_id, row.type, row.paid + row.refunded) for row in taken.methods]
    sums += [(row.method_id, row.type, row.amount) for row in taken.tips]
    types = {method_id: type_ for method_id, type_, _ in sums if type_ != "cash"}
    return {id_: (type_, exact_sum(amount for of, _, amount in sums if of == id_)) for id_, type_ in types.items()}


def count_methods(taken: Takings, count: Count) -> list[MethodCount]:
    return [
        MethodCount(id_, type_, expected, count.found.get(id_, _handed_over(taken, count, id_)))
        for id_, (type_, expected) in expected_by_method(taken).items()
    ]


def _handed_over(taken: Takings, count: Count, method_id: UUID) -> Decimal | None:
    """By all cashiers; None if one who took more than they gave back was not counted."""
    own = [row for row in count_cashiers(taken, count) if row.payment_method_id == method_id]
    if all(row.found is None for row in own) or any(row.found is None and row.expected > 0 for row in own):
        return None
    return exact_sum(row.expected if row.found is None else row.found for row in own)


def count_cashiers(taken: Takings, count: Count) -> list[CashierCount]:
    """Empty if nothing was entered for any of them."""
    if not count.by_cashier:
        return []
    return [
        CashierCount(cashier, id_, type_, expected, count.by_cashier.get((cashier, id_)))
        for (cashier, id_), (type_, expected) in expected_by_cashier(taken).items()
    ]


def expected_by_cashier(taken: Takings) -> dict[tuple[str | None, UUID], tuple[str, Decimal]]:
    """With tips. Change is paid in cash, whatever the payment method is."""
    sums: dict[tuple[str | None, UUID], tuple[str, Decimal]] = {}
    for row in taken.methods:
        own = [other for other in taken.methods if other.cashier == row.cashier]
        amount = expected_cash(own) if row.type == "cash" else row.paid + row.refunded
        sums[row.cashier, row.method_id] = (row.type, amount)
    for tip in taken.tips:
        type_, amount = sums.get((tip.cashier, tip.method_id), (tip.type, Decimal(0)))
        sums[tip.cashier, tip.method_id] = (type_, amount + tip.amount)
    return sums


def expected_cash(methods: list[MethodTotal]) -> Decimal:
    """Cash received minus cash paid out. Change is always paid in cash, whatever the payment method is."""
    cash = exact_sum(method.paid + method.refunded for method in methods if method.type == "cash")
    return cash - exact_sum(method.change for method in methods if method.type != "cash")
