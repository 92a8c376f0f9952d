"""What is said about some days: nothing of a few orders, and the change only where there is enough to compare."""

from datetime import date, timedelta
from decimal import Decimal

from frontdesk.reports.digest import write_digest
from frontdesk.reports.types import DaySales

FIRST = date(2026, 11, 1)


def sold(day: date, orders: int, total: int) -> DaySales:
    return DaySales(day, "sale", orders, Decimal(total), Decimal(0), Decimal(0))


def said(*sales: DaySales) -> tuple[str, ...]:
    return write_digest("en", sales, FIRST, lambda amount: f"SAR {amount:,}")


def test_few_orders_say_nothing() -> None:
    (sentence,) = said(sold(FIRST, 19, 500))
    assert sentence == "Once there are 20 orders in these days, a short summary appears here."


def test_the_change_is_said_if_there_was_enough_before() -> None:
    (alone,) = said(sold(FIRST, 20, 1100), sold(FIRST - timedelta(days=1), 19, 1000))
    assert alone == "SAR 1,100 from 20 orders."
    (compared,) = said(sold(FIRST, 20, 1100), sold(FIRST - timedelta(days=1), 20, 1000))
    assert compared == "SAR 1,100 from 20 orders. Compared with the days before: up \u206610.0%\u2069."


def test_the_best_day_of_a_week_is_named() -> None:
    days = [sold(FIRST + timedelta(days=n), 4, 100 + n) for n in range(7)]
    assert said(*days)[1] == "The best day was Saturday 7 November with SAR 106."
