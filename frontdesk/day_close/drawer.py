"""The acts at a drawer: open it with a float, put cash in, take cash out, count it.

A drawer that is open for all is closed by the close of the day (close.py), the shift of a cashier by itself (shift.py).
"""

from collections.abc import Sequence
from decimal import Decimal
from uuid import UUID

from frontdesk.day_close.drawer_queries import LOCK, Drawer, get_drawer
from frontdesk.day_close.drawer_types import DrawerSums, MovementKind
from frontdesk.day_close.problems import DrawerProblem, ShiftProblem
from frontdesk.postgres.act import Act, Context, FunctionCall
from frontdesk.postgres.query import Query
from frontdesk.problems import Problem
from frontdesk.values.denominations import denominations_of
from frontdesk.values.ids import uuid7
from frontdesk.values.money import exact_sum, fits_currency, highest_entry, round_half_up
from frontdesk.values.tenant_context import TenantContext


class _CashierAct(Act[Drawer], frozen=True, kw_only=True):
    cashier_id: UUID | None = None  # whose shift it is about; without one it is about the drawer of all


class _DrawerAct(_CashierAct, frozen=True):
    branch_id: UUID

    def load(self) -> Query[Drawer]:
        return get_drawer(self.branch_id, self.cashier_id).locking(LOCK)


class OpenDrawer(_DrawerAct, frozen=True):
    """A float that is not what was left needs a reason. With a cashier it opens their shift."""

    float_amount: Decimal
    reason: str | None
    number: int = 1  # of the drawer

    def decide(self, context: Context[Drawer]) -> FunctionCall:
        drawer = context.loaded
        place = next((place for place in drawer.drawers if place.number == self.number), None)
        if place is None:
            raise Problem(DrawerProblem.UNKNOWN, "drawer")
        if self.cashier_id is not None and drawer.cashier_id == self.cashier_id:
            raise Problem(ShiftProblem.OPEN)
        if place.is_open:
            raise Problem(DrawerProblem.OPEN)
        _check_amount(context.tenant, "float", self.float_amount)
        left = place.left.amount if place.left else None
        differs = left is not None and left != self.float_amount
        if differs and not self.reason:
            raise Problem(DrawerProblem.FLOAT_DIFFERS, "reason")
        argument = {
            "id": uuid7(),
            "branch_id": drawer.branch_id,
            "branch": drawer.branch,
            "drawer": self.number,
            "cashier_id": self.cashier_id,
            "float": self.float_amount,
            "left": left,
            "reason": self.reason if differs else None,
            "drawer_number": drawer.drawer_number,
            "day_close_number": drawer.day_close_number,
        }
        return FunctionCall("open_drawer", argument)


class MoveDrawerCash(_DrawerAct, frozen=True):
    """No more can be taken out than should be in the drawer."""

    kind: MovementKind
    amount: Decimal
    reason: str | None
    says_content: bool = True  # even if the drawer is counted blind

    def decide(self, context: Context[Drawer]) -> FunctionCall:
        tenant, sums = context.tenant, _opened(context.loaded)
        _check_amount(tenant, "amount", self.amount)
        if self.amount == 0:
            raise Problem(DrawerProblem.NOTHING, "amount")
        if self.kind is not MovementKind.IN and self.amount > sums.expected:
            if context.loaded.blind_count and not self.says_content:
                raise Problem(DrawerProblem.NOT_SO_MUCH, "amount")
            holds = round_half_up(sums.expected, tenant.currency_decimals)
            raise Problem(DrawerProblem.ABOVE_CONTENT, "amount", expected=holds)
        if self.kind is not MovementKind.SAFE and not self.reason:
            raise Problem(DrawerProblem.REASON_REQUIRED, "reason")
        signed = self.amount if self.kind is MovementKind.IN else -self.amount
        return _movement(context.loaded, {"kind": self.kind, "amount": signed, "reason": self.reason})


class CountDrawer(_DrawerAct, frozen=True):
    """A count changes nothing. The one who closes the day or the shift begins with the last count."""

    pieces: Sequence[int] | None
    counted: Decimal

    def decide(self, context: Context[Drawer]) -> FunctionCall:
        expected = _opened(context.loaded).expected
        if context.loaded.cashier_id != self.cashier_id:  # the shift was closed, and the drawer of all is open
            raise Problem(DrawerProblem.NOT_OPEN)
        _check_amount(context.tenant, "counted", self.counted)
        counting = {"counted": self.counted, "expected": expected, "pieces": self.pieces}
        return _movement(context.loaded, {"kind": MovementKind.COUNT, "amount": 0, "reason": None, **counting})


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


def _movement(drawer: Drawer, what: dict[str, object]) -> FunctionCall:
    argument = {
        "id": uuid7(),
        "session_id": _opened(drawer).session_id,
        "branch": drawer.branch,
        "drawer_number": drawer.drawer_number,
        **what,
    }
    return FunctionCall("move_drawer_cash", argument)


def _opened(drawer: Drawer) -> DrawerSums:
    if drawer.sums is None:
        raise Problem(DrawerProblem.NOT_OPEN)
    return drawer.sums


def _check_amount(tenant: TenantContext, field: str, amount: Decimal) -> None:
    if amount < 0 or not fits_currency(amount, tenant.currency_decimals):
        raise Problem(DrawerProblem.NOT_AN_AMOUNT, field)
    if amount > highest_entry(tenant.currency_decimals):
        raise Problem(DrawerProblem.TOO_HIGH, field, most=highest_entry(tenant.currency_decimals))
