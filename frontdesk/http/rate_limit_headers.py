"""The rate limit headers of every response, and the 429 error."""

from frontdesk.auth.rate_limit import RateLimitStatus
from frontdesk.errors import Code, WireError
from frontdesk.http.request import Request


def enforce_rate(request: Request, rate: RateLimitStatus) -> None:
    request.headers.update(rate.headers())
    if rate.blocked_until is not None:
        raise WireError(
            Code.RATE_LIMIT_EXCEEDED,
            f"Rate limit of {rate.limit} requests per minute exceeded. Try again in {rate.retry_after} s.",
            details={"limit": rate.limit, "retry_after": rate.retry_after},
            headers={"retry-after": str(rate.retry_after)},
        )
