"""Who may call the Open API: token, plan, rate, scope, in that order."""

from frontdesk.access.credentials import tenant_of_token
from frontdesk.access.queries import find_token_holder
from frontdesk.access.types import TokenHolder
from frontdesk.errors import Code, WireError
from frontdesk.kit.secrets import hash_secret
from frontdesk.web.call import Call, Caller
from frontdesk.web.limits import enforce_rate
from frontdesk.web.surface import Operation

_REALM = 'Bearer realm="frontdesk"'


async def guard(call: Call, operation: Operation) -> None:
    holder = await _holder(call)
    call.identify(Caller(holder.business, holder.client_id, scopes=holder.scopes))
    if not holder.open_api:
        raise WireError(Code.FEATURE_DISABLED, "The Open API is not part of this business's plan.")
    if holder.rate is not None:
        enforce_rate(call, holder.rate)
    if operation.scope is not None:
        require_scope(call, operation.scope)


def require_scope(call: Call, scope: str) -> None:
    if scope not in call.caller.scopes:
        raise WireError(
            Code.INSUFFICIENT_SCOPE,
            f"This request needs the scope {scope}, which this token does not carry: "
            "ask for it when you take the token, and let the business approve it.",
            details={"scope": scope},
            headers={"www-authenticate": f'{_REALM}, error="insufficient_scope", scope="{scope}"'},
        )


async def _holder(call: Call) -> TokenHolder:
    sent = call.header(b"authorization")
    if sent is None:
        raise _refused("The header Authorization: Bearer <token> is missing.", None)
    scheme, _, token = sent.partition(" ")
    token = token.strip()
    tenant_id = tenant_of_token(token) if scheme.lower() == "bearer" else None
    if tenant_id is None:
        raise _refused("The header Authorization does not hold a token of this service.", "invalid_token")
    async with call.connection() as conn:
        holder = await find_token_holder(conn, tenant_id, hash_secret(token), call.resources.settings.rate_limit)
    if holder is None:
        raise _refused("The token is unknown, revoked or expired: ask for a new one.", "invalid_token")
    return holder


def _refused(message: str, error: str | None) -> WireError:
    """Without any credentials RFC 6750 wants the challenge alone, with no error in it."""
    challenge = f'{_REALM}, error="{error}"' if error else _REALM
    return WireError(Code.AUTHENTICATION_FAILED, message, headers={"www-authenticate": challenge})
