"""The start-up data of POS clients."""

import hashlib
from uuid import UUID

from frontdesk.apis.pos.branches import require_branch_of_path
from frontdesk.day_close.documents import ApiLimits, BranchMetadata, PosServiceStaffMember
from frontdesk.day_close.queries import get_metadata, list_performers
from frontdesk.http.endpoints import EndpointDocs, Endpoints
from frontdesk.http.errors import Code
from frontdesk.http.pagination import DataResponse
from frontdesk.http.request import Request
from frontdesk.http.responses import Response, data_response, encode
from frontdesk.orders.types import MAX_LINES, MAX_PAYMENTS
from frontdesk.values.clock import current_time
from frontdesk.values.time import format_utc

operations = Endpoints()


@operations.get(
    "/metadata/{teamId}",
    response=DataResponse[BranchMetadata],
    errors=[Code.NOT_FOUND],
    docs=EndpointDocs(has_etag=True),
)
async def get_branch_metadata(request: Request, uuid: UUID) -> Response:
    """Retrieve everything a till needs at startup in one request; supports conditional requests with ETag."""
    document = (await request.fetch(get_metadata(uuid))).decode()
    require_branch_of_path(request, uuid)
    limits = ApiLimits(int(request.headers["x-ratelimit-limit"]), 100, MAX_LINES, MAX_PAYMENTS)
    stable = f'{document[:-1]}, "limits": {encode(limits).decode()}'
    # The ETag does not include the time, because the data has not changed if only the time has.
    tag = f'"{hashlib.sha256(stable.encode()).hexdigest()[:32]}"'
    headers = {"etag": tag, "cache-control": "private, no-cache"}
    if _names(request.header(b"if-none-match"), tag):
        return Response(b"", 304, headers)
    return data_response(f'{stable}, "server_time": "{format_utc(current_time())}"}}', headers=headers)


@operations.get(
    "/services/{serviceId}/staff", response=DataResponse[list[PosServiceStaffMember]], errors=[Code.NOT_FOUND]
)
async def list_service_staff(request: Request, uuid: UUID) -> Response:
    """List the staff members who perform a service."""
    return data_response(await request.fetch(list_performers(uuid, request.origin)))


def _names(sent: str | None, tag: str) -> bool:
    if sent is None:
        return False
    known = [part.strip().removeprefix("W/") for part in sent.split(",")]
    return tag in known or "*" in known
