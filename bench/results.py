"""What a scenario returns, and the arithmetic on its samples. Nothing here starts a process or reads a clock."""

from collections.abc import Sequence
from statistics import median
from typing import NamedTuple


class Sample(NamedTuple):
    """One server, one call, one turn. Times are milliseconds; CPU times are per request."""

    rate: float  # requests per second
    p50: float
    p99: float
    server_cpu: float
    database_cpu: float

    @property
    def total_cpu(self) -> float:
        return self.server_cpu + self.database_cpu


class Row(NamedTuple):
    """One line of the table: medians over all turns."""

    call: str
    callers: int
    server: str
    sample: Sample
    ratio: float  # of the baseline's rate in the same round; the median over the rounds
    cpu_ratio: float | None  # the baseline's CPU time, of this one's
    statements: float | None = None


class Check(NamedTuple):
    """A number with a bound: the lowest value that is ok, or the value that it must stay below."""

    name: str
    value: float
    bound: float
    at_least: bool

    @property
    def passed(self) -> bool:
        return self.value >= self.bound if self.at_least else self.value < self.bound

    @property
    def verdict(self) -> str:
        if self.passed:
            return "ok"
        return "below" if self.at_least else "above"


class Result(NamedTuple):
    rows: Sequence[Row] = ()
    checks: Sequence[Check] = ()


def sample_of(times: Sequence[float], seconds: float, server_cpu: float, database_cpu: float) -> Sample:
    """`times` and the CPU times of a whole turn, in seconds."""
    ordered, count = sorted(times), len(times)
    return Sample(
        count / seconds,
        percentile(ordered, 50) * 1000,
        percentile(ordered, 99) * 1000,
        server_cpu / count * 1000,
        database_cpu / count * 1000,
    )


def percentile(ordered: Sequence[float], percent: int) -> float:
    return ordered[min(len(ordered) - 1, len(ordered) * percent // 100)]


def median_sample(samples: Sequence[Sample]) -> Sample:
    return Sample(*(median(column) for column in zip(*samples, strict=True)))


def rate_ratio(samples: Sequence[Sample], baseline: Sequence[Sample]) -> float:
    """The median of the ratios of each round, not the ratio of medians: a slow second then affects one round only."""
    return median(sample.rate / base.rate for sample, base in zip(samples, baseline, strict=True))


def cpu_ratio(samples: Sequence[Sample], baseline: Sequence[Sample]) -> float | None:
    """How much CPU time the baseline takes, of what this takes: of all rounds, since the kernel counts in 10 ms."""
    used = sum(sample.total_cpu for sample in samples)
    return sum(sample.total_cpu for sample in baseline) / used if used else None
