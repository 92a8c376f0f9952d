"""What a report's page shows: figures, plots and the table. Built from the queries of the noun."""

from collections.abc import Sequence
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Literal, NamedTuple
from urllib.parse import urlencode
from uuid import UUID

import msgspec
from babel.dates import format_date

from frontdesk.http.dates import check_period
from frontdesk.http.field_types import CalendarDate
from frontdesk.i18n.texts import N_
from frontdesk.reports.period import MAX_DAYS, Parts, Period
from frontdesk.reports.sales_sums import change_text, isolate
from frontdesk.reports.types import Span
from frontdesk.ui.reports.plots import BarPlot, ColumnPlot, Draw, HeatPlot
from frontdesk.ui.reports.tables import Table
from frontdesk.ui.shell.context import PageContext
from frontdesk.ui.shell.problems import page_problem
from frontdesk.values.clock import current_time
from frontdesk.values.time import get_zone, local_day_bounds, to_local

PATH = "/reports"
_PATTERNS = {"day": "d", "week": "d MMM", "month": "MMM y"}


class Figure(NamedTuple):
    label: str
    value: str
    note: str = ""


class Plot(NamedTuple):
    """`kind` is the macro that draws it."""

    kind: Literal["columns", "bars", "heat"]
    title: str
    marks: ColumnPlot | BarPlot | HeatPlot
    compared: bool = False  # has a line for the days before


class ReportView(NamedTuple):
    figures: Sequence[Figure]
    plots: Sequence[Plot]
    table: Table
    help: str = ""
    table_title: str = ""  # if it does not show the numbers of the plot


class ReportQuery(msgspec.Struct):
    from_: CalendarDate | None = msgspec.field(name="from", default=None)
    to: CalendarDate | None = None
    branch: UUID | None = None

    def link(self, path: str, first: date | None = None, last: date | None = None) -> str:
        """The same choice on another page, or other days."""
        chosen = {
            "from": first or (self.from_ and self.from_.day),
            "to": last or (self.to and self.to.day),
            "branch": self.branch,
        }
        query = urlencode({name: str(value) for name, value in chosen.items() if value})
        return f"{path}?{query}" if query else path


class Asked(NamedTuple):
    """The days of a request, checked, and how they are named and drawn."""

    context: PageContext
    period: Period
    before: Period
    today: date
    branch_id: UUID | None
    draw: Draw

    @property
    def span(self) -> Span:
        return Span(self.before.first, self.period.first, self.period.last, self.branch_id)

    @property
    def instants(self) -> tuple[datetime, datetime]:
        zone = get_zone(self.context.tenant.timezone)
        return local_day_bounds(self.period.first, zone)[0], local_day_bounds(self.period.last, zone)[1]

    def name(self, period: Period) -> str:
        return name_period(period, self.context.language)

    def tick(self, value: Decimal) -> str:
        return isolate(f"{value.normalize():,f}".replace("-", "\N{MINUS SIGN}"))

    def part_names(self, parts: Parts) -> list[str]:
        return [format_date(day, _PATTERNS[parts.unit], locale=self.context.language) for day in parts.starts]

    def part_titles(self, parts: Parts, values: Sequence[Decimal]) -> list[str]:
        """The tooltip of a bar."""
        long = "MMMM y" if parts.unit == "month" else "d MMMM"
        return [
            f"{format_date(day, long, locale=self.context.language)}: {self.context.format.amount(value)}"
            for day, value in zip(parts.starts, values, strict=True)
        ]

    def change(self, now: Decimal | int, before: Decimal | int) -> str:
        return change_text(self.context.language, now, before)


def check_query(context: PageContext, query: ReportQuery) -> Asked:
    """Without days: the month up to today."""
    today = to_local(current_time(), get_zone(context.tenant.timezone)).date()
    first, last = check_period(query.from_, query.to)
    last = last or (today if first is None or first <= today else first)
    period = Period(first or last.replace(day=1), last)
    if period.days > MAX_DAYS:
        raise page_problem(N_("The first day must not be after the last, and at most ten years before it."), "from")
    return Asked(context, period, period.before(), today, query.branch, Draw(rtl=context.direction == "rtl"))


def name_period(period: Period, language: str) -> str:
    """Such as "1–15 November 2026", "November 2026" or "1 Nov 2026 – 3 Feb 2027"."""
    first, last = period
    if first.day == 1 and (last + timedelta(days=1)).day == 1 and (first.year, first.month) == (last.year, last.month):
        return format_date(first, "LLLL y", locale=language)
    if first == last:
        return format_date(first, "d MMMM y", locale=language)
    if (first.year, first.month) == (last.year, last.month):
        return f"{first.day}–{format_date(last, 'd MMMM y', locale=language)}"
    return f"{format_date(first, 'd MMM y', locale=language)} – {format_date(last, 'd MMM y', locale=language)}"
