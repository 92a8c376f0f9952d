"""The rate limit headers of every response, and the 429 error."""

from frontdesk.auth.rate_limit import RateLimitStatus, unused
from frontdesk.auth.types import AuthResult
from frontdesk.http.errors import Code, WireError
from frontdesk.http.request import Request


def show_rate(request: Request, result: AuthResult) -> None:
    """Also where the request is refused before it is counted."""
    request.headers.update((result.rate or unused(result.rate_limit)).headers())


def enforce_rate(rate: RateLimitStatus) -> None:
    if rate.blocked_until is not None:
        raise WireError(
            Code.RATE_LIMIT_EXCEEDED,
            f"Rate limit of {rate.limit} requests per minute exceeded. Try again in {rate.retry_after} s.",
            details={"limit": rate.limit, "retry_after": rate.retry_after},
            headers={"retry-after": str(rate.retry_after)},
        )
