"""What a customer has chosen so far. The address of the page holds all of it, so that every step is a link."""

import datetime as dt
import re
from collections.abc import Sequence
from typing import Annotated, Literal, NamedTuple
from uuid import UUID

import msgspec
from msgspec import Meta

from frontdesk.http.field_types import CalendarDate, decode_field
from frontdesk.scheduling.online import ChosenLine
from frontdesk.ui.components.menu_queries import Menu, MenuOption, MenuService

MAX_SERVICES = 5
Question = Literal["what", "who", "when", "you"]
Step = Literal["who", "each", "when"]
WITHOUT = UUID(int=0)  # in place of an option: the service is wanted without one
_STEPS: tuple[Step, ...] = ("who", "each", "when")
_Text = Annotated[str, Meta(max_length=1000)]
_TIME = re.compile(r"([01][0-9]|2[0-3]):[0-5][0-9]")


class ChoiceQuery(msgspec.Struct, kw_only=True):
    """Whatever cannot be read is left out: addresses are copied, cut off and extended by others."""

    branch: _Text = ""
    services: _Text = ""
    date: _Text = ""
    time: _Text = ""
    add: _Text = ""
    step: _Text = ""
    month: _Text = ""


class Picked(NamedTuple):
    """A service, with its option and who performs it; None: not chosen, or anyone."""

    item_id: UUID
    option_id: UUID | None = None
    staff_id: UUID | None = None

    @property
    def line(self) -> ChosenLine:
        return ChosenLine(self.item_id, None if self.option_id == WITHOUT else self.option_id, self.staff_id)


class Choice(NamedTuple):
    branch_id: UUID | None = None
    services: tuple[Picked, ...] = ()
    day: dt.date | None = None
    time: str | None = None
    is_adding: bool = False
    step: Step | None = None  # asked although it is answered; "each": with whom, for each service
    month: dt.date | None = None  # its first day: a month of days is shown, and not a week

    @property
    def query(self) -> dict[str, object]:
        """The parameters of the address."""
        return {
            "branch": self.branch_id,
            "services": ",".join(written(picked) for picked in self.services) or None,
            "date": self.day,
            "time": self.time,
            "add": "yes" if self.is_adding else None,
            "step": self.step,
            "month": f"{self.month:%Y-%m}" if self.month else None,
        }

    def to_branch(self, branch_id: UUID) -> "Choice":
        return Choice(branch_id)

    def adding(self) -> "Choice":
        return self._replace(is_adding=True, time=None, step=None)

    def asking(self, step: Step) -> "Choice":
        """Without the day and the time, which may not be free with another provider."""
        return self._replace(step=step, day=None, time=None, is_adding=False, month=None)

    def with_service(self, item_id: UUID) -> "Choice":
        """The day is kept, but not the time: it may be too late in the day for one more."""
        services = (*self.services, Picked(item_id))[:MAX_SERVICES]
        return self._replace(services=services, time=None, is_adding=False, step=None)

    def without(self, index: int) -> "Choice":
        services = self.services[:index] + self.services[index + 1 :]
        return self._replace(services=services, time=None, is_adding=False, step=None)

    def with_option(self, index: int, option_id: UUID | None) -> "Choice":
        picked = self.services[index]._replace(option_id=option_id or WITHOUT)
        return self._replace(services=(*self.services[:index], picked, *self.services[index + 1 :]), time=None)

    def in_month(self, day: dt.date) -> "Choice":
        """The month of a day, with the first of its days that is free."""
        return self._replace(month=day.replace(day=1), day=None, time=None, step=None)

    def with_anyone(self) -> "Choice":
        return self._replace(services=tuple(picked._replace(staff_id=None) for picked in self.services))

    def on(self, day: dt.date, time: str | None = None) -> "Choice":
        return self._replace(day=day, time=time, step=None)


class Chosen(NamedTuple):
    """A chosen service as the menu has it."""

    picked: Picked
    service: MenuService
    option: MenuOption | None

    @property
    def needs_option(self) -> bool:
        return self.option is None and bool(self.service.options) and self.picked.option_id != WITHOUT


def question_of(choice: Choice, chosen: Sequence[Chosen]) -> Question:
    """What is asked next. A question that has one answer is not asked."""
    if not chosen or choice.is_adding or any(service.needs_option for service in chosen):
        return "what"
    has_others = any(len(service.service.performers) > 1 for service in chosen)
    if choice.step in ("who", "each") and has_others:
        return "who"
    if choice.day and choice.time:
        return "you"
    is_answered = (
        choice.day or choice.month or choice.step == "when" or any(picked.staff_id for picked in choice.services)
    )
    return "when" if is_answered or not has_others else "who"


def read_choice(query: ChoiceQuery) -> Choice:
    services = [_picked(text) for text in query.services.split(",")[:MAX_SERVICES] if text]
    time = query.time if _TIME.fullmatch(query.time) else None
    return Choice(
        id_of(query.branch),
        tuple(picked for picked in services if picked is not None),
        day_of(query.date),
        time,
        bool(query.add),
        next((step for step in _STEPS if step == query.step), None),
        None if time else day_of(f"{query.month}-01"),
    )


def find_chosen(choice: Choice, menu: Menu) -> tuple[Choice, list[Chosen]]:
    """The choice without what is no longer on the menu, and its services."""
    found = []
    for picked in choice.services:
        service = menu.service(picked.item_id)
        if service is None:
            continue
        option = service.option(picked.option_id) or service.lone_option
        performs = any(performer.staff_id == picked.staff_id for performer in service.performers)
        without = WITHOUT if picked.option_id == WITHOUT and service.options and service.base_sellable else None
        kept = Picked(service.id, option.id if option else without, picked.staff_id if performs else None)
        found.append(Chosen(kept, service, option))
    branch_id = menu.branch.id if menu.branch and len(menu.branches) > 1 else None
    return choice._replace(branch_id=branch_id, services=tuple(service.picked for service in found)), found


def id_of(text: str) -> UUID | None:
    try:
        return UUID(text)
    except ValueError:
        return None


def day_of(text: str) -> dt.date | None:
    """Within the years of every other page."""
    try:
        found: CalendarDate = decode_field(CalendarDate, text)
    except ValueError:
        return None
    return found.day


def _picked(text: str) -> Picked | None:
    item, option, staff = (*text.split(":"), "", "")[:3]
    item_id = id_of(item)
    return None if item_id is None else Picked(item_id, id_of(option), id_of(staff))


def written(picked: Picked) -> str:
    """As it stands in an address, where none of it must be escaped."""
    return ":".join(str(id_ or "") for id_ in picked).rstrip(":")
