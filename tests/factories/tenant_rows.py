"""What the factories write through: a shop of the service, or a connection inside a test's own transaction."""

from typing import Any, Protocol
from uuid import UUID

from frontdesk.postgres.pool import Connection


class TenantRows(Protocol):
    async def sql(self, statement: str, *args: object) -> list[Any]:
        """Run a statement; $1 is the tenant."""


class ConnectionRows:
    """The rows of one tenant through a given connection."""

    def __init__(self, conn: Connection, tenant_id: UUID) -> None:
        self._conn = conn
        self._tenant_id = tenant_id

    async def sql(self, statement: str, *args: object) -> list[Any]:
        return await self._conn.fetch(statement, self._tenant_id, *args)
