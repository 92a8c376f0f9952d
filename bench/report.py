"""What a run prints: progress on standard error, the table and the checks on standard output; and the JSON file."""

import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

from bench.results import Check, Result, Row

_BEGAN = time.monotonic()
_COLUMNS = (
    f"{'call':<32}{'callers':>8}  {'server':<24}{'req/s':>7}{'p50':>8}{'p99':>8}{'cpu':>8}{'db cpu':>8}"
    f"{'stmts':>7}{'ratio':>7}{'cpu ratio':>11}"
)


def progress(line: str) -> None:
    print(f"[{time.monotonic() - _BEGAN:5.0f} s] {line}", file=sys.stderr, flush=True)


def report_lines(results: Mapping[str, Result]) -> list[str]:
    rows = [row for result in results.values() for row in result.rows]
    checks = [check for result in results.values() for check in result.checks]
    table = ["Times in ms, CPU times per request; medians over the rounds.", _COLUMNS, *map(_row_line, rows), ""]
    return [*(table if rows else []), *map(check_line, checks)]


def check_line(check: Check) -> str:
    return f"{check.verdict:<6}{check.name}: {check.value:.2f} (bound: {check.bound})"


def _row_line(row: Row) -> str:
    sample = row.sample
    numbers = (
        f"{sample.rate:>7.0f}{sample.p50:>8.2f}{sample.p99:>8.2f}{sample.server_cpu:>8.3f}{sample.database_cpu:>8.3f}"
    )
    return (
        f"{row.call:<32}{row.callers:>8}  {row.server:<24}{numbers}"
        f"{_optional(row.statements, 1):>7}{_ratio(row.ratio):>7}{_ratio(row.cpu_ratio):>11}"
    )


def _ratio(value: float | None) -> str:
    return _optional(value, 2 if value is None or value >= 0.1 else 3)


def _optional(value: float | None, decimals: int) -> str:
    return "-" if value is None else f"{value:.{decimals}f}"


def write_json(path: Path, results: Mapping[str, Result], form: str) -> None:
    document = {
        "form": form,
        "passed": all(check.passed for result in results.values() for check in result.checks),
        "scenarios": {name: _result_document(result) for name, result in results.items()},
    }
    path.write_bytes(msgspec.json.format(msgspec.json.encode(document), indent=2) + b"\n")


def _result_document(result: Result) -> dict[str, Sequence[dict[str, object]]]:
    return {
        "rows": [{**row._asdict(), "rounds": [sample._asdict() for sample in row.rounds]} for row in result.rows],
        "checks": [{**check._asdict(), "bound": str(check.bound), "verdict": check.verdict} for check in result.checks],
    }
