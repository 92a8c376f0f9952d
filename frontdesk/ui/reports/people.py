"""Reports of customers, and of those who did not come."""

from decimal import Decimal

from frontdesk.i18n.texts import N_
from frontdesk.postgres.pool import Connection
from frontdesk.reports.cancel_reason_queries import list_cancel_reasons
from frontdesk.reports.customer_queries import CustomerCounts, count_customers
from frontdesk.reports.no_show_queries import list_no_shows
from frontdesk.reports.sales_queries import list_day_sales
from frontdesk.ui.reports.sales import sales_figures, split_sales, totals
from frontdesk.ui.reports.tables import Column, ColumnKind, Table
from frontdesk.ui.reports.view import Asked, Figure, Plot, ReportView


async def customer_figures(asked: Asked, conn: Connection) -> list[Figure]:
    return _figures(asked, await count_customers(conn, asked.context.tenant_id, asked.span, [asked.period.first]))


def _figures(asked: Asked, counts: CustomerCounts) -> list[Figure]:
    now, before = counts.period, counts.before
    translate = asked.context.translate
    return [
        Figure(translate(N_("New customers")), f"{now.new:,}", asked.change(now.new, before.new)),
        Figure(
            translate(N_("Returning customers")), f"{now.returning:,}", asked.change(now.returning, before.returning)
        ),
    ]


async def view_customers(asked: Asked, conn: Connection) -> ReportView:
    parts = asked.period.parts()
    counts = await count_customers(conn, asked.context.tenant_id, asked.span, parts.starts)
    shown = counts.parts
    columns = (
        Column(N_("From"), ColumnKind.DAY),
        Column(N_("New customers"), ColumnKind.COUNT, "fold-end-1"),
        Column(N_("Returning customers"), ColumnKind.COUNT, "fold-end-2"),
    )
    rows = [(start, c.new, c.returning) for start, c in zip(parts.starts, shown, strict=True)]
    new, returning = [Decimal(c.new) for c in shown], [Decimal(c.returning) for c in shown]
    titles = [
        asked.context.translate(N_("%(part)s: %(new)s new, %(returning)s returning"))
        % {"part": name, "new": c.new, "returning": c.returning}
        for name, c in zip(asked.part_names(parts), shown, strict=True)
    ]
    marks = asked.draw.columns(new, returning, asked.part_names(parts), titles, asked.tick)
    title = asked.context.translate(N_("New customers, and returning ones as a line"))
    total = totals(asked, columns, rows)
    total[2] = None  # who came in several parts would count several times
    return ReportView(
        _figures(asked, counts),
        [Plot("columns", title, marks)],
        Table(columns, rows, total),
        asked.context.translate(
            N_("A customer is new on the day of their first sale or booking, also if it was canceled later.")
        ),
    )


async def view_cancellations(asked: Asked, conn: Connection) -> ReportView:
    sales = await list_day_sales(conn, asked.context.tenant_id, asked.span)
    missed = await list_no_shows(conn, asked.context.tenant_id, *asked.instants, asked.branch_id)
    now, before = split_sales(asked, sales)
    translate, amount = asked.context.translate, asked.context.format.amount
    figures = [
        sales_figures(asked, now, before)[-1],
        Figure(
            translate(N_("Canceled, %(currency)s")) % {"currency": asked.context.format.currency}, amount(now.canceled)
        ),
        Figure(translate(N_("No-shows")), f"{sum(m.no_shows for m in missed):,}"),
    ]
    parts, first = asked.period.parts(), asked.period.first
    counts = [Decimal(0)] * len(parts.starts)
    for row in sales:
        if row.day >= first and row.kind == "cancellation":
            counts[parts.index_of(row.day)] -= row.orders
    names = asked.part_names(parts)
    titles = [f"{name}: {count:f}" for name, count in zip(names, counts, strict=True)]
    marks = asked.draw.columns(counts, [], names, titles, asked.tick)
    columns = (
        Column(N_("Provider"), ColumnKind.TEXT),
        Column(N_("No-shows"), ColumnKind.COUNT, "fold-end-1"),
        Column(N_("Amount"), fold_class="fold-start-2"),
    )
    nobody = translate(N_("Without a provider"))
    rows = [(m.name or nobody, m.no_shows, m.total) for m in missed]
    return ReportView(
        figures,
        [Plot("columns", translate(N_("Canceled orders")), marks)],
        Table(columns, rows, totals(asked, columns, rows)),
        translate(N_("Cancellations count on the day they were made, no-shows on the day of the appointment.")),
        translate(N_("No-shows by provider")),
    )


async def view_cancel_reasons(asked: Asked, conn: Connection) -> ReportView:
    found = await list_cancel_reasons(conn, asked.context.tenant_id, *asked.instants, asked.branch_id)
    translate = asked.context.translate
    none = translate(N_("No reason given"))
    columns = (
        Column(N_("Reason"), ColumnKind.TEXT),
        Column(N_("Canceled orders"), ColumnKind.COUNT, "fold-end-1"),
        Column(N_("Amount"), fold_class="fold-start-2"),
    )
    rows = [(asked.context.format.localized(c.reason) if c.reason else none, c.orders, c.total) for c in found]
    figures = [Figure(translate(N_("Canceled orders")), f"{sum(c.orders for c in found):,}")]
    table = Table(columns, rows, totals(asked, columns, rows))
    return ReportView(
        figures, [], table, translate(N_("Appointments count on their day, whenever they were canceled."))
    )
