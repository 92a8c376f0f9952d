"""How much people who may not set prices can take off."""

from decimal import Decimal

from frontdesk.errors import invalid

MAX_PERCENT = 20  # of the sub-total; owners and managers have no limit


def check_discount(sub_total: Decimal, discount: Decimal) -> None:
    if discount * 100 > sub_total * MAX_PERCENT:
        raise invalid(
            {"discount": [f"Only owners and managers can give a discount of more than {MAX_PERCENT} percent."]}
        )
