from uuid import UUID

from frontdesk.auth.scopes import Scope
from frontdesk.catalog.documents import Package
from frontdesk.catalog.queries import get_package, list_packages
from frontdesk.errors import Code
from frontdesk.http.endpoints import Operations
from frontdesk.http.pagination import DataOf, PageOf, PageQuery, list_answer
from frontdesk.http.request import Call
from frontdesk.http.responses import Answer, data_answer

operations = Operations()


@operations.get("/packages", scope=Scope.ITEMS_READ, answer=PageOf[Package])
async def get_packages(call: Call, query: PageQuery) -> Answer:
    """List packages with what they hold, newest first."""
    async with call.connection() as conn:
        page = await list_packages(conn, call.caller.business, query.request())
    return list_answer(call, query, page)


@operations.get("/packages/{uuid}", scope=Scope.ITEMS_READ, answer=DataOf[Package], errors=[Code.NOT_FOUND])
async def get_one_package(call: Call, uuid: UUID) -> Answer:
    """Read one package with what it holds."""
    async with call.connection() as conn:
        return data_answer(await get_package(conn, call.caller.business, uuid))
