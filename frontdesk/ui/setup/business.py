"""The first step of the start: the type of business, its name in both languages, and when it is open."""

from typing import Annotated, NamedTuple

import msgspec
from babel import Locale
from msgspec import Meta

from frontdesk.http.field_types import FilterText
from frontdesk.http.responses import Response
from frontdesk.i18n.languages import LANGUAGES
from frontdesk.postgres.pool import Connection
from frontdesk.postgres.query import fetch
from frontdesk.postgres.write import lock_all, run
from frontdesk.problems import Problem, raise_all
from frontdesk.staff.hour_types import DAY, HoursOwner, WeeklyHours
from frontdesk.staff.weekly_hours import SetWorkingHours
from frontdesk.tenants.problems import BusinessProblem
from frontdesk.tenants.settings import UpdateSettings, update_settings
from frontdesk.tenants.settings_queries import BusinessSettings, settings_to_change
from frontdesk.tenants.trades import TRADES, get_trade
from frontdesk.tenants.usual import usual_week
from frontdesk.ui.components.entered_times import WEEKDAY_DIGITS, TimeText, Weekday, read_time
from frontdesk.ui.components.staff_labels import WEEKDAYS
from frontdesk.ui.setup.start import PATH, SEVERAL_BRANCHES, TradeQuery, read_state, render_step, step_path, trade_of
from frontdesk.ui.setup.week_summary import DayRun, day_runs
from frontdesk.ui.shell.context import PageContext
from frontdesk.ui.shell.permissions import MANAGERS, OWNERS
from frontdesk.ui.shell.routing import Pages
from frontdesk.values.latin import latin
from frontdesk.values.text import by_language

pages = Pages()


class StartForm(msgspec.Struct):
    """`first`, `last`, `opens` and `closes` have the same order: days that follow each other, and their times."""

    version: int
    kind: str = ""
    shown_name_en: FilterText = ""
    shown_name_ar: FilterText = ""
    first: Annotated[list[Weekday], Meta(max_length=7)] = []
    last: list[Weekday] = []
    opens: list[TimeText] = []
    closes: list[TimeText] = []


@pages.get(f"{PATH}/business", MANAGERS)
async def show_business(context: PageContext, query: TradeQuery | None = None) -> Response:
    state = await read_state(context)
    loaded = await context.fetch(settings_to_change())
    trade = trade_of(context, query)
    week = WeeklyHours(all_time=False, intervals=usual_week(trade, state.country))
    return await render_step(
        context,
        "business",
        trade,
        state,
        trades=TRADES,
        version=loaded.version,
        settings=loaded.settings,
        names=_proposed_names(loaded.settings),
        rows=_hours_rows(context, week),
        weekdays=WEEKDAYS,
        country=Locale(context.language).territories.get(state.country or "", ""),
    )


class HoursRow(NamedTuple):
    """Days that follow each other, with the same times; empty times mean closed."""

    first: int
    last: int
    opens: str
    closes: str


def _hours_rows(context: PageContext, usual: WeeklyHours) -> list[HoursRow]:
    """What was sent, or what is usual."""
    sent = context.form.values
    if sent:
        columns = [sent.get(name, []) for name in ("first", "last", "opens", "closes")]
        rows = list(zip(*columns, strict=False))
        return [
            HoursRow(int(row[0]), int(row[1]), row[2], row[3])
            for row in rows
            if row[0] in WEEKDAY_DIGITS and row[1] in WEEKDAY_DIGITS
        ]
    longest_first = sorted(day_runs(usual), key=lambda run: (run.first - run.last) % -7)
    return [HoursRow(run.first, run.last, *_times(run)) for run in longest_first]


def _times(run: DayRun) -> tuple[str, str]:
    opens, _, closes = run.times[0].partition("–") if run.times else ("", "", "")
    return opens, closes


def _proposed_names(settings: BusinessSettings) -> dict[str, str]:
    """The name as it was entered is in the language of its letters; an Arabic one is also spelled in Latin letters."""
    if settings.names:
        return settings.names
    if settings.name.isascii():
        return {"en": settings.name}
    return {"ar": settings.name, "en": latin(settings.name).replace("-", " ").title()}


@pages.post(f"{PATH}/business", MANAGERS, on_error=show_business, fields={"names": "shown_name"})
async def submit_business(context: PageContext, form: StartForm) -> Response:
    state = await read_state(context)
    if state.branch_id is None:
        return context.redirect(PATH, flash=SEVERAL_BRANCHES)
    hours = _read_hours(form) if state.hours is None else None
    names = by_language(form.shown_name_en, form.shown_name_ar)
    if not names:
        raise Problem(BusinessProblem.NAME_REQUIRED, "names")
    await context.call(_save, context, form.version, names, hours, HoursOwner(state.branch_id))
    return context.redirect(step_path("services", get_trade(form.kind)))


async def _save(
    conn: Connection,
    context: PageContext,
    version: int,
    names: dict[str, str],
    hours: WeeklyHours | None,
    owner: HoursOwner,
) -> None:
    current = (await fetch(conn, context.tenant_id, settings_to_change())).settings
    first = next((names[code] for code in current.languages if code in names), current.name)
    new = msgspec.structs.replace(current, name=first, names=names if len(names) == len(LANGUAGES) else {})
    act = UpdateSettings(new, version, context.has_access(OWNERS), may_move_times=False)
    further = [] if hours is None else [SetWorkingHours(owner, hours, 0)]
    async with conn.transaction():
        await lock_all(conn, context.tenant_id, [act, *further])
        await update_settings(conn, context.tenant, act, context.actor)
        for other in further:
            await run(conn, context.tenant, other, actor=context.actor)


def _read_hours(form: StartForm) -> WeeklyHours:
    """Days whose times are empty are closed."""
    intervals, problems = [], []
    for row, (first, last, opens, closes) in enumerate(
        zip(form.first, form.last, form.opens, form.closes, strict=False)
    ):
        if not opens and not closes:
            continue
        try:
            times = read_time(opens, "opens", row) % DAY, read_time(closes, "opens", row) % DAY
        except Problem as problem:
            problems.append(problem)
            continue
        intervals += [((first + day) % 7, *times) for day in range((last - first) % 7 + 1)]
    raise_all(problems)
    return WeeklyHours(all_time=False, intervals=tuple(sorted(intervals)))
