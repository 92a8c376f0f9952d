"""What a run prints: progress on standard error, the table and the verdicts on standard output."""

import sys
import time
from collections.abc import Sequence
from typing import NamedTuple

from bench.rounds import Row, Sample

_BEGAN = time.monotonic()


class Check(NamedTuple):
    what: str
    found: float
    bound: float
    at_least: bool

    @property
    def passed(self) -> bool:
        return self.found >= self.bound if self.at_least else self.found < self.bound


def progress(line: str) -> None:
    print(f"[{time.monotonic() - _BEGAN:5.0f} s] {line}", file=sys.stderr, flush=True)


def print_rows(rows: Sequence[Row]) -> None:
    print("Times in ms; CPU per request of the server process and of all database processes. Medians over the rounds.")
    head = f"{'endpoint':<20}{'callers':>8}  {'server':<11}{'req/s':>7}{'p50':>8}{'p99':>8}{'cpu':>8}{'db cpu':>8}"
    print(f"{head}{'stmts':>7}{'ratio':>7}")
    for row in rows:
        start = f"{row.endpoint:<20}{row.callers:>8}  "
        print(f"{start}{'service':<11}{_numbers(row.service)}{row.statements:>7.1f}{row.ratio:>7.2f}")
        print(f"{start}{'reference':<11}{_numbers(row.reference)}{1:>7.1f}{1:>7.2f}")


def print_checks(checks: Sequence[Check]) -> None:
    for check in checks:
        relation = "at least" if check.at_least else "below"
        verdict = "PASS" if check.passed else "FAIL"
        print(f"{verdict}  {check.what}: {check.found:.2f}, wanted {relation} {check.bound}")


def _numbers(sample: Sample) -> str:
    return (
        f"{sample.rate:>7.0f}{sample.p50:>8.2f}{sample.p99:>8.2f}{sample.server_cpu:>8.3f}{sample.database_cpu:>8.3f}"
    )
