"""One schema per error code, so that `error` determines the form of `details`."""

from collections.abc import Sequence
from typing import Any

from frontdesk.apis.openapi.error_details import DETAILS
from frontdesk.apis.openapi.error_docs import ERROR_DOCS
from frontdesk.apis.openapi.schemas import Schema, Schemas
from frontdesk.http.errors import Code

# The codes with field errors.
_WITH_FIELDS = (Code.VALIDATION_ERROR, Code.BAD_REQUEST)
_FIELDS = {
    "type": "object",
    "description": "Messages by field, keyed by dotted path.",
    "additionalProperties": {"type": "array", "items": {"type": "string"}},
}


def error_schema(codes: Sequence[Code], schemas: Schemas) -> Schema:
    """The schema of a response with one of these codes."""
    references = {code.value: _reference(code, schemas) for code in codes}
    if len(references) == 1:
        return next(iter(references.values()))
    mapping = {code: reference["$ref"] for code, reference in references.items()}
    return {
        "oneOf": list(references.values()),
        "discriminator": {"propertyName": "error", "mapping": mapping},
    }


def describe_errors(schemas: Schemas) -> Schema:
    """Every code, for a program that handles them in one place."""
    return {"description": "Every error response has this form.", **error_schema(list(Code), schemas)}


def _reference(code: Code, schemas: Schemas) -> Schema:
    name = "".join(word.capitalize() for word in code.value.removesuffix("_error").split("_")) + "Error"
    return schemas.named(name, code, lambda: _schema(code, schemas))


def _schema(code: Code, schemas: Schemas) -> Schema:
    properties: dict[str, Any] = {
        "error": {"type": "string", "const": code.value, "description": "Error code, for programs."},
        "message": {"type": "string", "description": "Error message, for people."},
        "request_id": {"type": "string", "description": "Identifier of the request, as in `X-Request-Id`."},
        "doc_url": {
            "type": "string",
            "format": "uri",
            "description": "Address of the page about this error code: its cause, what to do, and an example.",
        },
    }
    required = ["error", "message", "request_id", "doc_url"]
    if code in _WITH_FIELDS:
        properties["errors"] = _FIELDS
    details = DETAILS.get(code)  # a test checks that all codes are present
    if details is not None:
        properties["details"] = {**schemas.of(details.kind), "description": "Details of this error code."}
        required += ["details"] if details.required else []
    return {
        "type": "object",
        "description": ERROR_DOCS[code].why,
        "required": required,
        "properties": properties,
    }
