"""Reports: the overview, and one page and two files for each report."""

from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import date, timedelta
from functools import partial
from typing import Any, NamedTuple

from frontdesk.exports.csv_lines import CSV_TYPE, csv_lines
from frontdesk.exports.xlsx_lines import XLSX_TYPE, Workbook
from frontdesk.http.responses import Response, download
from frontdesk.i18n.texts import N_
from frontdesk.postgres.pool import Connection
from frontdesk.postgres.query import fetch
from frontdesk.problems import Problem
from frontdesk.reports.digest import write_digest
from frontdesk.reports.monthly import last_month, month_of
from frontdesk.reports.sales_queries import list_day_sales
from frontdesk.reports.settings_queries import get_report_settings
from frontdesk.tenants.queries import list_branch_names
from frontdesk.ui.reports.money import RECEIVED_HELP, received_figure, view_commissions, view_payments, view_tips
from frontdesk.ui.reports.people import customer_figures, view_cancel_reasons, view_cancellations, view_customers
from frontdesk.ui.reports.sales import (
    sales_figures,
    sales_plot,
    sales_table,
    split_sales,
    view_applications,
    view_categories,
    view_days,
    view_items,
    view_providers,
    view_taxes,
)
from frontdesk.ui.reports.tables import Table, exact, show
from frontdesk.ui.reports.view import PATH, Asked, ReportQuery, ReportView, check_query, name_period
from frontdesk.ui.reports.work import (
    occupancy_figure,
    providers_plot,
    read_occupancy,
    view_occupancy,
    view_stock,
    weekday_plot,
)
from frontdesk.ui.shell.context import PageContext
from frontdesk.ui.shell.permissions import MANAGERS
from frontdesk.ui.shell.routing import Pages

pages = Pages()


class Report(NamedTuple):
    title: str
    view: Callable[[Asked, Connection], Awaitable[ReportView]]
    line: str  # what it answers


GROUPS = {
    N_("Sales"): {
        "sales": Report(N_("Sales by day"), view_days, N_("What came in each day, beside the days before")),
        "items": Report(N_("Sales by item"), view_items, N_("Which services and products sell best")),
        "categories": Report(N_("Sales by category"), view_categories, N_("Which part of the catalogue sells best")),
        "applications": Report(
            N_("Sales by application"), view_applications, N_("At the desk, on the booking page or through apps")
        ),
        "stock": Report(N_("Stock"), view_stock, N_("What is left, and what it is worth")),
    },
    N_("Money and tax"): {
        "payments": Report(N_("Payment methods"), view_payments, N_("How customers paid, less refunds")),
        "tax": Report(N_("Tax"), view_taxes, N_("For the tax return, by rate")),
    },
    N_("Customers"): {
        "customers": Report(N_("New and returning customers"), view_customers, N_("Who is new, and who comes back")),
        "cancellations": Report(
            N_("No-shows and cancellations"), view_cancellations, N_("Who did not come, and what it cost")
        ),
        "cancel-reasons": Report(N_("Reasons for cancellations"), view_cancel_reasons, N_("Why bookings are canceled")),
    },
    N_("Team and hours"): {
        "providers": Report(N_("Sales by provider"), view_providers, N_("What each provider sold")),
        "occupancy": Report(N_("Occupancy"), view_occupancy, N_("Hour by hour: where there is room")),
        "commissions": Report(N_("Commissions"), view_commissions, N_("What each provider earns")),
        "tips": Report(N_("Tips"), view_tips, N_("Who got tips, and how much")),
    },
}
REPORTS = {name: report for group in GROUPS.values() for name, report in group.items()}


@pages.get(PATH, MANAGERS)
async def show_reports(context: PageContext, query: ReportQuery) -> Response:
    query, asked = _check(context, query)

    async def read(conn: Connection) -> tuple[Any, ...]:
        sales = await list_day_sales(conn, context.tenant_id, asked.span)
        received = await received_figure(asked, conn)
        customers = await customer_figures(asked, conn)
        settings = await fetch(conn, context.tenant_id, get_report_settings(context.user.id))
        return sales, received, customers, settings, *await read_occupancy(asked, conn)

    sales, received, customers, settings, roster, occupancy = await context.request.read_slowly(context.tenant_id, read)
    now, before = split_sales(asked, sales)
    net, orders, average, _refunded, canceled = sales_figures(asked, now, before)
    booked = occupancy_figure(asked, occupancy)
    figures = [net, received, orders, average, canceled, booked, *customers]
    values = {
        "sales": net.value,
        "payments": received.value,
        "tax": context.format.amount(now.tax),
        "occupancy": booked.value,
        "customers": f"{customers[0].value} / {customers[1].value}",
        "cancellations": canceled.value,
    }
    return context.render(
        "reports.html",
        digest=write_digest(context.language, sales, asked.period.first, context.format.price),
        figures=figures,
        groups=GROUPS,
        values=values,
        favorites=[name for name in settings.favorites if name in REPORTS],
        settings=settings,
        has_mail_server=context.request.resources.settings.smtp is not None,
        last_month=name_period(month_of(last_month(asked.today)), context.language),
        help=RECEIVED_HELP,
        sales=sales_plot(asked, sales),
        table=sales_table(asked, sales),
        sides=[providers_plot(asked, roster, occupancy), weekday_plot(asked, occupancy)],
        branches=[(branch.id, branch.name) for branch in roster.branches],
        **_shared(asked, query, PATH),
    )


def _page(name: str, report: Report) -> Callable[..., Awaitable[Response]]:
    async def show_report(context: PageContext, query: ReportQuery) -> Response:
        query, asked = _check(context, query)
        view = await context.request.read_slowly(context.tenant_id, partial(report.view, asked))
        branches = await context.call(list_branch_names, context.tenant_id)
        shared = _shared(asked, query, f"{PATH}/{name}")
        return context.render("report.html", report=report, name=name, view=view, branches=branches, **shared)

    return show_report


def _file(name: str, report: Report, extension: str) -> Callable[..., Awaitable[Response]]:
    async def export_report(context: PageContext, query: ReportQuery) -> Response:
        asked = check_query(context, query)
        table = (await context.request.read_slowly(context.tenant_id, partial(report.view, asked))).table
        file_name = f"{name}-{asked.period.first}-{asked.period.last}.{extension}"
        if extension == "csv":
            return download(_csv(context, table), file_name, CSV_TYPE)
        return download(_xlsx(context, report, table), file_name, XLSX_TYPE)

    return export_report


for _name, _report in REPORTS.items():
    pages.get(f"{PATH}/{_name}", MANAGERS)(_page(_name, _report))
    for _extension in ("csv", "xlsx"):
        pages.get(f"{PATH}/{_name}.{_extension}", MANAGERS)(_file(_name, _report, _extension))


def _check(context: PageContext, query: ReportQuery) -> tuple[ReportQuery, Asked]:
    """An invalid period is shown as an error, with the report of the default period."""
    try:
        return query, check_query(context, query)
    except Problem as problem:
        context.show_errors(context.error(problem), {})
        query = ReportQuery(branch=query.branch)
        return query, check_query(context, query)


def _shared(asked: Asked, query: ReportQuery, path: str) -> dict[str, Any]:
    return {
        "asked": asked,
        "query": query,
        "path": path,
        "reports": REPORTS,
        "choices": [(label, query.link(path, *days), days == tuple(asked.period)) for label, days in _choices(asked)],
        "show": show,
    }


def _choices(asked: Asked) -> list[tuple[str, tuple[date, date]]]:
    today = asked.today
    month, year = today.replace(day=1), today.replace(month=1, day=1)
    last_month = month - timedelta(days=1)
    return [
        (N_("7 days"), (today - timedelta(days=6), today)),
        (N_("This month"), (month, today)),
        (N_("Last month"), (last_month.replace(day=1), last_month)),
        (N_("This year"), (year, today)),
    ]


async def _csv(context: PageContext, table: Table) -> AsyncIterator[bytes]:
    yield csv_lines([[context.translate(column.label) for column in table.columns]], first=True)
    rows = [*table.rows, table.total] if table.total else table.rows
    yield csv_lines(
        ["" if (cell := exact(context, *pair)) is None else str(cell) for pair in zip(table.columns, row, strict=True)]
        for row in rows
    )


async def _xlsx(context: PageContext, report: Report, table: Table) -> AsyncIterator[bytes]:
    book = Workbook(context.translate(report.title)[:31], right_to_left=context.direction == "rtl")
    yield book.begin([context.translate(column.label) for column in table.columns])
    rows = [*table.rows, table.total] if table.total else table.rows
    yield book.add_rows([exact(context, *pair) for pair in zip(table.columns, row, strict=True)] for row in rows)
    yield book.end()
