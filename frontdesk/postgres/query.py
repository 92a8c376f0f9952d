"""A read as a value: its SQL, its arguments, and how its row becomes a result.

Every query is joined with the row `context`, which has the tenant's time zone, currency and languages. For an API
request that row comes from authentication, in the same statement; otherwise from the table of tenants.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Generic, Literal, NamedTuple, Self, TypeVar
from uuid import UUID

import msgspec
from asyncpg import Record

from frontdesk.postgres.pool import Connection
from frontdesk.problems import not_found, or_not_found
from frontdesk.values.pagination import Page

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)


class Lock(NamedTuple):
    """A statement that locks rows; `$1` is the tenant."""

    sql: str
    args: tuple[object, ...]


def lock_row(table: str, id_: UUID | None, strength: Literal["NO KEY UPDATE", "UPDATE"] = "NO KEY UPDATE") -> Lock:
    return Lock(f"SELECT FROM {table} WHERE tenant_id = $1 AND id = $2 FOR {strength}", (id_,))


class Query(NamedTuple, Generic[T_co]):
    """A SELECT of at most one row. `$1` is the tenant, `$2` the first of `args`; `result` gets None for no row."""

    sql: str
    args: tuple[object, ...]
    result: Callable[[Record | None], T_co]
    lock: Lock | None = None  # of an act: taken before it reads, if others change the rows again and again
    is_late: bool = True  # a replica may answer it, if the caller accepts that

    def locking(self, lock: Lock) -> Self:
        return self._replace(lock=lock)


class ApiCaller(NamedTuple):
    """What a query may read of an authenticated API client or key."""

    id: UUID | None = None
    branch_id: UUID | None = None  # of a key
    scopes: Sequence[str] = ()


_NO_CALLER = ApiCaller()


async def fetch(conn: Connection, tenant_id: UUID, query: Query[T], caller: ApiCaller = _NO_CALLER) -> T:
    """Not for API requests, which authenticate in the same statement."""
    row = await conn.fetchrow(_with_tenant(query.sql, len(query.args)), tenant_id, *query.args, *caller)
    return query.result(row)


@lru_cache(maxsize=512)
def _with_tenant(sql: str, args: int) -> str:
    return f"""
        SELECT found.* FROM (
            SELECT *, id AS tenant_id, ${args + 2}::uuid AS caller_id, ${args + 3}::uuid AS branch_id,
                   ${args + 4}::text[] AS approved_scopes, NULL::text[] AS requested_scopes
            FROM tenants WHERE id = $1
        ) context, LATERAL ({sql}) found"""


def found(noun: str, read: Callable[[Record], T]) -> Callable[[Record | None], T]:
    """404 without a row."""
    return lambda row: read(or_not_found(row, noun))


def always(read: Callable[[Record], T]) -> Callable[[Record | None], T]:
    """The result of a query that always has a row."""

    def result(row: Record | None) -> T:
        if row is None:
            raise AssertionError("the query always returns a row")
        return read(row)

    return result


def optional(read: Callable[[Record], T]) -> Callable[[Record | None], T | None]:
    return lambda row: None if row is None else read(row)


def document(noun: str) -> Callable[[Record | None], bytes]:
    """The result of a query whose only column is a published document; 404 if there is none."""

    def result(row: Record | None) -> bytes:
        if row is None or row["document"] is None:
            raise not_found(noun)
        found: bytes = row["document"]
        return found

    return result


def optional_document(row: Record | None) -> bytes | None:
    return None if row is None else row["document"]


def decoded(kind: type[T]) -> Callable[[Record | None], T]:
    """The result of a query that always has a row, whose column `document` is JSON."""
    return always(_document_decoder(kind))


def found_decoded(noun: str, kind: type[T]) -> Callable[[Record | None], T]:
    return found(noun, _document_decoder(kind))


def optional_decoded(kind: type[T]) -> Callable[[Record | None], T | None]:
    return optional(_document_decoder(kind))


def _document_decoder(kind: type[T]) -> Callable[[Record], T]:
    decoder = msgspec.json.Decoder(kind)
    return lambda row: decoder.decode(row["document"])


def page(row: Record | None) -> Page:
    """The result of a query with the columns `documents`, `total` and, if it has filters by id, `unknown`."""
    return Page(b"[]", 0) if row is None else Page(row["documents"], row["total"] or 0, row.get("unknown") or ())


def unknown_filters(total: str, filters: Mapping[str, str]) -> str:
    """The names of the filters whose record does not exist, if the list is empty.

    `filters` has the SELECT that finds the record of each name.
    """
    tests = ", ".join(f"CASE WHEN NOT EXISTS ({found}) THEN '{name}' END" for name, found in filters.items())
    return f"CASE WHEN {total} = 0 THEN array_remove(ARRAY[{tests or 'NULL'}]::text[], NULL) END"


def json_bytes(expression: str) -> str:
    """JSON as it is sent, so that it is not decoded and encoded again."""
    return f"convert_to(({expression})::text, 'UTF8')"


def page_of(expression: str, order: str) -> str:
    """The rows of a page as one JSON array."""
    return json_bytes(f"coalesce(json_agg({expression} ORDER BY {order}), '[]')")


def page_keys(source: str, key: str, order: tuple[str, str], total: str, first: int) -> str:
    """The CTE `keys` with the keys of one page, read from the nearer end of the index.

    `source` is FROM with WHERE, `order` the forward and the backward ORDER BY, `total` the number of rows; `$first` is
    the offset and `$first + 1` the length of a page. The rows are then read one by one, with LATERAL (… OFFSET 0):
    for a tenant much larger than the average the planner's own choice, a hash join, would read all of its rows.
    """
    forward, backward = order
    skip, take = f"${first}::bigint", f"${first + 1}::bigint"
    return f"""counted AS MATERIALIZED (SELECT ({total})::bigint AS total), span AS MATERIALIZED (
            SELECT total, least({take}, greatest(total - {skip}, 0)) AS take,
                   total - {skip} - least({take}, greatest(total - {skip}, 0)) AS behind
            FROM counted
        ), keys AS (
            (SELECT {key} {source} AND (SELECT behind >= {skip} FROM span) ORDER BY {forward}
             OFFSET {skip} LIMIT {take})
            UNION ALL
            (SELECT {key} {source} AND (SELECT behind < {skip} FROM span) ORDER BY {backward}
             OFFSET (SELECT greatest(behind, 0) FROM span) LIMIT (SELECT take FROM span))
        )"""
