"""Who may call the Open API: token, plan, rate, scope, in that order."""

from functools import lru_cache, partial
from uuid import UUID

from frontdesk.auth.authenticate_queries import token_proof
from frontdesk.auth.credentials import tenant_of_token
from frontdesk.auth.types import Admission, Caller
from frontdesk.errors import Code, WireError, business_suspended
from frontdesk.http.authentication import Doorkeeper
from frontdesk.http.endpoints import Guard, Operation
from frontdesk.http.rate_limit_headers import enforce_rate
from frontdesk.http.request import Call
from frontdesk.security.secrets import hash_secret

_REALM = 'Bearer realm="frontdesk"'
_LONGEST_CACHED = 512  # characters of a header


def open_api_guard() -> Guard:
    doorkeeper = Doorkeeper()

    async def guard(call: Call, operation: Operation) -> None:
        tenant_id, token_hash = _shown(call.header(b"authorization"))
        call.token_hash = token_hash
        await doorkeeper.admit(
            call,
            token_hash,
            proof=partial(token_proof, tenant_id, token_hash, call.resources.settings.rate_limit),
            check=partial(_check, call, operation),
            may_believe=partial(_may_believe, operation),
        )

    return guard


def _may_believe(operation: Operation, caller: Caller) -> bool:
    return operation.looks_first and (operation.scope is None or operation.scope in caller.scopes)


def require_scope(call: Call, scope: str) -> None:
    if scope not in call.caller.scopes:
        raise WireError(
            Code.INSUFFICIENT_SCOPE,
            f"This request needs the scope {scope}, which this token does not carry: "
            "ask for it when you take the token, and let the business approve it.",
            details={"scope": scope},
            headers={"www-authenticate": f'{_REALM}, error="insufficient_scope", scope="{scope}"'},
        )


def _check(call: Call, operation: Operation, admission: Admission | None) -> None:
    if admission is None:
        raise _refused("The token is unknown, revoked or expired: ask for a new one.", "invalid_token")
    if admission.caller.is_suspended:
        raise business_suspended()
    if admission.rate is None:
        raise WireError(Code.FEATURE_DISABLED, "The Open API is not part of this business's plan.")
    enforce_rate(call, admission.rate)
    if operation.scope is not None:
        require_scope(call, operation.scope)


def _shown(header: str | None) -> tuple[UUID, bytes]:
    """The cache keeps whole headers, so a header longer than any token is parsed outside it."""
    if header is not None and len(header) > _LONGEST_CACHED:
        return _parse.__wrapped__(header)
    return _parse(header)


@lru_cache(maxsize=4096)
def _parse(header: str | None) -> tuple[UUID, bytes]:
    """The business that the token names, and the token's hash."""
    if header is None:
        raise _refused("The header Authorization: Bearer <token> is missing.", None)
    scheme, _, token = header.partition(" ")
    token = token.strip()
    tenant_id = tenant_of_token(token) if scheme.lower() == "bearer" else None
    if tenant_id is None:
        raise _refused("The header Authorization does not hold a token of this service.", "invalid_token")
    return tenant_id, hash_secret(token)


def _refused(message: str, error: str | None) -> WireError:
    """Without any credentials RFC 6750 wants the challenge alone, with no error in it."""
    challenge = f'{_REALM}, error="{error}"' if error else _REALM
    return WireError(Code.AUTHENTICATION_FAILED, message, headers={"www-authenticate": challenge})
