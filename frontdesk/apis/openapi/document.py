"""Builds the OpenAPI description of an API from its endpoints."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from frontdesk.apis.openapi.error_details import DETAIL_DOCS
from frontdesk.apis.openapi.error_docs import ERROR_DOCS
from frontdesk.apis.openapi.errors import describe_errors
from frontdesk.apis.openapi.event_docs import EVENT_DOCS
from frontdesk.apis.openapi.examples import Examples
from frontdesk.apis.openapi.export_lines import describe_line, show_line
from frontdesk.apis.openapi.field_docs import FieldDocs
from frontdesk.apis.openapi.front_desk_docs import FRONT_DESK_DOCS
from frontdesk.apis.openapi.headers import HEADERS
from frontdesk.apis.openapi.operations import SchemaContext, describe_operation
from frontdesk.apis.openapi.pay_docs import PAY_DOCS
from frontdesk.apis.openapi.pos_docs import POS_DOCS
from frontdesk.apis.openapi.report_docs import REPORT_DOCS
from frontdesk.apis.openapi.request_docs import REQUEST_DOCS
from frontdesk.apis.openapi.response_docs import RESPONSE_DOCS
from frontdesk.apis.openapi.schemas import Schemas
from frontdesk.apis.openapi.set_up_docs import SET_UP_DOCS
from frontdesk.apis.openapi.settings_docs import SETTINGS_DOCS
from frontdesk.apis.openapi.start_docs import START_DOCS
from frontdesk.apis.openapi.tags import OPEN_TAGS, POS_TAGS, Tag, tag_of
from frontdesk.apis.openapi.trace_docs import TRACE_DOCS
from frontdesk.apis.openapi.webhooks import describe_events, describe_webhooks, show_event
from frontdesk.auth.scopes import SCOPE_DESCRIPTIONS, WILDCARD
from frontdesk.exports.documents import ExportedRecord
from frontdesk.http.endpoints import Api
from frontdesk.http.errors import Code
from frontdesk.http.writes import DRY_RUN
from frontdesk.webhooks.documents import Event

_PARAMETERS = {
    "Idempotency-Key": {
        "name": "Idempotency-Key",
        "in": "header",
        "required": False,
        "description": "Makes the request safe to retry. A repeated request returns the stored response for 24 hours.",
        "schema": {"type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[!-~]+$"},
    },
    DRY_RUN: {
        "name": DRY_RUN,
        "in": "header",
        "required": False,
        "description": "`true`: answers what this request would be answered, with the events it would emit, and writes "
        "nothing.",
        "schema": {"type": "string", "enum": ["true", "false"]},
    },
    "If-None-Match": {
        "name": "If-None-Match",
        "in": "header",
        "required": False,
        "description": "ETag of a stored response. The server returns 304 if it is still current.",
        "schema": {"type": "string"},
    },
}


class Interface(NamedTuple):
    """What the description needs to know about an API besides its endpoints."""

    key: str  # its name in URLs and files
    title: str
    text: str
    schemes: dict[str, Any]
    auth_errors: tuple[Code, ...]
    tags: dict[str, Tag]  # by the first part of the path
    has_webhooks: bool = False


OPEN_API = Interface(
    "open-api",
    "Frontdesk Open API",
    "Gives applications access to the catalog, staff, customers, orders, bookings and transactions of a business, "
    "within "
    "the scopes the business approves. Request a token from `POST /oauth/token` and send it as "
    "`Authorization: Bearer …`.",
    {
        "oauth2": {
            "type": "oauth2",
            "description": "Client credentials. A token is valid for one year. Its scopes follow what the business "
            "currently approves. An application gets its client credentials with an authorization code.",
            "flows": {
                "clientCredentials": {
                    "tokenUrl": "/open-api/v1/oauth/token",
                    "scopes": {**SCOPE_DESCRIPTIONS, WILDCARD: "All scopes"},
                },
                "authorizationCode": {
                    "authorizationUrl": "/oauth/authorize",
                    "tokenUrl": "/open-api/v1/oauth/token",
                    "scopes": {**SCOPE_DESCRIPTIONS, WILDCARD: "All scopes"},
                },
            },
        },
        "bearer": {"type": "http", "scheme": "bearer", "description": "A token from `POST /oauth/token`."},
    },
    (Code.AUTHENTICATION_FAILED, Code.FEATURE_DISABLED, Code.BUSINESS_SUSPENDED, Code.RATE_LIMIT_EXCEEDED),
    OPEN_TAGS,
    has_webhooks=True,
)
KEY_API = Interface(
    "key-api",
    "Frontdesk POS API",
    "Gives the tills of a business access to point-of-sale orders, refunds, invoices, day close and customer tags. "
    "Send an API key of the business as `X-Api-Key`.",
    {
        "key": {
            "type": "apiKey",
            "in": "header",
            "name": "X-Api-Key",
            "description": "API key of the business, `fdk_…`.",
        }
    },
    (Code.AUTHENTICATION_FAILED, Code.BUSINESS_SUSPENDED, Code.RATE_LIMIT_EXCEEDED),
    POS_TAGS,
)


def new_field_docs() -> FieldDocs:
    responses = (RESPONSE_DOCS, TRACE_DOCS, REPORT_DOCS, START_DOCS)
    set_up = (SET_UP_DOCS, SETTINGS_DOCS, PAY_DOCS)
    return FieldDocs(*responses, REQUEST_DOCS, *set_up, FRONT_DESK_DOCS, POS_DOCS, EVENT_DOCS, DETAIL_DOCS)


def describe(api: Api, info: Interface, docs: FieldDocs | None = None) -> dict[str, Any]:
    docs = docs or new_field_docs()
    schemas = Schemas(docs, {Event: describe_events, ExportedRecord: describe_line})
    context = SchemaContext(
        schemas,
        Examples(docs, {Event: show_event, ExportedRecord: show_line}),
        info.auth_errors,
        info.schemes,
        info.tags,
        api.operations,
        {},
    )
    paths: dict[str, dict[str, Any]] = {}
    for operation in api.operations:
        paths.setdefault(operation.path, {})[operation.method.lower()] = describe_operation(operation, context)
    webhooks = {"webhooks": describe_webhooks(schemas, context.examples)} if info.has_webhooks else {}
    tags = dict.fromkeys(tag_of(operation.path, info.tags) for operation in api.operations)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": info.title,
            "version": "1.0.0",
            "description": info.text,
            "contact": {"name": "The operator of this installation"},
            "license": {"name": "AGPL-3.0-or-later", "identifier": "AGPL-3.0-or-later"},
        },
        "servers": [{"url": api.prefix}],
        "tags": [{"name": tag.name, "description": tag.text} for tag in tags],
        "paths": paths,
        **webhooks,
        "components": {
            "schemas": {"Error": describe_errors(schemas), **schemas.components},
            "responses": context.shared_errors,
            **_used_components(paths, context.shared_errors),
            "securitySchemes": info.schemes,
        },
    }


def _used_components(paths: dict[str, Any], responses: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """The parameters, headers and examples that operations refer to. The other API may use more of them."""
    components = {
        "parameters": _PARAMETERS,
        "headers": HEADERS,
        "examples": {code.value: {"summary": doc.why, "value": doc.example(code)} for code, doc in ERROR_DOCS.items()},
    }
    used = {*_references(paths), *_references(responses)}
    return {
        kind: {name: component for name, component in named.items() if f"#/components/{kind}/{name}" in used}
        for kind, named in components.items()
    }


def _references(part: Any) -> Iterator[str]:  # noqa: ANN401 - any JSON
    if isinstance(part, dict):
        if "$ref" in part:
            yield part["$ref"]
        part = list(part.values())
    if isinstance(part, list):
        for inner in part:
            yield from _references(inner)
