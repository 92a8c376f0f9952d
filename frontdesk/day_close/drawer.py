"""The acts at the drawer: open it with a float, put cash in, take cash out, count it.

A branch has one drawer. It is opened with a float and closed by a day close.
"""

from collections.abc import Sequence
from decimal import Decimal
from uuid import UUID

from frontdesk.day_close.drawer_queries import LOCK, Drawer, get_drawer
from frontdesk.day_close.drawer_types import DrawerSums, Kind
from frontdesk.day_close.problems import DrawerProblem
from frontdesk.postgres.act import FunctionCall
from frontdesk.postgres.write import Look
from frontdesk.problems import Problem
from frontdesk.values.denominations import denominations_of
from frontdesk.values.ids import uuid7
from frontdesk.values.money import exact_sum, fits_currency, highest_entry, round_half_up
from frontdesk.values.tenant_context import TenantContext


def look_at_drawer(branch_id: UUID) -> Look[Drawer]:
    return Look(get_drawer(branch_id), LOCK)


def plan_opening(tenant: TenantContext, seen: Drawer, float_amount: Decimal, reason: str | None) -> FunctionCall:
    """A float that is not what was left needs a reason."""
    if seen.sums is not None:
        raise Problem(DrawerProblem.OPEN)
    _check_amount(tenant, "float", float_amount)
    left = seen.left.amount if seen.left else None
    differs = left is not None and left != float_amount
    if differs and not reason:
        raise Problem(DrawerProblem.FLOAT_DIFFERS, "reason")
    argument = {
        "id": uuid7(),
        "branch_id": seen.branch_id,
        "branch": seen.branch,
        "float": float_amount,
        "left": left,
        "reason": reason if differs else None,
        "drawer_number": seen.drawer_number,
        "day_close_number": seen.day_close_number,
    }
    return FunctionCall("open_drawer", argument)


def plan_movement(tenant: TenantContext, seen: Drawer, kind: Kind, amount: Decimal, reason: str | None) -> FunctionCall:
    """No more can be taken out than should be in the drawer."""
    sums = _opened(seen)
    _check_amount(tenant, "amount", amount)
    if amount == 0:
        raise Problem(DrawerProblem.NOTHING, "amount")
    if kind is not Kind.IN and amount > sums.expected:
        holds = round_half_up(sums.expected, tenant.currency_decimals)
        raise Problem(DrawerProblem.ABOVE_CONTENT, "amount", expected=holds)
    if kind is not Kind.SAFE and not reason:
        raise Problem(DrawerProblem.REASON_REQUIRED, "reason")
    signed = amount if kind is Kind.IN else -amount
    return _movement(seen, sums, {"kind": kind, "amount": signed, "reason": reason})


def plan_count(tenant: TenantContext, seen: Drawer, pieces: Sequence[int] | None, counted: Decimal) -> FunctionCall:
    """A count changes nothing. The one who closes the day begins with the last count."""
    sums = _opened(seen)
    _check_amount(tenant, "counted", counted)
    counting = {"counted": counted, "expected": sums.expected, "pieces": pieces}
    return _movement(seen, sums, {"kind": Kind.COUNT, "amount": 0, "reason": None, **counting})


def counted_amount(tenant: TenantContext, pieces: Sequence[int | None], amount: Decimal | None) -> Decimal | None:
    """The sum of notes and coins, or the amount where the currency has none listed. None if nothing was entered."""
    listed = denominations_of(tenant.currency)
    if listed is None:
        return amount
    if len(pieces) > len(listed.all):
        raise Problem(DrawerProblem.OTHER_PIECES, "pieces")
    if all(number is None for number in pieces):
        return None
    return exact_sum(value * (number or 0) for value, number in zip(listed.all, pieces, strict=False))


def _movement(seen: Drawer, sums: DrawerSums, what: dict[str, object]) -> FunctionCall:
    argument = {
        "id": uuid7(),
        "session_id": sums.session_id,
        "branch": seen.branch,
        "drawer_number": seen.drawer_number,
        **what,
    }
    return FunctionCall("move_drawer_cash", argument)


def _opened(seen: Drawer) -> DrawerSums:
    if seen.sums is None:
        raise Problem(DrawerProblem.NOT_OPEN)
    return seen.sums


def _check_amount(tenant: TenantContext, field: str, amount: Decimal) -> None:
    if amount < 0 or not fits_currency(amount, tenant.currency_decimals):
        raise Problem(DrawerProblem.NOT_AN_AMOUNT, field)
    if amount > highest_entry(tenant.currency_decimals):
        raise Problem(DrawerProblem.TOO_HIGH, field, most=highest_entry(tenant.currency_decimals))
