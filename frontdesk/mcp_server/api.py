"""Calls of the Open API for one caller: documents as they came, errors as texts that say what to do."""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

import msgspec

from frontdesk_client import ApiError, FrontdeskError
from frontdesk_client.request import ApiRequest, path, read
from frontdesk_client.transports import AsyncTransport, Plan

Document = dict[str, Any]

_ENCODER = msgspec.json.Encoder(decimal_format="number")
_READ_LIMIT = 25  # records of a page; a person who reads them wants few


class Api:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def get(self, template: str, query: Mapping[str, object], record_id: str = "") -> Document:
        request: ApiRequest[Document] = read(path(template, record_id), Document, **query)
        return await self._transport.send(request)

    async def data(self, template: str, record_id: str) -> Any:  # noqa: ANN401 - a document of the API
        return (await self.get(template, {}, record_id))["data"]

    async def page(self, template: str, *, page: int | None, **query: object) -> Document:
        """Without the addresses of other pages, which a tool cannot open."""
        found = await self.get(template, {"page": page, "per_page": _READ_LIMIT, **query})
        return {"data": found["data"], "meta": found["meta"]}

    async def every(self, template: str, **query: object) -> list[Document]:
        records: list[Document] = []
        number, last = 1, 1
        while number <= last:
            found = await self.get(template, {"page": number, "per_page": 100, **query})
            records += found["data"]
            number, last = number + 1, found["meta"]["last_page"]
        return records

    async def send(self, request: ApiRequest[Document]) -> Document:
        return await self._transport.send(request)

    async def dry_run(self, request: ApiRequest[Document]) -> Document:
        """Of a request with an Idempotency-Key, as every write has one."""
        return await AsyncTransport(self._transport.session, self._transport.http_client, Plan([], [])).send(request)


def encode(document: object) -> bytes:
    """Amounts keep their digits."""
    return _ENCODER.encode(document)


def decimal(value: object) -> Decimal:
    return value if isinstance(value, Decimal) else Decimal(str(value))


def error_text(error: FrontdeskError) -> str:
    if not isinstance(error, ApiError):
        return f"{error}. Nothing is known about what happened: call the tool again with the same arguments."
    lines = [f"{error.code or error.status}: {error.message}", *_field_lines(error)]
    if error.details:
        lines.append(f"details: {encode(error.details).decode()}")
    if error.retry_after is not None:
        lines.append(f"Try again in {error.retry_after:g} seconds.")
    if error.doc_url:
        lines.append(f"About this code: {error.doc_url}")
    if error.request_id:
        lines.append(f"request_id: {error.request_id}")
    return "\n".join(lines)


def _field_lines(error: ApiError) -> Sequence[str]:
    return [f"{field}: {text}" for field, texts in error.errors.items() if field for text in texts]
