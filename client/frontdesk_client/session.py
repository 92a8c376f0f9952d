"""Authentication, retries and decoding, without input or output.

`exchange` is a generator: it yields each HTTP request to send and receives its outcome. The synchronous and the
asynchronous transport run the same generator.
"""

import time
from collections.abc import Generator
from itertools import count
from typing import Any, NamedTuple, TypeVar
from urllib.parse import urlsplit

import httpx2
import msgspec

from frontdesk_client.errors import ConnectionFailed, InvalidResponse, api_error
from frontdesk_client.models import TokenResponse
from frontdesk_client.request import ApiRequest, decode, post_query
from frontdesk_client.retry import Outcome, RetryPolicy

T = TypeVar("T")

_RENEW_BEFORE_SECONDS = 300.0


class HttpRequest(NamedTuple):
    method: str
    url: str
    params: dict[str, str]
    headers: dict[str, str]
    content: bytes | None
    delay: float = 0.0  # seconds to wait before sending
    stream: bool = False  # whether the content of a success is read later


Steps = Generator[HttpRequest, Outcome, T]


class Credentials(NamedTuple):
    client_id: str
    client_secret: str
    scope: str = ""


class Session:
    """The state that all requests of a client share."""

    def __init__(
        self, base_url: str, credentials: Credentials | None, token: str | None, retry_policy: RetryPolicy
    ) -> None:
        parsed = urlsplit(base_url)
        if parsed.scheme not in ("http", "https") or not parsed.hostname:
            raise ValueError(f"{base_url!r} is not a base URL; example: https://desk.example.com/open-api/v1")
        if credentials is None and token is None:
            raise ValueError("a client needs client_id and client_secret, or a token")
        self.base_url = base_url.rstrip("/")
        self.credentials = credentials
        self.token = token
        self.renew_at: float | None = None
        self.retry_policy = retry_policy

    def store_token(self, issued: TokenResponse) -> str:
        self.token = issued.access_token
        self.renew_at = time.time() + issued.expires_in - min(_RENEW_BEFORE_SECONDS, issued.expires_in / 10)
        return self.token

    def http_request(self, request: ApiRequest[T], token: str | None, *, dry_run: bool = False) -> HttpRequest:
        headers = {"accept": "application/json"}
        if token is not None:
            headers["authorization"] = f"Bearer {token}"
        if request.body is not None:
            headers["content-type"] = "application/json"
        if request.idempotency_key is not None:
            headers["idempotency-key"] = request.idempotency_key
            if dry_run:
                headers["frontdesk-dry-run"] = "true"
        return HttpRequest(request.method, self.base_url + request.path, dict(request.query), headers, request.body)


def exchange(session: Session, request: ApiRequest[T], *, dry_run: bool) -> Steps[T]:
    response = yield from respond(session, request, dry_run=dry_run)
    return _decode_response(response, request.response_type)


def respond(
    session: Session, request: ApiRequest[Any], *, dry_run: bool = False, stream: bool = False
) -> Steps[httpx2.Response]:
    token = yield from authorize(session)
    http_request = session.http_request(request, token, dry_run=dry_run)._replace(stream=stream)
    response = yield from _with_retries(session.retry_policy, http_request)
    if response.status_code == httpx2.codes.UNAUTHORIZED and session.credentials is not None:
        # Another thread or task that shares this session may have renewed the token already.
        renewed = session.token if session.token not in (None, token) else (yield from _new_token(session))
        http_request = session.http_request(request, renewed, dry_run=dry_run)._replace(stream=stream)
        response = yield from _with_retries(session.retry_policy, http_request)
    if not response.is_success:
        raise api_error(response)
    return response


def authorize(session: Session) -> Steps[str]:
    """A token that does not expire soon."""
    expires_soon = session.renew_at is not None and time.time() >= session.renew_at
    if session.token is None or expires_soon:
        return (yield from _new_token(session))
    return session.token


def _new_token(session: Session) -> Steps[str]:
    if session.credentials is None:
        raise ValueError("renewing a token needs client_id and client_secret")
    fields = session.credentials._asdict()
    request = post_query("/oauth/token", TokenResponse, grant_type="client_credentials", **fields)
    response = yield from _with_retries(session.retry_policy, session.http_request(request, None))
    if not response.is_success:
        raise api_error(response)
    return session.store_token(_decode_response(response, TokenResponse))


def _with_retries(policy: RetryPolicy, request: HttpRequest) -> Steps[httpx2.Response]:
    delay = 0.0
    for attempt in count(1):
        outcome = yield request._replace(delay=delay)
        next_delay = policy.delay_after(outcome, attempt)
        if next_delay is None:
            break
        delay = next_delay
    if isinstance(outcome, httpx2.TransportError):
        reason = str(outcome) or type(outcome).__name__
        raise ConnectionFailed(
            f"no response to {request.method} {request.url} after {attempt} attempts: {reason}"
        ) from outcome
    return outcome


def _decode_response(response: httpx2.Response, type_: type[T]) -> T:
    return decode_part(response, response.content or b'{"data":null}', type_)


def decode_part(response: httpx2.Response, content: bytes, type_: type[T]) -> T:
    try:
        return decode(content, type_)
    except msgspec.DecodeError as error:
        request = response.request
        raise InvalidResponse(f"invalid response to {request.method} {request.url.path}: {error}") from error
