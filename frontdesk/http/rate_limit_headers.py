"""What a counted caller is told: the rate headers on every answer, and the refusal."""

from frontdesk.auth.rate_limit import Rate
from frontdesk.errors import Code, WireError
from frontdesk.http.request import Call

MOST_LINES = 100  # of one order
MOST_PAYMENTS = 20  # of one sale


def enforce_rate(call: Call, rate: Rate) -> None:
    call.headers.update(rate.headers())
    if rate.refused_until is not None:
        raise WireError(
            Code.RATE_LIMIT_EXCEEDED,
            f"More than {rate.limit} requests in a minute. Try again in {rate.retry_after} s.",
            details={"limit": rate.limit, "retry_after": rate.retry_after},
            headers={"retry-after": str(rate.retry_after)},
        )
