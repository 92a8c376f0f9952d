"""Ids that name other records inside a query."""

from uuid import UUID

from frontdesk.errors import invalid
from frontdesk.postgres.pool import Connection
from frontdesk.tenants.queries import exists_branch
from frontdesk.values.pagination import Page


async def require_branch(conn: Connection, tenant_id: UUID, branch_id: UUID | None, page: Page) -> None:
    """An unknown branch is a mistake to be told of, not an empty list; a page that found something proves it exists."""
    if branch_id is not None and page.total == 0 and not await exists_branch(conn, tenant_id, branch_id):
        raise invalid({"branch_id": ["is not a branch of this business"]})
