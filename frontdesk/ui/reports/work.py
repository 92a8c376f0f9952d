"""Reports of working time and of stock."""

import asyncio
from decimal import Decimal

from babel.dates import get_day_names

from frontdesk.availability.calendar_queries import Roster, roster_of
from frontdesk.i18n.texts import N_
from frontdesk.postgres.pool import Connection
from frontdesk.postgres.query import fetch
from frontdesk.reports.occupancy import NONE, Minutes, Occupancy, occupancy_of
from frontdesk.reports.sales_queries import shortest_service
from frontdesk.reports.sales_sums import isolate
from frontdesk.reports.stock_queries import list_stock
from frontdesk.ui.reports.sales import totals
from frontdesk.ui.reports.tables import Column, ColumnKind, Table
from frontdesk.ui.reports.view import Asked, Figure, Plot, ReportView
from frontdesk.values.money import exact_sum
from frontdesk.values.time import get_zone

_HOUR = 60
_TALL, _LOW = 30, 22  # the height of a row
_SHOWN = 8  # providers beside the busiest hours


async def read_occupancy(asked: Asked, conn: Connection, *, with_gaps: bool = False) -> tuple[Roster, Occupancy]:
    """Of one branch: the chosen one, else that of the browser."""
    period, branch_id = asked.period, asked.branch_id or asked.context.branch_id
    roster = await fetch(conn, asked.context.tenant_id, roster_of(branch_id, None, period.first, period.days))
    # Years of many providers take seconds, in which others must not wait.
    shortest = await fetch(conn, asked.context.tenant_id, shortest_service(roster.branch_id)) if with_gaps else 0
    zone = get_zone(asked.context.tenant.timezone)
    found = await asyncio.to_thread(occupancy_of, roster, zone, period, shortest)
    return roster, found


def occupancy_figure(asked: Asked, occupancy: Occupancy) -> Figure:
    translate, total = asked.context.translate, occupancy.total
    note = translate(N_("%(hours)s h open")) % {"hours": _hours(total.working)}
    return Figure(translate(N_("Occupancy")), _percent(total), note)


async def view_occupancy(asked: Asked, conn: Connection) -> ReportView:
    roster, occupancy = await read_occupancy(asked, conn, with_gaps=True)
    translate = asked.context.translate
    total = occupancy.total
    figures = [occupancy_figure(asked, occupancy)]
    worked = [hour for hour in occupancy.hours if occupancy.of_hour(hour).percent is not None]
    for label, extreme in ((N_("Busiest"), max), (N_("Quietest"), min)) if worked else ():
        chosen = extreme(worked, key=lambda hour: occupancy.of_hour(hour).percent or 0)
        note = translate(N_("%(percent)s booked")) % {"percent": _percent(occupancy.of_hour(chosen))}
        figures.append(Figure(translate(label), f"{chosen % 24:02}:00", note))
    in_gaps = translate(N_("%(hours)s h")) % {"hours": _hours(sum(occupancy.gaps.values()))}
    figures.append(Figure(translate(N_("Lost in gaps")), in_gaps, translate(N_("shorter than the shortest service"))))
    columns = (
        Column(N_("Provider"), ColumnKind.TEXT),
        Column(N_("Working, h"), ColumnKind.HOURS, "fold-start-2"),
        Column(N_("Booked, h"), ColumnKind.HOURS, "fold-end-2"),
        Column(N_("Free, h"), ColumnKind.HOURS),
        Column(N_("Lost in gaps, h"), ColumnKind.HOURS),
        Column(N_("Occupancy"), ColumnKind.PERCENT, "fold-end-1"),
    )
    rows = []
    for member in roster.staff:
        minutes = occupancy.of_staff(member.id)
        free, lost = minutes.working - minutes.booked, occupancy.gaps.get(member.id, 0)
        rows.append((member.name, minutes.working, minutes.booked, free, lost, minutes.percent))
    summed = totals(asked, columns, rows)
    summed[5] = total.percent
    plots = [hours_plot(asked, roster, occupancy), weekday_plot(asked, occupancy)]
    help_ = translate(
        N_(
            "Booked time contains buffers and counts within the working hours, which are those that apply now. "
            "Hours past midnight count on the day that the clock shows: of 18:00 to 02:00, two hours on the next day. "
            "Only one branch is counted: the chosen one, or else the one in which you work."
        )
    )
    return ReportView(figures, plots, Table(columns, rows, summed), help_)


def hours_plot(asked: Asked, roster: Roster, occupancy: Occupancy) -> Plot:
    """By provider and hour, and all together below."""
    hours, everybody = occupancy.hours, asked.context.translate(N_("All"))
    rows = [
        (member.name, [_cell(member.name, hour, occupancy.by_staff.get((member.id, hour), NONE)) for hour in hours])
        for member in roster.staff
    ]
    rows.append((everybody, [_cell(everybody, hour, occupancy.of_hour(hour)) for hour in hours]))
    marks = asked.draw.heat(rows if hours else [], [f"{hour:02}:00" for hour in hours], _TALL)
    return Plot("heat", asked.context.translate(N_("Hours booked, by provider and hour")), marks)


def weekday_plot(asked: Asked, occupancy: Occupancy) -> Plot:
    names = get_day_names("abbreviated", locale=asked.context.language)
    hours, rows = occupancy.hours, []
    for weekday in range(7):
        name = names[(weekday + 6) % 7]
        cells = [_cell(name, hour, occupancy.by_weekday.get((weekday, hour), NONE)) for hour in hours]
        if any(percent is not None for percent, _ in cells):
            rows.append((name, cells))
    marks = asked.draw.heat(rows, [f"{hour:02}:00" for hour in hours], _LOW)
    return Plot("heat", asked.context.translate(N_("Busiest hours")), marks)


def providers_plot(asked: Asked, roster: Roster, occupancy: Occupancy) -> Plot:
    rows = []
    for member in roster.staff:
        minutes = occupancy.of_staff(member.id)
        if minutes.working:
            said = asked.context.translate(N_("%(booked)s of %(working)s h, %(percent)s")) % {
                "booked": _hours(minutes.booked),
                "working": _hours(minutes.working),
                "percent": _percent(minutes),
            }
            rows.append((member.name, said, Decimal(minutes.booked), Decimal(minutes.working)))
    rows.sort(key=lambda row: -row[2])
    return Plot("bars", asked.context.translate(N_("Hours booked by provider")), asked.draw.bars(rows[:_SHOWN]))


def _cell(name: str, hour: int, minutes: Minutes) -> tuple[int | None, str]:
    return minutes.percent, f"{name}, {hour:02}:00: {_percent(minutes)}"


def _percent(minutes: Minutes) -> str:
    return "–" if minutes.percent is None else isolate(f"{minutes.percent}%")


def _hours(minutes: int) -> str:
    return f"{minutes // _HOUR}:{minutes % _HOUR:02}" if minutes % _HOUR else f"{minutes // _HOUR:,}"


async def view_stock(asked: Asked, conn: Connection) -> ReportView:
    columns = (
        Column(N_("Product"), ColumnKind.TEXT),
        Column(N_("Sold"), ColumnKind.COUNT, "fold-start-2"),
        Column(N_("Returned"), ColumnKind.COUNT),
        Column(N_("Delivered"), ColumnKind.COUNT),
        Column(N_("Corrected"), ColumnKind.COUNT),
        Column(N_("Lost"), ColumnKind.COUNT),
        Column(N_("Opening stock"), ColumnKind.COUNT),
        Column(N_("In stock"), ColumnKind.COUNT, "fold-end-2"),
        Column(N_("Cost")),
        Column(N_("Value"), fold_class="fold-end-1"),
    )
    found = await list_stock(conn, asked.context.tenant_id, *asked.instants, asked.branch_id)
    localized, amount = asked.context.format.localized, asked.context.format.amount
    uncounted = asked.context.translate(N_("not counted"))
    rows = [
        (
            *(localized(s.names), s.sold, s.returned, s.delivered, s.corrected, s.lost, s.opened),
            *(uncounted if s.stock is None else s.stock, s.cost),
            s.cost * s.stock if s.cost is not None and s.stock is not None else None,
        )
        for s in found
    ]
    summed = totals(asked, columns, rows)
    summed[8] = None
    value = exact_sum(row[9] for row in rows if row[9] is not None)
    label = asked.context.translate(N_("Stock value, %(currency)s")) % {"currency": asked.context.format.currency}
    drawn = [(row[0], amount(row[9]), row[9], None) for row in rows[:12] if row[9]]
    return ReportView(
        [
            Figure(label, amount(value)),
            Figure(asked.context.translate(N_("In stock")), f"{sum(s.stock or 0 for s in found):,}"),
        ],
        [Plot("bars", asked.context.translate(N_("Stock value by product")), asked.draw.bars(drawn))],
        Table(columns, rows, summed),
        asked.context.translate(N_("The stock at the end of the last day, at the cost that products have now.")),
    )
