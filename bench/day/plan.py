"""Who comes when: the arrivals of one day at many businesses. Nothing here reads a clock or sends anything."""

import random
from enum import Enum
from itertools import pairwise
from typing import NamedTuple

DAY_SECONDS = 12 * 3600  # from nine in the morning to nine in the evening
_BY_HOUR = (4, 7, 9, 8, 6, 7, 9, 11, 13, 12, 9, 5)  # busiest after work
_ORDERS = 200  # that the numbers below belong to


class Kind(Enum):
    """What it is, and how often a business with 200 orders a day has it."""

    API_BOOKING = "booking by an application", 80
    DESK_BOOKING = "booking at the desk", 50
    ONLINE_BOOKING = "booking on the public page", 30
    TILL_SALE = "sale at the till", 40
    CHECKOUT = "payment and end of a booking", 160  # one for each
    CALENDAR = "look at the calendar", 100
    ORDER_LIST = "look at the orders", 20
    CUSTOMER = "customer by phone number", 40
    POLL = "application asks for events", 48
    REPORT = "look at a report", 4
    DAY_CLOSE = "day close", 1

    def __init__(self, _meaning: str, often: int) -> None:
        self.often = often


class Arrival(NamedTuple):
    at: float  # seconds since the beginning, of the fast day
    business: int
    kind: Kind


def plan_day(businesses: int, orders: int, speed: float, seed: int = 1) -> list[Arrival]:
    """The same for the same arguments. `orders` are those of a business; a day close comes last."""
    dice = random.Random(seed)
    hours = list(pairwise(range(0, DAY_SECONDS + 1, 3600)))
    arrivals = []
    for business in range(businesses):
        for kind in Kind:
            if kind is Kind.DAY_CLOSE:
                arrivals.append(Arrival(dice.uniform(*hours[-1]) / speed, business, kind))
                continue
            many = max(1, round(kind.often * orders / _ORDERS))
            for began, ended in dice.choices(hours, _BY_HOUR, k=many):
                arrivals.append(Arrival(dice.uniform(began, ended) / speed, business, kind))
    return sorted(arrivals, key=lambda arrival: arrival.at)
