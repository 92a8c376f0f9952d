"""The service against both references, in turns of the same rounds."""

from typing import NamedTuple

from bench import bounds
from bench.bounds import Bound
from bench.processes import Server
from bench.report import progress
from bench.results import Check, Result, Row, cpu_ratio, rate_ratio
from bench.turns import Call, Contender, Turns


class Servers(NamedTuple):
    service: Server
    full: Server
    bare: Server


class Calls(NamedTuple):
    """The same call of each server; for orders each has a tenant of its own."""

    service: Call
    full: Call
    bare: Call


def compare(turns: Turns, servers: Servers, calls: Calls, of_full: Bound | None) -> Result:
    """`of_full` is the bound against the full reference. Those against the bare one are in `bounds.OF_BARE`."""
    rows: list[Row] = []
    checks: list[Check] = []
    contenders = [Contender(server.name, server, call) for server, call in zip(servers, calls, strict=True)]
    for callers in (1, 8):
        service, full, _ = compared = turns.compare(contenders, callers)
        rows += compared
        name = f"{service.call}, {callers} callers"
        ratio, cpu = rate_ratio(service.rounds, full.rounds), cpu_ratio(service.rounds, full.rounds)
        progress(
            f"{name}: {ratio:.2f} of the full reference (by CPU time {cpu or 0:.2f}), {service.ratio:.2f} of the bare "
            f"one (by CPU time {service.cpu_ratio or 0:.2f})"
        )
        if of_full is not None:
            checks.append(Check(f"{name}, of the full reference", ratio, of_full))
        guard = bounds.OF_BARE.get((service.call, callers))
        if guard is not None:
            checks.append(Check(f"{name}, CPU time of the bare reference to that of it", service.cpu_ratio or 0, guard))
    return Result(rows, checks)
