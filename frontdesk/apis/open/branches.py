from frontdesk.auth.scopes import Scope
from frontdesk.http.endpoints import Endpoints
from frontdesk.http.pagination import PageQuery, PageResponse, list_response
from frontdesk.http.request import Request
from frontdesk.http.responses import Response
from frontdesk.tenants import queries
from frontdesk.tenants.documents import Branch

operations = Endpoints()


@operations.get("/branches", scope=Scope.BRANCHES_READ, response=PageResponse[Branch])
async def list_branches(request: Request, query: PageQuery) -> Response:
    """List the branches of the business."""
    page = await request.fetch(queries.list_branches(query.request()))
    return list_response(request, query, page)
