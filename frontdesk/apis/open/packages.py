from uuid import UUID

from frontdesk.auth.scopes import Scope
from frontdesk.catalog import queries
from frontdesk.catalog.documents import Package
from frontdesk.http.endpoints import Endpoints
from frontdesk.http.errors import Code
from frontdesk.http.pagination import DataResponse, PageQuery, PageResponse, list_response
from frontdesk.http.request import Request
from frontdesk.http.responses import Response, data_response

operations = Endpoints()


@operations.get("/packages", scope=Scope.ITEMS_READ, response=PageResponse[Package])
async def list_packages(request: Request, query: PageQuery) -> Response:
    """List packages and their items, newest first."""
    page = await request.fetch(queries.list_packages(query.request()))
    return list_response(request, query, page)


@operations.get("/packages/{uuid}", scope=Scope.ITEMS_READ, response=DataResponse[Package], errors=[Code.NOT_FOUND])
async def get_package(request: Request, uuid: UUID) -> Response:
    """Retrieve a package and its items."""
    return data_response(await request.fetch(queries.get_package(uuid)))
