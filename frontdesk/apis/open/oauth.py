"""OAuth 2.0: tokens for client credentials and codes, revocation (RFC 7009), introspection (RFC 7662), metadata."""

import base64
from typing import Annotated, Any, Literal, TypeVar
from urllib.parse import parse_qsl, unquote_plus
from uuid import UUID

import msgspec
from msgspec import Meta

from frontdesk.apis.faults import befall
from frontdesk.apis.problem_answers.auth import WWW_AUTHENTICATE
from frontdesk.applications.authorization import CHALLENGE_METHOD
from frontdesk.applications.exchange_code import CodeExchange, exchange_code
from frontdesk.auth import tokens
from frontdesk.auth.credentials import format_client_id, parse_application_id
from frontdesk.auth.documents import TokenResponse
from frontdesk.auth.scopes import WILDCARD, Scope
from frontdesk.auth.tokens import LIFETIME, IssuedToken, authenticate_client, issue_token, revoke_access_token
from frontdesk.auth.types import Client
from frontdesk.http.body import TOKEN_BODY
from frontdesk.http.decoding import clean, convert, decode_object
from frontdesk.http.endpoints import EndpointDocs, Endpoints
from frontdesk.http.errors import Code, WireError, invalid
from frontdesk.http.ignored_fields import ignored_fields, note_ignored
from frontdesk.http.request import Request
from frontdesk.http.responses import Response, json_response
from frontdesk.values.clock import follow_clock

operations = Endpoints()

Credential = Annotated[str, Meta(min_length=1, max_length=512)]
_NO_STORE = {"cache-control": "no-store", "pragma": "no-cache"}
_ALSO = (
    "Accepts JSON or `application/x-www-form-urlencoded`. Client credentials go in the body or in HTTP Basic "
    "authentication."
)
_FORM = "application/x-www-form-urlencoded"


class TokenRequest(msgspec.Struct):
    grant_type: Literal["client_credentials"]
    client_id: Credential
    client_secret: Credential
    scope: Annotated[str, Meta(max_length=1000)] | None = None


class CodeTokenRequest(msgspec.Struct):
    grant_type: Literal["authorization_code"]
    client_id: Credential
    code: Credential
    redirect_uri: Annotated[str, Meta(min_length=1, max_length=1000)]
    code_verifier: Credential
    client_secret: Annotated[str, Meta(max_length=512)] | None = None


class _TokenParameters(msgspec.Struct):
    client_id: Credential
    client_secret: Credential
    token: Credential
    token_type_hint: Annotated[str, Meta(max_length=1000)] | None = None


class TokenRevocationRequest(_TokenParameters):
    pass


class TokenIntrospectionRequest(_TokenParameters):
    pass


class TokenIntrospection(msgspec.Struct, omit_defaults=True):
    active: bool
    scope: str | None = None
    client_id: str | None = None
    token_type: str | None = None
    exp: int | None = None
    iat: int | None = None
    tenant_id: UUID | None = None


S = TypeVar("S", bound=msgspec.Struct)


@operations.post(
    "/oauth/token",
    requires_auth=False,
    max_body=TOKEN_BODY,
    response=TokenResponse,
    docs=EndpointDocs(_ALSO, TokenRequest, CodeTokenRequest),
    errors=[
        Code.INVALID_GRANT,
        Code.AUTHENTICATION_FAILED,
        Code.BUSINESS_SUSPENDED,
        Code.FEATURE_DISABLED,
        Code.INSUFFICIENT_SCOPE,
        Code.VALIDATION_ERROR,
        Code.RATE_LIMIT_EXCEEDED,
    ],
)
async def create_token(request: Request) -> Response:
    """Create an access token from a client id and secret, or from the code of an approval."""
    fields = _fields(request)
    if fields.get("grant_type") == "authorization_code":
        return await _exchange(request, _decoded(request, fields, CodeTokenRequest))
    body = _decoded(request, fields, TokenRequest)
    client = await _authenticate(request, body.client_id, body.client_secret)
    async with request.connection() as conn:
        issued = await issue_token(conn, client, (body.scope or "").split())
    return json_response(_token_response(issued))


async def _authenticate(request: Request, client_id: str, secret: str) -> Client:
    """What follows is at the time of the business."""
    async with request.connection() as conn:
        client = await authenticate_client(conn, client_id, secret, request.address)
    follow_clock(client.clock_ahead)
    if client.has_faults:
        await befall(request, client.tenant_id, f"{request.method} /oauth/{request.path.rpartition('/')[2]}")
    return client


async def _exchange(request: Request, body: CodeTokenRequest) -> Response:
    application_id = parse_application_id(body.client_id)
    if application_id is None or body.client_secret:
        raise WireError(
            Code.AUTHENTICATION_FAILED,
            "client_id must be that of the application, without a client_secret.",
            headers=WWW_AUTHENTICATE,
        )
    sent = CodeExchange(application_id, body.code, body.redirect_uri, body.code_verifier, request.address)
    async with request.connection() as conn:
        issued = await exchange_code(conn, sent)
    response = _token_response(issued.token)
    response.client_id = format_client_id(issued.tenant_id, issued.client_id)
    response.client_secret = issued.secret
    response.tenant_id, response.install_id = issued.tenant_id, issued.install_id
    return json_response(response)


def _token_response(issued: IssuedToken) -> TokenResponse:
    return TokenResponse("Bearer", int(LIFETIME.total_seconds()), issued.token, " ".join(sorted(issued.scopes)))


@operations.post(
    "/oauth/revoke",
    requires_auth=False,
    max_body=TOKEN_BODY,
    docs=EndpointDocs(_ALSO, TokenRevocationRequest),
    errors=[Code.AUTHENTICATION_FAILED, Code.BUSINESS_SUSPENDED, Code.VALIDATION_ERROR, Code.RATE_LIMIT_EXCEEDED],
)
async def revoke_token(request: Request) -> Response:
    """Revoke an access token (RFC 7009); unknown tokens are ignored."""
    body = _read(request, TokenRevocationRequest)
    client = await _authenticate(request, body.client_id, body.client_secret)
    async with request.connection() as conn:
        await revoke_access_token(conn, client, body.token)
    return json_response({})


@operations.post(
    "/oauth/introspect",
    requires_auth=False,
    max_body=TOKEN_BODY,
    response=TokenIntrospection,
    docs=EndpointDocs(_ALSO, TokenIntrospectionRequest),
    errors=[Code.AUTHENTICATION_FAILED, Code.BUSINESS_SUSPENDED, Code.VALIDATION_ERROR, Code.RATE_LIMIT_EXCEEDED],
)
async def introspect_token(request: Request) -> Response:
    """Introspect an access token of this client (RFC 7662)."""
    body = _read(request, TokenIntrospectionRequest)
    client = await _authenticate(request, body.client_id, body.client_secret)
    async with request.connection() as conn:
        facts = await tokens.introspect_token(conn, client, body.token)
    if facts is None:
        return json_response(TokenIntrospection(active=False))
    response = TokenIntrospection(
        active=True,
        scope=" ".join(sorted(facts.scopes)),
        client_id=facts.client_name,
        token_type="Bearer",  # noqa: S106 - a kind, no secret
        exp=int(facts.expires_at.timestamp()),
        iat=int(facts.created_at.timestamp()),
        tenant_id=client.tenant_id,
    )
    return json_response(response)


def metadata(origin: str, prefix: str) -> Response:
    base = f"{origin}{prefix}/oauth"
    methods = ["client_secret_basic", "client_secret_post"]
    return json_response(
        {
            "issuer": origin,
            "authorization_endpoint": f"{origin}/oauth/authorize",
            "token_endpoint": f"{base}/token",
            "revocation_endpoint": f"{base}/revoke",
            "introspection_endpoint": f"{base}/introspect",
            "grant_types_supported": ["authorization_code", "client_credentials"],
            "response_types_supported": ["code"],
            "response_modes_supported": ["query"],
            "code_challenge_methods_supported": [CHALLENGE_METHOD],
            "authorization_response_iss_parameter_supported": True,
            "scopes_supported": [*Scope, WILDCARD],
            "token_endpoint_auth_methods_supported": [*methods, "none"],
            "revocation_endpoint_auth_methods_supported": methods,
            "introspection_endpoint_auth_methods_supported": methods,
        }
    )


def _read(request: Request, kind: type[S]) -> S:
    return _decoded(request, _fields(request), kind)


def _decoded(request: Request, fields: dict[str, Any], kind: type[S]) -> S:
    note_ignored(request, ignored_fields(fields, kind))
    return convert(fields, kind)


def _fields(request: Request) -> dict[str, Any]:
    """JSON, or a form as in RFC 6749; credentials in the body or as HTTP Basic."""
    request.headers.update(_NO_STORE)
    raw = request.raw_body
    fields = decode_object(raw) if _is_json(request, raw) else decode_form(raw)
    basic = request.header(b"authorization")
    if basic is not None and basic.lower().startswith("basic "):
        fields["client_id"], fields["client_secret"] = decode_basic(basic[6:].strip())
    return fields


def _is_json(request: Request, raw: bytes) -> bool:
    """Also true for JSON that a client library sends with the content type of a form."""
    content_type = (request.header(b"content-type") or "").partition(";")[0].strip().lower()
    return content_type != _FORM or raw.lstrip()[:1] == b"{"


def decode_form(raw: bytes) -> dict[str, Any]:
    try:
        return clean(dict(parse_qsl(raw.decode(), keep_blank_values=True, errors="strict", max_num_fields=20)))
    except ValueError:
        raise invalid({"": ["the body must be a form encoded in UTF-8"]}) from None


def decode_basic(encoded: str) -> tuple[str, str]:
    try:
        name, colon, secret = base64.b64decode(encoded, validate=True).decode().partition(":")
    except ValueError:
        name, colon, secret = "", "", ""
    if not colon:
        raise WireError(
            Code.AUTHENTICATION_FAILED,
            "The Authorization header must be Basic followed by client_id:client_secret in base64.",
            headers=WWW_AUTHENTICATE,
        )
    return unquote_plus(name), unquote_plus(secret)
