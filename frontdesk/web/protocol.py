"""uvicorn's HTTP protocol with two gaps closed: heads are bounded, and its own refusals speak our error form."""

from http import HTTPStatus
from typing import Any
from uuid import uuid4

import msgspec
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

MOST_HEAD = 32 * 1024


class BoundedProtocol(HttpToolsProtocol):
    """The head of one request, address included, may have 32 KiB.

    It is measured once, when it is whole and before anybody is asked to answer it; one that does not end is cut off.
    """

    _waiting = 0  # what came for a head that does not end, which the parser would collect for ever
    _in_head = False
    _too_large: HTTPStatus | None = None

    def on_message_begin(self) -> None:
        self._waiting = 0
        self._in_head = True
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        """Raising stops the parser, which reports any exception of ours as unreadable HTTP."""
        self._in_head = False
        size = len(self.url)
        for name, value in self.headers:
            size += len(name) + len(value)
        if size > MOST_HEAD:
            self._too_large = self._fault()
            raise ValueError(self._too_large)
        super().on_headers_complete()

    def data_received(self, data: bytes) -> None:
        if self.transport.is_closing():
            return
        began_in_head = self._in_head
        super().data_received(data)
        if began_in_head and self._in_head and not self.transport.is_closing():
            self._waiting += len(data)
            if self._waiting > MOST_HEAD:
                self._too_large = self._fault()
                self.send_400_response("")

    def _fault(self) -> HTTPStatus:
        if len(self.url) > MOST_HEAD:
            return HTTPStatus.REQUEST_URI_TOO_LONG
        return HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE

    def send_400_response(self, _msg: str) -> None:
        """uvicorn's word for whatever stopped the parser; when that was our own bound, we know better."""
        if self._too_large is not None:
            self._refuse(self._too_large, "The address and headers of a request may have 32 KiB.")
        else:
            self._refuse(HTTPStatus.BAD_REQUEST, "This is not HTTP that can be read.")

    def _refuse(self, status: HTTPStatus, message: str) -> None:
        body = msgspec.json.encode({"error": "bad_request", "message": message})
        head = (
            f"HTTP/1.1 {status.value} {status.phrase}\r\ncontent-type: application/json\r\n"
            f"content-length: {len(body)}\r\nx-request-id: {uuid4().hex}\r\nconnection: close\r\n\r\n"
        )
        transport: Any = self.transport
        transport.write(head.encode() + body)
        transport.close()
