from typing import Annotated, Literal
from uuid import UUID

import msgspec
from msgspec import Meta

from frontdesk.http.endpoints import Endpoints
from frontdesk.http.errors import Code
from frontdesk.http.pagination import DataResponse, PageQuery, PageResponse, list_response
from frontdesk.http.request import Request
from frontdesk.http.responses import Response
from frontdesk.tags import queries
from frontdesk.tags.change import CreateTag, DeleteTag
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
    creates="tag",
    validation_code=Code.BAD_REQUEST,
    errors=[Code.BAD_REQUEST, Code.TAG_ALREADY_EXISTS],
)
def create_tag(query: ModelQuery, body: TagCreate) -> CreateTag:
    """Create a tag.

    Unlike other operations, validation errors have status 400.
    """
    return CreateTag(query.model, body.name)


@operations.delete("/tags/{tagId}", status=204, errors=[Code.NOT_FOUND])
def delete_tag(uuid: UUID) -> DeleteTag:
    """Delete a tag and remove it from all customers."""
    return DeleteTag(uuid)
