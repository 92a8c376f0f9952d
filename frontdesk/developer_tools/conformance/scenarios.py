"""A scenario: what is done to the program of an integrator, and what is expected of it."""

from collections.abc import Awaitable, Callable, Iterator
from enum import StrEnum
from typing import Any, NamedTuple, TypeVar

import msgspec

Check = Callable[[Any], Awaitable[None]]
SomeCheck = TypeVar("SomeCheck", bound=Check)


class Group(StrEnum):
    RECEIVER = "receiver"
    FLOW = "flow"


class Outcome(StrEnum):
    PASSED = "passed"
    FAILED = "failed"
    SKIPPED = "skipped"


class Failed(Exception):
    """What happened instead of what is expected."""


class Skipped(Exception):
    """Why it cannot be said."""


class Scenario(NamedTuple):
    id: str
    group: Group
    title: str
    expected: str
    advice: str  # what to do when it failed
    guide: str  # the part of a guide that says why
    check: Check


class Result(msgspec.Struct):
    id: str
    group: Group
    title: str
    expected: str
    outcome: Outcome
    message: str | None  # what happened, or why it was skipped
    advice: str | None  # if it failed
    guide: str  # address
    milliseconds: int


class Scenarios:
    """The scenarios of one file."""

    def __init__(self, group: Group, guide: str) -> None:
        self._group, self._guide = group, guide
        self._scenarios: list[Scenario] = []

    def __iter__(self) -> Iterator[Scenario]:
        return iter(self._scenarios)

    def add(
        self, id_: str, title: str, *, expected: str, advice: str, guide: str | None = None
    ) -> Callable[[SomeCheck], SomeCheck]:
        def register(check: SomeCheck) -> SomeCheck:
            scenario = Scenario(id_, self._group, title, expected, advice, guide or self._guide, check)
            self._scenarios.append(scenario)
            return check

        return register
