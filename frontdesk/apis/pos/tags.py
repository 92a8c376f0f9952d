from typing import Annotated, Literal
from uuid import UUID

import msgspec
from msgspec import Meta

from frontdesk.customers.remove_tag import remove_tag
from frontdesk.errors import Code
from frontdesk.http.endpoints import Endpoints
from frontdesk.http.pagination import DataResponse, PageQuery, PageResponse, list_response
from frontdesk.http.request import Request
from frontdesk.http.responses import Response, data_response
from frontdesk.tags import queries
from frontdesk.tags.documents import Tag

operations = Endpoints()

Model = Literal["customers"]


class TagQuery(PageQuery, kw_only=True):
    model: Model = "customers"


class ModelQuery(msgspec.Struct):
    model: Model


class TagCreate(msgspec.Struct):
    name: Annotated[str, Meta(min_length=1, max_length=50)]


@operations.get("/tags", response=PageResponse[Tag])
async def list_tags(request: Request, query: TagQuery) -> Response:
    """List the tags of a model, newest first."""
    page = await request.fetch(queries.list_tags(query.model, query.request()))
    return list_response(request, query, page)


@operations.post(
    "/tags",
    response=DataResponse[Tag],
    status=201,
    validation_code=Code.BAD_REQUEST,
    errors=[Code.BAD_REQUEST, Code.TAG_ALREADY_EXISTS],
)
async def create_tag(request: Request, query: ModelQuery, body: TagCreate) -> Response:
    """Create a tag.

    Unlike other operations, validation errors have status 400.
    """
    async with request.connection() as conn, conn.transaction():
        return data_response(await queries.insert_tag(conn, request.caller.tenant_id, query.model, body.name), 201)


@operations.delete("/tags/{tagId}", status=204, errors=[Code.NOT_FOUND])
async def delete_tag(request: Request, uuid: UUID) -> Response:
    """Delete a tag and remove it from all customers."""
    async with request.connection() as conn:
        await remove_tag(conn, request.caller.tenant_id, uuid)
    return Response(b"", 204)
