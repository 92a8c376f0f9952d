"""The shifts of a day, what is open of it, and their sum."""

from decimal import Decimal
from typing import NamedTuple

from frontdesk.day_close.close_queries import DayToClose
from frontdesk.day_close.stored_queries import DayShifts, Shift
from frontdesk.values.money import exact_sum


class DayRows(NamedTuple):
    shifts: list[Shift]
    open_taken: Decimal | None  # since the last close; None: no money was taken since
    taken: Decimal  # of the whole day, as in the reports
    net_sales: Decimal


def day_rows(loaded: DayToClose, day: DayShifts) -> DayRows:
    opened = (
        None
        if loaded.stored and not loaded.has_money
        else exact_sum(method.paid + method.refunded for method in loaded.methods)
    )
    taken = exact_sum([*(shift.taken for shift in day.standing), opened or Decimal(0)])
    return DayRows(day.shifts, opened, taken, day.net_sales)
