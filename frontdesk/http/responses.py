"""Responses: JSON that is encoded here from structs, or comes encoded from the database."""

from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from typing import Any
from urllib.parse import urlencode

import msgspec

from frontdesk.http.errors import Code, WireError, doc_url
from frontdesk.values.pagination import Page, PageRequest

_ENCODER = msgspec.json.Encoder(decimal_format="number")
# Values stay as they are encoded, so that numbers keep their digits.
_ENVELOPE = msgspec.json.Decoder(dict[str, msgspec.Raw])
_RECORDS = msgspec.json.Decoder(list[dict[str, msgspec.Raw]] | dict[str, msgspec.Raw] | None)
_JSON = "application/json"
EVENT_STREAM = "text/event-stream"
# Of every response, unless it has its own: browsers do not guess its type, and tell other sites no address.
SAFE_HEADERS = {"x-content-type-options": "nosniff", "referrer-policy": "same-origin"}
# Of every response without a policy of its own. A page has one; a PDF would not be shown without styles.
_NO_FRAMES = {"content-security-policy": "frame-ancestors 'none'", "x-frame-options": "DENY"}
_DATA_ONLY = {**_NO_FRAMES, "content-security-policy": "default-src 'none'; frame-ancestors 'none'"}


class Response:
    """A status, headers and the bytes of a body, ready to send."""

    __slots__ = ("body", "headers", "status")

    def __init__(
        self, body: bytes, status: int = 200, headers: Mapping[str, str] | None = None, content_type: str = _JSON
    ) -> None:
        self.body = body
        self.status = status
        self.headers = {"content-type": content_type} if body else {}
        if headers:
            self.headers.update(headers)


def with_safe_headers(headers: Mapping[str, str]) -> dict[str, str]:
    policy: Mapping[str, str] = {}
    if "content-security-policy" not in headers:
        policy = _DATA_ONLY if headers.get("content-type") == _JSON else _NO_FRAMES
    return {**SAFE_HEADERS, **policy, **headers}


def encode_headers(headers: Sequence[tuple[str, str]]) -> list[tuple[bytes, bytes]]:
    """Rejects a line break, with which a value could add headers. uvicorn would do so after it has begun to respond."""
    values = "".join([value for _, value in headers])
    if "\r" in values or "\n" in values or "\0" in values:
        raise ValueError("a header contains a line break")
    return [(name.encode("latin-1"), value.encode("latin-1")) for name, value in headers]


class LostResponse(Response):
    """Never sent: the connection is cut instead."""

    __slots__ = ()

    def __init__(self) -> None:
        super().__init__(b"", 200)


class StreamedResponse(Response):
    """A body of unknown length, sent while it is produced. It holds no connection to the database between two parts."""

    __slots__ = ("chunks",)

    def __init__(self, chunks: AsyncIterator[bytes], headers: Mapping[str, str], content_type: str) -> None:
        super().__init__(b"", 200, {"content-type": content_type, **headers})
        self.chunks = chunks


class EventStream(StreamedResponse):
    """Server-sent events, for as long as the client stays. A proxy must not collect them."""

    __slots__ = ()

    def __init__(self, chunks: AsyncIterator[bytes]) -> None:
        headers = {"cache-control": "no-store", "x-accel-buffering": "no", "x-content-type-options": "nosniff"}
        super().__init__(chunks, headers, EVENT_STREAM)


def download(chunks: AsyncIterator[bytes], file_name: str, content_type: str) -> StreamedResponse:
    """A file for the browser to save. The name must be ASCII."""
    headers = {
        "cache-control": "no-store",
        "content-disposition": f'attachment; filename="{file_name}"',
        "x-content-type-options": "nosniff",
    }
    return StreamedResponse(chunks, headers, content_type)


def encode(value: object) -> bytes:
    return _ENCODER.encode(value)


def json_response(value: object, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    return Response(encode(value), status, headers)


def data_response(
    document: str | bytes | None, status: int = 200, headers: Mapping[str, str] | None = None
) -> Response:
    """One record, encoded as JSON by the database; None if the record does not exist."""
    body = b'{"data":null}' if document is None else b'{"data":' + _bytes(document) + b"}"
    return Response(body, status, headers)


def _bytes(document: str | bytes) -> bytes:
    return document if isinstance(document, bytes) else document.encode()


def with_fields(body: bytes, names: Collection[str]) -> bytes:
    """The same response, whose records have only these fields. Without names, or without records, it stays as it is."""
    if not names or not body:
        return body
    envelope = _ENVELOPE.decode(body)
    records = _RECORDS.decode(envelope["data"])
    if isinstance(records, list):
        selected: object = [_selected(record, names) for record in records]
    else:
        selected = None if records is None else _selected(records, names)
    return encode({**envelope, "data": selected})


def _selected(record: Mapping[str, msgspec.Raw], names: Collection[str]) -> dict[str, msgspec.Raw]:
    return {name: value for name, value in record.items() if name in names}


def page_response(
    page: Page,
    page_request: PageRequest,
    address: str,
    filters: Mapping[str, str],
    next_filters: Mapping[str, str] | None = None,
    next_since: str | None = None,
) -> Response:
    """The pagination envelope around documents that are encoded as JSON.

    With `next_filters` the next page is the first one of another list, which begins behind this page.
    """
    last = page.last_page(page_request)

    def link(number: int, filters: Mapping[str, str] = filters) -> str:
        filter_query = f"{urlencode(filters)}&" if filters else ""
        return f"{address}?{filter_query}page={number}&per_page={page_request.per_page}"

    has_next = page_request.page < last
    links = {
        "first": link(1),
        "last": link(last),
        "prev": link(min(page_request.page - 1, last)) if page_request.page > 1 else None,
        "next": link(page_request.page + 1) if has_next else None,
    }
    if has_next and next_filters is not None:
        links["next"] = link(1, next_filters)
    meta: dict[str, int | str] = {
        "current_page": page_request.page,
        "last_page": last,
        "per_page": page_request.per_page,
        "total": page.total,
    }
    if next_since is not None:
        meta["next_since"] = next_since
    return Response(
        b'{"data":' + _bytes(page.documents) + b',"links":' + encode(links) + b',"meta":' + encode(meta) + b"}"
    )


def error_response(error: WireError, request_id: str, origin: str) -> Response:
    body = error_body(error.code, error.message, request_id, origin)
    if error.errors:
        body["errors"] = error.errors
    if error.details:
        body["details"] = error.details
    return Response(encode(body), error.status, error.headers)


def error_body(code: Code, message: str, request_id: str, origin: str) -> dict[str, Any]:
    """What every error has."""
    return {"error": code, "message": message, "request_id": request_id, "doc_url": doc_url(origin, code)}
