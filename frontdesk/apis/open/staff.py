from typing import Literal
from uuid import UUID

from frontdesk.apis.changes import read_list
from frontdesk.apis.custom_data import CustomDataQuery
from frontdesk.auth.scopes import Scope
from frontdesk.http.endpoints import Endpoints
from frontdesk.http.errors import Code
from frontdesk.http.field_types import FilterText
from frontdesk.http.pagination import DataResponse, PageResponse
from frontdesk.http.request import Request
from frontdesk.http.responses import Response, data_response
from frontdesk.staff import queries
from frontdesk.staff.documents import StaffMember, WorkingHour
from frontdesk.staff.types import StaffFilter
from frontdesk.values.text import search_key

operations = Endpoints()


class StaffQuery(CustomDataQuery, kw_only=True):
    name: FilterText | None = None
    branch_id: UUID | None = None
    status: Literal["true", "false"] | None = None


@operations.get("/staff", scope=Scope.STAFF_READ, response=PageResponse[StaffMember], takes_fields=True)
async def list_staff(request: Request, query: StaffQuery) -> Response:
    """List staff members and the services they perform.

    Those who work here, or with `status` false those who left. With `updated_since` both, unless `status` says which.
    """
    name = search_key(query.name) if query.name else None
    status = query.status or ("true" if query.updated_since is None else None)
    filter_ = StaffFilter(name, query.branch_id, None if status is None else status == "true", query.own())
    return await read_list(
        request, query, lambda since: queries.list_staff(filter_, query.request(), request.origin, since)
    )


@operations.get(
    "/staff/{uuid}",
    scope=Scope.STAFF_READ,
    response=DataResponse[StaffMember],
    takes_fields=True,
    errors=[Code.NOT_FOUND],
)
async def get_staff_member(request: Request, uuid: UUID) -> Response:
    """Retrieve a staff member."""
    return data_response(await request.fetch(queries.get_staff_member(uuid, request.origin)))


@operations.get(
    "/staff/{uuid}/working-hour", scope=Scope.STAFF_READ, response=DataResponse[WorkingHour], errors=[Code.NOT_FOUND]
)
async def get_staff_working_hour(request: Request, uuid: UUID) -> Response:
    """Retrieve the working hour of a staff member, or that of the branch if they have none."""
    return data_response(await request.fetch(queries.get_working_hour(uuid)))
