"""Calls of the Open API with the credentials of the environment."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from decimal import Decimal
from http import HTTPStatus
from typing import Any

import msgspec

from frontdesk.errors import StartupError
from frontdesk_client import ApiError, ConnectionFailed, FrontdeskError, RetryPolicy
from frontdesk_client.models import DataResponse
from frontdesk_client.request import ApiRequest, delete, path, post_query, read, write
from frontdesk_client.session import Credentials, Session
from frontdesk_client.transports import AsyncTransport

Document = dict[str, Any]

_SERVER_ERROR = HTTPStatus.INTERNAL_SERVER_ERROR
_TRY_AGAIN = {HTTPStatus.REQUEST_TIMEOUT, HTTPStatus.CONFLICT, HTTPStatus.TOO_MANY_REQUESTS}


class _Answer(msgspec.Struct):
    data: Document


class _List(msgspec.Struct):
    data: list[Document]


class Api:
    def __init__(self, transport: AsyncTransport) -> None:
        self.transport = transport

    async def get(self, template: str, record_id: str = "", **query: object) -> Document:
        request: ApiRequest[_Answer] = read(path(template, record_id), _Answer, **query)
        return (await self.transport.send(request)).data

    async def page(self, template: str, record_id: str = "", **query: object) -> list[Document]:
        """The first records of a list."""
        request: ApiRequest[_List] = read(path(template, record_id), _List, **query)
        return (await self.transport.send(request)).data

    async def ask(self, template: str, **fields: object) -> Document:
        """A POST that writes nothing."""
        request: ApiRequest[_Answer] = post_query(template, _Answer, **fields)
        return (await self.transport.send(request)).data

    async def write(self, method: str, template: str, record_id: str = "", **fields: object) -> Document:
        """The record that was written; {} if the answer has none."""
        request = write(method, path(template, record_id), DataResponse[Document | None], None, **fields)
        return (await self.transport.send(request)).data or {}

    async def post(self, template: str, record_id: str = "", **fields: object) -> Document:
        return await self.write("POST", template, record_id, **fields)

    async def delete(self, template: str, record_id: str, **query: object) -> None:
        """What is deleted, beyond the path, is in the query."""
        await self.transport.send(delete(path(template, record_id), None, **query))


def new_session(base_url: str, client_id: str | None, client_secret: str | None, retry_policy: RetryPolicy) -> Session:
    if not (client_id and client_secret):
        raise StartupError(
            "no credentials: set FRONTDESK_CLIENT_ID and FRONTDESK_CLIENT_SECRET; `frontdesk sandbox` creates them"
        )
    try:
        return Session(base_url, Credentials(client_id, client_secret), None, retry_policy)
    except ValueError as error:
        raise StartupError(str(error)) from error


@asynccontextmanager
async def connected(
    base_url: str, client_id: str | None, client_secret: str | None, retry_policy: RetryPolicy
) -> AsyncIterator[Api]:
    """What goes wrong is told in one line."""
    transport = AsyncTransport(new_session(base_url, client_id, client_secret, retry_policy))
    try:
        yield Api(transport)
    except FrontdeskError as error:
        raise StartupError(str(error)) from error
    finally:
        await transport.http_client.aclose()


async def require_sandbox(api: Api) -> None:
    """Asked first, so that nothing is written anywhere else."""
    try:
        await api.get("/sandbox/clock")
    except ApiError as error:
        if error.code != "sandbox_only":
            raise
        raise StartupError("this business is not a sandbox: nothing was done") from None


def is_temporary(error: FrontdeskError) -> bool:
    """Whether the same request may succeed in a moment."""
    if isinstance(error, ConnectionFailed):
        return True
    return isinstance(error, ApiError) and (error.status >= _SERVER_ERROR or error.status in _TRY_AGAIN)


def amount(value: object) -> Decimal:
    return value if isinstance(value, Decimal) else Decimal(str(value))
