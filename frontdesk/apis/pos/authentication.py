"""Authenticates API keys of the POS API."""

from uuid import UUID

from frontdesk.apis.authentication import CredentialAuthentication
from frontdesk.apis.rate_limit_headers import enforce_rate, show_rate
from frontdesk.auth.authenticate import DEFAULT_KEY_RATE, Credential
from frontdesk.auth.credentials import tenant_of_key
from frontdesk.auth.types import AuthResult
from frontdesk.http.endpoints import Endpoint
from frontdesk.http.errors import Code, WireError
from frontdesk.http.request import Request
from frontdesk.problems import Problem
from frontdesk.security.secrets import hash_secret
from frontdesk.tenants.problems import BusinessProblem


def authenticate_pos_api(request: Request, _endpoint: Endpoint) -> CredentialAuthentication:
    tenant_id, key_hash = _parse(request.header(b"x-api-key"))
    request.claim_turn(key_hash)
    return CredentialAuthentication(Credential("authenticate_api_key", tenant_id, key_hash, DEFAULT_KEY_RATE), _accept)


def _accept(request: Request, result: AuthResult | None) -> None:
    if result is None:
        raise _unauthorized("The API key is unknown, revoked or expired.")
    request.identify(result.caller)
    show_rate(request, result)
    if result.is_suspended:
        raise Problem(BusinessProblem.SUSPENDED)
    if result.rate is not None:
        enforce_rate(result.rate)


def _parse(header: str | None) -> tuple[UUID, bytes]:
    """The tenant id in the key, and the hash of the key."""
    key = (header or "").strip()
    tenant_id = tenant_of_key(key)
    if tenant_id is None:
        raise _unauthorized("The X-Api-Key header is missing or does not contain an API key of this service.")
    return tenant_id, hash_secret(key)


def _unauthorized(message: str) -> WireError:
    return WireError(Code.AUTHENTICATION_FAILED, message, headers={"www-authenticate": 'ApiKey realm="frontdesk"'})
