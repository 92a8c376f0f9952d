"""The log of what a client or a key asked for, a page at a time."""

from datetime import datetime
from typing import Annotated
from uuid import UUID

import msgspec
from msgspec import Meta

from frontdesk.auth.request_log_queries import list_requests
from frontdesk.http.responses import Response
from frontdesk.postgres.pool import Connection
from frontdesk.ui.shell.context import PageContext

_LINES = 50


class LogQuery(msgspec.Struct):
    failed: Annotated[str, Meta(max_length=3)] | None = None
    before: datetime | None = None


async def show_log(
    conn: Connection, context: PageContext, caller_id: UUID, query: LogQuery, *, title: str, path: str
) -> Response:
    """`path` is the caller's own page, which the log's addresses begin with."""
    failed = query.failed is not None
    lines = await list_requests(conn, context.tenant_id, caller_id, failed=failed, before=query.before, most=_LINES + 1)
    return context.render(
        "request_log.html",
        title=title,
        path=path,
        lines=lines[:_LINES],
        older=lines[_LINES - 1].at.isoformat() if len(lines) > _LINES else None,
        failed=failed,
        is_first=query.before is None,
    )
