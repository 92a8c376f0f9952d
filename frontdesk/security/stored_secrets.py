"""The encrypted values of the database: counting the unreadable ones, and reencryption with the first key."""

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
    _SecretColumn("calendar_feeds", "secret", ("tenant_id", "id")),
    _SecretColumn("external_calendars", "url_secret", ("tenant_id", "staff_id")),
    _SecretColumn("messages", "secret", ("tenant_id", "id")),
    _SecretColumn("account_messages", "secret", ("id",)),
    _SecretColumn("second_factors", "secret", ("id",)),
)
_RESPONSES = _SecretColumn("idempotency_records", "secret", ("tenant_id", "caller_id", "key"))


class Reencrypted(NamedTuple):
    total: int
    reencrypted: int
    unreadable: int


async def count_unreadable(conn: Connection, secret_box: SecretBox) -> int:
    """The number of secrets that no key decrypts, without those of stored responses, which expire within a day."""
    return sum(
        [not secret_box.can_decrypt(value) for column in _SECRET_COLUMNS async for _, value in _values(conn, column)]
    )


async def reencrypt(conn: Connection, secret_box: SecretBox, report: Callable[[str], None]) -> Reencrypted:
    """Safe while the service runs: a value is replaced only if it has not changed since it was read.

    It can be interrupted and run again, because a value encrypted with the first key is left as it is.
    """
    total = reencrypted = unreadable = 0
    for column in (*_SECRET_COLUMNS, _RESPONSES):
        async for key, value in _values(conn, column):
            total += 1
            if not secret_box.is_current(value):
                try:
                    reencrypted += await _replace(
                        conn, column, key, value, secret_box.encrypt(secret_box.decrypt(value))
                    )
                except DecryptionFailed:
                    unreadable += 1
            if total % _BATCH == 0:
                report(f"{total} secrets read, {reencrypted} reencrypted")
    return Reencrypted(total, reencrypted, unreadable)


async def _values(conn: Connection, column: _SecretColumn) -> AsyncIterator[tuple[tuple[object, ...], bytes]]:
    """Reads in batches, in the order of the primary key."""
    names, after = ", ".join(column.keys), ()
    while True:
        rows: list[Any] = await conn.fetch(_page(column, names, first=not after), *after)
        for row in rows:
            yield tuple(row)[:-1], row[-1]
        if len(rows) < _BATCH:
            return
        after = tuple(rows[-1])[:-1]


def _page(column: _SecretColumn, names: str, *, first: bool) -> str:
    parameters = ", ".join(f"${n}" for n in range(1, len(column.keys) + 1))
    further = "true" if first else f"({names}) > ({parameters})"
    return f"""
        SELECT {names}, {column.column} FROM {column.table}
        WHERE {column.column} IS NOT NULL AND {column.condition} AND {further} ORDER BY {names} LIMIT {_BATCH}
    """


async def _replace(conn: Connection, column: _SecretColumn, key: tuple[object, ...], old: bytes, new: bytes) -> int:
    key_match = " AND ".join(f"{name} = ${n}" for n, name in enumerate(column.keys, 3))
    status = await conn.execute(
        f"UPDATE {column.table} SET {column.column} = $2 WHERE {column.column} = $1 AND {key_match}", old, new, *key
    )
    return int(status.removeprefix("UPDATE "))
