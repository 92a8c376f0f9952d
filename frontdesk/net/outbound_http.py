"""POST to addresses that somebody else chose: no redirects, no proxies, little of the answer read, nothing trusted."""

import asyncio
import ssl
import time
from collections import deque
from contextlib import suppress
from typing import Protocol, cast

import httptools
import msgspec

from frontdesk.net.safe_url import HostNotFound, ParsedUrl, Resolve, UrlRejected, find_addresses
from frontdesk.postgres.held_connections import require_none_held

MAX_RESPONSE_BYTES = 1024
_MAX_HEAD_BYTES = 32 * 1024
_BODY_LIMIT = 2.0  # seconds; the status is what counts, the rest of the answer is for people who look at the log
_CONNECT_LIMIT = 5.0  # to one address, so that the next one gets its turn
_IDLE_LIMIT, _AGE_LIMIT = 20.0, 120.0
_MAX_IDLE = 16  # connections kept for one origin


class OutboundResponse(msgspec.Struct, frozen=True):
    status: int
    body: bytes  # its beginning
    retry_after: str | None = None


class RequestFailed(Exception):
    """No answer came, and why, in words for a log that the receiver's people read."""


class BeforeSend(Protocol):
    async def __call__(self) -> None:
        """Asked when the connection stands and nothing has been sent; may raise."""


class OutboundClient:
    """Keeps connections of a while, each to an address that was checked when it was made."""

    def __init__(self, resolve: Resolve, *, allow_private: bool, tls: ssl.SSLContext | None = None) -> None:
        self._resolve = resolve
        self._allow_private = allow_private
        self._tls = tls or ssl.create_default_context()
        self._idle: dict[tuple[str, str, int], deque[_Connection]] = {}

    async def post(
        self, target: ParsedUrl, headers: dict[str, str], body: bytes, *, limit: float, gate: BeforeSend | None = None
    ) -> OutboundResponse:
        require_none_held("an HTTP request")
        request = _write_request(target, headers, body)
        try:
            async with asyncio.timeout(limit):
                return await self._post(target, request, gate)
        except TimeoutError as late:
            raise RequestFailed(f"no answer within {limit:g} seconds") from late

    async def close(self) -> None:
        for waiting in self._idle.values():
            for connection in waiting:
                connection.close()
        self._idle.clear()

    async def _post(self, target: ParsedUrl, request: bytes, gate: BeforeSend | None) -> OutboundResponse:
        """A kept connection may have been closed by the other side just now: then once more, on a new one."""
        kept = self._take_idle(target)
        if kept is not None:
            with suppress(_ClosedBeforeResponse):
                return await self._use(kept, target, request, gate)
        try:
            return await self._use(await self._connect(target), target, request, gate)
        except _ClosedBeforeResponse as closed:
            raise RequestFailed("the connection was closed before an answer came") from closed

    async def _use(
        self, connection: "_Connection", target: ParsedUrl, request: bytes, gate: BeforeSend | None
    ) -> OutboundResponse:
        try:
            if gate is not None:
                await gate()
            reply = await connection.exchange(request)
        except BaseException:
            connection.close()
            raise
        if connection.is_reusable():
            self._keep(target, connection)
        else:
            connection.close()
        return reply

    def _take_idle(self, target: ParsedUrl) -> "_Connection | None":
        waiting = self._idle.get((target.scheme, target.host, target.port))
        while waiting:
            connection = waiting.pop()
            if connection.is_fresh():
                return connection
            connection.close()
        return None

    def _keep(self, target: ParsedUrl, connection: "_Connection") -> None:
        waiting = self._idle.setdefault((target.scheme, target.host, target.port), deque())
        connection.idle_since = time.monotonic()
        waiting.append(connection)
        if len(waiting) > _MAX_IDLE:
            waiting.popleft().close()

    def drop_stale(self) -> None:
        """Now and then, so that origins nobody sends to any more are forgotten."""
        for origin, waiting in list(self._idle.items()):
            while waiting and not waiting[0].is_fresh():
                waiting.popleft().close()
            if not waiting:
                del self._idle[origin]

    async def _connect(self, target: ParsedUrl) -> "_Connection":
        try:
            addresses = await find_addresses(target, self._resolve, allow_private=self._allow_private)
        except UrlRejected as refused:
            raise RequestFailed(f"the URL {refused}") from refused
        except HostNotFound as unknown:
            raise RequestFailed(f"cannot find the host: {unknown}") from unknown
        failure: RequestFailed | None = None
        for address in addresses:
            try:
                return await self._connect_to(address, target)
            except RequestFailed as failed:
                failure = failure or failed
        raise failure or RequestFailed("cannot connect")

    async def _connect_to(self, address: str, target: ParsedUrl) -> "_Connection":
        """The certificate must be the name's, though it is the address that is connected to."""
        tls, name = (self._tls, target.host) if target.scheme == "https" else (None, None)
        loop = asyncio.get_running_loop()
        try:
            async with asyncio.timeout(_CONNECT_LIMIT):
                _, connection = await loop.create_connection(
                    _Connection, address, target.port, ssl=tls, server_hostname=name
                )
        except TimeoutError as late:
            raise RequestFailed(f"cannot connect within {_CONNECT_LIMIT:g} seconds") from late
        except ssl.SSLCertVerificationError as wrong:
            raise RequestFailed(f"the certificate is not valid: {wrong.verify_message}") from wrong
        except ssl.SSLError as wrong:
            raise RequestFailed(f"TLS failed: {wrong.reason or 'no common ground'}") from wrong
        except OSError as failed:
            raise RequestFailed(f"cannot connect: {failed.strerror or type(failed).__name__}") from failed
        return connection


def _write_request(target: ParsedUrl, headers: dict[str, str], body: bytes) -> bytes:
    lines = [
        f"POST {target.path} HTTP/1.1",
        f"host: {target.authority}",
        *(f"{name}: {value}" for name, value in headers.items()),
        f"content-length: {len(body)}",
        "",
        "",
    ]
    return "\r\n".join(lines).encode("latin-1") + body


class _ClosedBeforeResponse(Exception):
    """Not a byte of an answer came."""


class _Connection(asyncio.Protocol):
    """One connection, one exchange at a time. Names of methods without verbs are the parser's."""

    def __init__(self) -> None:
        self.idle_since = self._made = time.monotonic()
        self._transport: asyncio.Transport | None = None
        self._closed = False
        self._begin()

    def _begin(self) -> None:
        self._parser = httptools.HttpResponseParser(self)
        self._answered: asyncio.Future[None] | None = None
        self._status: int | None = None
        self._retry_after: str | None = None
        self._body = bytearray()
        self._read = 0
        self._lasting = False
        self._enough = False

    async def exchange(self, request: bytes) -> OutboundResponse:
        self._begin()
        if self._transport is None or self._closed:
            raise _ClosedBeforeResponse
        self._answered = asyncio.get_running_loop().create_future()
        self._transport.write(request)
        await self._answered
        if self._status is None:
            raise RequestFailed("the answer is not HTTP")
        return OutboundResponse(self._status, bytes(self._body), self._retry_after)

    def is_reusable(self) -> bool:
        return self._lasting and not self._closed

    def is_fresh(self) -> bool:
        now = time.monotonic()
        return not self._closed and now - self.idle_since < _IDLE_LIMIT and now - self._made < _AGE_LIMIT

    def close(self) -> None:
        if self._transport is not None:
            self._transport.abort()
        self._closed = True

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)

    def connection_lost(self, _failure: Exception | None) -> None:
        self._closed = True
        if self._status is not None:
            self._finish()
        else:
            self._finish(_ClosedBeforeResponse() if not self._read else RequestFailed("the answer is not HTTP"))

    def data_received(self, data: bytes) -> None:
        if self._enough or self._answered is None:
            self.close()  # an answer to nothing, or more of one than is wanted
            return
        self._read += len(data)
        try:
            self._parser.feed_data(data)
        except (httptools.HttpParserError, httptools.HttpParserUpgrade):
            self._finish(RequestFailed("the answer is not HTTP"))
            return
        if self._status is None and self._read > _MAX_HEAD_BYTES:
            self._finish(RequestFailed("the answer's head is too long"))

    def on_header(self, name: bytes, value: bytes) -> None:
        if name.lower() == b"retry-after":
            self._retry_after = value.decode("latin-1")

    def on_headers_complete(self) -> None:
        status = self._parser.get_status_code()
        if status >= 200:
            self._status = status
            asyncio.get_running_loop().call_later(_BODY_LIMIT, self._finish_with_what_came, self._answered)

    def on_body(self, body: bytes) -> None:
        self._body += body[: MAX_RESPONSE_BYTES - len(self._body)]
        if len(self._body) >= MAX_RESPONSE_BYTES:
            self._finish()

    def on_message_complete(self) -> None:
        if self._status is not None:
            self._lasting = self._parser.should_keep_alive()  # which it knows only now
            self._finish()

    def _finish_with_what_came(self, answered: "asyncio.Future[None] | None") -> None:
        if answered is self._answered:
            self._finish()

    def _finish(self, failure: Exception | None = None) -> None:
        self._enough = True
        if self._answered is None or self._answered.done():
            return
        if failure is None:
            self._answered.set_result(None)
        else:
            self._answered.set_exception(failure)
