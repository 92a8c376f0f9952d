"""The parts of a day, what is open of it, and their sum; what its shifts counted."""

from collections.abc import Sequence
from decimal import Decimal
from typing import NamedTuple
from uuid import UUID

from frontdesk.day_close.close_queries import DayToClose
from frontdesk.day_close.count import expected_by_method
from frontdesk.day_close.shift_queries import ShiftRow
from frontdesk.day_close.stored_queries import DayPart, DayParts
from frontdesk.values.money import exact_sum, format_amount
from frontdesk.values.tenant_context import TenantContext


class DayRows(NamedTuple):
    parts: list[DayPart]
    open_taken: Decimal | None  # since the last close; None: no money was taken since
    taken: Decimal  # of the whole day, as in the reports
    net_sales: Decimal


def day_rows(loaded: DayToClose, day: DayParts) -> DayRows:
    opened = (
        None
        if loaded.stored and not loaded.has_money
        else exact_sum(method.paid + method.refunded for method in loaded.methods)
    )
    taken = exact_sum([*(part.taken for part in day.standing), opened or Decimal(0)])
    return DayRows(day.parts, opened, taken, day.net_sales)


def found_in_shifts(tenant: TenantContext, loaded: DayToClose, shifts: Sequence[ShiftRow]) -> dict[UUID, str]:
    """By payment methods that the shifts have counted completely. The one who closes the day begins with it."""
    found = {}
    for id_, (_, expected) in expected_by_method(loaded).items():
        counts = [count for shift in shifts for count in shift.methods if count.payment_method_id == id_]
        amounts = [count.found for count in counts if count.found is not None]
        if len(amounts) == len(counts) and exact_sum(count.expected for count in counts) == expected:
            found[id_] = format_amount(exact_sum(amounts), tenant.currency_decimals)
    return found


def shift_notes(shifts: Sequence[ShiftRow]) -> str:
    """Why counts differ, for the note of the day."""
    return "\n".join(f"{shift.cashier}: {shift.note}" for shift in shifts if shift.note)
