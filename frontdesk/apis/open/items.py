from uuid import UUID

from frontdesk.auth.scopes import Scope
from frontdesk.catalog.documents import Item, ItemDetail
from frontdesk.catalog.queries import get_item, list_items
from frontdesk.catalog.types import ItemFilter, ItemType
from frontdesk.errors import Code
from frontdesk.http.endpoints import Operations
from frontdesk.http.field_types import FilterText
from frontdesk.http.pagination import DataOf, PageOf, PageQuery, list_answer
from frontdesk.http.request import Call
from frontdesk.http.responses import Answer, data_answer
from frontdesk.values.text import fold

operations = Operations()


class ItemQuery(PageQuery, kw_only=True):
    type: ItemType | None = None
    name: FilterText | None = None


@operations.get("/items", scope=Scope.ITEMS_READ, answer=PageOf[Item])
async def get_items(call: Call, query: ItemQuery) -> Answer:
    """List services and products."""
    filter_ = ItemFilter(type=query.type, name=fold(query.name) if query.name else None)
    async with call.connection() as conn:
        page = await list_items(conn, call.caller.business, filter_, query.request())
    return list_answer(call, query, page)


@operations.get("/items/{uuid}", scope=Scope.ITEMS_READ, answer=DataOf[ItemDetail], errors=[Code.NOT_FOUND])
async def get_one_item(call: Call, uuid: UUID) -> Answer:
    """Read one service or product; a service comes with the staff who perform it."""
    async with call.connection() as conn:
        return data_answer(await get_item(conn, call.caller.business, uuid))
