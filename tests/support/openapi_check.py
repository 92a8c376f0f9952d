"""The service behind a reader who holds every answer against the published description."""

import copy
from collections.abc import Awaitable, Callable
from functools import cache
from typing import Any
from urllib.parse import parse_qsl

import jsonschema_rs
import msgspec

from frontdesk.apis.open.exports import LINES
from frontdesk.apis.openapi.build import description
from frontdesk.apis.openapi.document import KEY_API, OPEN_API
from frontdesk.http.routing import Routes
from frontdesk.server.app import Frontdesk

Send = Callable[[Any], Awaitable[None]]
_JSON = "application/json"
_SCHEMAS = "urn:schemas"  # the name of the document that has those of all answers


class Place(msgspec.Struct, frozen=True):
    method: str
    path: str


class ResponseValidator:
    """Passes everything on, and keeps what was not as described."""

    def __init__(self, app: Frontdesk) -> None:
        self._app = app
        self.violations: dict[str, None] = {}  # in the order they were found
        self.seen: set[tuple[str, str, str, int]] = set()

    async def __call__(self, scope: dict[str, Any], receive: Callable[[], Awaitable[Any]], send: Send) -> None:
        if scope["type"] != "http" or scope["method"] == "HEAD":
            await self._app(scope, receive, send)
            return
        sent: list[Any] = []

        async def keep(message: Any) -> None:
            sent.append(message)
            await send(message)

        await self._app(scope, receive, keep)
        if sent:
            self._compare(scope, sent)

    def _compare(self, scope: dict[str, Any], sent: list[Any]) -> None:
        found = _operation(scope["method"], scope["path"])
        if found is None:
            return
        interface, path = found
        status = sent[0]["status"]
        self.seen.add((interface, scope["method"], path, status))
        headers = {name.decode().lower(): value.decode() for name, value in sent[0]["headers"]}
        body = b"".join(message.get("body", b"") for message in sent[1:])
        where = f"{scope['method']} {path} {status}"
        selects = "fields" in dict(parse_qsl(scope.get("query_string", b"").decode()))
        for lie in _violations(interface, scope["method"], path, status, headers, body, selects=selects):
            self.violations[f"{where}: {lie}"] = None


def _operation(method: str, path: str) -> tuple[str, str] | None:
    for name in (OPEN_API.key, KEY_API.key):
        prefix = description(name)["servers"][0]["url"]
        if path.startswith(prefix + "/"):
            try:
                place, _ = _routes(name).find(method, path[len(prefix) :])
            except Exception:  # noqa: BLE001 - an address or method that is not described
                return None
            return name, place.path
    return None


@cache
def _routes(name: str) -> Routes[Place]:
    places = [Place(method.upper(), path) for path, methods in description(name)["paths"].items() for method in methods]
    return Routes(places)


def _violations(
    name: str, method: str, path: str, status: int, headers: dict[str, str], body: bytes, *, selects: bool
) -> list[str]:
    answers = description(name)["paths"][path][method.lower()]["responses"]
    if str(status) not in answers:
        return [f"no such answer is described: {body[:200]!r}"]
    answer = _resolved(answers[str(status)], description(name))
    lies = [
        f"the header {header} is missing"
        for header, about in answer.get("headers", {}).items()
        if _resolved(about, description(name))["required"] and header.lower() not in headers
    ]
    content = answer.get("content", {})
    media = headers.get("content-type", "").partition(";")[0]
    if not content:
        return lies + (["a body is not described"] if body else [])
    if media not in content:
        return [*lies, f"{media} is not described"]
    if media == _JSON:
        whole = validator(name, path, method.lower(), str(status), selects=selects and status == 200)
        errors = whole.iter_errors(msgspec.json.decode(body))
        lies += [f"{error.instance_path}: {error.message}"[:300] for error in errors]
        if status >= 400 and (code := msgspec.json.decode(body)["error"]) not in content[_JSON]["examples"]:
            lies.append(f"{code} is not described")
    if media == LINES:
        line = validator(name, path, method.lower(), str(status), LINES)
        for text in body.splitlines():
            lies += [
                f"{error.instance_path}: {error.message}"[:300] for error in line.iter_errors(msgspec.json.decode(text))
            ]
    return lies


@cache
def validator(name: str, path: str, method: str, status: str, media: str = _JSON, *, selects: bool = False) -> Any:
    """Of the answer's schema. `selects`: records have only the fields that were asked for."""
    whole = description(name)
    answer = _resolved(whole["paths"][path][method]["responses"][status], whole)
    schema = answer["content"][media]["schema"]
    if selects and any(parameter.get("name") == "fields" for parameter in _parameters(whole, path, method)):
        return _check(schema, _registry(name, _without_required(name, _resolved(schema, whole)["properties"]["data"])))
    return closed_validator(name, schema)


def closed_validator(name: str, schema: dict[str, Any]) -> Any:
    """Of a schema of a description, with every object closed, so that no field is left undescribed."""
    return _check(schema, _shared_registry(name))


def _check(schema: dict[str, Any], registry: jsonschema_rs.Registry) -> Any:
    document = _in_registry(copy.deepcopy(schema))
    _close(document)
    return jsonschema_rs.Draft202012Validator(document, registry=registry, validate_formats=True)


def _in_registry(schema: Any) -> Any:
    if isinstance(schema, dict):
        return {key: _SCHEMAS + value if key == "$ref" else _in_registry(value) for key, value in schema.items()}
    return [_in_registry(inner) for inner in schema] if isinstance(schema, list) else schema


@cache
def _shared_registry(name: str) -> jsonschema_rs.Registry:
    """What the answers refer to is read once for all of them: there are more than a thousand."""
    return _registry(name, {})


def _registry(name: str, others: dict[str, Any]) -> jsonschema_rs.Registry:
    return jsonschema_rs.Registry([(_SCHEMAS, {"components": {"schemas": _closed_schemas(name) | others}})])


@cache
def _closed_schemas(name: str) -> dict[str, Any]:
    schemas: dict[str, Any] = copy.deepcopy(description(name)["components"]["schemas"])
    _close(schemas)
    return schemas


def _parameters(whole: dict[str, Any], path: str, method: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = whole["paths"][path][method].get("parameters", [])
    return found


def _without_required(name: str, data: dict[str, Any]) -> dict[str, Any]:
    arms = data.get("anyOf", [data.get("items", data)])
    names = [arm["$ref"].rpartition("/")[2] for arm in arms if "$ref" in arm]
    return {one: {**_closed_schemas(name)[one], "required": []} for one in names}


def _close(schema: Any) -> None:
    if isinstance(schema, dict):
        if schema.get("type") == "object" and "properties" in schema:
            schema.setdefault("additionalProperties", False)
        for inner in schema.values():
            _close(inner)
    elif isinstance(schema, list):
        for inner in schema:
            _close(inner)


def _resolved(part: dict[str, Any], whole: dict[str, Any]) -> dict[str, Any]:
    if "$ref" not in part:
        return part
    found: Any = whole
    for step in part["$ref"].removeprefix("#/").split("/"):
        found = found[step]
    return dict(found)
