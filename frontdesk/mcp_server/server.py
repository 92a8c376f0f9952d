"""The MCP server: lists the tools that a token allows, and runs them."""

from typing import Any

import mcp_types as types
import msgspec
from mcp.server.lowlevel import Server

from frontdesk import __version__
from frontdesk.mcp_server.api import encode, error_text
from frontdesk.mcp_server.callers import Caller, Callers
from frontdesk.mcp_server.tool import Tool, Write, input_schema
from frontdesk.mcp_server.toolbox import TOOLS, missing_scopes
from frontdesk_client import FrontdeskError

_INSTRUCTIONS = (
    "These tools read the bookings, customers, catalogue and staff of one business, and change bookings and customers."
    " Ids come from other tools: find the record first. Dates are days of the business, and times without an offset are"
    " in its time zone. A tool that changes something says first what would happen, with a code: show that to the"
    " person, and send the code as `confirm` when they agree."
)
_NEXT = "Nothing was changed. If the person wants this, call the tool again with the same arguments and `confirm`."


def make_server(callers: Callers) -> Server[dict[str, Any]]:
    async def list_tools(_context: object, _params: object) -> types.ListToolsResult:
        caller = await callers.current()
        allowed = {name: kind for name, kind in TOOLS.items() if not missing_scopes(kind, caller.scopes)}
        return types.ListToolsResult(tools=[_described(name, kind) for name, kind in allowed.items()])

    async def call_tool(_context: object, params: types.CallToolRequestParams) -> types.CallToolResult:
        try:
            return await _call(await callers.current(), params.name, params.arguments or {})
        except FrontdeskError as error:
            return _failed(error_text(error))

    return Server(
        "frontdesk",
        version=__version__,
        title="Frontdesk",
        instructions=_INSTRUCTIONS,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )


async def _call(caller: Caller, name: str, arguments: dict[str, Any]) -> types.CallToolResult:
    kind = TOOLS.get(name)
    if kind is None:
        return _failed(f"{name!r} is not a tool. The tools are {', '.join(TOOLS)}.")
    missing = missing_scopes(kind, caller.scopes)
    if missing:
        return _failed(f"insufficient_scope: {name} needs {', '.join(missing)}, which the business has not approved.")
    try:
        tool = msgspec.convert(arguments, kind)
    except msgspec.ValidationError as error:
        return _failed(f"validation_error: {error}. Arguments of {name}: {', '.join(kind.__struct_fields__)}.")
    if isinstance(tool, Write):
        return await _write(caller, name, tool)
    return _answered(await tool.run(caller.api))


async def _write(caller: Caller, name: str, tool: Write) -> types.CallToolResult:
    if tool.confirm is None:
        code = caller.confirmations.give(name, tool.arguments())
        tried = await tool.try_out(caller.api, code)
        events = [event["type"] for event in tried["dry_run"]["events"]]
        return _answered({"next": _NEXT, "confirm": code, "would_be": tried["data"], "would_emit": events})
    refusal = caller.confirmations.refusal(tool.confirm, name, tool.arguments())
    if refusal is not None:
        return _failed(f"validation_error: confirm {refusal}. Call {name} without it, and use the code of that answer.")
    return _answered(await tool.run(caller.api))


def _described(name: str, kind: type[Tool]) -> types.Tool:
    return types.Tool(
        name=name,
        title=kind.title,
        description=kind.__doc__,
        input_schema=input_schema(kind),
        annotations=types.ToolAnnotations(
            read_only_hint=not issubclass(kind, Write),
            destructive_hint=issubclass(kind, Write) and kind.is_destructive,
            idempotent_hint=True,
            open_world_hint=False,
        ),
    )


def _answered(document: object) -> types.CallToolResult:
    """As text with the digits of every amount, and as a document for programs."""
    text = encode(document)
    content = msgspec.json.decode(text)
    structured = content if isinstance(content, dict) else {"data": content}
    return types.CallToolResult(content=[types.TextContent(text=text.decode())], structured_content=structured)


def _failed(text: str) -> types.CallToolResult:
    return types.CallToolResult(content=[types.TextContent(text=text)], is_error=True)
