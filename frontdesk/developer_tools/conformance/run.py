"""Runs scenarios one after the other, and prints each as it ends."""

import time
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

import click

from frontdesk.developer_tools.conformance.flow import all_scenarios as flow
from frontdesk.developer_tools.conformance.receiver import all_scenarios as receiver
from frontdesk.developer_tools.conformance.scenarios import Check, Failed, Group, Outcome, Result, Scenario, Skipped
from frontdesk.errors import StartupError
from frontdesk_client import ApiError

ALL_SCENARIOS = (*receiver.RECEIVER_SCENARIOS, *flow.FLOW_SCENARIOS)
_WITHOUT = {  # the first scenario of a group: without it nothing else can be said
    receiver.FIRST.id: "not even a right delivery is accepted",
    flow.FIRST.id: "not even a booking on a quiet day is made",
}
_MARKS = {Outcome.PASSED: "ok", Outcome.FAILED: "FAIL", Outcome.SKIPPED: "skip"}
_COLORS = {Outcome.PASSED: "green", Outcome.FAILED: "red", Outcome.SKIPPED: "yellow"}
_WIDTH = max(len(scenario.id) for scenario in ALL_SCENARIOS)
_INDENT = " " * 8


class Runner(NamedTuple):
    """`subject` is what the checks of a group get; `docs` the address of the guides; each result is kept at once."""

    docs: str
    tell: Callable[[str], None]
    keep: Callable[[Result], None] = lambda _result: None

    async def run(self, scenarios: Iterable[Scenario], subject: object) -> list[Result]:
        results: list[Result] = []
        reason: str | None = None
        for scenario in scenarios:
            result = await (self._try(scenario, subject) if reason is None else self.skip(scenario, reason))
            if result.outcome is Outcome.FAILED:
                reason = reason or _WITHOUT.get(scenario.id)
            results.append(result)
            self._show(result)
            self.keep(result)
        return results

    async def skip(self, scenario: Scenario, reason: str) -> Result:
        return await self._try(scenario._replace(check=_skip(reason)), None)

    async def _try(self, scenario: Scenario, subject: object) -> Result:
        began = time.monotonic()
        outcome, message = Outcome.PASSED, None
        try:
            await scenario.check(subject)
        except Failed as failure:
            outcome, message = Outcome.FAILED, str(failure)
        except (Skipped, ApiError) as reason:  # the kit lacks a scope, for example
            outcome, message = Outcome.SKIPPED, str(reason)
        id_, group, title, expected, advice, guide, _ = scenario
        shown_advice = advice if outcome is Outcome.FAILED else None
        milliseconds = round((time.monotonic() - began) * 1000)
        address = f"{self.docs}/{guide}"
        return Result(id_, group, title, expected, outcome, message, shown_advice, address, milliseconds)

    def _show(self, result: Result) -> None:
        mark = click.style(f"{_MARKS[result.outcome]:<6}", fg=_COLORS[result.outcome])
        self.tell(f"  {mark}{result.id:<{_WIDTH}}  {result.title}")
        if result.message is not None:
            self.tell(f"{_INDENT}{result.message}")
        if result.outcome is Outcome.FAILED:
            self.tell(f"{_INDENT}expected: {result.expected}")
            self.tell(f"{_INDENT}{result.advice}")
            self.tell(f"{_INDENT}{result.guide}")


def _skip(reason: str) -> Check:
    async def skip(_subject: object) -> None:
        raise Skipped(reason)

    return skip


def chosen_scenarios(ids: Sequence[str]) -> list[Scenario]:
    unknown = set(ids) - {scenario.id for scenario in ALL_SCENARIOS}
    if unknown:
        raise StartupError(f"{min(unknown)!r} is no scenario: `frontdesk conformance --list` shows them")
    return [scenario for scenario in ALL_SCENARIOS if not ids or scenario.id in ids]


def list_lines() -> Iterable[str]:
    for group in Group:
        yield f"{group}:"
        for scenario in ALL_SCENARIOS:
            if scenario.group is group:
                yield f"  {scenario.id:<{_WIDTH}}  {scenario.title}"
                yield f"  {'':<{_WIDTH}}  expected: {scenario.expected}"
        yield ""
