from typing import Annotated, Literal
from uuid import UUID

import msgspec
from msgspec import Meta

from frontdesk.customers.remove_tag import remove_tag
from frontdesk.errors import Code
from frontdesk.http.endpoints import Operations
from frontdesk.http.pagination import DataOf, PageOf, PageQuery, list_answer
from frontdesk.http.request import Call
from frontdesk.http.responses import Answer, data_answer
from frontdesk.tags.documents import Tag
from frontdesk.tags.queries import insert_tag, list_tags

operations = Operations()

Model = Literal["customers"]


class TagQuery(PageQuery, kw_only=True):
    model: Model = "customers"


class ModelQuery(msgspec.Struct):
    model: Model


class NewTag(msgspec.Struct):
    name: Annotated[str, Meta(min_length=1, max_length=50)]


@operations.get("/tags", answer=PageOf[Tag])
async def get_tags(call: Call, query: TagQuery) -> Answer:
    """List the tags of a model, newest first."""
    async with call.connection() as conn:
        page = await list_tags(conn, call.caller.tenant_id, query.model, query.request())
    return list_answer(call, query, page)


@operations.post(
    "/tags",
    answer=DataOf[Tag],
    status=201,
    invalid_as=Code.BAD_REQUEST,
    errors=[Code.BAD_REQUEST, Code.TAG_ALREADY_EXISTS],
)
async def post_tag(call: Call, query: ModelQuery, body: NewTag) -> Answer:
    """Create a tag; whatever is wrong with the request is answered with 400."""
    async with call.connection() as conn, conn.transaction():
        return data_answer(await insert_tag(conn, call.caller.tenant_id, query.model, body.name), 201)


@operations.delete("/tags/{tagId}", status=204, errors=[Code.NOT_FOUND])
async def delete_one_tag(call: Call, uuid: UUID) -> Answer:
    """Delete a tag and take it off the customers."""
    async with call.connection() as conn:
        await remove_tag(conn, call.caller.tenant_id, uuid)
    return Answer(b"", 204)
