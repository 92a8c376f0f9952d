"""The request log of a client or a key."""

from datetime import datetime
from typing import Annotated
from uuid import UUID

import msgspec
from msgspec import Meta

from frontdesk.auth.request_log_queries import list_requests
from frontdesk.http.responses import Response
from frontdesk.postgres.pool import Connection
from frontdesk.ui.shell.context import PageContext

_PER_PAGE = 50


class LogQuery(msgspec.Struct):
    failed: Annotated[str, Meta(max_length=3)] | None = None
    before: datetime | None = None


async def show_log(
    conn: Connection, context: PageContext, caller_id: UUID, query: LogQuery, *, title: str, path: str
) -> Response:
    """`path` is the page of the client or key."""
    failed = query.failed is not None
    entries = await list_requests(
        conn, context.tenant_id, caller_id, failed=failed, before=query.before, limit=_PER_PAGE + 1
    )
    return context.render(
        "request_log.html",
        title=title,
        path=path,
        entries=entries[:_PER_PAGE],
        older=entries[_PER_PAGE - 1].at.isoformat() if len(entries) > _PER_PAGE else None,
        failed=failed,
        is_first=query.before is None,
    )
