"""What a tool is: its arguments, the scopes it needs, and what it does with the Open API."""

from typing import Annotated, Any, ClassVar

import msgspec
from msgspec import Meta

from frontdesk.auth.scopes import Scope
from frontdesk.mcp_server.api import Api, Document, encode
from frontdesk_client.request import ApiRequest

Fields = dict[str, Any]

Text = Annotated[str, Meta(min_length=1, max_length=200)]
Id = Annotated[str, Meta(min_length=1, max_length=64)]
Date = Annotated[str, Meta(pattern=r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$")]
Page = Annotated[
    int, Meta(ge=1, le=1_000_000, description="Page of the list. Default: 1. `meta.last_page` is the last.")
]

_CONFIRM = (
    "Leave it out at first: nothing changes, and the answer says what would happen and has the code. Send the code with"
    " the same arguments when the person agrees."
)


class Tool(msgspec.Struct, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """The fields are the arguments. The docstring is what a model reads to choose among the tools."""

    scopes: ClassVar[tuple[Scope, ...]]
    title: ClassVar[str]

    async def run(self, api: Api) -> object:
        raise NotImplementedError


class Write(Tool):
    """A tool that writes, by one request of the API."""

    is_destructive: ClassVar[bool] = False

    confirm: Annotated[str, Meta(max_length=100, description=_CONFIRM)] | None = None

    def target(self) -> tuple[str, str]:
        """Method and path."""
        raise NotImplementedError

    def body(self) -> Fields:
        raise NotImplementedError

    async def try_out(self, api: Api, code: str) -> Document:
        return await api.dry_run(self._request(code))

    async def run(self, api: Api) -> object:
        """The code that confirms a call is also its Idempotency-Key: however often it is sent, it is done once."""
        if self.confirm is None:
            raise ValueError("a write without a code")
        return (await api.send(self._request(self.confirm)))["data"]

    def arguments(self) -> Document:
        """Without the code, which stands for them."""
        sent: Document = msgspec.to_builtins(self)
        sent.pop("confirm", None)
        return sent

    def _request(self, key: str) -> ApiRequest[Document]:
        method, address = self.target()
        return ApiRequest(method, address, Document, body=encode(self.body()), idempotency_key=key)


def input_schema(kind: type[Tool]) -> Document:
    """JSON Schema of the arguments, with the named parts inside."""
    _, parts = msgspec.json.schema_components([kind], ref_template="#/$defs/{name}")
    own: Document = parts.pop(kind.__name__)
    properties = {name: _without_null(schema) for name, schema in own["properties"].items()}
    schema = {"type": "object", "properties": properties, "required": own["required"], "additionalProperties": False}
    return {**schema, "$defs": parts} if parts else schema


def _without_null(schema: Document) -> Document:
    """An argument is left out, not null: shorter to read."""
    choices = [choice for choice in schema.get("anyOf", []) if choice != {"type": "null"}]
    return choices[0] if len(choices) == 1 else schema
