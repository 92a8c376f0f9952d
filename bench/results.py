"""What a scenario returns, and the arithmetic on its samples. Nothing here starts a process or reads a clock."""

from collections.abc import Sequence
from statistics import median
from typing import NamedTuple

from bench.bounds import Bound


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
    """One line of the table: medians over the rounds."""

    call: str
    callers: int
    server: str
    rounds: Sequence[Sample]
    ratio: float  # of the baseline's rate in the same round; the median over the rounds
    cpu_ratio: float | None  # the baseline's CPU time, of this one's
    statements: float | None = None

    @property
    def sample(self) -> Sample:
        return median_sample(self.rounds)


class Check(NamedTuple):
    """A number with a bound."""

    name: str
    value: float
    bound: Bound

    @property
    def passed(self) -> bool:
        return self.bound.allows(self.value)

    @property
    def verdict(self) -> str:
        if self.passed:
            return "ok"
        return "below" if self.bound.is_minimum else "above"


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
