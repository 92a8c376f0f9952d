"""Counts the requests that the service refused although nothing was wrong with them, by reason."""

from collections.abc import Mapping

from prometheus_client import Counter

from frontdesk.http.problems import RequestProblem, ServiceProblem
from frontdesk.live.problems import LiveProblem
from frontdesk.pictures.problems import PictureProblem
from frontdesk.problems import Problem, ProblemKind
from frontdesk.values.problems import BusyProblem

CONNECTIONS = "connections"
_REASONS: Mapping[ProblemKind, str] = {
    RequestProblem.TOO_MANY: "rate_limit",
    ServiceProblem.TOO_MANY_BODIES: "body_budget",
    ServiceProblem.TOO_MANY_WAITING: "busy",
    ServiceProblem.CONCURRENT: "database_slow",
    ServiceProblem.TOO_LONG: "too_long",
    ServiceProblem.DATABASE_UNAVAILABLE: "database_down",
    PictureProblem.UNAVAILABLE: "storage",
    **dict.fromkeys(LiveProblem, "live_pages"),
    **dict.fromkeys(BusyProblem, "slow_work"),
}
_OF_STATUS = {429: "throttle", 502: "database_slow", 503: "unavailable"}
_refused = Counter("frontdesk_refusals_total", "Requests that were refused with nothing wrong about them", ["reason"])
for _reason in {CONNECTIONS, *_REASONS.values(), *_OF_STATUS.values()}:
    _refused.labels(_reason)  # it is shown before the first one, so that an alert can compare


def count_refusal(problem: BaseException | None, status: int) -> None:
    """By the problem behind an error, or by its status."""
    reason = _REASONS.get(problem.kind) if isinstance(problem, Problem) else None
    reason = reason or _OF_STATUS.get(status)
    if reason is not None:
        _refused.labels(reason).inc()


def count_refused_connection() -> None:
    _refused.labels(CONNECTIONS).inc()
