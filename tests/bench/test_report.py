"""The arithmetic and the report of the benchmark. The benchmark itself runs only with `make bench`."""

from pathlib import Path
from typing import Any

import msgspec
import pytest

from bench.bounds import Bound
from bench.report import check_line, report_lines, write_json
from bench.results import Check, Result, Row, Sample, cpu_ratio, median_sample, percentile, rate_ratio, sample_of


def _sample(rate: float, server_cpu: float = 0.5, database_cpu: float = 0.5) -> Sample:
    return Sample(rate, 1.0, 2.0, server_cpu, database_cpu)


def test_a_sample_has_rates_percentiles_and_cpu_per_request() -> None:
    times = [0.001 * number for number in range(100, 0, -1)]
    sample = sample_of(times, seconds=2.0, server_cpu=0.1, database_cpu=0.2)
    assert sample == pytest.approx((50.0, 51.0, 100.0, 1.0, 2.0))


def test_percentiles_of_a_single_time() -> None:
    assert percentile([3.0], 50) == percentile([3.0], 99) == 3.0


def test_the_ratio_is_the_median_of_the_rounds() -> None:
    service, reference = [_sample(50), _sample(80), _sample(10)], [_sample(100), _sample(100), _sample(200)]
    assert rate_ratio(service, reference) == 0.5
    assert median_sample(service).rate == 50


def test_the_cpu_ratio_counts_server_and_database_over_all_rounds() -> None:
    service, reference = [_sample(1, 1.0, 2.0), _sample(1, 1.0, 0.0)], [_sample(1, 0.5, 0.5), _sample(1, 0.5, 0.5)]
    assert cpu_ratio(service, reference) == 0.5
    assert cpu_ratio([_sample(1, 0, 0)], [_sample(1)]) is None


@pytest.mark.parametrize(
    ("value", "is_minimum", "verdict"),
    [(0.8, True, "ok"), (0.79, True, "below"), (0.79, False, "ok"), (0.8, False, "above")],
)
def test_a_check_compares_a_value_with_its_bound(value: float, is_minimum: bool, verdict: str) -> None:
    check = Check("GET /orders", value, Bound(0.8, is_minimum))
    assert check.verdict == verdict
    assert check.passed == (verdict == "ok")
    relation = "at least" if is_minimum else "below"
    assert check_line(check) == f"{verdict:<6}GET /orders: {value:.2f} (bound: {relation} 0.8)"


def _results() -> dict[str, Result]:
    row = Row("GET /orders", 8, "service", [_sample(400), _sample(412), _sample(500)], 0.816, 0.75, statements=1.0)
    other = Row("an empty statement", 8, "bare reference", [_sample(3000)], 0.0123, None)
    return {
        "reads": Result([row, other], [Check("GET /orders", 0.816, Bound(0.8, is_minimum=True))]),
        "memory": Result(),
    }


def test_the_report_has_a_row_for_each_server_and_a_line_for_each_check() -> None:
    lines = report_lines(_results())
    assert "412" in lines[2]
    assert [line.split()[-3:] for line in lines[2:4]] == [["1.0", "0.82", "0.75"], ["-", "0.012", "-"]]
    assert lines[-1] == "ok    GET /orders: 0.82 (bound: at least 0.8)"


def test_a_report_without_rows_has_no_table() -> None:
    assert report_lines({"memory": Result(checks=[Check("memory", 1.0, Bound(1.2, is_minimum=False))])}) == [
        "ok    memory: 1.00 (bound: below 1.2)"
    ]


def test_results_can_be_written_as_json(tmp_path: Path) -> None:
    write_json(tmp_path / "results.json", _results(), "quick")
    document: dict[str, Any] = msgspec.json.decode((tmp_path / "results.json").read_bytes())
    assert (document["form"], document["passed"]) == ("quick", True)
    reads = document["scenarios"]["reads"]
    assert [sample["rate"] for sample in reads["rows"][0]["rounds"]] == [400, 412, 500]
    assert (reads["checks"][0]["bound"], reads["checks"][0]["verdict"]) == ("at least 0.8", "ok")
