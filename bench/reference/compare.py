"""The service against both references, in turns of the same rounds."""

from collections.abc import Mapping
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


def compare(turns: Turns, servers: Servers, calls: Calls, of_full: Mapping[int, Bound]) -> Result:
    """`of_full` has the bounds against the full reference, by callers. `bounds.OF_BARE` has those of the bare one."""
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
        if callers in of_full:
            checks.append(Check(f"{name}, of the full reference", ratio, of_full[callers]))
        guard = bounds.OF_BARE.get((service.call, callers))
        if guard is not None:
            checks.append(Check(f"{name}, CPU time of the bare reference to that of it", service.cpu_ratio or 0, guard))
    return Result(rows, checks)
