"""Measuring in turns: the machine's mood changes by the minute, so the servers take turns by the second."""

from collections.abc import Callable, Sequence
from statistics import median
from typing import NamedTuple

from bench.callers import LoadSpec, Outcome
from bench.processes import Callers, Server, children_cpu_seconds, cpu_seconds, statements_run


class Sample(NamedTuple):
    """One server, one endpoint, one stretch of time."""

    rate: float  # requests a second
    p50: float  # milliseconds, as the two below
    p99: float
    server_cpu: float
    database_cpu: float


class Row(NamedTuple):
    endpoint: str
    callers: int
    service: Sample
    reference: Sample
    ratio: float  # of the rates: the median over the rounds
    statements: float


class Endpoint(NamedTuple):
    name: str
    requests: Callable[[int], list[bytes]]  # so many of them
    once: bool = False
    status: int = 200


class Measure(NamedTuple):
    callers: Callers
    postmaster: int
    rounds: int
    seconds: float

    def sample(self, server: Server, endpoint: Endpoint, callers: int, seconds: float | None = None) -> Sample:
        seconds = seconds or self.seconds
        requests = endpoint.requests(int(2500 * seconds) + 100 if endpoint.once else 1)
        server_before, database_before = cpu_seconds(server.pid), children_cpu_seconds(self.postmaster)
        outcome = self.callers.run(LoadSpec(server.port, callers, seconds, requests, endpoint.once, endpoint.status))
        server_cpu = cpu_seconds(server.pid) - server_before
        return _sample(outcome, server_cpu, children_cpu_seconds(self.postmaster) - database_before)

    def compare(self, service: Server, reference: Server, endpoint: Endpoint, callers: int) -> Row:
        taken: dict[str, list[Sample]] = {service.name: [], reference.name: []}
        for server in (service, reference):
            self.sample(server, endpoint, callers, min(0.5, self.seconds))
        for turn in range(self.rounds):
            for server in (service, reference) if turn % 2 else (reference, service):
                taken[server.name].append(self.sample(server, endpoint, callers))
        ratio = median(ours.rate / bare.rate for ours, bare in zip(*taken.values(), strict=True))
        return Row(
            endpoint.name,
            callers,
            _middle(taken[service.name]),
            _middle(taken[reference.name]),
            ratio,
            self._statements(service, endpoint),
        )

    def _statements(self, service: Server, endpoint: Endpoint) -> float:
        before, count = statements_run(service), 0
        count = len(
            self.callers.run(
                LoadSpec(service.port, 1, 0.1, endpoint.requests(500), endpoint.once, endpoint.status)
            ).times
        )
        return (statements_run(service) - before) / max(count, 1)

    def typical_ms(self, server: Server, requests: Sequence[bytes], seconds: float) -> list[float]:
        """For each request the middle of its time with one caller; taken in turns, so that they share every mood."""
        times: list[list[float]] = [[] for _ in requests]
        for _ in range(self.rounds):
            for place, request in enumerate(requests):
                outcome = self.callers.run(LoadSpec(server.port, 1, seconds, [request], once=False, status=200))
                times[place].append(median(outcome.times[1:] or outcome.times) * 1000)
        return [median(each) for each in times]


def _sample(outcome: Outcome, server_cpu: float, database_cpu: float) -> Sample:
    times = sorted(outcome.times)
    count = max(len(times), 1)
    return Sample(
        count / outcome.seconds,
        times[count // 2] * 1000,
        times[min(count - 1, count * 99 // 100)] * 1000,
        server_cpu / count * 1000,
        database_cpu / count * 1000,
    )


def _middle(samples: Sequence[Sample]) -> Sample:
    return Sample(*(median(column) for column in zip(*samples, strict=True)))
