"""How programs reach the tools: by the standard streams of this process, or over HTTP."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from http import HTTPStatus
from typing import NamedTuple

import uvicorn
from mcp.server.stdio import stdio_server
from mcp.server.transport_security import TransportSecuritySettings
from starlette.datastructures import Headers
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope as Connection, Send

from frontdesk.mcp_server.callers import Caller, Client
from frontdesk.mcp_server.server import make_server
from frontdesk.runtime.async_stop_signals import call_on_stop
from frontdesk_client import ApiError, FrontdeskError

PATH = "/mcp"
_MAX_BODY = 256 * 1024


class _OwnToken(NamedTuple):
    client: Client

    async def current(self) -> Caller:
        return await self.client.own_caller()


class _TokenOfRequest:
    def __init__(self) -> None:
        self.caller: ContextVar[Caller] = ContextVar("caller")

    async def current(self) -> Caller:
        return self.caller.get()


class HttpServer(uvicorn.Server):
    """Leaves the signals to this program."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield

    def stop(self) -> None:
        self.force_exit = self.should_exit  # a second stop does not wait
        self.should_exit = True


async def serve_stdio(client: Client) -> None:
    """One program, with the token of the client. Ends when the program closes the stream."""
    server = make_server(_OwnToken(client))
    with call_on_stop(_end_process, _end_process):
        async with stdio_server() as (incoming, outgoing):
            await server.run(incoming, outgoing, server.create_initialization_options())


def _end_process() -> None:
    """A thread waits for the next line, which nothing can interrupt. There is nothing to close."""
    os._exit(0)


async def serve_http(client: Client, host: str, port: int) -> None:
    config = uvicorn.Config(http_app(client), host=host, port=port, ws="none", log_level="warning", lifespan="on")
    server = HttpServer(config)
    with call_on_stop(server.stop, server.stop):
        await server.serve()


def http_app(client: Client) -> ASGIApp:
    """Every request brings its own token and nothing is kept between two, so any number of processes can serve."""
    callers = _TokenOfRequest()
    app = make_server(callers).streamable_http_app(
        streamable_http_path=PATH,
        json_response=True,
        stateless_http=True,
        max_request_body_size=_MAX_BODY,
        # No cookie and no address lets anybody in, so a page of a stranger that reaches this port gets 401.
        transport_security=TransportSecuritySettings(enable_dns_rebinding_protection=False),
    )

    async def authenticated(scope: Connection, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await app(scope, receive, send)
            return
        caller = await _authenticate(client, Headers(scope=scope).get("authorization", ""))
        if isinstance(caller, JSONResponse):
            await caller(scope, receive, send)
            return
        callers.caller.set(caller)
        await app(scope, receive, send)

    return authenticated


async def _authenticate(client: Client, authorization: str) -> Caller | JSONResponse:
    kind, _, token = authorization.partition(" ")
    try:
        caller = await client.caller(token.strip()) if kind.lower() == "bearer" and token.strip() else None
    except FrontdeskError as error:
        return _unavailable(error)
    return caller or _refused()


def _refused() -> JSONResponse:
    message = "Send a valid access token of this client: Authorization: Bearer <ACCESS_TOKEN>."
    return JSONResponse(
        {"error": "authentication_failed", "message": message},
        HTTPStatus.UNAUTHORIZED,
        headers={"WWW-Authenticate": 'Bearer realm="frontdesk"'},
    )


def _unavailable(error: FrontdeskError) -> JSONResponse:
    code = error.code if isinstance(error, ApiError) else None
    message = "Frontdesk could not check the access token. Try again."
    return JSONResponse(
        {"error": code or "service_unavailable", "message": message},
        HTTPStatus.SERVICE_UNAVAILABLE,
        headers={"Retry-After": "5"},
    )
