"""How much people who may not set prices can take off."""

from decimal import Decimal

from frontdesk.orders.problems import PriceProblem
from frontdesk.problems import Problem

MAX_PERCENT = 20  # of the sub-total; owners and managers have no limit


def check_discount(sub_total: Decimal, discount: Decimal) -> None:
    if discount * 100 > sub_total * MAX_PERCENT:
        raise Problem(PriceProblem.DISCOUNT_BY_MANAGERS, "discount", percent=MAX_PERCENT)
