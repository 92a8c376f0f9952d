"""The types of TypeScript for a description: its operations by path and method, and its schemas by name."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

_METHODS = ("delete", "get", "patch", "post", "put")
_NAMES = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null"}
_Schema = Mapping[str, Any]


def schema_types(description: Mapping[str, Any]) -> str:
    lines = ["// Made from the description of the Open API.", "export interface paths {"]
    for path, operations in description["paths"].items():
        lines.append(f"  {json.dumps(path)}: {{")
        for method in _METHODS:
            if method in operations:
                lines += _operation(method, operations[method], description)
        lines.append("  };")
    lines += ["}", "export interface components {", "  schemas: {"]
    for name, schema in description["components"]["schemas"].items():
        lines += _comment(schema, "    ")
        lines.append(f"    {json.dumps(name)}: {_type(schema, '    ')};")
    return "\n".join([*lines, "  };", "}", ""])


def _operation(method: str, operation: _Schema, description: Mapping[str, Any]) -> Iterator[str]:
    yield from _comment({**operation, "description": operation["summary"]}, "    ")
    yield f"    {method}: {{"
    yield "      parameters: {"
    parameters = [_resolved(parameter, description) for parameter in operation.get("parameters", ())]
    for place in ("path", "query"):
        yield from _parameters(place, [parameter for parameter in parameters if parameter["in"] == place])
    yield "      };"
    if "requestBody" in operation:
        yield f"      requestBody: {_content(operation['requestBody'])};"
    else:
        yield "      requestBody?: never;"
    yield "      responses: {"
    for status, response in operation["responses"].items():
        yield f"        {status}: {_content(_resolved(response, description))};"
    yield "      };"
    yield "    };"


def _parameters(place: str, parameters: list[_Schema]) -> Iterator[str]:
    if not parameters:
        yield f"        {place}?: never;"
        return
    is_required = any(parameter.get("required") for parameter in parameters)
    yield f"        {place}{'' if is_required else '?'}: {{"
    for parameter in parameters:
        yield from _comment(parameter, "          ")
        yield _field(parameter["name"], parameter["schema"], "          ", is_required=parameter.get("required", False))
    yield "        };"


def _resolved(part: _Schema, description: Mapping[str, Any]) -> _Schema:
    if "$ref" not in part:
        return part
    _, _, kind, name = part["$ref"].split("/")
    found: _Schema = description["components"][kind][name]
    return found


def _content(part: _Schema) -> str:
    """A request body or a response."""
    kinds = [f"{json.dumps(kind)}: {_type(body['schema'], '')}" for kind, body in part.get("content", {}).items()]
    return f"{{ content: {{ {'; '.join(kinds)} }} }}" if kinds else "{ content?: never }"


def _type(schema: _Schema, indent: str) -> str:
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return f'components["schemas"][{json.dumps(name)}]'
    if "const" in schema:
        return json.dumps(schema["const"], ensure_ascii=False)
    if "enum" in schema:
        return " | ".join(json.dumps(value, ensure_ascii=False) for value in schema["enum"])
    alternatives = schema.get("anyOf") or schema.get("oneOf")
    if alternatives:
        return " | ".join(_type(alternative, indent) for alternative in alternatives)
    kinds = schema.get("type", "unknown")
    return " | ".join(_one_type(kind, schema, indent) for kind in ([kinds] if isinstance(kinds, str) else kinds))


def _one_type(kind: str, schema: _Schema, indent: str) -> str:
    if kind == "array":
        return f"({_type(schema['items'], indent)})[]"
    if kind == "object":
        return _object(schema, indent)
    return _NAMES.get(kind, "unknown")


def _object(schema: _Schema, indent: str) -> str:
    if "properties" not in schema:
        values = schema.get("additionalProperties", {})
        return f"{{ [key: string]: {_type(values, indent) if isinstance(values, Mapping) else 'unknown'} }}"
    deeper = indent + "  "
    lines = ["{"]
    for name, field in schema["properties"].items():
        lines += _comment(field, deeper)
        lines.append(_field(name, field, deeper, is_required=name in schema.get("required", ())))
    return "\n".join([*lines, indent + "}"])


def _field(name: str, schema: _Schema, indent: str, *, is_required: bool) -> str:
    return f"{indent}{json.dumps(name)}{'' if is_required else '?'}: {_type(schema, indent)};"


def _comment(part: _Schema, indent: str) -> list[str]:
    said = " ".join(part.get("description", "").split()).replace("*/", "* /")
    if part.get("deprecated"):
        said = f"{said} @deprecated".lstrip()
    return [f"{indent}/** {said} */"] if said else []
