"""When to retry a request, and how long to wait before it."""

import random
from typing import NamedTuple

import httpx2

from frontdesk_client.errors import retry_after

# These requests either changed nothing or can be repeated with the same Idempotency-Key.
_RETRYABLE_STATUSES = {408, 409, 429, 500, 502, 503, 504}

Outcome = httpx2.Response | httpx2.TransportError


class RetryPolicy(NamedTuple):
    """Exponential backoff with jitter. A Retry-After header takes precedence over the computed delay."""

    max_attempts: int = 5
    initial_delay: float = 0.25  # seconds
    max_delay: float = 60.0

    def delay_after(self, outcome: Outcome, attempt: int) -> float | None:
        """Seconds to wait before the next attempt, or None to give up."""
        if attempt >= self.max_attempts:
            return None
        requested = None
        if isinstance(outcome, httpx2.Response):
            if outcome.status_code not in _RETRYABLE_STATUSES:
                return None
            requested = retry_after(outcome)
            if outcome.status_code == httpx2.codes.CONFLICT and requested is None:
                return None  # a version conflict: only idempotency_key_in_use has a Retry-After
        backoff = min(self.initial_delay * 2 ** (attempt - 1), self.max_delay)
        jitter = random.uniform(0.5, 1.0)  # noqa: S311 - not used for security
        delay = backoff * jitter if requested is None else requested
        return delay if delay <= self.max_delay else None
