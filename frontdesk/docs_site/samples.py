"""A request as people send it: with curl, from Python and from TypeScript. Made from the example of the description."""

import json
import shlex
from typing import Any

from frontdesk.docs_site.operations import Operation

_FORM = "application/x-www-form-urlencoded"
_PYTHON = {
    '"Bearer $TOKEN"': 'f"Bearer {token}"',
    '"$API_KEY"': "api_key",
    ": true": ": True",
    ": false": ": False",
    ": null": ": None",
}


def samples(operation: Operation, origin: str) -> dict[str, str]:
    """By the name of the language."""
    return {
        "curl": _curl(operation, origin),
        "Python": _python(operation, origin),
        "TypeScript": _fetch(operation, origin),
    }


def _headers(operation: Operation) -> dict[str, str]:
    headers: dict[str, str] = {}
    if operation.is_authenticated:
        headers |= {"X-Api-Key": "$API_KEY"} if operation.api == "key-api" else {"Authorization": "Bearer $TOKEN"}
    if any(header.name == "Idempotency-Key" for header in operation.headers):
        headers["Idempotency-Key"] = "web-1049"
    if operation.body_type == "application/json":
        headers["Content-Type"] = operation.body_type
    return headers


def _url(operation: Operation, origin: str) -> str:
    """The names of path parameters stay in braces: they must be replaced."""
    return origin + operation.path


def _curl(operation: Operation, origin: str) -> str:
    lines = [
        f"curl {'' if operation.method in ('GET', 'POST') else f'-X {operation.method} '}{_url(operation, origin)}"
    ]
    lines += [f'  -H "{name}: {value}"' for name, value in _headers(operation).items()]
    if operation.body_type == _FORM and operation.request:
        lines += [f"  -d {shlex.quote(f'{name}={value}')}" for name, value in operation.request.items()]
    elif operation.request is not None:
        lines.append(f"  -d '{_indented(operation.request, 2)}'")
    elif operation.method == "POST":
        lines[0] = lines[0].replace("curl ", "curl -X POST ", 1)
    return " \\\n".join(lines)


def _python(operation: Operation, origin: str) -> str:
    headers = {name: value for name, value in _headers(operation).items() if name != "Content-Type"}
    lines = ["import httpx", "", f"response = httpx.{operation.method.lower()}(", f'    "{_url(operation, origin)}",']
    if headers:
        lines.append(f"    headers={_python_value(headers)},")
    if operation.request is not None:
        keyword = "data" if operation.body_type == _FORM else "json"
        lines.append(f"    {keyword}={_python_value(operation.request)},")
    return "\n".join([*lines, ")", "response.raise_for_status()", "print(response.json())"])


def _python_value(value: Any) -> str:  # noqa: ANN401 - any JSON value
    text = _indented(value, 4, indent=4)
    for json_text, python_text in _PYTHON.items():
        text = text.replace(json_text, python_text)
    return text


def _fetch(operation: Operation, origin: str) -> str:
    headers = {
        name: value.replace("$TOKEN", "${token}").replace("$API_KEY", "${apiKey}")
        for name, value in _headers(operation).items()
    }
    lines = [f'const response = await fetch("{_url(operation, origin)}", {{', f'  method: "{operation.method}",']
    if headers:
        lines.append("  headers: {")
        lines += [f"    {json.dumps(name)}: {_quoted(value)}," for name, value in headers.items()]
        lines.append("  },")
    if operation.body_type == _FORM and operation.request:
        lines.append(f"  body: new URLSearchParams({_indented(operation.request, 2)}),")
    elif operation.request is not None:
        lines.append(f"  body: JSON.stringify({_indented(operation.request, 2)}),")
    return "\n".join(
        [
            *lines,
            "});",
            "if (!response.ok) throw new Error(await response.text());",
            "const body = await response.json();",
        ]
    )


def _quoted(value: str) -> str:
    return f"`{value}`" if "${" in value else json.dumps(value)


def _indented(value: Any, depth: int, indent: int = 2) -> str:  # noqa: ANN401 - any JSON value
    """JSON whose lines after the first are indented, as they stand inside a sample."""
    return json.dumps(value, indent=indent, ensure_ascii=False).replace("\n", "\n" + " " * depth)
