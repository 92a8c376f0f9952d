"""Some days in a sentence or two, as a person would say them: only what enough orders support."""

from collections.abc import Callable, Sequence
from datetime import date
from decimal import Decimal
from functools import partial

from babel.dates import format_date

from frontdesk.i18n.texts import N_, translate, translate_plural
from frontdesk.reports.sales_sums import SalesSums, change_text
from frontdesk.reports.types import DaySales

_ENOUGH_ORDERS = 20
_ENOUGH_DAYS = 7


def write_digest(
    language: str, sales: Sequence[DaySales], first: date, price: Callable[[Decimal], str]
) -> tuple[str, ...]:
    """`sales` also has the days before `first`, which are compared with."""
    rows = [row for row in sales if row.day >= first]
    now, before = SalesSums(rows), SalesSums([row for row in sales if row.day < first])
    if now.orders < _ENOUGH_ORDERS:
        return (translate(language, N_("Once there are 20 orders in these days, a short summary appears here.")),)
    said = [_total(language, now, before, price(now.net))]
    by_day: dict[date, Decimal] = {}
    for row in rows:
        by_day[row.day] = by_day.get(row.day, Decimal(0)) + row.total
    if len(by_day) >= _ENOUGH_DAYS:
        best = max(by_day, key=lambda day: by_day[day])
        day = format_date(best, "EEEE d MMMM", locale=language)
        said.append(translate(language, N_("The best day was {day} with {price}."), day=day, price=price(by_day[best])))
    return tuple(said)


def _total(language: str, now: SalesSums, before: SalesSums, price: str) -> str:
    ngettext = partial(translate_plural, language)  # the name by which texts are found
    if before.orders < _ENOUGH_ORDERS:
        text = ngettext("{price} from {num} order.", "{price} from {num} orders.", now.orders)
        return text.format(price=price, num=f"{now.orders:,}")
    text = ngettext(
        "{price} from {num} order. Compared with the days before: {change}.",
        "{price} from {num} orders. Compared with the days before: {change}.",
        now.orders,
    )
    return text.format(price=price, num=f"{now.orders:,}", change=change_text(language, now.net, before.net))
