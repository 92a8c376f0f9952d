"""Access tokens of the client credentials grant: issue, revoke and introspect."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from uuid import UUID

import msgspec

from frontdesk.auth.credentials import format_client_id, new_token, parse_client_id, tenant_of_token
from frontdesk.auth.problems import ClientProblem, ThrottleProblem
from frontdesk.auth.queries import find_client, find_token_info, insert_token, revoke_surplus_tokens, revoke_token
from frontdesk.auth.rate_limit import count_failures, seconds_until_allowed
from frontdesk.auth.scopes import WILDCARD, effective_scopes, unknown_scopes
from frontdesk.auth.throttle import consume_attempt_or_raise, raise_if_throttled, subject
from frontdesk.auth.types import Client
from frontdesk.net.addresses import address_prefix
from frontdesk.postgres.pool import Connection
from frontdesk.problems import Problem
from frontdesk.security.secrets import hash_secret
from frontdesk.tenants.problems import BusinessProblem

LIFETIME = timedelta(seconds=31_536_000)
MAX_TOKENS = 1000  # of a client; the least recently used one is revoked first
TOKENS_A_MINUTE = 300  # of a client
MAX_FAILURES_PER_MINUTE = 10  # of one client from one address
GUESSES_OF_ADDRESS = 300  # per minute, of all clients; one client of an office may be misconfigured
# As every 401 of the API, and the scheme in which a client may authenticate (RFC 6749).
_UNKNOWN_CLIENT = UUID(int=0)


class IssuedToken(msgspec.Struct, frozen=True):
    token: str
    scopes: frozenset[str]


class TokenInfo(msgspec.Struct, frozen=True):
    scopes: frozenset[str]
    client_name: str
    created_at: datetime
    expires_at: datetime


async def authenticate_client(conn: Connection, name: str, secret: str, address: str) -> Client:
    """The client with these credentials. Failures are counted by client and address; successes are not counted."""
    prefix = address_prefix(address)
    limits = {subject("client", prefix): GUESSES_OF_ADDRESS, subject("client", prefix, name): MAX_FAILURES_PER_MINUTE}
    raise_if_throttled(await seconds_until_allowed(conn, limits), ThrottleProblem.FAILURES_OF_CLIENT)
    tenant_id, client_id = parse_client_id(name) or (_UNKNOWN_CLIENT, _UNKNOWN_CLIENT)
    client = await find_client(conn, tenant_id, client_id, hash_secret(secret))
    if client is None:
        await count_failures(conn, limits)
        raise Problem(ClientProblem.WRONG_CREDENTIALS)
    if client.is_suspended:
        raise Problem(BusinessProblem.SUSPENDED)
    return client


async def issue_token(conn: Connection, client: Client, requested: Sequence[str]) -> IssuedToken:
    """Without requested scopes, or with `*`, the token has whatever the tenant approves, now and later."""
    if not client.has_open_api:
        raise Problem(BusinessProblem.NO_OPEN_API)
    issuing = subject("tokens", str(client.tenant_id), str(client.id))
    await consume_attempt_or_raise(conn, issuing, TOKENS_A_MINUTE, ThrottleProblem.TOKENS)
    unknown = unknown_scopes(requested)
    if unknown:
        raise Problem(ClientProblem.UNKNOWN_SCOPE, "scope", scope=unknown[0])
    subset = None if not requested or WILDCARD in requested else sorted(set(requested))
    _require_approved(client, subset or [])
    token = new_token(client.tenant_id)
    before = await insert_token(
        conn, client.tenant_id, client, token_hash=hash_secret(token), scopes=subset, lifetime=LIFETIME
    )
    if before >= MAX_TOKENS:
        await revoke_surplus_tokens(conn, client.tenant_id, client.id, MAX_TOKENS)
    return IssuedToken(token, effective_scopes(client.scopes, None if subset is None else frozenset(subset)))


def _require_approved(client: Client, requested: Sequence[str]) -> None:
    missing = sorted(set(requested) - effective_scopes(client.scopes, None))
    if missing:
        raise Problem(ClientProblem.SCOPES_NOT_APPROVED, scopes=missing)


async def revoke_access_token(conn: Connection, client: Client, token: str) -> None:
    """Tokens of other clients and unknown tokens are ignored, like expired ones (RFC 7009)."""
    if tenant_of_token(token) == client.tenant_id:
        await revoke_token(conn, client.tenant_id, client.id, hash_secret(token))


async def introspect_token(conn: Connection, client: Client, token: str) -> TokenInfo | None:
    """Only active tokens of the client itself."""
    if tenant_of_token(token) != client.tenant_id:
        return None
    facts = await find_token_info(conn, client.tenant_id, client, hash_secret(token))
    if facts is None:
        return None
    scopes, created_at, expires_at = facts
    return TokenInfo(scopes, format_client_id(client.tenant_id, client.id), created_at, expires_at)
