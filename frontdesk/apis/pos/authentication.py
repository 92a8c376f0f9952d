"""Authenticates API keys of the POS API."""

from functools import lru_cache, partial
from uuid import UUID

from frontdesk.auth.authenticate_queries import key_proof
from frontdesk.auth.credentials import tenant_of_key
from frontdesk.auth.types import AuthResult
from frontdesk.errors import Code, WireError, business_suspended
from frontdesk.http.authentication import Authenticator
from frontdesk.http.endpoints import Authenticate, Endpoint
from frontdesk.http.rate_limit_headers import enforce_rate
from frontdesk.http.request import Request
from frontdesk.security.secrets import hash_secret

_MAX_CACHED_LENGTH = 512  # characters of a header


def pos_api_authenticator() -> Authenticate:
    doorkeeper = Authenticator()

    async def guard(request: Request, operation: Endpoint) -> None:
        tenant_id, key_hash = _shown(request.header(b"x-api-key"))
        await doorkeeper.admit(
            request,
            key_hash,
            proof=partial(key_proof, tenant_id, key_hash),
            check=partial(_check, request),
            may_believe=lambda _: operation.looks_first,
        )

    return guard


def _check(request: Request, admission: AuthResult | None) -> None:
    if admission is None:
        raise _unauthorized("The API key is unknown, revoked or expired.")
    if admission.caller.is_suspended:
        raise business_suspended()
    if admission.rate is not None:
        enforce_rate(request, admission.rate)


def _shown(header: str | None) -> tuple[UUID, bytes]:
    """The cache keeps whole headers, so a header longer than any key is parsed outside it."""
    if header is not None and len(header) > _MAX_CACHED_LENGTH:
        return _parse.__wrapped__(header)
    return _parse(header)


@lru_cache(maxsize=4096)
def _parse(header: str | None) -> tuple[UUID, bytes]:
    """The business that the key names, and the key's hash."""
    key = (header or "").strip()
    tenant_id = tenant_of_key(key)
    if tenant_id is None:
        raise _unauthorized("The X-Api-Key header is missing or does not contain an API key of this service.")
    return tenant_id, hash_secret(key)


def _unauthorized(message: str) -> WireError:
    return WireError(Code.AUTHENTICATION_FAILED, message, headers={"www-authenticate": 'ApiKey realm="frontdesk"'})
