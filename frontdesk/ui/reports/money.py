"""Reports of what was paid, tipped and earned."""

from decimal import Decimal

from frontdesk.i18n.texts import N_
from frontdesk.postgres.pool import Connection
from frontdesk.postgres.query import fetch
from frontdesk.reports.commission_queries import Basis, get_basis, list_commissions
from frontdesk.reports.money_queries import list_method_payments, list_tips
from frontdesk.ui.reports.sales import MAX_BARS, totals
from frontdesk.ui.reports.tables import Column, ColumnKind, Table
from frontdesk.ui.reports.view import Asked, Figure, Plot, ReportView
from frontdesk.values.money import exact_sum

RECEIVED_HELP = N_(
    "Net sales count on the day of the sale or the booking, paid or not. Received is the money that was paid on these "
    "days, less refunds, also for appointments that are still to come."
)


async def received_figure(asked: Asked, conn: Connection) -> Figure:
    """With what was refunded, which is taken off."""
    context = asked.context
    methods = await list_method_payments(conn, context.tenant_id, asked.span)
    refunded, before = exact_sum(m.refunded for m in methods), exact_sum(m.before for m in methods)
    figure = _figure(asked, N_("Received, %(currency)s"), exact_sum(m.paid for m in methods) + refunded, before)
    if not refunded:
        return figure
    return figure._replace(
        note=context.translate(N_("less %(sum)s refunded")) % {"sum": context.format.amount(-refunded)}
    )


async def view_payments(asked: Asked, conn: Connection) -> ReportView:
    columns = (
        Column(N_("Payment method"), ColumnKind.TEXT),
        Column(N_("Payments"), ColumnKind.COUNT, "fold-start-2"),
        Column(N_("Paid")),
        Column(N_("Refunded"), fold_class="fold-end-2"),
        Column(N_("Received"), fold_class="fold-end-1"),
        Column(N_("Before")),
    )
    rows = [
        (asked.context.format.localized(m.names), m.payments, m.paid, m.refunded, m.paid + m.refunded, m.before)
        for m in await list_method_payments(conn, asked.context.tenant_id, asked.span)
    ]
    received, before = exact_sum(row[4] for row in rows), exact_sum(row[5] for row in rows)
    drawn = [(row[0], asked.context.format.amount(row[4]), row[4], None) for row in rows if row[4] > 0]
    return ReportView(
        [_figure(asked, N_("Received, %(currency)s"), received, before)],
        [Plot("bars", asked.context.translate(N_("Received by payment method")), asked.draw.bars(drawn))],
        Table(columns, rows, totals(asked, columns, rows)),
        asked.context.translate(RECEIVED_HELP),
    )


async def view_tips(asked: Asked, conn: Connection) -> ReportView:
    columns = (
        Column(N_("Provider"), ColumnKind.TEXT),
        Column(N_("Tips"), ColumnKind.COUNT, "fold-start-2"),
        Column(N_("Amount"), fold_class="fold-end-1"),
        Column(N_("Before")),
    )
    everybody = asked.context.translate(N_("For all"))
    rows = [
        (t.name or everybody, t.tips, t.amount, t.before)
        for t in await list_tips(conn, asked.context.tenant_id, asked.span)
    ]
    amount, before = exact_sum(row[2] for row in rows), exact_sum(row[3] for row in rows)
    drawn = [(row[0], asked.context.format.amount(row[2]), row[2], None) for row in rows if row[2] > 0]
    return ReportView(
        [_figure(asked, N_("Tips, %(currency)s"), amount, before)],
        [Plot("bars", asked.context.translate(N_("Tips by provider")), asked.draw.bars(drawn))],
        Table(columns, rows, totals(asked, columns, rows)),
        asked.context.translate(N_("Tips are no part of the sales.")),
    )


_BASES = {
    Basis.DONE: N_(
        "Of the services and products of completed orders, without tax, on the day they were completed. "
        "Refunds count on their own day."
    ),
    Basis.BOOKED: N_("Of the sales and bookings without tax, less cancellations and refunds, each on its own day."),
}


async def view_commissions(asked: Asked, conn: Connection) -> ReportView:
    columns = (
        Column(N_("Provider"), ColumnKind.TEXT),
        Column(N_("Item"), ColumnKind.TEXT, "fold-start-2"),
        Column(N_("Rate"), ColumnKind.PERCENT, "fold-end-2"),
        Column(N_("Sales without tax")),
        Column(N_("Commission"), fold_class="fold-end-1"),
        Column(N_("Before")),
    )
    basis = await fetch(conn, asked.context.tenant_id, get_basis())
    found = await list_commissions(conn, asked.context.tenant, asked.span, basis)
    rows = [
        (c.name, asked.context.format.localized(c.names), c.percent.normalize() + 0, c.base, c.commission, c.before)
        for c in found
    ]
    earned: dict[str, Decimal] = {}
    for commission in found:
        earned[commission.name] = earned.get(commission.name, Decimal(0)) + commission.commission
    drawn = [(name, asked.context.format.amount(sum_), sum_, None) for name, sum_ in earned.items() if sum_ > 0]
    sums = exact_sum(c.commission for c in found), exact_sum(c.before for c in found)
    return ReportView(
        [_figure(asked, N_("Commissions, %(currency)s"), *sums)],
        [Plot("bars", asked.context.translate(N_("Commission by provider")), asked.draw.bars(drawn[:MAX_BARS]))],
        Table(columns, rows, totals(asked, columns, rows)),
        asked.context.translate(_BASES[basis]),
    )


def _figure(asked: Asked, label: str, value: Decimal, before: Decimal) -> Figure:
    named = asked.context.translate(label) % {"currency": asked.context.format.currency}
    return Figure(named, asked.context.format.amount(value), asked.change(value, before))
