"""Who calls: token or key, client, plan, and one request taken from the sliding minute, always in one statement.

It stands alone, or goes with the first statement of the request, so that a change to any of these facts acts on the
next request and yet costs no journey of its own.
"""

from collections.abc import Callable
from functools import cache, lru_cache
from uuid import UUID

import msgspec
from asyncpg import Record

from frontdesk.access.scopes import effective
from frontdesk.access.types import Admission, Caller
from frontdesk.kit.db import Connection, Statement, Write
from frontdesk.kit.ratelimit import Allowance, Rate
from frontdesk.tenants.types import Business

DEFAULT_KEY_RATE = 120

# The facts come as one text: the same text was mostly read a moment ago, and need not be taken apart again.
_BUSINESS = "n.id, n.timezone, n.currency, n.currency_decimals, n.languages, n.grid_minutes, n.edition"
_HOLDER_OF_TOKEN = f"""
    SELECT k.client_id AS caller_id, coalesce(c.rate_limit, {{rate}}) AS rate_limit,
           n.open_api AND n.suspended_at IS NULL AS counted,
           json_build_array({_BUSINESS}, k.client_id, c.scopes, k.scopes, NULL, c.rate_limit)::text AS facts
    FROM access_tokens k
    JOIN api_clients c ON c.tenant_id = k.tenant_id AND c.id = k.client_id
    JOIN tenants n ON n.id = k.tenant_id
    WHERE k.tenant_id = {{tenant}} AND k.token_hash = {{hash}} AND k.revoked_at IS NULL AND k.expires_at > now()
      AND c.disabled_at IS NULL AND c.disconnected_at IS NULL
      AND (k.secret_version = c.secret_version
           OR k.secret_version = c.secret_version - 1 AND c.previous_secret_until > now())"""
_HOLDER_OF_KEY = f"""
    SELECT k.id AS caller_id, coalesce(k.rate_limit, {{rate}}) AS rate_limit, true AS counted,
           json_build_array({_BUSINESS}, k.id, '{{{{}}}}'::text[], NULL, k.branch_id, k.rate_limit)::text AS facts
    FROM api_keys k JOIN tenants n ON n.id = k.tenant_id
    WHERE k.tenant_id = {{tenant}} AND k.key_hash = {{hash}} AND k.revoked_at IS NULL AND n.suspended_at IS NULL
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
_HOLDER_COLUMNS = "holder.facts AS guard_facts, holder.rate_limit AS guard_limit, holder.counted AS guard_counted"


class Proof:
    """The question who calls. `accept` gets the answer, None for a stranger, and raises where it will not do.

    `believed` is what the database last told of them; where it tells something else now, nothing is written. Of the
    caller's minute it takes as many requests as `allowance` wants, or none where that has some left.
    """

    __slots__ = ("_accept", "_holder", "_many", "_question", "allowance", "believed")

    def __init__(self, holder: str, question: tuple[object, ...], accept: Callable[[Admission | None], None]) -> None:
        self._holder = holder
        self._question = question
        self._accept = accept
        self._many = 1
        self.believed = ""
        self.allowance = Allowance()

    def believe(self, facts: str, allowance: Allowance) -> None:
        self.believed = facts
        self.allowance = allowance
        self._many = allowance.take()

    @property
    def counts(self) -> bool:
        return self._many > 0

    async def alone(self, conn: Connection) -> None:
        self._many = max(self._many, 1)
        row = await conn.fetchrow(_alone(self._holder), *self._question, self._many)
        self._accept(None if row is None else self._admission(row))

    def reading(self, sql: str, args: tuple[object, ...]) -> Statement:
        if self.counts:
            return _reading(self._holder, sql, len(args)), (*args, *self._question, self._many)
        return _reading_only(self._holder, sql, len(args)), (*args, *self._question)

    def writing(self, write: Write, args: tuple[object, ...]) -> Statement:
        if self.counts:
            values = (*args, *self._question, self._many, self.believed)
            return _writing(self._holder, write, len(args)), values
        return _writing_only(self._holder, write, len(args)), (*args, *self._question, self.believed)

    def take(self, rows: list[Record]) -> list[Record]:
        self._accept(self._admission(rows[0]) if rows else None)
        return rows if rows[0]["guard_found"] else []

    def _admission(self, row: Record) -> Admission:
        facts = row["guard_facts"]
        if not row["guard_counted"]:
            return Admission(_caller(facts), facts, None)
        if not self.counts:
            return Admission(_caller(facts), facts, self.allowance.rate)
        rate = Rate(row["guard_limit"], row["guard_used"], row["guard_refused_until"], row["guard_resets_at"])
        self.allowance.grant(row["guard_granted"], rate)
        return Admission(_caller(facts), facts, self.allowance.rate)


def token_proof(
    tenant_id: UUID, token_hash: bytes, default_rate: int, accept: Callable[[Admission | None], None]
) -> Proof:
    return Proof(_HOLDER_OF_TOKEN, (tenant_id, token_hash, default_rate), accept)


def key_proof(tenant_id: UUID, key_hash: bytes, accept: Callable[[Admission | None], None]) -> Proof:
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
def _reading_only(holder: str, sql: str, given: int) -> str:
    held, _ = _parts(holder, given)
    return f"WITH {held} {_seen(sql)}"


def _seen(sql: str) -> str:
    return f"""
        SELECT reading.*, {_HOLDER_COLUMNS} FROM holder LEFT JOIN LATERAL (
            SELECT asked.*, true AS guard_found FROM ({sql}) asked WHERE holder.counted) reading ON true"""


@cache
def _writing(holder: str, write: Write, given: int) -> str:
    """The count comes last here too. Should it say no, what was written for the caller is taken back with it."""
    held, spent = _parts(holder, given)
    return f"""WITH {held}, {_gate(given + 5)}, {write.parts}, {spent}
        SELECT seen.*, spent.*,
               CASE WHEN seen.guard_found AND spent.guard_refused_until IS NOT NULL THEN refuse_late() END
        FROM ({_written(write)} OFFSET 0) seen LEFT JOIN spent ON true"""


@cache
def _writing_only(holder: str, write: Write, given: int) -> str:
    held, _ = _parts(holder, given)
    return f"WITH {held}, {_gate(given + 4)}, {write.parts} {_written(write)}"


def _gate(believed: int) -> str:
    return f"gate AS MATERIALIZED (SELECT FROM holder WHERE counted AND facts = ${believed})"


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


@lru_cache(maxsize=4096)
def _caller(text: str) -> Caller:
    f = msgspec.json.decode(text, type=_Facts)
    business = Business(
        f.tenant_id, f.timezone, f.currency, f.currency_decimals, f.languages, f.grid_minutes, f.edition
    )
    return Caller(business, f.caller_id, effective(f.approved, f.asked), f.branch_id)
