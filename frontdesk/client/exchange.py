"""From a request to its answer: token, attempts, waiting. No input or output of its own.

A generator gives the calls to make and is sent what came of each, so that one implementation serves the client that
blocks and the one that awaits.
"""

import random
import time
from collections.abc import Generator
from itertools import count
from typing import NamedTuple, TypeVar
from urllib.parse import urlsplit

import httpx2
import msgspec

from frontdesk.auth.documents import TokenResponse
from frontdesk.client.asking import ApiRequest, decode, post_query
from frontdesk.client.failures import ConnectionFailed, InvalidResponse, api_error, retry_after

A = TypeVar("A")

# Nothing was done, or it may be asked for again under the same key.
_RETRIED_STATUSES = {408, 409, 429, 500, 502, 503, 504}
_EARLY_SECONDS = 300.0


class PreparedRequest(NamedTuple):
    method: str
    url: str
    params: dict[str, str]
    headers: dict[str, str]
    content: bytes | None
    after: float = 0.0  # seconds to wait first


Lost = (httpx2.NetworkError, httpx2.TimeoutException, httpx2.RemoteProtocolError)
Reply = httpx2.Response | httpx2.TransportError
Steps = Generator[PreparedRequest, Reply, A]


class RetryPolicy(NamedTuple):
    """How often something is asked, and how long the waits between may be."""

    attempts: int = 5
    first_wait: float = 0.25
    longest_wait: float = 60.0

    def wait_after(self, reply: Reply, attempt: int) -> float | None:
        """Seconds until the next attempt; None when there is to be none."""
        if attempt >= self.attempts:
            return None
        asked = None
        if isinstance(reply, httpx2.Response):
            if reply.status_code not in _RETRIED_STATUSES:
                return None
            asked = retry_after(reply)
        backoff = min(self.first_wait * 2 ** (attempt - 1), self.longest_wait)
        wait = backoff * random.uniform(0.5, 1.0) if asked is None else asked  # noqa: S311 - spreads callers, no secret
        return wait if wait <= self.longest_wait else None


class Credentials(NamedTuple):
    client_id: str
    client_secret: str
    scope: str = ""


class Session:
    """What all requests of a client share."""

    def __init__(
        self, base_url: str, credentials: Credentials | None, token: str | None, patience: RetryPolicy
    ) -> None:
        place = urlsplit(base_url)
        if place.scheme not in ("http", "https") or not place.hostname:
            raise ValueError(f"{base_url!r} is no base URL: write https://desk.example.com/open-api/v1 or the like")
        if credentials is None and token is None:
            raise ValueError("a client needs client_id and client_secret, or a token")
        self.base_url = base_url.rstrip("/")
        self.credentials = credentials
        self.token = token
        self.renew_at: float | None = None
        self.patience = patience

    def keep(self, issued: TokenResponse) -> str:
        self.token = issued.access_token
        self.renew_at = time.time() + issued.expires_in - min(_EARLY_SECONDS, issued.expires_in / 10)
        return self.token

    def request(self, ask: ApiRequest[A], token: str | None) -> PreparedRequest:
        headers = {"accept": "application/json"}
        if token is not None:
            headers["authorization"] = f"Bearer {token}"
        if ask.body is not None:
            headers["content-type"] = "application/json"
        if ask.key is not None:
            headers["idempotency-key"] = ask.key
        return PreparedRequest(ask.method, self.base_url + ask.path, dict(ask.query), headers, ask.body)


def exchange(session: Session, ask: ApiRequest[A]) -> Steps[A]:
    token = yield from _valid_token(session)
    answer = yield from _attempts(session.patience, session.request(ask, token))
    if answer.status_code == httpx2.codes.UNAUTHORIZED and session.credentials is not None:
        # Somebody else who shares this client may have renewed it meanwhile.
        renewed = session.token if session.token not in (None, token) else (yield from _new_token(session))
        answer = yield from _attempts(session.patience, session.request(ask, renewed))
    return _read(answer, ask.answer)


def _valid_token(session: Session) -> Steps[str]:
    ends = session.renew_at is not None and time.time() >= session.renew_at
    if session.token is None or ends:
        return (yield from _new_token(session))
    return session.token


def _new_token(session: Session) -> Steps[str]:
    if session.credentials is None:
        raise ValueError("a token cannot be renewed without client_id and client_secret")
    ask = post_query("/oauth/token", TokenResponse, grant_type="client_credentials", **session.credentials._asdict())
    answer = yield from _attempts(session.patience, session.request(ask, None))
    return session.keep(_read(answer, TokenResponse))


def _attempts(patience: RetryPolicy, call: PreparedRequest) -> Steps[httpx2.Response]:
    after = 0.0
    for attempt in count(1):
        reply = yield call._replace(after=after)
        wait = patience.wait_after(reply, attempt)
        if wait is None:
            break
        after = wait
    if isinstance(reply, httpx2.TransportError):
        why = str(reply) or type(reply).__name__
        raise ConnectionFailed(f"no answer to {call.method} {call.url}, after {attempt} attempts: {why}") from reply
    return reply


def _read(answer: httpx2.Response, kind: type[A]) -> A:
    if not answer.is_success:
        raise api_error(answer)
    try:
        return decode(answer.content or b'{"data":null}', kind)
    except msgspec.DecodeError as wrong:
        raise InvalidResponse(f"the answer of {answer.request.method} {answer.request.url.path}: {wrong}") from wrong
