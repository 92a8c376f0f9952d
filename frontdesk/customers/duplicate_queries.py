"""Finds pairs of customers that look like one person."""

from uuid import UUID

import msgspec
from asyncpg import Record

from frontdesk.postgres.query import Query

MAX_PAIRS = 50
NAME_KEY = "left(fold_text({0}.name_search), 600)"
EMAIL_KEY = "lower({0}.email)"
PHONE_KEY = "right({0}.phone_digits, 7)"


class SimilarCustomer(msgspec.Struct, frozen=True):
    id: UUID
    name: str
    phone: str | None
    email: str | None


class SimilarPair(msgspec.Struct, frozen=True):
    """`one` was created first."""

    one: SimilarCustomer
    other: SimilarCustomer


def _pairs(key: str) -> str:
    """What several customers have is found by reading each customer once, in the order of an index."""
    return f"""(
        SELECT p.one_id, p.other_id
        FROM (SELECT {key.format("c")} AS key FROM customers c WHERE c.tenant_id = $1 AND c.erased_at IS NULL
            GROUP BY 1 HAVING count(*) > 1 OFFSET 0) k,
            LATERAL (
                SELECT a.id AS one_id, b.id AS other_id FROM customers a
                JOIN customers b ON b.tenant_id = $1 AND {key.format("b")} = k.key AND b.id > a.id
                WHERE a.tenant_id = $1 AND {key.format("a")} = k.key AND a.erased_at IS NULL AND b.erased_at IS NULL
                AND NOT EXISTS (
                    SELECT FROM distinct_customers d
                    WHERE d.tenant_id = $1 AND d.customer_id = a.id AND d.other_id = b.id)
                OFFSET 0) p
        LIMIT {MAX_PAIRS})"""


_ALIKE = f"{_pairs(NAME_KEY)} UNION {_pairs(EMAIL_KEY)} UNION {_pairs(PHONE_KEY)}"
_ONE = """json_build_object('id', {0}.id, 'name', concat_ws(' ', {0}.first_name, {0}.last_name),
                'phone', {0}.phone, 'email', {0}.email)"""


def similar_customers() -> Query[list[SimilarPair]]:
    """The same name or e-mail address, or a phone number with the same last seven digits."""
    return Query(
        f"""
        SELECT coalesce(json_agg(json_build_object('one', {_ONE.format("a")}, 'other', {_ONE.format("b")})
            ORDER BY a.name_search, a.id, b.id), '[]')::text AS pairs
        FROM (SELECT one_id, other_id FROM ({_ALIKE}) u LIMIT {MAX_PAIRS}) p
        JOIN customers a ON a.tenant_id = $1 AND a.id = p.one_id
        JOIN customers b ON b.tenant_id = $1 AND b.id = p.other_id
        """,
        (),
        _decode,
    )


def _decode(row: Record | None) -> list[SimilarPair]:
    return [] if row is None else msgspec.json.decode(row["pairs"], type=list[SimilarPair])
