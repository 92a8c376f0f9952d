"""What a till asks for when it starts."""

import hashlib
from datetime import UTC, datetime
from uuid import UUID

from frontdesk.apis.pos.branches import require_branch_of_path
from frontdesk.day_close.documents import Limits, Metadata, Performer
from frontdesk.day_close.queries import get_metadata, list_performers
from frontdesk.errors import Code
from frontdesk.http.endpoint_docs import About
from frontdesk.http.endpoints import Operations
from frontdesk.http.pagination import DataOf
from frontdesk.http.rate_limit_headers import MOST_LINES, MOST_PAYMENTS
from frontdesk.http.request import Call
from frontdesk.http.responses import Answer, data_answer, encode
from frontdesk.values.time import format_utc

operations = Operations()


@operations.get("/metadata/{teamId}", answer=DataOf[Metadata], errors=[Code.NOT_FOUND], about=About(tagged=True))
async def get_branch_metadata(call: Call, uuid: UUID) -> Answer:
    """All that a till needs to start, in one call; 304 while nothing of it has changed."""
    require_branch_of_path(call, uuid)
    async with call.connection() as conn:
        document = await get_metadata(conn, call.caller.tenant_id, uuid)
    limits = Limits(int(call.headers["x-ratelimit-limit"]), 100, MOST_LINES, MOST_PAYMENTS)
    stable = f'{document[:-1]}, "limits": {encode(limits).decode()}'
    # The time is left out of the tag: it alone is no change.
    tag = f'"{hashlib.sha256(stable.encode()).hexdigest()[:32]}"'
    headers = {"etag": tag, "cache-control": "private, no-cache"}
    if _names(call.header(b"if-none-match"), tag):
        return Answer(b"", 304, headers)
    return data_answer(f'{stable}, "server_time": "{format_utc(datetime.now(UTC))}"}}', headers=headers)


@operations.get("/services/{serviceId}/staff", answer=DataOf[list[Performer]], errors=[Code.NOT_FOUND])
async def get_service_staff(call: Call, uuid: UUID) -> Answer:
    """List who performs a service."""
    async with call.connection() as conn:
        return data_answer(await list_performers(conn, call.caller.business, uuid, call.origin, call.caller.branch_id))


def _names(sent: str | None, tag: str) -> bool:
    if sent is None:
        return False
    known = [part.strip().removeprefix("W/") for part in sent.split(",")]
    return tag in known or "*" in known
