from uuid import UUID

from frontdesk.apis.references import require_known
from frontdesk.auth.scopes import Scope
from frontdesk.catalog import queries
from frontdesk.catalog.documents import Category
from frontdesk.http.endpoints import Endpoints
from frontdesk.http.pagination import PageQuery, PageResponse, list_response
from frontdesk.http.request import Request
from frontdesk.http.responses import Response

operations = Endpoints()


class CategoryQuery(PageQuery, kw_only=True):
    branch_id: UUID | None = None


@operations.get("/categories", scope=Scope.CATEGORIES_READ, response=PageResponse[Category])
async def list_categories(request: Request, query: CategoryQuery) -> Response:
    """List the categories of the catalog, sorted by `sort_order`."""
    page = await request.fetch(queries.list_categories(query.branch_id, query.request()))
    return list_response(request, query, require_known(page))
