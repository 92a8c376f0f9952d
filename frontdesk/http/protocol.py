"""uvicorn's HTTP protocol with limits on size, time and number. Its own error responses have the format of the API."""

import random
from asyncio import TimerHandle, Transport
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any
from uuid import uuid4
from weakref import WeakKeyDictionary

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.server import ServerState

from frontdesk.http.body import SMALL, WHOLE_BODY
from frontdesk.http.connections import Admission, Connections
from frontdesk.http.errors import Code
from frontdesk.http.refusals import count_refused_connection
from frontdesk.http.responses import encode, error_body, with_safe_headers
from frontdesk.http.uploads import UPLOAD
from frontdesk.values.origin import sent_origin

MAX_HEAD_BYTES = 32 * 1024
MAX_PIPELINED = 16  # requests that wait on one connection while an earlier one is handled
MAX_WIRE_BYTES = 32 * 1024 * 1024  # received for one body; what exceeds the limit of the body is discarded
HEAD_SECONDS = 10.0  # from the first byte of a request head to its last, and from the connection to the first byte
MAX_UPLOAD_WIRE_BYTES = 64 * 1024 * 1024  # of a form with a file, which is written to the disk
BODY_SECONDS = 40.0  # for the body; `http/body.py` answers earlier if a handler is waiting for it
WRITE_SECONDS = 30.0  # for a client to read a response
END_STREAM = "frontdesk.end_stream"  # in the scope of a request whose response ends only when this is called
TRANSPORT = "frontdesk.transport"  # in the scope of every request: asyncio's, of its connection
LAST = "frontdesk.last"  # in the scope of a request whose response must be the last of its connection
PAUSE = "frontdesk.pause"  # in the scope of every request: the next one on its connection is read later
ORIGIN = "frontdesk.origin"  # in the state that the application sets at its start: that of the operator's setting
PAUSE_SECONDS = 1.0  # as Retry-After says; longer after each further refusal
MAX_PAUSE_SECONDS = 4.0
KEEP_ALIVE_SECONDS = 15  # between a response and the next request

_FRAMING = 64 * 1024  # bytes that may surround a body in any case: chunk sizes, extensions, trailers
_FRAMING_SHARE = 8  # further bytes for each byte of the body; a chunk of one byte takes six


_TOO_MANY = (HTTPStatus.SERVICE_UNAVAILABLE, Code.SERVICE_UNAVAILABLE, "Too many open connections.")
_HEALTH = b"/health/"
_tables: WeakKeyDictionary[ServerState, Connections] = WeakKeyDictionary()  # tests run several servers in one process


def _table_of(connection: HttpToolsProtocol) -> Connections:
    state = connection.server_state
    if state not in _tables:
        proxies = connection.config.forwarded_allow_ips if connection.config.proxy_headers else []
        _tables[state] = Connections(proxies.split(",") if isinstance(proxies, str) else proxies)
    return _tables[state]


class BoundedProtocol(HttpToolsProtocol):
    """The head of a request, including the URL, may have 32 KiB.

    A subclass, because uvicorn has no setting for the size and the time of a head or a body, for the time in which a
    response is read, and for the format of its own error responses; and an application is called too late to limit
    them. It extends the callbacks of asyncio and httptools, and reads what uvicorn keeps about a connection: `scope`,
    `url`, `headers`, `pipeline`, `flow`, and of `cycle` whether its response has begun and is complete. uvicorn
    does not document these, so `pyproject.toml` bounds its version. Responses go through ASGI's `send` alone.

    Its size is checked once, when it is complete and before the application is called. A head that does not end is
    rejected. A request that arrives in a single read, the common case, starts no timer.
    """

    _waiting = 0  # bytes of an incomplete head, which the parser would buffer without a limit
    _in_head = False
    _in_body = False
    _body_size = 0
    _body = b""  # of a request whose head is in the same data, up to a size
    _has_head = False  # in the data that is being read
    _wire_size = 0
    _refusal: tuple[HTTPStatus, Code, str] | None = None
    _timer: TimerHandle | None = None
    _timer_for = ""
    _write_timer: TimerHandle | None = None
    _must_pause = False
    _table: Connections
    _only_health = False
    _refusals = 0  # in a row, because too many requests wait

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.timeout_keep_alive = KEEP_ALIVE_SECONDS
        self._table = _table_of(self)
        descriptor = transport.get_extra_info("socket").fileno()
        admission = self._table.add(self, self.client[0] if self.client else "", descriptor)
        if admission is Admission.REFUSED:
            self._refuse(*_TOO_MANY)
        else:
            self._only_health = admission is Admission.HEALTH_ONLY
            self._start_timer("head", HEAD_SECONDS)

    def give_way(self) -> None:
        """The place is needed for another connection."""
        is_asked = self._in_head or (self._in_body and not self.cycle.response_started)
        self._refuse(*_TOO_MANY) if is_asked else self.transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        self._table.remove(self)
        self._start_timer("", 0)
        self.resume_writing()
        super().connection_lost(exc)

    def shutdown(self) -> None:
        """The server stops: requests may finish, and a stream ends."""
        super().shutdown()
        scope: Any = self.cycle.scope if self.cycle is not None else {}
        if END_STREAM in scope:
            scope[END_STREAM]()

    def on_message_begin(self) -> None:
        self._waiting = 0
        self._in_head = True
        super().on_message_begin()

    def on_header(self, name: bytes, value: bytes) -> None:
        """Trailers after the last chunk are reported as headers too; they are ignored."""
        if self._in_head:
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """An exception stops the parser, which then reports the request as invalid HTTP."""
        self._in_head, self._in_body, self._has_head = False, True, True
        self._body_size, self._body, self._wire_size = 0, b"", 0
        size, hosts, is_encoded = len(self.url), 0, False
        for name, value in self.headers:
            size += len(name) + len(value)
            hosts += name == b"host"
            is_encoded |= name == b"transfer-encoding" and value.lower() != b"chunked"
        if size > MAX_HEAD_BYTES:
            self._refusal = self._head_too_large()
            raise ValueError(self._refusal)
        if hosts > 1 or (not hosts and self.parser.get_http_version() == "1.1"):  # a proxy may have routed by another
            self._refusal = (HTTPStatus.BAD_REQUEST, Code.BAD_REQUEST, "The request must have one Host header.")
            raise ValueError(self._refusal)
        if is_encoded:
            self._refusal = (HTTPStatus.NOT_IMPLEMENTED, Code.BAD_REQUEST, "Transfer-Encoding must be chunked.")
            raise ValueError(self._refusal)
        if len(self.pipeline) >= MAX_PIPELINED:
            self.transport.abort()
            raise ValueError("too many requests wait on this connection")
        if self._only_health and not self.url.startswith(_HEALTH):
            self._refusal = _TOO_MANY
            raise ValueError("too many open connections")
        self._table.works(self)
        super().on_headers_complete()
        scope: Any = self.scope
        scope[TRANSPORT] = self.transport
        scope[PAUSE] = self._pause
        if self._only_health:
            scope[LAST] = True

    def _pause(self) -> None:
        self._must_pause = True

    def on_response_complete(self) -> None:
        """A caller that was refused because too many wait, and asks again at once, would keep the process busy."""
        if not self._must_pause or self.transport.is_closing():
            self._refusals = 0
            self._end_response()
            return
        self._must_pause = False
        seconds = min(PAUSE_SECONDS * 2**self._refusals, max(PAUSE_SECONDS, MAX_PAUSE_SECONDS))
        self._refusals += 1
        self.flow.pause_reading()
        # Not all at the same moment.
        self.loop.call_later(seconds * random.uniform(0.75, 1.25), self._end_response)  # noqa: S311

    def _end_response(self) -> None:
        super().on_response_complete()
        if self._in_head:
            self._table.waits(self)
        elif not self.pipeline:
            self._table.idles(self)

    def on_body(self, body: bytes) -> None:
        self._body_size += len(body)
        if self._has_head and self._body_size <= SMALL:
            self._body += body
        super().on_body(body)

    def on_message_complete(self) -> None:
        self._in_body = False
        super().on_message_complete()
        if self.cycle.response_complete:
            self._table.idles(self)
        else:
            self._table.works(self)
        if self._has_head and 0 < self._body_size <= SMALL:
            scope: Any = self.scope
            scope[WHOLE_BODY] = self._body

    def data_received(self, data: bytes) -> None:
        if self.transport.is_closing():
            return
        began_in = self.scope
        super().data_received(data)
        self._has_head = False
        if self.transport.is_closing():
            return
        if began_in is self.scope:  # and all of the data belongs to one request
            self._measure(len(data))
        self._watch()

    def _measure(self, size: int) -> None:
        if self._in_head:
            self._waiting += size
            if self._waiting > MAX_HEAD_BYTES:
                self._refuse(*self._head_too_large())
        elif self._in_body:
            self._wire_size += size
            most = MAX_UPLOAD_WIRE_BYTES if UPLOAD in self.scope else MAX_WIRE_BYTES
            if self._wire_size > min(most, _FRAMING + _FRAMING_SHARE * self._body_size):
                self.transport.abort()

    def pause_writing(self) -> None:
        super().pause_writing()
        if self._write_timer is None:
            self._write_timer = self.loop.call_later(WRITE_SECONDS, self.transport.abort)

    def resume_writing(self) -> None:
        if self._write_timer is not None:
            self._write_timer.cancel()
            self._write_timer = None
        super().resume_writing()

    def _watch(self) -> None:
        """Starts the timeout of an incomplete request. Between requests uvicorn's keep-alive timeout applies."""
        if self._in_head:
            if not self._is_our_turn():
                self._table.waits(self)
            if self._timer_for != "head" or self._timer is None:
                self._start_timer("head", HEAD_SECONDS)
        elif self._in_body:
            self._table.sends(self)
            if self._timer_for != "body":
                self._start_timer("body", BODY_SECONDS)
        elif self._timer_for:
            self._start_timer("", 0)

    def _start_timer(self, what: str, seconds: float) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer_for = what
        self._timer = self.loop.call_later(seconds, self._late) if what else None

    def _late(self) -> None:
        if self.transport.is_closing():
            return
        if self._is_our_turn() or (self._in_body and UPLOAD in self.scope):  # `http/uploads.py` has its own timeouts
            self._start_timer(self._timer_for, HEAD_SECONDS)
        elif self._in_head or (self._in_body and not self.cycle.response_started):
            message = f"The request {self._timer_for} was not received in time."
            self._refuse(HTTPStatus.REQUEST_TIMEOUT, Code.REQUEST_TIMEOUT, message)
        else:
            self.transport.close()

    def _is_our_turn(self) -> bool:
        """False while an earlier response is pending, or while reading is paused."""
        if self.flow.read_paused or self.pipeline:
            return True
        return self._in_head and self.cycle is not None and not self.cycle.response_complete

    def _head_too_large(self) -> tuple[HTTPStatus, Code, str]:
        status = HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE
        if len(self.url) > MAX_HEAD_BYTES:
            status = HTTPStatus.REQUEST_URI_TOO_LONG
        return status, Code.BAD_REQUEST, "The request line and headers must not exceed 32 KiB."

    def send_400_response(self, _msg: str) -> None:
        """uvicorn calls this for every parser error; a limit of ours gets its own response."""
        if not self.transport.is_closing():
            unreadable = (HTTPStatus.BAD_REQUEST, Code.BAD_REQUEST, "The request is not valid HTTP.")
            self._refuse(*(self._refusal or unreadable))

    def _refuse(self, status: HTTPStatus, code: Code, message: str) -> None:
        request_id = uuid4().hex
        body = encode(error_body(code, message, request_id, self._origin()))
        headers = with_safe_headers({"content-type": "application/json", "cache-control": "no-store"})
        headers |= {"content-length": str(len(body)), "x-request-id": request_id, "connection": "close"}
        if status is HTTPStatus.SERVICE_UNAVAILABLE:
            headers["retry-after"] = "1"
            count_refused_connection()
        lines = [f"HTTP/1.1 {status.value} {status.phrase}", *(f"{name}: {value}" for name, value in headers.items())]
        head = "\r\n".join([*lines, "", ""])
        transport: Any = self.transport
        transport.write(head.encode() + body)
        transport.close()

    def _origin(self) -> str:
        """The operator's setting, else the only host that the head names, if it has been read so far."""
        hosts = [value for name, value in self.headers or () if name == b"host"]
        sent = hosts[0] if len(hosts) == 1 else b""
        return self.app_state.get(ORIGIN) or sent_origin(self.scheme or "http", sent, self.server)


def is_gone(scope: Mapping[str, Any]) -> bool:
    """Whether nobody reads the response any more."""
    return TRANSPORT in scope and scope[TRANSPORT].is_closing()
