"""Reasons in words, each with the page on which it can be changed."""

from collections.abc import Sequence
from datetime import date, datetime
from typing import NamedTuple
from uuid import UUID

from frontdesk.availability.explain import StartExplanation
from frontdesk.availability.explained_facts import OrderCustomer, StartFacts
from frontdesk.availability.start_problems import StartProblem
from frontdesk.i18n.texts import N_
from frontdesk.problems import Problem
from frontdesk.ui.shell.context import PageContext
from frontdesk.ui.shell.problems import TEXTS


class ReasonRow(NamedTuple):
    text: str
    note: str | None  # of a customer, or why a day is closed
    link: tuple[str, str] | None  # address and text
    can_wait: bool  # it can be moved or ends by itself


class ProviderRow(NamedTuple):
    staff_id: UUID
    name: str
    reasons: list[ReasonRow]


_NOT_THEIRS = (StartProblem.NOT_PERFORMED, StartProblem.OTHER_BRANCH)
_CHANGEABLE = (StartProblem.TIME_OFF, StartProblem.HELD, StartProblem.EXTERNAL_CALENDAR, StartProblem.OFF_GRID)
_OF_BRANCH = (StartProblem.CLOSED_DAY, StartProblem.OUTSIDE_OPENING_HOURS)
_OF_STAFF = (StartProblem.OTHER_HOURS, StartProblem.OUTSIDE_OWN_HOURS, StartProblem.CROSSES_CLOSING)


def provider_rows(
    context: PageContext, why: StartExplanation, facts: StartFacts, first: UUID | None
) -> tuple[list[ProviderRow], list[str]]:
    """Those who perform the service, and the names of the others."""
    rows: list[ProviderRow] = []
    others: list[str] = []
    for provider in why.providers:
        name = facts.name_of(provider.staff_id)
        if any(problem.kind in _NOT_THEIRS for problem in provider.problems):
            others.append(name)
            continue
        reasons = [_row(context, problem, provider.staff_id, why.start.date()) for problem in provider.problems]
        rows.append(ProviderRow(provider.staff_id, name, reasons))
    return sorted(rows, key=lambda row: row.staff_id != first), others


def _row(context: PageContext, problem: Problem, staff_id: UUID, day: date) -> ReasonRow:
    values = {name: _said(context, value, day) for name, value in problem.values.items()}
    text = context.translate(TEXTS[problem.kind]) % values
    customer: OrderCustomer | None = problem.values.get("customer")
    note = customer.name if customer else problem.values.get("note")
    return ReasonRow(text, note, _link(context, problem, staff_id), problem.kind in _CHANGEABLE)


def _link(context: PageContext, problem: Problem, staff_id: UUID) -> tuple[str, str] | None:
    if problem.values.get("order_id"):
        return f"/orders/{problem.values['order_id']}", context.translate(N_("Open the order"))
    if not context.is_manager:
        return None
    if problem.kind in _OF_BRANCH:
        return "/settings/hours", context.translate(N_("Opening hours"))
    if problem.kind in _OF_STAFF:
        return f"/staff/{staff_id}/hours", context.translate(N_("Working hours"))
    if problem.kind is StartProblem.TIME_OFF:
        return f"/staff/{staff_id}", context.translate(N_("Time off"))
    return None


def _said(context: PageContext, value: object, day: date) -> object:
    match value:
        case datetime():
            clock = f"\u2066{value:%H:%M}\u2069"
            return clock if value.date() == day else f"{context.format.short_day(value.date())} {clock}"
        case date():
            return context.format.day(value)
        case list():
            return _listed(context, value, day) or context.translate(N_("none on this day"))
    return value


def _listed(context: PageContext, values: Sequence[object], day: date) -> str:
    parts = [str(_said(context, value, day)) if not isinstance(value, tuple) else _span(*value) for value in values]
    return context.translate(N_(", ")).join(parts)


def _span(start: datetime, end: datetime) -> str:
    return f"\u2066{start:%H:%M}–{end:%H:%M}\u2069"
