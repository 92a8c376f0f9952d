"""The rate limit headers of every response, and the 429 error."""

from frontdesk.auth.rate_limit import RateLimitStatus, unused
from frontdesk.auth.types import AuthResult
from frontdesk.http.problems import RequestProblem
from frontdesk.http.request import Request
from frontdesk.problems import Problem


def show_rate(request: Request, result: AuthResult) -> None:
    """Also where the request is refused before it is counted."""
    request.rate = result.rate or unused(result.rate_limit)
    request.headers.update(request.rate.headers())


def enforce_rate(rate: RateLimitStatus) -> None:
    if rate.blocked_until is not None:
        raise Problem(RequestProblem.TOO_MANY, limit=rate.limit, seconds=rate.retry_after)
