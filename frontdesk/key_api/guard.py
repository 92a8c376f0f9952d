"""Who may call the key interface: a living API key within its rate."""

from frontdesk.access.credentials import tenant_of_key
from frontdesk.access.queries import find_key_holder
from frontdesk.errors import Code, WireError
from frontdesk.kit.secrets import hash_secret
from frontdesk.web.call import Call, Caller
from frontdesk.web.limits import enforce_rate
from frontdesk.web.surface import Operation


async def guard(call: Call, _operation: Operation) -> None:
    key = (call.header(b"x-api-key") or "").strip()
    tenant_id = tenant_of_key(key)
    if tenant_id is None:
        raise _refused("The header X-Api-Key is missing or does not hold a key of this service.")
    async with call.connection() as conn:
        holder = await find_key_holder(conn, tenant_id, hash_secret(key))
    if holder is None:
        raise _refused("The API key is unknown, revoked or expired.")
    call.identify(Caller(holder.business, holder.key_id, branch_id=holder.branch_id))
    enforce_rate(call, holder.rate)


def _refused(message: str) -> WireError:
    return WireError(Code.AUTHENTICATION_FAILED, message, headers={"www-authenticate": 'ApiKey realm="frontdesk"'})
