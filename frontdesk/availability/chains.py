"""Services that follow one another: at which minutes they fit, and who performs each of them.

For each service a mask holds the minutes at which it can begin so that all later ones follow. The masks are made from
the last service to the first, for all days at once. So a start is known to fit before anyone is chosen, and everyone
who is chosen leads to the end: nothing is tried in vain.
"""

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from functools import cached_property
from heapq import nsmallest
from typing import NamedTuple
from uuid import UUID

from frontdesk.availability.find_slots import MAX_VISIBLE_DAYS
from frontdesk.availability.slots import Calendar, free_starts, starts, widened
from frontdesk.availability.types import OtherProvider, ProviderChoice, ProviderRule, ServiceToSchedule
from frontdesk.availability.window import DAY, LocalDay, Window, span

# Who performs a service, and from when until when: for each service from one of them to the last.
Chain = list[tuple[UUID, int, int]]

# What the search for the cheapest way takes at most for all starts of a day. Each start has an equal share, and not
# what the starts before it have left: a booking searches its own start only, and must find what the page has shown.
STEPS_OF_DAY = 100_000
_FREE = Decimal(0)
MIN_STEPS = 250  # of a start, however many the day has
_OTHERS = 3  # providers that are named beside the one who was chosen


class _Candidate(NamedTuple):
    staff_id: UUID
    minutes: int
    calendar: int  # its number
    rank: int  # by id
    price: Decimal


class _Choice(NamedTuple):
    """The starts at which this candidate goes before all others who need as long."""

    mask: int
    staff_id: UUID
    minutes: int
    price: Decimal


class _OutOfSteps(Exception):
    pass


class _Search:
    """The cheapest way from one start: what is left of its steps, and what is found by service and start."""

    def __init__(self, steps: int) -> None:
        self.steps = steps
        self.found: dict[tuple[int, int], tuple[Decimal, Chain]] = {}


class Chains:
    def __init__(
        self,
        window: Window,
        services: Sequence[ServiceToSchedule],
        calendars: Mapping[UUID, Calendar],
        earliest: int,
        grid_minutes: int,
    ) -> None:
        self._window = window
        self._services = services
        self._earliest = earliest
        self._max_steps = max(STEPS_OF_DAY * grid_minutes // DAY, MIN_STEPS)
        self._has_prices = any(service.prices for service in services)
        # Most providers share their calendar with others: masks are made once for each different one.
        numbers: dict[Calendar, int] = {}
        self._numbers = {id_: numbers.setdefault(calendar, len(numbers)) for id_, calendar in calendars.items()}
        self._different = list(numbers)
        self._widened: dict[tuple[int, int, int], Calendar] = {}
        self._own: dict[tuple[int, int, int], int] = {}
        self._chosen: dict[tuple[int, int], list[_Choice]] = {}
        self._loads: dict[int, list[int]] = {}

    @cached_property
    def starts(self) -> int:
        """The starts of the first service at which all of them fit, off the named minutes too."""
        mask = 0
        for fitting in self._fitting[0].values():
            mask |= fitting
        return mask

    def at(self, start: int) -> Chain | None:
        """Of those who are free the least booked, or the cheapest if prices matter; None: the services do not fit."""
        if start < 0 or not self.starts >> start & 1:
            return None
        if not self._has_prices:
            return self._first_way(start)
        try:
            return self._cheapest(0, start, _Search(self._max_steps))[1]
        except _OutOfSteps:
            return self._first_way(start)

    def why(self, index: int, staff_id: UUID, start: int) -> ProviderChoice:
        """By which rule `at` has chosen who performs a service from `start` on."""
        service = self._services[index]
        if service.is_requested or len(service.candidates) == 1:
            return ProviderChoice("requested" if service.is_requested else "only")
        loads = self._loads_of(self._day_of(start) or self._window.days[0])
        fitting = {key: mask >> start & 1 for key, mask in self._fitting[index].items()}
        free = [c for c in self._candidates[index] if fitting[c.calendar, c.minutes]]
        found = nsmallest(_OTHERS + 1, free, key=lambda c: (c.price, loads[c.calendar], c.rank))
        others = [
            OtherProvider(c.staff_id, loads[c.calendar], c.price if service.prices else None)
            for c in found
            if c.staff_id != staff_id
        ]
        rule: ProviderRule = "only" if not others else "cheapest" if service.prices else "least_booked"
        return ProviderChoice(rule, loads[self._numbers[staff_id]], len(free), tuple(others[:_OTHERS]))

    def calendar(self, index: int, staff_id: UUID) -> Calendar:
        """With the buffers of the service."""
        service = self._services[index]
        key = (self._numbers[staff_id], service.buffer_before, service.buffer_after)
        if key not in self._widened:
            self._widened[key] = widened(self._different[key[0]], *key[1:])
        return self._widened[key]

    @cached_property
    def _fitting(self) -> list[dict[tuple[int, int], int]]:
        """For each service, by calendar and minutes: when it can begin so that all later ones follow."""
        fitting: list[dict[tuple[int, int], int]] = []
        rest = -1  # nothing follows the last one: every minute is right
        for index in reversed(range(len(self._services))):
            masks: dict[tuple[int, int], int] = {}
            for candidate in self._candidates[index]:
                key = (candidate.calendar, candidate.minutes)
                if key not in masks:
                    masks[key] = self._starts_of(index, candidate) & rest >> candidate.minutes
            rest = 0
            for mask in masks.values():
                rest |= mask
            fitting.append(masks)
        return fitting[::-1]

    @cached_property
    def _candidates(self) -> list[list[_Candidate]]:
        """For each service those who have a calendar; nobody performs a service that is longer than a week."""
        ranks = {staff_id: rank for rank, staff_id in enumerate(sorted(self._numbers))}
        return [
            [
                _Candidate(staff_id, minutes, number, ranks[staff_id], (service.prices or {}).get(staff_id, _FREE))
                for staff_id, minutes in service.candidates.items()
                if (number := self._numbers.get(staff_id)) is not None and minutes <= MAX_VISIBLE_DAYS
            ]
            for service in self._services
        ]

    def of_one(self) -> dict[UUID, int]:
        """The starts at which one provider performs all services, for each who performs all of them."""
        by_staff = [{candidate.staff_id: candidate for candidate in line} for line in self._candidates]
        found: dict[tuple[tuple[int, int], ...], int] = {}
        masks: dict[UUID, int] = {}
        for staff_id in by_staff[0]:
            own = [line[staff_id] for line in by_staff if staff_id in line]
            if len(own) < len(by_staff):
                continue
            key = tuple((candidate.calendar, candidate.minutes) for candidate in own)
            if key not in found:
                found[key] = self._one_after_the_other(own)
            masks[staff_id] = found[key]
        return masks

    def _one_after_the_other(self, candidates: Sequence[_Candidate]) -> int:
        mask = -1
        for index, candidate in reversed(list(enumerate(candidates))):
            mask = self._starts_of(index, candidate) & mask >> candidate.minutes
        return mask

    def _starts_of(self, index: int, candidate: _Candidate) -> int:
        key = (index, candidate.calendar, candidate.minutes)
        if key not in self._own:
            self._own[key] = self._own_starts(index, candidate)
        return self._own[key]

    def _own_starts(self, index: int, candidate: _Candidate) -> int:
        """The grid and the past apply to the first service only."""
        calendar = self.calendar(index, candidate.staff_id)
        if index:
            return free_starts(calendar, candidate.minutes)
        return starts(calendar, candidate.minutes, self._earliest)

    def _first_way(self, start: int) -> Chain:
        chain: Chain = []
        for index in range(len(self._services)):
            choice = next(candidate for candidate in self._choices(index, start) if candidate.mask >> start & 1)
            chain.append((choice.staff_id, start, start + choice.minutes))
            start += choice.minutes
        return chain

    def _cheapest(self, index: int, start: int, search: _Search) -> tuple[Decimal, Chain]:
        """Of two that cost the same, the one whose first provider comes first. All who need as long share the rest."""
        if index == len(self._services):
            return Decimal(0), []
        if (index, start) in search.found:
            return search.found[index, start]
        best: tuple[Decimal, Chain] | None = None
        for choice in self._choices(index, start):
            search.steps -= 1
            if search.steps < 0:
                raise _OutOfSteps
            if choice.mask >> start & 1:
                cost, rest = self._cheapest(index + 1, start + choice.minutes, search)
                if best is None or choice.price + cost < best[0]:
                    best = choice.price + cost, [(choice.staff_id, start, start + choice.minutes), *rest]
        if best is None:
            raise AssertionError("only starts that fit are searched")
        search.found[index, start] = best
        return best

    def _choices(self, index: int, start: int) -> list[_Choice]:
        """The candidates in their order on that day. One who never goes before all others is left out."""
        day = self._day_of(start)
        key = (index, -1 if day is None else day.start)
        if key not in self._chosen:
            self._chosen[key] = list(self._ordered(index, day))
        return self._chosen[key]

    def _day_of(self, start: int) -> LocalDay | None:
        return next((day for day in self._window.reach if day.start <= start < day.end), None)

    def _ordered(self, index: int, day: LocalDay | None) -> Iterator[_Choice]:
        """The least booked candidate of the day first, to balance the load; if prices matter, of the cheapest ones."""
        whole = -1 if day is None else span(day.start, day.end)
        loads = self._loads_of(day or self._window.days[0])
        ordered = sorted(self._candidates[index], key=lambda c: (c.price, loads[c.calendar], c.rank))
        by_minutes = self._has_prices and index < len(self._services) - 1
        covered: dict[int, int] = {}
        for candidate in ordered:
            fitting = self._fitting[index][candidate.calendar, candidate.minutes] & whole
            group = candidate.minutes if by_minutes else 0
            first = fitting & ~covered.get(group, 0)
            if first:
                covered[group] = covered.get(group, 0) | fitting
                yield _Choice(first, candidate.staff_id, candidate.minutes, candidate.price)

    def _loads_of(self, day: LocalDay) -> list[int]:
        """The booked minutes of the day in each different calendar."""
        if day.start not in self._loads:
            whole = span(day.start, day.end)
            self._loads[day.start] = [(calendar.booked & whole).bit_count() for calendar in self._different]
        return self._loads[day.start]
