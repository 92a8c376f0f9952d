"""One OpenAPI operation: parameters, body, responses, errors and links."""

import inspect
import re
from typing import Any, NamedTuple, get_args, get_origin

import msgspec

from frontdesk.apis.affected_bookings import ScheduleResponse
from frontdesk.apis.dry_run import WriteResponse
from frontdesk.apis.openapi.error_docs import ERROR_DOCS
from frontdesk.apis.openapi.errors import error_schema
from frontdesk.apis.openapi.examples import Examples
from frontdesk.apis.openapi.headers import header_names, references
from frontdesk.apis.openapi.schemas import Schema, Schemas
from frontdesk.apis.openapi.tags import Tag, tag_of
from frontdesk.http.endpoints import JSON, Endpoint
from frontdesk.http.errors import STATUS, Code
from frontdesk.http.pagination import DataResponse, PageResponse
from frontdesk.http.writes import DRY_RUN

_PARAMETER = re.compile(r"\{(\w+)\}")
_REQUEST_ID: Schema = {"type": "string", "minLength": 1, "maxLength": 128, "pattern": r"^[A-Za-z0-9._\-]+$"}
_SUCCESS = {200: "OK.", 201: "Created.", 202: "Accepted.", 204: "No content."}
_ANYWHERE = (Code.INTERNAL_ERROR, Code.SERVICE_UNAVAILABLE, Code.TEMPORARILY_UNAVAILABLE)


class SchemaContext(NamedTuple):
    """What all operations of one description share."""

    schemas: Schemas
    examples: Examples
    auth_errors: tuple[Code, ...]  # of every authenticated operation
    schemes: dict[str, Schema]  # security schemes by name
    tags: dict[str, Tag]
    operations: list[Endpoint]
    shared_errors: dict[str, Schema]  # error responses that several operations share, by name


def describe_operation(operation: Endpoint, context: SchemaContext) -> dict[str, Any]:
    summary, _, rest = (inspect.getdoc(operation.handler) or operation.handler.__name__).partition("\n")
    paragraphs = [
        rest.strip(),
        f"Requires the scope `{operation.scope}`." if operation.scope else "",
        operation.docs.text,
    ]
    described: dict[str, Any] = {
        "operationId": operation.handler.__name__,
        "tags": [tag_of(operation.path, context.tags).name],
        "summary": summary.rstrip("."),
        "description": "\n\n".join(filter(None, paragraphs)) or summary,
        "security": _security(operation, context.schemes),
    }
    if operation.deprecation:
        described["deprecated"] = True
    parameters = _path_parameters(operation) + _query_parameters(operation, context) + _header_parameters(operation)
    if parameters:
        described["parameters"] = parameters
    body = _body(operation, context)
    if body:
        described["requestBody"] = body
    described["responses"] = {**_success_responses(operation, context), **_error_responses(operation, context)}
    return described


def error_codes(operation: Endpoint, auth_errors: tuple[Code, ...]) -> list[Code]:
    """The codes it declares, and those that follow from its properties."""
    codes = [*operation.errors, *_ANYWHERE]
    if operation.requires_auth:
        codes += auth_errors
    if operation.scope:
        codes.append(Code.INSUFFICIENT_SCOPE)
        if operation.method == "GET":
            codes.append(Code.BUDGET_EXCEEDED)
    if operation.params:
        codes.append(Code.NOT_FOUND)
    if operation.query or operation.body or operation.docs.takes or operation.record_fields:
        codes.append(operation.validation_code)
    if operation.body or operation.docs.takes or operation.writes:
        codes += [Code.REQUEST_TIMEOUT, Code.PAYLOAD_TOO_LARGE]
    if operation.writes:
        codes += [Code.IDEMPOTENCY_KEY_IN_USE, Code.IDEMPOTENCY_KEY_REUSED, Code.VALIDATION_ERROR]
    if operation.deprecation:
        codes.append(Code.GONE)
    return [code for code in Code if code in codes]


def _security(operation: Endpoint, schemes: dict[str, Schema]) -> list[dict[str, list[str]]]:
    """Only a scheme of OAuth lists scopes."""
    if not operation.requires_auth:
        return []
    scopes = [operation.scope] if operation.scope else []
    return [{name: scopes if scheme["type"] == "oauth2" else []} for name, scheme in schemes.items()]


def _path_parameters(operation: Endpoint) -> list[Schema]:
    text, schema = "Identifier of the record.", {"type": "string", "format": "uuid"}
    if operation.takes_text:
        text, schema = "Id of the request, as `X-Request-Id` and the bodies of errors have it.", _REQUEST_ID
    return [
        {"name": name, "in": "path", "required": True, "description": text, "schema": schema}
        for name in _PARAMETER.findall(operation.path)
    ]


def _query_parameters(operation: Endpoint, context: SchemaContext) -> list[Schema]:
    found = [_fields_parameter(operation)] if operation.record_fields else []
    if operation.query is None:
        return found
    for name, schema, required in context.schemas.properties(operation.query):
        text = schema.pop("description", "")
        parameter = {"name": name, "in": "query", "required": required, "description": text, "schema": schema}
        by_key = {"style": "deepObject", "explode": True} if schema.get("type") == "object" else {}
        found.append({**parameter, **by_key})
    return found


def _fields_parameter(operation: Endpoint) -> Schema:
    names = {"type": "string", "enum": list(operation.record_fields)}
    return {
        "name": "fields",
        "in": "query",
        "required": False,
        "description": "Names of fields, separated by commas. The records of the response have only these, also where "
        "the schema of the response requires others.",
        "schema": {"type": "array", "items": names, "minItems": 1, "maxItems": len(operation.record_fields)},
        "style": "form",
        "explode": False,
    }


def _header_parameters(operation: Endpoint) -> list[Schema]:
    names = ["Idempotency-Key"] if operation.writes else []
    names += [DRY_RUN] if operation.can_dry_run else []
    names += ["If-None-Match"] if operation.docs.has_etag else []
    return [{"$ref": f"#/components/parameters/{name}"} for name in names]


def _body(operation: Endpoint, context: SchemaContext) -> Schema | None:
    kind = operation.body or operation.docs.takes
    if kind is None:
        return None
    schema = context.schemas.of(kind)
    if operation.docs.or_takes is not None:
        schema = {"anyOf": [schema, context.schemas.of(operation.docs.or_takes)]}
    content = {"schema": schema, "example": context.examples.of(kind)}
    return {"required": True, "content": {JSON: content}}


def _success_responses(operation: Endpoint, context: SchemaContext) -> dict[str, Any]:
    status = operation.status
    response: dict[str, Any] = {
        "description": _SUCCESS[status],
        "headers": references(header_names(operation, status)),
    }
    if status != 204:
        response["content"] = {media: _content(operation, media, context) for media in operation.docs.media}
    links = _links(operation, context.operations)
    if links:
        response["links"] = links
    responses = {str(status): response}
    if operation.docs.has_etag:
        headers = references(header_names(operation, 304))
        responses["304"] = {"description": "Not modified since the ETag that was sent.", "headers": headers}
    return responses


def _content(operation: Endpoint, media: str, context: SchemaContext) -> Schema:
    if operation.docs.line is not None:
        return {"schema": context.schemas.of(operation.docs.line), "example": context.examples.of(operation.docs.line)}
    if media != JSON:
        return {"schema": {"type": "string"} if media.startswith("text/") else {}}
    if operation.response is None:
        return {"schema": {"type": "object"}, "example": {}}
    example = context.examples.of(operation.response)
    if operation.docs.shows:
        example["data"] |= operation.docs.shows
    return {"schema": context.schemas.of(_published(operation)), "example": example}


def _published(operation: Endpoint) -> Any:  # noqa: ANN401 - a type
    """The envelope of a write has room for what a dry run tells, that of a change of hours for the bookings."""
    if not operation.writes or get_origin(operation.response) is not DataResponse:
        return operation.response
    envelope = WriteResponse if operation.compare is None else ScheduleResponse
    return envelope[get_args(operation.response)[0]]


def _error_responses(operation: Endpoint, context: SchemaContext) -> dict[str, Any]:
    by_status: dict[int, list[Code]] = {}
    for code in error_codes(operation, context.auth_errors):
        by_status.setdefault(STATUS[code], []).append(code)
    return {
        str(status): _error_response(operation, status, codes, context) for status, codes in sorted(by_status.items())
    }


def _error_response(operation: Endpoint, status: int, codes: list[Code], context: SchemaContext) -> Schema:
    """Error responses of authenticated operations are shared components."""
    if len(codes) > 2 or not operation.requires_auth or operation.deprecation:
        return _describe_error(operation, status, codes, context)
    name = "_or_".join(code.value for code in codes)
    context.shared_errors.setdefault(name, _describe_error(operation, status, codes, context))
    return {"$ref": f"#/components/responses/{name}"}


def _describe_error(operation: Endpoint, status: int, codes: list[Code], context: SchemaContext) -> Schema:
    return {
        "description": "\n".join(f"- `{code}`: {ERROR_DOCS[code].why}" for code in codes),
        "headers": references(header_names(operation, status)),
        "content": {
            JSON: {
                "schema": error_schema(codes, context.schemas),
                "examples": {code.value: {"$ref": f"#/components/examples/{code.value}"} for code in codes},
            }
        },
    }


def _links(operation: Endpoint, others: list[Endpoint]) -> dict[str, Any]:
    """Links from a record to the operations that take its id in the path."""
    pointer = _id_pointer(operation.response)
    if pointer is None or _PARAMETER.search(operation.path):
        return {}
    found = {}
    for other in others:
        names = _PARAMETER.findall(other.path)
        if len(names) == 1 and other.path.startswith(operation.path + "/{"):
            name = other.handler.__name__
            found[name] = {"operationId": name, "parameters": {names[0]: f"$response.body#{pointer}"}}
    return found


def _id_pointer(response: Any) -> str | None:  # noqa: ANN401 - a type
    origin, kinds = get_origin(response), get_args(response)
    if (
        origin not in (DataResponse, PageResponse)
        or not isinstance(kinds[0], type)
        or not issubclass(kinds[0], msgspec.Struct)
    ):
        return None
    if "id" not in kinds[0].__struct_fields__:
        return None
    return "/data/id" if origin is DataResponse else "/data/0/id"
