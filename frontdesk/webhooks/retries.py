"""How long an attempt may take, and the retry schedule of failed deliveries."""

import math
import random
from datetime import UTC
from email.utils import parsedate_to_datetime

from frontdesk.values.clock import current_time

TIME_LIMIT = 15.0  # seconds, of one attempt
# Seconds to wait after the first failed attempt, the second, and so on: 75 hours in all.
DELAYS = (5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400)
MAX_ATTEMPTS = len(DELAYS) + 1
GIVE_UP_DAYS = 5  # after so long without a successful delivery a webhook is disabled
MAX_RETRY_AFTER = 86_400.0
# Retry-After applies to all deliveries of the webhook, up to this limit.
MAX_PAUSE = 3600.0
_JITTER = 0.1


def next_delay(attempts: int, retry_after: float | None) -> float | None:
    """Seconds until the next attempt, by the number of attempts made; None after the last.

    Jitter prevents deliveries that failed together from being retried together.
    """
    if attempts >= MAX_ATTEMPTS:
        return None
    planned = DELAYS[max(attempts, 1) - 1] * random.uniform(1 - _JITTER, 1 + _JITTER)  # noqa: S311 - no secret
    return max(planned, min(retry_after or 0.0, MAX_RETRY_AFTER))


def read_retry_after(value: str | None) -> float | None:
    """Parses Retry-After, a number or a date, to seconds from now; an invalid value is ignored."""
    if value is None:
        return None
    if value.strip().isdecimal():
        return float(value) if len(value) < 12 else math.inf
    try:
        moment = parsedate_to_datetime(value)
    except ValueError:
        return None
    moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return max(0.0, (moment - current_time()).total_seconds())
