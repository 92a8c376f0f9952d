"""A transaction whose own statements have the limit of time that all statements have."""

from types import TracebackType
from typing import TYPE_CHECKING

import asyncpg
from asyncpg import Record
from asyncpg.transaction import Transaction

if TYPE_CHECKING:
    from frontdesk.postgres.pool import Connection


class LimitedTransaction:
    """A transaction whose BEGIN, COMMIT and ROLLBACK have the limit of a statement.

    A block that is canceled ends its connection, because ROLLBACK would wait for a server that may hang.
    """

    __slots__ = ("_conn", "_raw", "_transaction")

    def __init__(self, conn: "Connection", raw: "asyncpg.Connection[Record]", transaction: Transaction) -> None:
        self._conn = conn
        self._raw = raw
        self._transaction = transaction

    async def start(self) -> None:
        self._conn.sql = "BEGIN"
        with self._conn:
            await self._transaction.start()

    async def commit(self) -> None:
        self._conn.sql = "COMMIT"
        with self._conn:
            await self._transaction.commit()

    async def rollback(self) -> None:
        self._conn.sql = "ROLLBACK"
        with self._conn:
            await self._transaction.rollback()

    async def __aenter__(self) -> None:
        await self.start()

    async def __aexit__(
        self, kind: type[BaseException] | None, failure: BaseException | None, trace: TracebackType | None
    ) -> None:
        if failure is None:
            await self.commit()
        elif not isinstance(failure, Exception):
            self._raw.terminate()
        elif not self._raw.is_closed():
            await self.rollback()
