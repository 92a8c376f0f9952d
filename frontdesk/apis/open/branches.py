from frontdesk.auth.scopes import Scope
from frontdesk.http.endpoints import Operations
from frontdesk.http.pagination import PageOf, PageQuery, list_answer
from frontdesk.http.request import Call
from frontdesk.http.responses import Answer
from frontdesk.tenants.documents import Branch
from frontdesk.tenants.queries import list_branches

operations = Operations()


@operations.get("/branches", scope=Scope.BRANCHES_READ, answer=PageOf[Branch])
async def get_branches(call: Call, query: PageQuery) -> Answer:
    """List the branches of the business."""
    async with call.connection() as conn:
        page = await list_branches(conn, call.caller.tenant_id, query.request())
    return list_answer(call, query, page)
