from uuid import UUID

from frontdesk.apis.changes import ChangesQuery, read_list
from frontdesk.auth.scopes import Scope
from frontdesk.http.endpoints import Endpoints
from frontdesk.http.errors import Code
from frontdesk.http.pagination import DataResponse, PageResponse
from frontdesk.http.request import Request
from frontdesk.http.responses import Response, data_response
from frontdesk.staff.documents import WorkingHour
from frontdesk.staff.queries import get_branch_hours
from frontdesk.tenants import queries
from frontdesk.tenants.documents import Branch

operations = Endpoints()


@operations.get("/branches", scope=Scope.BRANCHES_READ, response=PageResponse[Branch], takes_fields=True)
async def list_branches(request: Request, query: ChangesQuery) -> Response:
    """List the branches of the business."""
    return await read_list(request, query, lambda since: queries.list_branches(query.request(), since))


@operations.get(
    "/branches/{uuid}/working-hour",
    scope=Scope.BRANCHES_READ,
    response=DataResponse[WorkingHour],
    errors=[Code.NOT_FOUND],
)
async def get_branch_working_hour(request: Request, uuid: UUID) -> Response:
    """Retrieve the weekly opening hours of a branch."""
    return data_response(await request.fetch(get_branch_hours(uuid)))
