"""Every sealed value of the database: how many cannot be opened, and sealing all of them with the first key."""

from collections.abc import AsyncIterator, Callable
from typing import Any, NamedTuple

from frontdesk.postgres.pool import Connection
from frontdesk.security.encryption import DecryptionFailed, SecretBox

_BATCH = 500


class _SecretColumn(NamedTuple):
    table: str
    column: str
    keys: tuple[str, ...]
    condition: str = "true"


_WEBHOOK = ("tenant_id", "id")
_SECRET_COLUMNS = (
    _SecretColumn("webhooks", "secret", _WEBHOOK),
    _SecretColumn("webhooks", "previous_secret", _WEBHOOK, "previous_secret_until > now()"),
    _SecretColumn("applications", "webhook_secret", ("id",)),
)
# Stored answers that hold a secret are sealed; all others are JSON, which never begins with this byte.
_ANSWERS = _SecretColumn(
    "idempotency_records", "body", ("tenant_id", "caller_id", "key"), "substring(body FROM 1 FOR 1) = '\\x01'"
)


class Reencrypted(NamedTuple):
    seen: int
    resealed: int
    unreadable: int


async def count_unreadable(conn: Connection, vault: SecretBox) -> int:
    """Secrets that none of the keys opens. Stored answers are left out: they expire within a day."""
    return sum([not vault.opens(value) for place in _SECRET_COLUMNS async for _, value in _values(conn, place)])


async def reencrypt(conn: Connection, vault: SecretBox, report: Callable[[str], None]) -> Reencrypted:
    """Safe beside a running service: a value is replaced only where it is still the one that was read.

    It can be stopped and started again, because a value that the first key opens is left as it is.
    """
    seen = resealed = unreadable = 0
    for place in (*_SECRET_COLUMNS, _ANSWERS):
        async for key, value in _values(conn, place):
            seen += 1
            if not vault.is_current(value):
                try:
                    resealed += await _replace(conn, place, key, value, vault.seal(vault.open(value)))
                except DecryptionFailed:
                    unreadable += 1
            if seen % _BATCH == 0:
                report(f"{seen} secrets read, {resealed} sealed anew")
    return Reencrypted(seen, resealed, unreadable)


async def _values(conn: Connection, place: _SecretColumn) -> AsyncIterator[tuple[tuple[object, ...], bytes]]:
    """A batch at a time, in the order of the primary key."""
    names, after = ", ".join(place.keys), ()
    while True:
        rows: list[Any] = await conn.fetch(_page(place, names, first=not after), *after)
        for row in rows:
            yield tuple(row)[:-1], row[-1]
        if len(rows) < _BATCH:
            return
        after = tuple(rows[-1])[:-1]


def _page(place: _SecretColumn, names: str, *, first: bool) -> str:
    marks = ", ".join(f"${n}" for n in range(1, len(place.keys) + 1))
    further = "true" if first else f"({names}) > ({marks})"
    return f"""
        SELECT {names}, {place.column} FROM {place.table}
        WHERE {place.column} IS NOT NULL AND {place.condition} AND {further} ORDER BY {names} LIMIT {_BATCH}
    """


async def _replace(conn: Connection, place: _SecretColumn, key: tuple[object, ...], old: bytes, new: bytes) -> int:
    found = " AND ".join(f"{name} = ${n}" for n, name in enumerate(place.keys, 3))
    done = await conn.execute(
        f"UPDATE {place.table} SET {place.column} = $2 WHERE {place.column} = $1 AND {found}", old, new, *key
    )
    return int(done.removeprefix("UPDATE "))
