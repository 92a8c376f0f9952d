from uuid import UUID

from frontdesk.apis.changes import read_list
from frontdesk.apis.custom_data import CustomDataQuery
from frontdesk.auth.scopes import Scope
from frontdesk.catalog import queries
from frontdesk.catalog.documents import Item, ItemDetail
from frontdesk.catalog.types import ItemFilter, ItemType
from frontdesk.custom_data.queries import with_custom_data
from frontdesk.http.endpoints import Endpoints
from frontdesk.http.errors import Code
from frontdesk.http.field_types import FilterText
from frontdesk.http.pagination import DataResponse, PageResponse
from frontdesk.http.request import Request
from frontdesk.http.responses import Response, data_response
from frontdesk.values.text import search_key

operations = Endpoints()


class ItemQuery(CustomDataQuery, kw_only=True):
    type: ItemType | None = None
    name: FilterText | None = None


@operations.get("/items", scope=Scope.ITEMS_READ, response=PageResponse[Item], takes_fields=True)
async def list_items(request: Request, query: ItemQuery) -> Response:
    """List services and products."""
    filter_ = ItemFilter(type=query.type, name=search_key(query.name) if query.name else None, own=query.own())
    return await read_list(request, query, lambda since: queries.list_items(filter_, query.request(), since))


@operations.get(
    "/items/{uuid}",
    scope=Scope.ITEMS_READ,
    response=DataResponse[ItemDetail],
    takes_fields=True,
    errors=[Code.NOT_FOUND],
)
async def get_item(request: Request, uuid: UUID) -> Response:
    """Retrieve a service or product; a service includes the staff who perform it."""
    return data_response(await request.fetch(with_custom_data(queries.get_item(uuid), "item")))
