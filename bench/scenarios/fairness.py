"""A quiet business while another one does a lot at once: how long the quiet one waits, and what the other one gets.

One server process. The quiet business sends one request, and the next a moment after the response. Each flood has a
load generator of its own, so that nobody waits for the generator. To measure another flood add it to `FLOODS`.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

from bench import bounds, requests, slow_requests
from bench.bounds import Bound
from bench.callers import LoadSpec, Outcome
from bench.processes import Server, running_callers
from bench.report import progress
from bench.results import Check, Result, percentile
from bench.run import Run
from bench.tenants import BookableTenant, make_bookable_sandbox
from bench.usage import rss_bytes
from frontdesk.postgres.pool import Connection

_QUIET_PAUSE = 0.02
_SECONDS = 10.0
_RETRY = 0.5  # slow work that is refused asks to wait for 5 seconds; this is less patient
_FEW = 8  # callers that keep the service busy and none of whom waits long


class Flood(NamedTuple):
    """`requests` are sent again and again by each of the callers. A 503 is counted as refused."""

    name: str
    callers: int
    requests: Callable[[BookableTenant], list[bytes]]
    max_p50: Bound | None = None  # of the quiet business, in ms
    status: int = 200
    is_partial: bool = False  # the requests have no end
    pause: float = 0.0  # seconds after each response, also after a refusal, which asks for it
    keeps_rate: bool = False  # the rate is compared with that of a few callers


def _list_orders(tenant: BookableTenant) -> list[bytes]:
    return [requests.get(tenant.access, "/orders")]


FLOODS = tuple(
    Flood("GET /orders", callers, _list_orders, max_p50, keeps_rate=True)
    for callers, max_p50 in bounds.FAIRNESS_P50_MS.items()
)
# Slow work, which has slots of its own (docs/concurrency.md). It loads libraries, so memory is measured before it.
SLOW_FLOODS = (
    Flood("workbooks", 12, slow_requests.workbooks, status=422, pause=_RETRY),
    Flood("archives", 20, slow_requests.archives, pause=_RETRY),
    Flood("uploads that do not end", 5, slow_requests.unfinished_uploads, is_partial=True),
    Flood("reports", 20, slow_requests.reports, pause=_RETRY),
    Flood("PDFs", 20, slow_requests.pdfs, pause=_RETRY),
)


def measure(run: Run) -> Result:
    async def make(conn: Connection) -> tuple[BookableTenant, BookableTenant]:
        return await make_bookable_sandbox(conn), await make_bookable_sandbox(conn)

    quiet, busy = run.prepare(make)
    seconds = _SECONDS * run.size.seconds / 0.7
    checks: list[Check] = []
    with run.service() as service:
        run.callers.run(LoadSpec(service.port, 1, 60.0, slow_requests.new_invoices(busy), once=True, status=201))
        alone = _quiet(run, service, quiet, seconds / 2)
        progress(f"alone: {_words(alone)}")
        before = rss_bytes(service.pid)
        for flood in FLOODS:
            checks += _measure(run, service, flood, quiet, busy, seconds)
        growth = rss_bytes(service.pid) / before
        progress(f"memory: {before / 1e6:.1f} MB before, {growth:.2f} times that after")
        for flood in SLOW_FLOODS:
            checks += _measure(run, service, flood, quiet, busy, seconds)
    return Result(checks=[*checks, Check("memory after the floods to before", growth, bounds.FAIRNESS_MEMORY)])


def _measure(
    run: Run, service: Server, flood: Flood, quiet: BookableTenant, busy: BookableTenant, seconds: float
) -> list[Check]:
    """The flood begins a second before the quiet business, and ends a second after it."""
    spec = LoadSpec(
        service.port,
        flood.callers,
        seconds + 2,
        flood.requests(busy),
        status=flood.status,
        refusal=503,
        is_partial=flood.is_partial,
        pause=flood.pause,
    )
    few = _rate_of_few(run, service, busy, seconds / 4) if flood.keeps_rate else None
    with running_callers() as flooding, ThreadPoolExecutor(1) as thread:
        sent = thread.submit(flooding.run, spec)
        _quiet(run, service, quiet, 1.0)
        beside = _quiet(run, service, quiet, seconds)
        outcome = sent.result()
    name = f"{flood.name}, {flood.callers} callers"
    got = len(outcome.times) / outcome.seconds
    progress(f"beside {name}: {_words(beside)}; the flood: {got:.0f} a second, {outcome.refused} refused")
    checks = []
    for percent, bound in ((50, flood.max_p50), (99, bounds.FAIRNESS_P99_MS)):
        if bound is not None:
            checks.append(Check(f"p{percent} in ms beside {name}", _ms(beside, percent), bound))
    if few is not None:
        checks.append(Check(f"rate of {name} to that of {_FEW}", got / few, bounds.FAIRNESS_RATE))
    return checks


def _rate_of_few(run: Run, service: Server, tenant: BookableTenant, seconds: float) -> float:
    """Measured just before each flood: the speed of a shared machine changes."""
    outcome = run.callers.run(LoadSpec(service.port, _FEW, seconds, _list_orders(tenant)))
    rate = len(outcome.times) / outcome.seconds
    progress(f"{_FEW} callers and nobody else: {rate:.0f} requests a second")
    return rate


def _quiet(run: Run, service: Server, tenant: BookableTenant, seconds: float) -> Outcome:
    return run.callers.run(LoadSpec(service.port, 1, seconds, _list_orders(tenant), pause=_QUIET_PAUSE))


def _ms(outcome: Outcome, percent: int) -> float:
    return percentile(sorted(outcome.times), percent) * 1000


def _words(outcome: Outcome) -> str:
    return f"{len(outcome.times)} requests, p50 {_ms(outcome, 50):.1f} ms, p99 {_ms(outcome, 99):.1f} ms"
