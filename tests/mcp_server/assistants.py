"""Programs that use the tools, with the SDK's own client: over the standard streams, over HTTP, and in this process."""

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

import httpx2
import uvicorn
from mcp import Client as Assistant
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp_types import CallToolResult, TextContent

from frontdesk.mcp_server.callers import Caller, Client
from frontdesk.mcp_server.serve import PATH, HttpServer, http_app
from frontdesk.mcp_server.server import make_server
from tests.factories.credentials import ApiClient
from tests.support.programs.commands import FRONTDESK, free_port, settings_environment
from tests.support.shop import NO_CERTIFICATES, OPEN_API
from tests.support.waiting import eventually


class OwnToken:
    def __init__(self, client: Client) -> None:
        self._client = client

    async def current(self) -> Caller:
        return await self._client.own_caller()


@asynccontextmanager
async def connected(client: ApiClient) -> AsyncIterator[Client]:
    made = Client(client.shop.origin + OPEN_API, client.name, client.secret)
    try:
        yield made
    finally:
        await made.close()


@asynccontextmanager
async def assistant_here(client: ApiClient) -> AsyncIterator[Assistant]:
    async with connected(client) as made, Assistant(make_server(OwnToken(made))) as assistant:
        yield assistant


@asynccontextmanager
async def assistant_by_streams(client: ApiClient) -> AsyncIterator[Assistant]:
    environment = settings_environment(
        base_url=client.shop.origin + OPEN_API, client_id=client.name, client_secret=client.secret
    )
    program = StdioServerParameters(command=str(FRONTDESK), args=["mcp"], env=environment)
    async with Assistant(stdio_client(program)) as assistant:
        yield assistant


@asynccontextmanager
async def served(client: ApiClient) -> AsyncIterator[str]:
    """The address of the tools over HTTP."""
    async with connected(client) as made:
        port = free_port()
        config = uvicorn.Config(http_app(made), host="127.0.0.1", port=port, ws="none", log_config=None, lifespan="on")
        server = HttpServer(config)
        running = asyncio.create_task(server.serve())
        await eventually(lambda: server.started)
        try:
            yield f"http://127.0.0.1:{port}{PATH}"
        finally:
            server.should_exit = True
            await running


@asynccontextmanager
async def assistant_over_http(address: str, token: str) -> AsyncIterator[Assistant]:
    headers = {"authorization": f"Bearer {token}"}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=60, verify=NO_CERTIFICATES) as http,
        Assistant(streamable_http_client(address, http_client=http)) as assistant,
    ):
        yield assistant


async def tool_names(assistant: Assistant) -> set[str]:
    return {tool.name for tool in (await assistant.list_tools()).tools}


async def call(assistant: Assistant, tool: str, **arguments: object) -> Any:
    """The document of the answer."""
    result = await assistant.call_tool(tool, arguments)
    assert not result.is_error, text_of(result)
    return json.loads(text_of(result))


async def refusal(assistant: Assistant, tool: str, arguments: Mapping[str, object]) -> str:
    result = await assistant.call_tool(tool, dict(arguments))
    assert result.is_error, text_of(result)
    return text_of(result)


def text_of(result: CallToolResult) -> str:
    (content,) = result.content
    assert isinstance(content, TextContent)
    return content.text
