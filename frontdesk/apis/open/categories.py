from uuid import UUID

from frontdesk.apis.open.references import require_branch
from frontdesk.auth.scopes import Scope
from frontdesk.catalog.documents import Category
from frontdesk.catalog.queries import list_categories
from frontdesk.http.endpoints import Operations
from frontdesk.http.pagination import PageOf, PageQuery, list_answer
from frontdesk.http.request import Call
from frontdesk.http.responses import Answer

operations = Operations()


class CategoryQuery(PageQuery, kw_only=True):
    branch_id: UUID | None = None


@operations.get("/categories", scope=Scope.CATEGORIES_READ, answer=PageOf[Category])
async def get_categories(call: Call, query: CategoryQuery) -> Answer:
    """List the categories of the catalogue, in the order the business gave them."""
    async with call.connection() as conn:
        page = await list_categories(conn, call.caller.tenant_id, query.branch_id, query.request())
        await require_branch(conn, call.caller.tenant_id, query.branch_id, page)
    return list_answer(call, query, page)
