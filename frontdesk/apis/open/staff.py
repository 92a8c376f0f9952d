from uuid import UUID

from frontdesk.apis.open.references import require_branch
from frontdesk.auth.scopes import Scope
from frontdesk.errors import Code
from frontdesk.http.endpoints import Operations
from frontdesk.http.field_types import FilterText
from frontdesk.http.pagination import DataOf, PageOf, PageQuery, list_answer
from frontdesk.http.request import Call
from frontdesk.http.responses import Answer, data_answer
from frontdesk.staff.documents import StaffMember, WorkingHour
from frontdesk.staff.queries import get_staff_member, get_working_hour, list_staff
from frontdesk.staff.types import StaffFilter
from frontdesk.values.text import fold

operations = Operations()


class StaffQuery(PageQuery, kw_only=True):
    name: FilterText | None = None
    branch_id: UUID | None = None


@operations.get("/staff", scope=Scope.STAFF_READ, answer=PageOf[StaffMember])
async def get_staff(call: Call, query: StaffQuery) -> Answer:
    """List the staff with their services."""
    filter_ = StaffFilter(name=fold(query.name) if query.name else None, branch_id=query.branch_id)
    async with call.connection() as conn:
        page = await list_staff(conn, call.caller.business, filter_, query.request(), call.origin)
        await require_branch(conn, call.caller.tenant_id, query.branch_id, page)
    return list_answer(call, query, page)


@operations.get("/staff/{uuid}", scope=Scope.STAFF_READ, answer=DataOf[StaffMember], errors=[Code.NOT_FOUND])
async def get_one_staff_member(call: Call, uuid: UUID) -> Answer:
    """Read one member of staff."""
    async with call.connection() as conn:
        return data_answer(await get_staff_member(conn, call.caller.business, uuid, call.origin))


@operations.get(
    "/staff/{uuid}/working-hour", scope=Scope.STAFF_READ, answer=DataOf[WorkingHour], errors=[Code.NOT_FOUND]
)
async def get_staff_working_hour(call: Call, uuid: UUID) -> Answer:
    """Read the default working hour of a member of staff, or the branch's where they have none."""
    async with call.connection() as conn:
        return data_answer(await get_working_hour(conn, call.caller.tenant_id, uuid))
