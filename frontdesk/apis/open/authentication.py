"""Who may call the Open API: token, plan, rate, scope, in that order."""

from functools import lru_cache, partial
from uuid import UUID

from frontdesk.auth.authenticate_queries import token_proof
from frontdesk.auth.credentials import tenant_of_token
from frontdesk.auth.types import AuthResult, Caller
from frontdesk.errors import Code, WireError, business_suspended
from frontdesk.http.authentication import Authenticator
from frontdesk.http.endpoints import Authenticate, Endpoint
from frontdesk.http.rate_limit_headers import enforce_rate
from frontdesk.http.request import Request
from frontdesk.security.secrets import hash_secret

_REALM = 'Bearer realm="frontdesk"'
_MAX_CACHED_LENGTH = 512  # characters of a header


def open_api_authenticator() -> Authenticate:
    doorkeeper = Authenticator()

    async def guard(request: Request, operation: Endpoint) -> None:
        tenant_id, token_hash = _shown(request.header(b"authorization"))
        request.token_hash = token_hash
        await doorkeeper.admit(
            request,
            token_hash,
            proof=partial(token_proof, tenant_id, token_hash, request.resources.settings.rate_limit),
            check=partial(_check, request, operation),
            may_believe=partial(_may_cache, operation),
        )

    return guard


def _may_cache(operation: Endpoint, caller: Caller) -> bool:
    return operation.looks_first and (operation.scope is None or operation.scope in caller.scopes)


def require_scope(request: Request, scope: str) -> None:
    if scope not in request.caller.scopes:
        raise WireError(
            Code.INSUFFICIENT_SCOPE,
            f"This request requires the scope {scope}, which this token does not have. "
            "Ask the business to approve it, then request a new token.",
            details={"scope": scope},
            headers={"www-authenticate": f'{_REALM}, error="insufficient_scope", scope="{scope}"'},
        )


def _check(request: Request, operation: Endpoint, admission: AuthResult | None) -> None:
    if admission is None:
        raise _unauthorized("The access token is unknown, revoked or expired. Request a new one.", "invalid_token")
    if admission.caller.is_suspended:
        raise business_suspended()
    if admission.rate is None:
        raise WireError(Code.FEATURE_DISABLED, "The plan of this business does not include the Open API.")
    enforce_rate(request, admission.rate)
    if operation.scope is not None:
        require_scope(request, operation.scope)


def _shown(header: str | None) -> tuple[UUID, bytes]:
    """The cache keeps whole headers, so a header longer than any token is parsed outside it."""
    if header is not None and len(header) > _MAX_CACHED_LENGTH:
        return _parse.__wrapped__(header)
    return _parse(header)


@lru_cache(maxsize=4096)
def _parse(header: str | None) -> tuple[UUID, bytes]:
    """The business that the token names, and the token's hash."""
    if header is None:
        raise _unauthorized("The Authorization header is missing. Send Authorization: Bearer <token>.", None)
    scheme, _, token = header.partition(" ")
    token = token.strip()
    tenant_id = tenant_of_token(token) if scheme.lower() == "bearer" else None
    if tenant_id is None:
        raise _unauthorized(
            "The Authorization header does not contain an access token of this service.", "invalid_token"
        )
    return tenant_id, hash_secret(token)


def _unauthorized(message: str, error: str | None) -> WireError:
    """Without any credentials RFC 6750 wants the challenge alone, with no error in it."""
    challenge = f'{_REALM}, error="{error}"' if error else _REALM
    return WireError(Code.AUTHENTICATION_FAILED, message, headers={"www-authenticate": challenge})
