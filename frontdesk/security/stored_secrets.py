"""Every sealed value of the database: how many cannot be opened, and sealing all of them with the first key."""

from collections.abc import AsyncIterator, Callable
from typing import Any, NamedTuple

from frontdesk.postgres.pool import Connection
from frontdesk.security.encryption import SealBroken, Vault

_BATCH = 500


class _Place(NamedTuple):
    table: str
    column: str
    keys: tuple[str, ...]
    condition: str = "true"


_WEBHOOK = ("tenant_id", "id")
_PLACES = (
    _Place("webhooks", "secret", _WEBHOOK),
    _Place("webhooks", "previous_secret", _WEBHOOK, "previous_secret_until > now()"),
    _Place("applications", "webhook_secret", ("id",)),
)
# Stored answers that hold a secret are sealed; all others are JSON, which never begins with this byte.
_ANSWERS = _Place(
    "idempotency_records", "body", ("tenant_id", "caller_id", "key"), "substring(body FROM 1 FOR 1) = '\\x01'"
)


class Resealed(NamedTuple):
    seen: int
    resealed: int
    unreadable: int


async def count_unreadable(conn: Connection, vault: Vault) -> int:
    """Secrets that none of the keys opens. Stored answers are left out: they expire within a day."""
    return sum([not vault.opens(value) for place in _PLACES async for _, value in _values(conn, place)])


async def reseal(conn: Connection, vault: Vault, report: Callable[[str], None]) -> Resealed:
    """Safe beside a running service: a value is replaced only where it is still the one that was read.

    It can be stopped and started again, because a value that the first key opens is left as it is.
    """
    seen = resealed = unreadable = 0
    for place in (*_PLACES, _ANSWERS):
        async for key, value in _values(conn, place):
            seen += 1
            if not vault.is_current(value):
                try:
                    resealed += await _replace(conn, place, key, value, vault.seal(vault.open(value)))
                except SealBroken:
                    unreadable += 1
            if seen % _BATCH == 0:
                report(f"{seen} secrets read, {resealed} sealed anew")
    return Resealed(seen, resealed, unreadable)


async def _values(conn: Connection, place: _Place) -> AsyncIterator[tuple[tuple[object, ...], bytes]]:
    """A batch at a time, in the order of the primary key."""
    names, after = ", ".join(place.keys), ()
    while True:
        rows: list[Any] = await conn.fetch(_page(place, names, first=not after), *after)
        for row in rows:
            yield tuple(row)[:-1], row[-1]
        if len(rows) < _BATCH:
            return
        after = tuple(rows[-1])[:-1]


def _page(place: _Place, names: str, *, first: bool) -> str:
    marks = ", ".join(f"${n}" for n in range(1, len(place.keys) + 1))
    further = "true" if first else f"({names}) > ({marks})"
    return f"""
        SELECT {names}, {place.column} FROM {place.table}
        WHERE {place.column} IS NOT NULL AND {place.condition} AND {further} ORDER BY {names} LIMIT {_BATCH}
    """


async def _replace(conn: Connection, place: _Place, key: tuple[object, ...], old: bytes, new: bytes) -> int:
    found = " AND ".join(f"{name} = ${n}" for n, name in enumerate(place.keys, 3))
    done = await conn.execute(
        f"UPDATE {place.table} SET {place.column} = $2 WHERE {place.column} = $1 AND {found}", old, new, *key
    )
    return int(done.removeprefix("UPDATE "))
