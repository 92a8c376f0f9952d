from uuid import UUID

import msgspec
from msgspec import UNSET, UnsetType

from frontdesk.apis.changes import ChangesQuery, read_list
from frontdesk.apis.open.entered_fields import LocalizedName, LocalizedText, Version, entered, given, texts
from frontdesk.auth.scopes import Scope
from frontdesk.catalog import queries
from frontdesk.catalog.categories import ChangeCategory, DeleteCategory, PlaceCategory, SaveCategory
from frontdesk.catalog.changes import CategoryEntry
from frontdesk.catalog.documents import Category
from frontdesk.http.endpoints import Endpoints
from frontdesk.http.errors import Code
from frontdesk.http.pagination import DataResponse, PageResponse
from frontdesk.http.request import Request
from frontdesk.http.responses import Response
from frontdesk.values.ids import uuid7

operations = Endpoints()


class CategoryQuery(ChangesQuery, kw_only=True):
    branch_id: UUID | None = None


@operations.get("/categories", scope=Scope.CATEGORIES_READ, response=PageResponse[Category], takes_fields=True)
async def list_categories(request: Request, query: CategoryQuery) -> Response:
    """List the categories of the catalog, sorted by `sort_order`."""
    return await read_list(
        request, query, lambda since: queries.list_categories(query.branch_id, query.request(), since)
    )


class CategoryCreate(msgspec.Struct):
    name: LocalizedName
    branch_id: UUID
    description: LocalizedText | None = None
    status: bool | None = True


class CategoryUpdate(msgspec.Struct):
    """Omitted fields keep their values; null clears an optional field."""

    name: LocalizedName | UnsetType = UNSET
    description: LocalizedText | UnsetType | None = UNSET
    status: bool | UnsetType = UNSET
    version: Version | None = None


class CategoryMove(msgspec.Struct):
    before: UUID | None = None


@operations.post(
    "/categories",
    scope=Scope.ITEMS_WRITE,
    response=DataResponse[Category],
    status=201,
    creates="category",
    errors=[Code.VALIDATION_ERROR],
)
def create_category(body: CategoryCreate) -> SaveCategory:
    """Create a category, after the others."""
    status = given(body.status, otherwise=True)
    return SaveCategory(CategoryEntry(uuid7(), None, body.branch_id, texts(body.name), texts(body.description), status))


@operations.patch(
    "/categories/{uuid}",
    scope=Scope.ITEMS_WRITE,
    response=DataResponse[Category],
    errors=[Code.NOT_FOUND, Code.VALIDATION_ERROR, Code.VERSION_CONFLICT],
)
def update_category(uuid: UUID, body: CategoryUpdate) -> ChangeCategory:
    """Update a category; omitted fields keep their values. `status` false hides it."""
    return ChangeCategory(uuid, entered(body), body.version)


@operations.post(
    "/categories/{uuid}/move",
    scope=Scope.ITEMS_WRITE,
    response=DataResponse[Category],
    errors=[Code.NOT_FOUND, Code.VALIDATION_ERROR],
)
def move_category(uuid: UUID, body: CategoryMove) -> PlaceCategory:
    """Move a category before another one, or to the end. Others get another `sort_order` by it."""
    return PlaceCategory(uuid, body.before)


@operations.delete(
    "/categories/{uuid}", scope=Scope.ITEMS_WRITE, status=204, errors=[Code.NOT_FOUND, Code.VALIDATION_ERROR]
)
def delete_category(uuid: UUID) -> DeleteCategory:
    """Delete a category without items."""
    return DeleteCategory(uuid)
