from frontdesk.access.scopes import Scope
from frontdesk.tenants.documents import Branch
from frontdesk.tenants.queries import list_branches
from frontdesk.web.answers import Answer
from frontdesk.web.call import Call
from frontdesk.web.pages import PageOf, PageQuery, list_answer
from frontdesk.web.surface import Operations

operations = Operations()


@operations.get("/branches", scope=Scope.BRANCHES_READ, answer=PageOf[Branch])
async def get_branches(call: Call, query: PageQuery) -> Answer:
    """List the branches of the business."""
    async with call.connection() as conn:
        page = await list_branches(conn, call.caller.tenant_id, query.request())
    return list_answer(call, query, page)
