"""Transactions that read or write much."""

from frontdesk.postgres.pool import Connection


async def refuse_writes(conn: Connection) -> None:
    """Of every transaction of this connection from now on."""
    await conn.execute("SET default_transaction_read_only = on")


async def begin_snapshot(conn: Connection) -> None:
    """For a transaction that reads one state of the database, while others write."""
    await conn.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
    await allow_an_hour(conn)


async def allow_an_hour(conn: Connection) -> None:
    """For each statement of this transaction."""
    await conn.execute("SET LOCAL statement_timeout = '1h'")
    conn.allow(3600.0)
