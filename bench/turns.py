"""Measuring in turns: a shared machine's speed changes by the minute, so the servers alternate by the second."""

from collections.abc import Callable, Sequence
from statistics import median
from typing import NamedTuple

from bench.callers import LoadSpec
from bench.processes import Callers, Server
from bench.results import Row, Sample, cpu_ratio, rate_ratio, sample_of
from bench.usage import counted_statements, cpu_seconds

_WARM_UP_SECONDS = 0.3
_MAX_RATE = 2_500  # requests per second; so many are prepared for a turn in which each may be sent only once


class Call(NamedTuple):
    name: str
    requests: Callable[[int], list[bytes]]  # this many requests
    once: bool = False  # each request may be sent only once
    status: int = 200


class Contender(NamedTuple):
    label: str
    server: Server
    call: Call


def repeat(name: str, *requests: bytes, status: int = 200) -> Call:
    """The same requests again and again."""
    return Call(name, lambda _count: list(requests), status=status)


class Turns(NamedTuple):
    callers: Callers
    postmaster: int  # the process id of the database server
    rounds: int
    seconds: float

    def compare(self, contenders: Sequence[Contender], callers: int) -> list[Row]:
        """A row for each contender; ratios are against the last one."""
        for contender in contenders:
            self._sample(contender, callers, _WARM_UP_SECONDS)
        taken: list[list[Sample]] = [[] for _ in contenders]
        for number in range(self.rounds):
            order = list(enumerate(contenders))
            for index, contender in order if number % 2 else reversed(order):
                taken[index].append(self._sample(contender, callers, self.seconds))
        return [
            Row(
                contender.call.name,
                callers,
                contender.label,
                samples,
                rate_ratio(samples, taken[-1]),
                cpu_ratio(samples, taken[-1]),
                self._statements(contender),
            )
            for contender, samples in zip(contenders, taken, strict=True)
        ]

    def typical_ms(self, server: Server, requests: Sequence[bytes], seconds: float) -> list[float]:
        """The median time of each request with one caller."""
        times: list[list[float]] = [[] for _ in requests]
        for _ in range(self.rounds):
            for index, request in enumerate(requests):
                outcome = self.callers.run(LoadSpec(server.port, 1, seconds, [request]))
                times[index].append(median(outcome.times[1:] or outcome.times) * 1000)
        return [median(values) for values in times]

    def _sample(self, contender: Contender, callers: int, seconds: float) -> Sample:
        server, call = contender.server, contender.call
        requests = call.requests(int(_MAX_RATE * seconds) + 100)
        server_before, database_before = cpu_seconds(server.pid), cpu_seconds(self.postmaster)
        outcome = self.callers.run(LoadSpec(server.port, callers, seconds, requests, call.once, call.status))
        server_cpu = cpu_seconds(server.pid) - server_before
        return sample_of(outcome.times, outcome.seconds, server_cpu, cpu_seconds(self.postmaster) - database_before)

    def _statements(self, contender: Contender) -> float | None:
        server, call = contender.server, contender.call
        if not server.metrics_port:
            return None
        requests = call.requests(100)
        before = counted_statements(server.metrics_port)
        outcome = self.callers.run(LoadSpec(server.port, 1, 0.1, requests, call.once, call.status))
        return (counted_statements(server.metrics_port) - before) / len(outcome.times)
