"""Sends requests to URLs that customers chose: no redirects, no proxies, and a bounded response."""

import asyncio
import ssl
import time
from collections import deque
from contextlib import suppress
from typing import Protocol, cast

import httptools
import msgspec

from frontdesk.net.problems import UrlProblem
from frontdesk.net.safe_url import HostNotFound, ParsedUrl, Resolve, UrlRejected, find_addresses
from frontdesk.postgres.connection_guard import require_no_connection
from frontdesk.problems import ProblemKind
from frontdesk.runtime.time_limits import time_limit

MAX_RESPONSE_BYTES = 1024
_MAX_HEAD_BYTES = 32 * 1024
_BODY_TIMEOUT = 2.0  # seconds; only the status matters, the body is shown in the delivery log
_CONNECT_TIMEOUT = 5.0  # for one address, before the next one is tried
_MAX_IDLE_SECONDS, _MAX_AGE_SECONDS = 20.0, 120.0
_MAX_IDLE = 16  # idle connections per origin
_HEADERS = frozenset({b"retry-after", b"etag", b"last-modified", b"location", b"content-encoding", b"content-range"})


class OutboundResponse(msgspec.Struct, frozen=True):
    status: int
    body: bytes  # of a POST the first MAX_RESPONSE_BYTES
    headers: dict[str, str]  # those of `_HEADERS`, with lower-case names

    @property
    def retry_after(self) -> str | None:
        return self.headers.get("retry-after")


class RequestFailed(Exception):
    """There was no response. The message is shown in the delivery log."""


class ResponseTooLong(RequestFailed):
    """The body is longer than the caller reads."""

    def __init__(self) -> None:
        super().__init__("the answer is too long")


class HostRejected(RequestFailed):
    """We do not send anything there."""

    def __init__(self, kind: ProblemKind) -> None:
        is_multicast = kind is UrlProblem.MULTICAST_HOST
        super().__init__(f"the URL has a host {'with a multicast address' if is_multicast else 'on a private network'}")


class BeforeSend(Protocol):
    async def __call__(self) -> None:
        """Called when the connection is open and nothing has been sent. May raise to cancel the request."""


class OutboundClient:
    """Reuses idle connections. The address of each was checked when it was opened."""

    def __init__(self, resolve: Resolve, *, allow_private: bool, tls: ssl.SSLContext | None = None) -> None:
        self._resolve = resolve
        self._allow_private = allow_private
        self._tls = tls or ssl.create_default_context()
        self._idle: dict[tuple[str, str, int], deque[_Connection]] = {}

    async def post(
        self,
        target: ParsedUrl,
        headers: dict[str, str],
        body: bytes,
        *,
        limit: float,
        before_send: BeforeSend | None = None,
    ) -> OutboundResponse:
        request = _write_request("POST", target, {**headers, "content-length": str(len(body))}, body)
        return await self._send(target, request, limit, before_send=before_send)

    async def get(
        self, target: ParsedUrl, headers: dict[str, str], *, limit: float, max_bytes: int
    ) -> OutboundResponse:
        """The whole body; RequestFailed if it is longer than `max_bytes`."""
        return await self.request("GET", target, headers, limit=limit, max_bytes=max_bytes)

    async def request(
        self,
        method: str,
        target: ParsedUrl,
        headers: dict[str, str],
        body: bytes = b"",
        *,
        limit: float,
        max_bytes: int,
    ) -> OutboundResponse:
        """As `get`. Repeated if an idle connection was just closed, so it must be possible to send it twice."""
        if body or method != "GET":
            headers = {**headers, "content-length": str(len(body))}
        return await self._send(target, _write_request(method, target, headers, body), limit, max_bytes=max_bytes)

    async def _send(
        self,
        target: ParsedUrl,
        request: bytes,
        limit: float,
        *,
        before_send: BeforeSend | None = None,
        max_bytes: int | None = None,
    ) -> OutboundResponse:
        require_no_connection("an HTTP request")
        try:
            with time_limit(limit):
                return await self._exchange(target, request, before_send, max_bytes)
        except TimeoutError as error:
            raise RequestFailed(f"no answer within {limit:g} seconds") from error

    async def close(self) -> None:
        for connections in self._idle.values():
            for connection in connections:
                connection.close()
        self._idle.clear()

    async def _exchange(
        self, target: ParsedUrl, request: bytes, before_send: BeforeSend | None, max_bytes: int | None
    ) -> OutboundResponse:
        """Retries once on a new connection, because the receiver may just have closed an idle one."""
        idle = self._pop_idle(target)
        if idle is not None:
            with suppress(_ClosedBeforeResponse):
                return await self._use(idle, target, request, before_send, max_bytes)
        try:
            return await self._use(await self._connect(target), target, request, before_send, max_bytes)
        except _ClosedBeforeResponse as error:
            raise RequestFailed("the connection was closed before an answer came") from error

    async def _use(
        self,
        connection: "_Connection",
        target: ParsedUrl,
        request: bytes,
        before_send: BeforeSend | None,
        max_bytes: int | None,
    ) -> OutboundResponse:
        try:
            if before_send is not None:
                await before_send()
            response = await connection.exchange(request, max_bytes)
        except BaseException:
            connection.close()
            raise
        if connection.is_reusable():
            self._push_idle(target, connection)
        else:
            connection.close()
        return response

    def _pop_idle(self, target: ParsedUrl) -> "_Connection | None":
        connections = self._idle.get((target.scheme, target.host, target.port))
        while connections:
            connection = connections.pop()
            if connection.is_alive():
                return connection
            connection.close()
        return None

    def _push_idle(self, target: ParsedUrl, connection: "_Connection") -> None:
        connections = self._idle.setdefault((target.scheme, target.host, target.port), deque())
        connection.idle_since = time.monotonic()
        connections.append(connection)
        if len(connections) > _MAX_IDLE:
            connections.popleft().close()

    def close_idle(self) -> None:
        """Called regularly, so that connections to unused origins do not pile up."""
        for origin, connections in list(self._idle.items()):
            while connections and not connections[0].is_alive():
                connections.popleft().close()
            if not connections:
                del self._idle[origin]

    async def _connect(self, target: ParsedUrl) -> "_Connection":
        try:
            addresses = await find_addresses(target, self._resolve, allow_private=self._allow_private)
        except UrlRejected as error:
            raise HostRejected(error.kind) from error
        except HostNotFound as error:
            raise RequestFailed(f"cannot find the host: {error}") from error
        first_error: RequestFailed | None = None
        for address in addresses:
            try:
                return await self._connect_to(address, target)
            except RequestFailed as error:
                first_error = first_error or error
        raise first_error or RequestFailed("cannot connect")

    async def _connect_to(self, address: str, target: ParsedUrl) -> "_Connection":
        """Connects to the checked address; the certificate must match the host name."""
        tls, name = (self._tls, target.host) if target.scheme == "https" else (None, None)
        loop = asyncio.get_running_loop()
        try:
            with time_limit(_CONNECT_TIMEOUT):
                _, connection = await loop.create_connection(
                    _Connection, address, target.port, ssl=tls, server_hostname=name
                )
        except TimeoutError as error:
            raise RequestFailed(f"cannot connect within {_CONNECT_TIMEOUT:g} seconds") from error
        except ssl.SSLCertVerificationError as error:
            raise RequestFailed(f"the certificate is not valid: {error.verify_message}") from error
        except ssl.SSLError as error:
            raise RequestFailed(f"TLS failed: {error.reason or 'no common ground'}") from error
        except OSError as error:
            raise RequestFailed(f"cannot connect: {error.strerror or type(error).__name__}") from error
        return connection


def _write_request(method: str, target: ParsedUrl, headers: dict[str, str], body: bytes = b"") -> bytes:
    lines = [
        f"{method} {target.path} HTTP/1.1",
        f"host: {target.authority}",
        *(f"{name}: {value}" for name, value in headers.items()),
        "",
        "",
    ]
    return "\r\n".join(lines).encode("latin-1") + body


class _ClosedBeforeResponse(Exception):
    """The connection was closed before the first byte of a response."""


class _Connection(asyncio.Protocol):
    """One connection, with one exchange at a time. asyncio and httptools define the names of the callbacks."""

    def __init__(self) -> None:
        self.idle_since = self._opened_at = time.monotonic()
        self._transport: asyncio.Transport | None = None
        self._closed = False
        self._reset()

    def _reset(self) -> None:
        self._parser = httptools.HttpResponseParser(self)
        self._done: asyncio.Future[None] | None = None
        self._status: int | None = None
        self._headers: dict[str, str] = {}
        self._whole_body = False
        self._max_bytes = MAX_RESPONSE_BYTES
        self._body = bytearray()
        self._bytes_read = 0
        self._keep_alive = False
        self._finished = False

    async def exchange(self, request: bytes, max_bytes: int | None = None) -> OutboundResponse:
        """The whole body if `max_bytes` is given, which a longer one exceeds; otherwise what it begins with."""
        self._reset()
        if max_bytes is not None:
            self._whole_body, self._max_bytes = True, max_bytes
        if self._transport is None or self._closed:
            raise _ClosedBeforeResponse
        self._done = asyncio.get_running_loop().create_future()
        self._transport.write(request)
        await self._done
        if self._status is None:
            raise RequestFailed("the answer is not HTTP")
        return OutboundResponse(self._status, bytes(self._body), self._headers)

    def is_reusable(self) -> bool:
        return self._keep_alive and not self._closed

    def is_alive(self) -> bool:
        now = time.monotonic()
        return (
            not self._closed and now - self.idle_since < _MAX_IDLE_SECONDS and now - self._opened_at < _MAX_AGE_SECONDS
        )

    def close(self) -> None:
        if self._transport is not None:
            self._transport.abort()
        self._closed = True

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)

    def connection_lost(self, _error: Exception | None) -> None:
        self._closed = True
        if self._status is not None:
            self._finish()
        else:
            self._finish(_ClosedBeforeResponse() if not self._bytes_read else RequestFailed("the answer is not HTTP"))

    def data_received(self, data: bytes) -> None:
        if self._finished or self._done is None:
            self.close()  # data without a request, or more than is read
            return
        self._bytes_read += len(data)
        try:
            self._parser.feed_data(data)
        except (httptools.HttpParserError, httptools.HttpParserUpgrade):
            self._finish(RequestFailed("the answer is not HTTP"))
            return
        if self._status is None and self._bytes_read > _MAX_HEAD_BYTES:
            self._finish(RequestFailed("the answer's head is too long"))

    def on_header(self, name: bytes, value: bytes) -> None:
        if name.lower() in _HEADERS:
            self._headers[name.lower().decode()] = value.decode("latin-1")

    def on_headers_complete(self) -> None:
        status = self._parser.get_status_code()
        if status >= 200:
            self._status = status
            if not self._whole_body:
                asyncio.get_running_loop().call_later(_BODY_TIMEOUT, self._finish_early, self._done)

    def on_body(self, body: bytes) -> None:
        if self._whole_body and len(self._body) + len(body) > self._max_bytes:
            self._finish(ResponseTooLong())
        self._body += body[: self._max_bytes - len(self._body)]
        if len(self._body) >= self._max_bytes and not self._whole_body:
            self._finish()

    def on_message_complete(self) -> None:
        if self._status is not None:
            self._keep_alive = self._parser.should_keep_alive()  # known only when the message is complete
            self._finish()

    def _finish_early(self, done: "asyncio.Future[None] | None") -> None:
        if done is self._done:
            self._finish()

    def _finish(self, error: Exception | None = None) -> None:
        self._finished = True
        if self._done is None or self._done.done():
            return
        if error is None:
            self._done.set_result(None)
        else:
            self._done.set_exception(error)
