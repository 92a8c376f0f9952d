"""Authentication in one statement: the token or key, its client, the tenant's plan and the rate limit.

The statement can include a query, so a request that reads takes one round trip.
"""

from functools import lru_cache
from typing import Literal, NamedTuple, TypeVar
from uuid import UUID

from asyncpg import Record

from frontdesk.auth.rate_limit import RateLimitStatus
from frontdesk.auth.scopes import effective_scopes
from frontdesk.auth.types import AuthResult, Caller
from frontdesk.postgres.idempotency import STORED_COLUMNS, StoredResponse, find_stored_sql, stored_response
from frontdesk.postgres.pool import Connection
from frontdesk.postgres.query import Query
from frontdesk.values.tenant_context import TenantContext

DEFAULT_KEY_RATE = 120
T = TypeVar("T")

_CONTEXT = "context CROSS JOIN LATERAL budgeted_scopes(context.tenant_id, context.caller_id) budget (scopes)"
_CALLER = """context.tenant_id AS caller_tenant_id, context.timezone AS caller_timezone,
    context.currency AS caller_currency, context.currency_decimals AS caller_decimals,
    context.languages AS caller_languages, context.grid_minutes AS caller_grid, context.caller_id,
    context.approved_scopes, context.requested_scopes, context.branch_id AS caller_branch_id,
    context.is_suspended AS caller_suspended, context.has_open_api AS caller_has_open_api,
    context.rate_limit AS caller_rate_limit, context.clock_ahead AS caller_clock_ahead,
    context.has_faults AS caller_has_faults, budget.scopes AS budgeted_scopes,
    rate.total AS rate_total, rate.blocked_until AS rate_blocked_until, rate.resets_at AS rate_resets_at"""
# Not counted are a suspended tenant's requests, those that the plan excludes, and those that are repeated at the time
# of a sandbox whose clock was moved.
_LIMIT = """CASE WHEN NOT context.is_suspended AND context.has_open_api IS NOT FALSE
    AND context.clock_ahead IS NOT DISTINCT FROM session_clock() THEN context.rate_limit END"""


class Credential(NamedTuple):
    function: Literal["authenticate_access_token", "authenticate_api_key"]
    tenant_id: UUID
    secret_hash: bytes
    default_limit: int


async def authenticate(conn: Connection, credential: Credential) -> AuthResult | None:
    """None for unknown, expired and revoked credentials."""
    row = await conn.fetchrow(
        _alone(credential.function), credential.tenant_id, credential.secret_hash, credential.default_limit
    )
    return _result(row, credential)


class Authenticated(NamedTuple):
    result: AuthResult | None
    row: Record | None  # of the query


async def authenticate_and_fetch(conn: Connection, credential: Credential, query: Query[T]) -> Authenticated:
    row = await conn.fetchrow(
        _reading(credential.function, query.sql, len(query.args)),
        credential.tenant_id,
        *query.args,
        credential.secret_hash,
        credential.default_limit,
    )
    return Authenticated(_result(row, credential), row if row is not None and row["query_found"] else None)


class Loaded(NamedTuple):
    result: AuthResult | None
    stored: StoredResponse | None  # of the same Idempotency-Key
    row: Record | None  # of the query; None if a response is stored


async def authenticate_and_load(conn: Connection, credential: Credential, query: Query[T], key: str | None) -> Loaded:
    """The first statement of a write: it also finds the response that is stored under the Idempotency-Key."""
    row = await conn.fetchrow(
        _loading(credential.function, query.sql, len(query.args)),
        credential.tenant_id,
        *query.args,
        credential.secret_hash,
        credential.default_limit,
        key,
    )
    return Loaded(
        _result(row, credential), stored_response(row), row if row is not None and row["query_found"] else None
    )


@lru_cache(maxsize=4)
def _alone(function: str) -> str:
    return f"""
        SELECT {_CALLER} FROM {function}($1, $2, $3) {_CONTEXT}
        LEFT JOIN LATERAL consume_rate_limit(context.tenant_id, context.caller_id, {_LIMIT}) rate ON true"""


@lru_cache(maxsize=1024)
def _reading(function: str, sql: str, args: int) -> str:
    """The request is counted after the read, because counting locks the caller's row until the statement ends."""
    return f"""
        SELECT {_CALLER}, found.* FROM {function}($1, ${args + 2}, ${args + 3}) {_CONTEXT}
        LEFT JOIN LATERAL (SELECT query.*, true AS query_found FROM ({sql}) query WHERE context.allowed OFFSET 0) found
            ON true
        LEFT JOIN LATERAL consume_rate_limit(
            context.tenant_id, context.caller_id, {_LIMIT}, found.query_found) rate ON true"""


@lru_cache(maxsize=256)
def _loading(function: str, sql: str, args: int) -> str:
    return f"""
        SELECT {_CALLER}, {STORED_COLUMNS}, found.* FROM {function}($1, ${args + 2}, ${args + 3}) {_CONTEXT}
        LEFT JOIN LATERAL ({find_stored_sql("context.caller_id", f"${args + 4}::text")}) stored ON context.allowed
        LEFT JOIN LATERAL (
            SELECT query.*, true AS query_found FROM ({sql}) query
            WHERE context.allowed AND stored.fingerprint IS NULL OFFSET 0) found ON true
        LEFT JOIN LATERAL consume_rate_limit(
            context.tenant_id, context.caller_id, {_LIMIT}, found.query_found) rate ON true"""


def _result(row: Record | None, credential: Credential) -> AuthResult | None:
    if row is None or row["caller_id"] is None:
        return None
    tenant = TenantContext(
        row["caller_tenant_id"],
        row["caller_timezone"],
        row["caller_currency"],
        row["caller_decimals"],
        tuple(row["caller_languages"]),
        row["caller_grid"],
    )
    requested = row["requested_scopes"]
    approved = frozenset(row["approved_scopes"])
    scopes = effective_scopes(approved, None if requested is None else frozenset(requested))
    caller_type: Literal["app", "key"] = "app" if credential.function == "authenticate_access_token" else "key"
    caller = Caller(
        tenant,
        caller_type,
        row["caller_id"],
        scopes,
        row["caller_branch_id"],
        frozenset(row["budgeted_scopes"]),
        effective_scopes(approved, None),
    )
    return AuthResult(
        caller,
        is_suspended=row["caller_suspended"],
        has_open_api=row["caller_has_open_api"] is not False,
        rate=_rate(row),
        rate_limit=row["caller_rate_limit"],
        clock_ahead=row["caller_clock_ahead"],
        has_faults=row["caller_has_faults"],
    )


def _rate(row: Record) -> RateLimitStatus | None:
    if row["rate_total"] is None:
        return None
    return RateLimitStatus(
        row["caller_rate_limit"], row["rate_total"], row["rate_blocked_until"], row["rate_resets_at"]
    )
