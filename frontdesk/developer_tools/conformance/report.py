"""The results of a run: in a file, from which another run goes on, and in the sandbox for the reviewer."""

from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec

from frontdesk import __version__
from frontdesk.developer_tools.api import Api
from frontdesk.developer_tools.conformance.scenarios import Outcome, Result, Scenario
from frontdesk.errors import StartupError

TOOL = f"frontdesk {__version__}"
_MOST_TEXT = 1000  # characters of one message that are sent


class ConformanceReport(msgspec.Struct):
    """What `--json` and `--resume` write."""

    tool: str
    url: str | None  # of the receiver
    flow_url: str | None
    passed: int
    failed: int
    skipped: int
    scenarios: list[Result]

    def write(self, path: Path) -> None:
        fresh = path.with_name(f"{path.name}.new")
        fresh.write_bytes(msgspec.json.format(msgspec.json.encode(self), indent=2) + b"\n")
        fresh.replace(path)


def make_report(url: str | None, flow_url: str | None, results: Iterable[Result]) -> ConformanceReport:
    found = list(results)
    numbers = {outcome: sum(result.outcome is outcome for result in found) for outcome in Outcome}
    passed, failed, skipped = (numbers[outcome] for outcome in (Outcome.PASSED, Outcome.FAILED, Outcome.SKIPPED))
    return ConformanceReport(TOOL, url, flow_url, passed, failed, skipped, found)


class StoredResults:
    """The results of this run and of those before it, written after each scenario."""

    def __init__(self, path: Path, url: str | None, flow_url: str | None) -> None:
        self._path, self._url, self._flow_url = path, url, flow_url
        self._results = {result.id: result for result in _read(path)} if path.exists() else {}

    def has_passed(self, scenario: Scenario) -> bool:
        result = self._results.get(scenario.id)
        return result is not None and result.outcome is Outcome.PASSED

    def keep(self, result: Result) -> None:
        self._results[result.id] = result
        make_report(self._url, self._flow_url, self._results.values()).write(self._path)

    def joined(self, results: Iterable[Result]) -> list[Result]:
        """What was found out in any run goes before what this one has skipped for want of an address."""
        return [self._results.get(result.id, result) for result in results]


def _read(path: Path) -> Sequence[Result]:
    try:
        report = msgspec.json.decode(path.read_bytes(), type=ConformanceReport)
    except (OSError, msgspec.DecodeError) as error:
        raise StartupError(f"{path} cannot be read as results of this command: {error}") from error
    if report.tool != TOOL:
        raise StartupError(f"{path} has results of {report.tool}, and this is {TOOL}: delete it to begin anew")
    return report.scenarios


async def send_report(api: Api, results: Iterable[Result]) -> None:
    """For those who review the application."""
    scenarios = [
        {
            "id": result.id,
            "group": result.group,
            "outcome": result.outcome,
            "title": result.title,
            "expected": result.expected,
            "message": result.message and result.message[:_MOST_TEXT],
        }
        for result in results
    ]
    await api.post("/sandbox/conformance", kit=TOOL, scenarios=scenarios)
