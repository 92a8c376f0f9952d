"""Who calls: token or key, client, plan, and one request taken from the sliding minute, always in one statement.

It stands alone, or goes with the first statement of the request, so that a change to any of these facts acts on the
next request and yet costs no journey of its own.
"""

from collections.abc import Callable
from functools import cache, lru_cache
from uuid import UUID

import msgspec
from asyncpg import Record

from frontdesk.auth.rate_limit import PrefetchedQuota, RateLimitStatus
from frontdesk.auth.scopes import effective_scopes
from frontdesk.auth.types import AuthResult, Caller
from frontdesk.postgres.pool import Connection, ReadAgain, Statement, Write
from frontdesk.tenants.types import TenantContext

DEFAULT_KEY_RATE = 120

# The facts come as one text: the same text was mostly read a moment ago, and need not be taken apart again.
_BUSINESS = "n.id, n.timezone, n.currency, n.currency_decimals, n.languages, n.grid_minutes, n.edition"
_HOLDER_OF_TOKEN = f"""
    SELECT k.client_id AS caller_id, coalesce(c.rate_limit, {{rate}}) AS rate_limit,
           n.open_api AND n.suspended_at IS NULL AS counted,
           least(k.expires_at, CASE WHEN k.secret_version < c.secret_version THEN c.previous_secret_until END)
               AS valid_until,
           json_build_array({_BUSINESS}, k.client_id, c.scopes, k.scopes, NULL, c.rate_limit,
                            n.suspended_at IS NOT NULL)::text AS facts
    FROM access_tokens k
    JOIN api_clients c ON c.tenant_id = k.tenant_id AND c.id = k.client_id
    JOIN tenants n ON n.id = k.tenant_id
    WHERE k.tenant_id = {{tenant}} AND k.token_hash = {{hash}} AND k.revoked_at IS NULL AND k.expires_at > now()
      AND c.disabled_at IS NULL AND c.disconnected_at IS NULL
      AND (k.secret_version = c.secret_version
           OR k.secret_version = c.secret_version - 1 AND c.previous_secret_until > now())"""
_HOLDER_OF_KEY = f"""
    SELECT k.id AS caller_id, coalesce(k.rate_limit, {{rate}}) AS rate_limit, n.suspended_at IS NULL AS counted,
           coalesce(k.expires_at, '9999-01-01 00:00Z') AS valid_until,
           json_build_array({_BUSINESS}, k.id, '{{{{}}}}'::text[], NULL, k.branch_id, k.rate_limit,
                            n.suspended_at IS NOT NULL)::text AS facts
    FROM api_keys k JOIN tenants n ON n.id = k.tenant_id
    WHERE k.tenant_id = {{tenant}} AND k.key_hash = {{hash}} AND k.revoked_at IS NULL
      AND (k.expires_at IS NULL OR k.expires_at > now())"""

# Takes requests from the minute of the `holder` that was found. Where the plan refuses nothing is counted.
_SPENT = """
    INSERT INTO rate_windows AS w (tenant_id, caller_id, run_ends, run_sizes, used)
    SELECT {tenant}, caller_id, ARRAY[clock_timestamp()], ARRAY[1], 1 FROM holder WHERE counted
    ON CONFLICT (tenant_id, caller_id) DO UPDATE SET (run_ends, run_sizes, used, refused_until, granted) = (
        SELECT (s.after).* FROM (
            SELECT spend_rate(ROW(w.run_ends, w.run_sizes, w.used, w.refused_until)::rate_state,
                              (SELECT rate_limit FROM holder), {many}) AS after OFFSET 0
        ) s)
    RETURNING used AS guard_used, refused_until AS guard_refused_until, granted AS guard_granted,
              run_ends[1] + interval '1 minute' AS guard_resets_at"""
_HOLDER_COLUMNS = """holder.facts AS guard_facts, holder.rate_limit AS guard_limit, holder.counted AS guard_counted,
               holder.valid_until AS guard_valid_until"""


class Proof:
    """The question who calls. `accept` gets the answer, None for a stranger, and raises where it will not do.

    Who is believed is asked about in the request's own first statement. Of the caller's minute it takes as many
    requests as their allowance wants. Where that has some left, nothing is counted, and it is enough to ask whether the
    edition is still the one under which they were admitted; where it is not, `doubt` is called, and all is asked again.
    """

    __slots__ = ("_accept", "_believed", "_doubt", "_holder", "_many", "_question", "allowance")

    def __init__(self, holder: str, question: tuple[object, ...], accept: Callable[[AuthResult | None], None]) -> None:
        self._holder = holder
        self._question = question
        self._accept = accept
        self._many = 1
        self.allowance = PrefetchedQuota()

    def believe(self, admission: AuthResult, allowance: PrefetchedQuota, doubt: Callable[[], None]) -> None:
        self._believed = admission
        self._doubt = doubt
        self.allowance = allowance
        self._many = allowance.take()

    async def alone(self, conn: Connection) -> None:
        self._many = max(self._many, 1)
        row = await conn.fetchrow(_alone(self._holder), *self._question, self._many)
        self._accept(None if row is None else self._admission(row))

    def reading(self, sql: str, args: tuple[object, ...]) -> Statement:
        if self._many:
            return _reading(self._holder, sql, len(args)), (*args, *self._question, self._many)
        return _reading_only(sql, len(args)), (*args, *self._edition())

    def writing(self, write: Write, args: tuple[object, ...]) -> Statement:
        if self._many:
            values = (*args, *self._question, self._many, self._believed.facts)
            return _writing(self._holder, write, len(args)), values
        return _writing_only(write, len(args)), (*args, *self._edition())

    def _edition(self) -> tuple[object, ...]:
        tenant = self._believed.caller.tenant
        return tenant.tenant_id, tenant.edition, self._believed.valid_until

    def take(self, rows: list[Record]) -> list[Record]:
        if self._many:
            self._accept(self._admission(rows[0]) if rows else None)
        elif rows and rows[0]["guard_same"]:
            self._accept(msgspec.structs.replace(self._believed, rate=self.allowance.rate))
        else:
            self._doubt()
            raise ReadAgain
        return rows if rows[0]["guard_found"] else []

    def _admission(self, row: Record) -> AuthResult:
        facts, rate = row["guard_facts"], None
        if row["guard_counted"]:
            rate = RateLimitStatus(
                row["guard_limit"], row["guard_used"], row["guard_refused_until"], row["guard_resets_at"]
            )
            self.allowance.grant(row["guard_granted"], rate)
            rate = self.allowance.rate
        return AuthResult(_caller(facts), facts, row["guard_valid_until"], rate)


def token_proof(
    tenant_id: UUID, token_hash: bytes, default_rate: int, accept: Callable[[AuthResult | None], None]
) -> Proof:
    return Proof(_HOLDER_OF_TOKEN, (tenant_id, token_hash, default_rate), accept)


def key_proof(tenant_id: UUID, key_hash: bytes, accept: Callable[[AuthResult | None], None]) -> Proof:
    return Proof(_HOLDER_OF_KEY, (tenant_id, key_hash, DEFAULT_KEY_RATE), accept)


@cache
def _alone(holder: str) -> str:
    held, spent = _parts(holder, 0)
    return f"WITH {held}, {spent} SELECT {_HOLDER_COLUMNS}, spent.* FROM holder LEFT JOIN spent ON true"


@cache
def _reading(holder: str, sql: str, given: int) -> str:
    """First the reading, then the counting: the minute's row is locked for the shortest time."""
    held, spent = _parts(holder, given)
    return f"""WITH {held}, {spent} SELECT seen.*, spent.* FROM ({_seen(sql)} OFFSET 0) seen LEFT JOIN spent ON true"""


@cache
def _reading_only(sql: str, given: int) -> str:
    return f"""
        SELECT reading.*, guard.guard_same FROM (
            SELECT {_is_same(given)} AS guard_same FROM tenants WHERE id = ${given + 1} OFFSET 0
        ) guard LEFT JOIN LATERAL (
            SELECT asked.*, true AS guard_found FROM ({sql}) asked WHERE guard.guard_same) reading ON true"""


def _is_same(given: int) -> str:
    return f"edition = ${given + 2} AND ${given + 3} > now()"


def _seen(sql: str) -> str:
    return f"""
        SELECT reading.*, {_HOLDER_COLUMNS} FROM holder LEFT JOIN LATERAL (
            SELECT asked.*, true AS guard_found FROM ({sql}) asked WHERE holder.counted) reading ON true"""


@cache
def _writing(holder: str, write: Write, given: int) -> str:
    """The count comes last here too. Should it say no, what was written for the caller is taken back with it."""
    held, spent = _parts(holder, given)
    gate = f"gate AS MATERIALIZED (SELECT FROM holder WHERE counted AND facts = ${given + 5})"
    return f"""WITH {held}, {gate}, {write.parts}, {spent}
        SELECT seen.*, spent.*,
               CASE WHEN seen.guard_found AND spent.guard_refused_until IS NOT NULL THEN refuse_late() END
        FROM ({_written(write)} OFFSET 0) seen LEFT JOIN spent ON true"""


@cache
def _writing_only(write: Write, given: int) -> str:
    return f"""
        WITH gate AS MATERIALIZED (SELECT FROM tenants WHERE id = ${given + 1} AND {_is_same(given)}), {write.parts}
        SELECT written.*, EXISTS (SELECT FROM gate) AS guard_same FROM (SELECT) AS always LEFT JOIN (
            SELECT answer.*, true AS guard_found FROM ({write.answer}) answer) written ON true"""


def _written(write: Write) -> str:
    return f"""
        SELECT written.*, {_HOLDER_COLUMNS} FROM holder LEFT JOIN (
            SELECT answer.*, true AS guard_found FROM ({write.answer}) answer) written ON true"""


def _parts(holder: str, given: int) -> tuple[str, str]:
    names = {"tenant": f"${given + 1}", "hash": f"${given + 2}", "rate": f"${given + 3}", "many": f"${given + 4}"}
    return f"holder AS MATERIALIZED ({holder.format(**names)})", f"spent AS ({_SPENT.format(**names)})"


class _Facts(msgspec.Struct, frozen=True, array_like=True):
    tenant_id: UUID
    timezone: str
    currency: str
    currency_decimals: int
    languages: tuple[str, ...]
    grid_minutes: int
    edition: int
    caller_id: UUID
    approved: frozenset[str]
    asked: frozenset[str] | None
    branch_id: UUID | None
    rate_limit: int | None  # of the caller's own; here only so that a change of it is noticed
    is_suspended: bool


@lru_cache(maxsize=4096)
def _caller(text: str) -> Caller:
    f = msgspec.json.decode(text, type=_Facts)
    tenant = TenantContext(
        f.tenant_id, f.timezone, f.currency, f.currency_decimals, f.languages, f.grid_minutes, f.edition
    )
    return Caller(tenant, f.caller_id, effective_scopes(f.approved, f.asked), f.branch_id, f.is_suspended)
