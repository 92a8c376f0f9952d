"""uvicorn's HTTP protocol with two gaps closed: heads are bounded, and its own refusals speak our error form."""

from http import HTTPStatus
from typing import Any

import msgspec
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

MOST_HEAD = 32 * 1024


class BoundedProtocol(HttpToolsProtocol):
    """The head of one request, address included, may have 32 KiB."""

    _head = 0

    def on_message_begin(self) -> None:
        self._head = 0
        super().on_message_begin()

    def on_url(self, url: bytes) -> None:
        self._head += len(url)
        self._refuse_when_too_large(HTTPStatus.REQUEST_URI_TOO_LONG)
        super().on_url(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        self._head += len(name) + len(value)
        self._refuse_when_too_large(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE)
        super().on_header(name, value)

    def data_received(self, data: bytes) -> None:
        if self.transport.is_closing():
            return
        try:
            super().data_received(data)
        except _HeadTooLarge as large:
            self._refuse(large.status, "The address and headers of a request may have 32 KiB.")
        except (ValueError, UnicodeDecodeError):
            self.send_400_response("")

    def send_400_response(self, _msg: str) -> None:
        self._refuse(HTTPStatus.BAD_REQUEST, "This is not HTTP that can be read.")

    def _refuse_when_too_large(self, status: HTTPStatus) -> None:
        if self._head > MOST_HEAD:
            raise _HeadTooLarge(status)

    def _refuse(self, status: HTTPStatus, message: str) -> None:
        body = msgspec.json.encode({"error": "bad_request", "message": message})
        head = (
            f"HTTP/1.1 {status.value} {status.phrase}\r\ncontent-type: application/json\r\n"
            f"content-length: {len(body)}\r\nconnection: close\r\n\r\n"
        )
        transport: Any = self.transport
        transport.write(head.encode() + body)
        transport.close()


class _HeadTooLarge(Exception):
    def __init__(self, status: HTTPStatus) -> None:
        super().__init__(status)
        self.status = status
