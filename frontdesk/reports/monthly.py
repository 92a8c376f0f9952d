"""The month of a business on paper: a sentence, the figures, and the tables of the reader's favorites."""

from collections.abc import Awaitable, Callable, Iterable
from datetime import date, timedelta
from decimal import Decimal
from typing import Final, NamedTuple
from uuid import UUID

from babel.dates import format_date

from frontdesk.i18n.texts import N_
from frontdesk.messages.mail_format import MailFormatter
from frontdesk.messages.types import Business
from frontdesk.postgres.pool import Connection
from frontdesk.reports.customer_queries import count_customers
from frontdesk.reports.digest import write_digest
from frontdesk.reports.money_queries import list_method_payments, list_tips
from frontdesk.reports.monthly_queries import find_reader
from frontdesk.reports.monthly_types import MonthFigure, MonthlyReport, MonthTable
from frontdesk.reports.period import Period
from frontdesk.reports.sales_queries import list_day_sales, list_item_sales, list_staff_sales, list_tax_sales
from frontdesk.reports.sales_sums import SalesSums, change_text
from frontdesk.reports.types import Span
from frontdesk.values.clock import current_time
from frontdesk.values.money import exact_sum
from frontdesk.values.time import last_of_month

_MAX_ROWS = 12
_WITHOUT_FAVORITES: Final = ("items", "payments", "tax")


class _Reading(NamedTuple):
    conn: Connection
    tenant_id: UUID
    span: Span
    formatter: MailFormatter
    business: Business

    def amount(self, value: Decimal) -> str:
        return f"{value:z,.{self.business.decimals}f}".replace("-", "\N{MINUS SIGN}")

    def table(self, title: str, columns: Iterable[str], rows: Iterable[tuple[str, ...]]) -> MonthTable:
        say = self.formatter.translate
        return MonthTable(say(title), tuple(map(say, columns)), tuple(rows)[:_MAX_ROWS])


def month_of(day: date) -> Period:
    return Period(day.replace(day=1), last_of_month(day))


def last_month(today: date) -> date:
    """Its first day."""
    return (today.replace(day=1) - timedelta(days=1)).replace(day=1)


async def read_month(conn: Connection, tenant_id: UUID, user_id: UUID, month: date) -> MonthlyReport | None:
    """None: the reader has left, or may not see reports any more."""
    reader = await find_reader(conn, tenant_id, user_id)
    if reader is None:
        return None
    now, period, business = current_time(), month_of(month), reader.business
    formatter = MailFormatter(reader.language, business, now)
    span = Span(period.before().first, *period, None)
    reading = _Reading(conn, tenant_id, span, formatter, business)
    sales = await list_day_sales(conn, tenant_id, span)
    chosen = [name for name in reader.favorites if name in _TABLES] or _WITHOUT_FAVORITES
    return MonthlyReport(
        language=formatter.language,
        is_right_to_left=formatter.is_right_to_left,
        business=business,
        email=reader.email,
        reader=reader.name,
        first=period.first,
        last=period.last,
        month=format_date(period.first, "LLLL y", locale=formatter.language),
        sentences=write_digest(formatter.language, sales, period.first, formatter.price),
        figures=tuple(
            await _figures(
                reading,
                SalesSums([sale for sale in sales if sale.day >= period.first]),
                SalesSums([sale for sale in sales if sale.day < period.first]),
            )
        ),
        tables=tuple([await _TABLES[name](reading) for name in chosen]),
        written_at=now,
    )


async def _figures(reading: _Reading, now: SalesSums, before: SalesSums) -> list[MonthFigure]:
    say, language = reading.formatter.translate, reading.formatter.language
    price = reading.formatter.price
    methods = await list_method_payments(reading.conn, reading.tenant_id, reading.span)
    received, received_before = exact_sum(m.paid + m.refunded for m in methods), exact_sum(m.before for m in methods)
    customers = await count_customers(reading.conn, reading.tenant_id, reading.span, [reading.span.first])
    compared: list[tuple[str, Decimal | int, Decimal | int]] = [
        (N_("Net sales"), now.net, before.net),
        (N_("Received"), received, received_before),
        (N_("Orders"), now.orders, before.orders),
        (N_("Average order"), now.average, before.average),
        (N_("New customers"), customers.period.new, customers.before.new),
        (N_("Returning customers"), customers.period.returning, customers.before.returning),
    ]
    figures = [
        MonthFigure(
            say(label),
            price(value) if isinstance(value, Decimal) else f"{value:,}",
            change_text(language, value, value_before),
        )
        for label, value, value_before in compared
    ]
    return [*figures, MonthFigure(say(N_("Canceled")), now.canceled_percent)]


async def _items(reading: _Reading) -> MonthTable:
    sales = await list_item_sales(reading.conn, reading.tenant_id, reading.span)
    return reading.table(
        N_("Sales by item"),
        (N_("Item"), N_("Sold"), N_("Net sales")),
        ((reading.formatter.localized(s.names), f"{s.quantity:,}", reading.amount(s.total)) for s in sales),
    )


async def _providers(reading: _Reading) -> MonthTable:
    nobody = reading.formatter.translate(N_("Without a provider"))
    sales = await list_staff_sales(reading.conn, reading.tenant_id, reading.span)
    return reading.table(
        N_("Sales by provider"),
        (N_("Provider"), N_("Sold"), N_("Net sales")),
        ((s.name or nobody, f"{s.quantity:,}", reading.amount(s.total)) for s in sales),
    )


async def _payments(reading: _Reading) -> MonthTable:
    methods = await list_method_payments(reading.conn, reading.tenant_id, reading.span)
    return reading.table(
        N_("Payment methods"),
        (N_("Payment method"), N_("Payments"), N_("Received")),
        (
            (reading.formatter.localized(m.names), f"{m.payments:,}", reading.amount(m.paid + m.refunded))
            for m in methods
        ),
    )


async def _taxes(reading: _Reading) -> MonthTable:
    taxes = await list_tax_sales(reading.conn, reading.tenant_id, reading.span)
    return reading.table(
        N_("Tax"),
        (N_("Rate"), N_("Net sales"), N_("Tax")),
        ((f"{t.rate.normalize() + 0:f}%", reading.amount(t.total), reading.amount(t.tax)) for t in taxes),
    )


async def _tips(reading: _Reading) -> MonthTable:
    everybody = reading.formatter.translate(N_("For all"))
    tips = await list_tips(reading.conn, reading.tenant_id, reading.span)
    return reading.table(
        N_("Tips"),
        (N_("Provider"), N_("Tips"), N_("Amount")),
        ((t.name or everybody, f"{t.tips:,}", reading.amount(t.amount)) for t in tips),
    )


# By the names of the reports; those that are not here are on the page only.
_TABLES: Final[dict[str, Callable[[_Reading], Awaitable[MonthTable]]]] = {
    "items": _items,
    "providers": _providers,
    "payments": _payments,
    "tax": _taxes,
    "tips": _tips,
}
