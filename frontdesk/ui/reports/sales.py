"""Reports of what was sold."""

from collections.abc import Sequence
from decimal import Decimal

from frontdesk.i18n.texts import N_
from frontdesk.orders.types import Source
from frontdesk.postgres.pool import Connection
from frontdesk.reports.period import Parts
from frontdesk.reports.sales_queries import (
    list_day_sales,
    list_item_sales,
    list_source_sales,
    list_staff_sales,
    list_tax_sales,
)
from frontdesk.reports.sales_sums import SalesSums
from frontdesk.reports.types import DaySales, ItemSales
from frontdesk.ui.components.order_labels import SOURCES
from frontdesk.ui.reports.tables import Column, ColumnKind, Table, Value
from frontdesk.ui.reports.view import Asked, Figure, Plot, ReportView
from frontdesk.values.money import exact_sum

MAX_BARS = 12
_NET, _BEFORE, _TAX, _WITHOUT_TAX = N_("Net sales"), N_("Before"), N_("Tax"), N_("Without tax")
_UNITS = Column(N_("Sold"), ColumnKind.COUNT, "fold-start-2")
_SUMS = (
    Column(_NET, fold_class="fold-end-1"),
    Column(_TAX),
    Column(_WITHOUT_TAX),
    Column(_BEFORE, fold_class="fold-end-2"),
)


def split_sales(asked: Asked, sales: Sequence[DaySales]) -> tuple[SalesSums, SalesSums]:
    """Of the days asked for, and of those before."""
    first = asked.period.first
    return (
        SalesSums([row for row in sales if row.day >= first]),
        SalesSums([row for row in sales if row.day < first]),
    )


def sales_figures(asked: Asked, now: SalesSums, before: SalesSums) -> list[Figure]:
    context = asked.context
    return [
        Figure(
            context.translate(N_("Net sales, %(currency)s")) % {"currency": context.format.currency},
            context.format.amount(now.net),
            asked.change(now.net, before.net),
        ),
        Figure(context.translate(N_("Orders")), f"{now.orders:,}", asked.change(now.orders, before.orders)),
        Figure(
            context.translate(N_("Average order")),
            context.format.amount(now.average),
            asked.change(now.average, before.average),
        ),
        Figure(
            context.translate(N_("Refunded")),
            context.format.amount(now.refunded),
            asked.change(-now.refunded, -before.refunded),
        ),
        Figure(
            context.translate(N_("Canceled")),
            now.canceled_percent,
            context.translate(N_("%(canceled)s of %(made)s orders"))
            % {"canceled": now.canceled_orders, "made": now.made},
        ),
    ]


def by_part(parts: Parts, sales: Sequence[DaySales]) -> list[Decimal]:
    sums = [Decimal(0)] * len(parts.starts)
    for row in sales:
        sums[parts.index_of(row.day)] += row.total
    return sums


def sales_plot(asked: Asked, sales: Sequence[DaySales]) -> Plot:
    first, parts = asked.period.first, asked.period.parts()
    values = by_part(parts, [row for row in sales if row.day >= first])
    before = by_part(asked.before.parts(), [row for row in sales if row.day < first])
    titles = {
        "day": N_("Net sales by day, %(currency)s"),
        "week": N_("Net sales by week, %(currency)s"),
        "month": N_("Net sales by month, %(currency)s"),
    }
    marks = asked.draw.columns(values, before, asked.part_names(parts), asked.part_titles(parts, values), asked.tick)
    title = asked.context.translate(titles[parts.unit]) % {"currency": asked.context.format.currency}
    return Plot("columns", title, marks, compared=True)


def sales_table(asked: Asked, sales: Sequence[DaySales]) -> Table:
    """One row for each day on which something happened."""
    now = [row for row in sales if row.day >= asked.period.first]
    days = sorted({row.day for row in now})
    columns = (
        Column(N_("Day"), ColumnKind.DAY),
        Column(N_("Orders"), ColumnKind.COUNT, "fold-start-2"),
        Column(N_("Sold")),
        Column(N_("Canceled")),
        Column(N_("Refunded")),
        Column(N_("Changed")),
        *_SUMS[:3],
    )
    rows = [(day, *_day_row(SalesSums([row for row in now if row.day == day]))) for day in days]
    return Table(columns, rows, (asked.context.translate(N_("Total")), *_day_row(SalesSums(now))))


def _day_row(sums: SalesSums) -> tuple[Value, ...]:
    return (sums.orders, sums.sold, sums.canceled, sums.refunded, sums.changed, sums.net, sums.tax, sums.net - sums.tax)


async def view_days(asked: Asked, conn: Connection) -> ReportView:
    sales = await list_day_sales(conn, asked.context.tenant_id, asked.span)
    figures = sales_figures(asked, *split_sales(asked, sales))
    return ReportView(figures, [sales_plot(asked, sales)], sales_table(asked, sales))


async def view_items(asked: Asked, conn: Connection) -> ReportView:
    sales = await list_item_sales(conn, asked.context.tenant_id, asked.span)
    localized = asked.context.format.localized
    rows = [(localized(s.names), s.quantity, s.total, s.tax, s.total - s.tax, s.before) for s in sales]
    return _breakdown(
        asked, N_("Net sales by service and product"), (Column(N_("Item"), ColumnKind.TEXT), _UNITS), rows
    )


async def view_categories(asked: Asked, conn: Connection) -> ReportView:
    """The category of an item is the one that it has now."""
    grouped: dict[str, list[ItemSales]] = {}
    for sale in await list_item_sales(conn, asked.context.tenant_id, asked.span):
        grouped.setdefault(_category(asked, sale), []).append(sale)
    rows = [
        (
            name,
            sum(s.quantity for s in sales),
            exact_sum(s.total for s in sales),
            exact_sum(s.tax for s in sales),
            exact_sum(s.total - s.tax for s in sales),
            exact_sum(s.before for s in sales),
        )
        for name, sales in grouped.items()
    ]
    rows.sort(key=lambda row: -row[2])
    return _breakdown(asked, N_("Net sales by category"), (Column(N_("Category"), ColumnKind.TEXT), _UNITS), rows)


def _category(asked: Asked, sale: ItemSales) -> str:
    if sale.type == "package":
        return asked.context.translate(N_("Packages"))
    if sale.category is None:
        return asked.context.translate(N_("No category"))
    return asked.context.format.localized(sale.category)


async def view_providers(asked: Asked, conn: Connection) -> ReportView:
    nobody = asked.context.translate(N_("Without a provider"))
    rows = [
        (s.name or nobody, s.quantity, s.total, s.tax, s.total - s.tax, s.before)
        for s in await list_staff_sales(conn, asked.context.tenant_id, asked.span)
    ]
    return _breakdown(asked, N_("Net sales by provider"), (Column(N_("Provider"), ColumnKind.TEXT), _UNITS), rows)


async def view_applications(asked: Asked, conn: Connection) -> ReportView:
    rows = [
        (
            s.client or asked.context.translate(SOURCES[Source(s.source)]),
            s.orders,
            s.total,
            s.tax,
            s.total - s.tax,
            s.before,
        )
        for s in await list_source_sales(conn, asked.context.tenant_id, asked.span)
    ]
    first = (Column(N_("Application"), ColumnKind.TEXT), Column(N_("Orders"), ColumnKind.COUNT, "fold-start-2"))
    return _breakdown(asked, N_("Net sales by application"), first, rows)


async def view_taxes(asked: Asked, conn: Connection) -> ReportView:
    sales = await list_tax_sales(conn, asked.context.tenant_id, asked.span)
    columns = (
        Column(N_("Rate"), ColumnKind.PERCENT),
        Column(_NET, fold_class="fold-start-2"),
        Column(_WITHOUT_TAX),
        Column(_TAX, fold_class="fold-end-1"),
        Column(_BEFORE),
    )
    rows = [(s.rate.normalize() + 0, s.total, s.total - s.tax, s.tax, s.before) for s in sales]
    tax, before = exact_sum(s.tax for s in sales), exact_sum(s.before for s in sales)
    translate, amount = asked.context.translate, asked.context.format.amount
    label = translate(N_("Tax, %(currency)s")) % {"currency": asked.context.format.currency}
    figures = [Figure(label, amount(tax), asked.change(tax, before))]
    marks = asked.draw.bars([(f"{row[0]:f}%", amount(row[3]), row[3], None) for row in rows if row[3] > 0])
    return ReportView(
        figures, [Plot("bars", translate(N_("Tax by rate")), marks)], Table(columns, rows, totals(asked, columns, rows))
    )


def _breakdown(asked: Asked, title: str, first: tuple[Column, Column], rows: Sequence[Sequence[Value]]) -> ReportView:
    """The name, a count, and the sums."""
    columns, amount = (*first, *_SUMS), asked.context.format.amount
    drawn = [
        (str(row[0]), amount(value), value, None)
        for row in rows[:MAX_BARS]
        if isinstance(value := row[2], Decimal) and value > 0
    ]
    table = Table(columns, rows, totals(asked, columns, rows))
    net, before = exact_sum(amounts(rows, 2)), exact_sum(amounts(rows, 5))
    figure = Figure(
        asked.context.translate(N_("Net sales, %(currency)s")) % {"currency": asked.context.format.currency},
        amount(net),
        asked.change(net, before),
    )
    return ReportView([figure], [Plot("bars", asked.context.translate(title), asked.draw.bars(drawn))], table)


def totals(asked: Asked, columns: Sequence[Column], rows: Sequence[Sequence[Value]]) -> list[Value]:
    """The sums of amounts, counts and hours; other columns have none."""
    total: list[Value] = [asked.context.translate(N_("Total"))]
    for n, column in enumerate(columns[1:], 1):
        if column.kind is ColumnKind.AMOUNT:
            total.append(exact_sum(amounts(rows, n)))
        elif column.kind in (ColumnKind.COUNT, ColumnKind.HOURS):
            total.append(sum(value for row in rows if isinstance(value := row[n], int)))
        else:
            total.append(None)
    return total


def amounts(rows: Sequence[Sequence[Value]], column: int) -> list[Decimal]:
    return [value for row in rows if isinstance(value := row[column], Decimal)]
