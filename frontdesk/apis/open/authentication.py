"""Authentication of the Open API: checks the token, the plan, the rate limit and the scope, in this order."""

from functools import partial
from uuid import UUID

from frontdesk.apis.authentication import CredentialAuthentication
from frontdesk.apis.rate_limit_headers import enforce_rate, show_rate
from frontdesk.auth.authenticate import Credential
from frontdesk.auth.credentials import tenant_of_token
from frontdesk.auth.types import AuthResult
from frontdesk.http.decoding import has_field
from frontdesk.http.endpoints import Endpoint
from frontdesk.http.errors import Code, WireError
from frontdesk.http.request import Request
from frontdesk.problems import Problem
from frontdesk.security.secrets import hash_secret
from frontdesk.tenants.problems import BusinessProblem

_REALM = 'Bearer realm="frontdesk"'


def authenticate_open_api(request: Request, endpoint: Endpoint) -> CredentialAuthentication:
    tenant_id, token_hash = _parse(request.header(b"authorization"))
    request.token_hash = token_hash
    request.claim_turn(token_hash)
    credential = Credential("authenticate_access_token", tenant_id, token_hash, request.resources.settings.rate_limit)
    return CredentialAuthentication(credential, partial(_accept, endpoint))


def _accept(endpoint: Endpoint, request: Request, result: AuthResult | None) -> None:
    if result is None:
        raise _unauthorized("The access token is unknown, revoked or expired. Request a new one.", "invalid_token")
    request.identify(result.caller)
    show_rate(request, result)
    if result.is_suspended:
        raise Problem(BusinessProblem.SUSPENDED)
    if result.rate is None:
        raise Problem(BusinessProblem.NO_OPEN_API)
    enforce_rate(result.rate)
    if endpoint.scope is not None:
        require_scope(request, endpoint.scope)
    for field, scope in endpoint.field_scopes.items():
        if has_field(request.readable_body, field):
            require_scope(request, scope)
            request.extra_scopes[scope] = 0


def require_scope(request: Request, scope: str) -> None:
    if scope not in request.caller.scopes:
        raise WireError(
            Code.INSUFFICIENT_SCOPE,
            f"This request requires the scope {scope}, which this token does not have. {_remedy(request, scope)}",
            details={"scope": scope},
            headers={"www-authenticate": f'{_REALM}, error="insufficient_scope", scope="{scope}"'},
        )


def _remedy(request: Request, scope: str) -> str:
    if scope in request.caller.approved_scopes:
        return "The business approves it: request a token that includes it."
    return "Ask the business to approve it, then request a new token."


def _parse(header: str | None) -> tuple[UUID, bytes]:
    """The tenant id in the token, and the hash of the token."""
    if header is None:
        raise _unauthorized("The Authorization header is missing. Send Authorization: Bearer <token>.", None)
    scheme, _, token = header.partition(" ")
    token = token.strip()
    is_bearer = scheme.lower() == "bearer" and token != ""
    tenant_id = tenant_of_token(token) if is_bearer else None
    if tenant_id is None:
        raise _unauthorized(
            "The Authorization header does not contain an access token of this service.",
            "invalid_token" if is_bearer else None,
        )
    return tenant_id, hash_secret(token)


def _unauthorized(message: str, error: str | None) -> WireError:
    """Without a token the challenge contains no error code (RFC 6750)."""
    challenge = f'{_REALM}, error="{error}"' if error else _REALM
    return WireError(Code.AUTHENTICATION_FAILED, message, headers={"www-authenticate": challenge})
