"""What was checked of a move, as sentences: each with whether it holds."""

from collections.abc import Sequence
from typing import NamedTuple

from frontdesk.availability.slots import Reason
from frontdesk.i18n.texts import N_
from frontdesk.scheduling.move import Move, MoveCheck
from frontdesk.scheduling.move_queries import BookedLine, MovableOrder, Obstacle
from frontdesk.ui.shell.context import PageContext


class CheckLine(NamedTuple):
    holds: bool
    text: str


_OF_OTHERS: dict[Reason, str] = {
    "past": N_("%(service)s would begin in the past."),
    "outside_working_hours": N_("%(service)s with %(name)s would be outside their working hours."),
    "time_off": N_("%(service)s: %(name)s has time off then."),
    "booked": N_("%(service)s: %(name)s has another booking then."),
}


def check_lines(
    context: PageContext,
    order: MovableOrder,
    moved: Sequence[BookedLine],
    move: Move,
    check: MoveCheck,
    obstacles: Sequence[Obstacle],
) -> list[CheckLine]:
    """First the services that are moved, then what prevents the others, which move with them."""
    names = {member.id: member.name for member in order.staff}
    words = {"name": names.get(move.staff_id, ""), "start": context.format.time(check.start)}
    found = [_performs(context, {**words, "service": line.name}, holds=check.performs[line.id]) for line in moved]
    first = check.problems[moved[0].id]
    later = [why for booked in moved[1:] for why in check.problems[booked.id] if why in _OF_OTHERS]
    found += _of_time(context, words, [*first, *later], obstacles, busy_elsewhere=check.busy_elsewhere)
    for other in order.lines:
        if other not in moved:
            about = {"name": names.get(other.staff_id, ""), "service": other.name}
            problems = [why for why in check.problems[other.id] if why in _OF_OTHERS]
            if "past" in first:
                problems = []  # reported already; no provider works there
            found += [_line(context, _OF_OTHERS[why], about) for why in problems]
    if check.refusal is not None and all(check_line.holds for check_line in found):
        found.append(CheckLine(holds=False, text=_refusal(context, check)))
    price = context.format.price(order.total)
    return [*found, _line(context, N_("Same price, %(price)s"), {"price": price}, holds=True)]


def _performs(context: PageContext, words: dict[str, str], *, holds: bool) -> CheckLine:
    text = N_("%(name)s performs %(service)s") if holds else N_("%(name)s does not perform %(service)s")
    return _line(context, text, words, holds=holds)


def _of_time(
    context: PageContext,
    words: dict[str, str],
    problems: Sequence[Reason],
    obstacles: Sequence[Obstacle],
    *,
    busy_elsewhere: bool,
) -> list[CheckLine]:
    lines = []
    if "booked" in problems:
        lines.append(_taken(context, words, obstacles))
    elif "time_off" in problems:
        lines.append(_line(context, N_("%(name)s has time off then"), words))
    elif busy_elsewhere:
        lines.append(
            _line(context, N_("%(name)s is busy then in another calendar; moving is possible"), words, holds=True)
        )
    else:
        lines.append(_line(context, N_("%(name)s is free from %(start)s"), words, holds=True))
    is_open = "outside_working_hours" not in problems
    lines.append(
        _line(
            context, N_("Within the working hours") if is_open else N_("Outside the working hours"), {}, holds=is_open
        )
    )
    if "past" in problems:
        lines.append(_line(context, N_("%(start)s is in the past"), words))
    if "off_grid" in problems:
        minutes = {"minutes": str(context.tenant.grid_minutes)}
        lines.append(_line(context, N_("Appointments begin every %(minutes)s minutes"), minutes))
    return lines


def _taken(context: PageContext, words: dict[str, str], obstacles: Sequence[Obstacle]) -> CheckLine:
    if not obstacles:
        return _line(context, N_("%(name)s has another booking then"), words)
    walk_in = context.translate(N_("Walk-in"))
    first, last = min(o.start for o in obstacles), max(o.end for o in obstacles)
    about = {
        "start": context.format.time(first),
        "end": context.format.time(last),
        "customers": context.translate(N_(", ")).join(o.customer or walk_in for o in obstacles),
    }
    return _line(context, N_("%(start)s to %(end)s is taken: %(customers)s"), about)


def _refusal(context: PageContext, check: MoveCheck) -> str:
    return context.problem_text(check.refusal) or ""


def _line(context: PageContext, text: str, words: dict[str, str], *, holds: bool = False) -> CheckLine:
    return CheckLine(holds, context.translate(text) % words)
