from typing import Annotated
from uuid import UUID

import msgspec
from msgspec import UNSET, Meta, UnsetType

from frontdesk.apis.changes import ChangesQuery, read_list
from frontdesk.apis.open.entered_fields import (
    ArticleCode,
    LocalizedName,
    LocalizedText,
    Version,
    entered,
    given,
    texts,
)
from frontdesk.auth.scopes import Scope
from frontdesk.catalog import queries
from frontdesk.catalog.change_item import ChangePackage
from frontdesk.catalog.changes import PackageEntry, PartEntry, PriceEntry
from frontdesk.catalog.documents import Package
from frontdesk.catalog.item_acts import DeletePackage
from frontdesk.catalog.save_package import MAX_PARTS, MAX_QUANTITY, SavePackage
from frontdesk.http.endpoints import Endpoints
from frontdesk.http.errors import Code
from frontdesk.http.field_types import CalendarDate, NonNegativeMoney
from frontdesk.http.pagination import DataResponse, PageResponse
from frontdesk.http.request import Request
from frontdesk.http.responses import Response, data_response
from frontdesk.values.ids import uuid7

operations = Endpoints()


@operations.get("/packages", scope=Scope.ITEMS_READ, response=PageResponse[Package], takes_fields=True)
async def list_packages(request: Request, query: ChangesQuery) -> Response:
    """List packages and their items, newest first."""
    return await read_list(request, query, lambda since: queries.list_packages(query.request(), since))


@operations.get(
    "/packages/{uuid}",
    scope=Scope.ITEMS_READ,
    response=DataResponse[Package],
    takes_fields=True,
    errors=[Code.NOT_FOUND],
)
async def get_package(request: Request, uuid: UUID) -> Response:
    """Retrieve a package and its items."""
    return data_response(await request.fetch(queries.get_package(uuid)))


class PackagePart(msgspec.Struct):
    item_id: UUID
    quantity: Annotated[int, Meta(ge=1, le=MAX_QUANTITY)] = 1


PackageParts = Annotated[list[PackagePart], Meta(min_length=1, max_length=MAX_PARTS)]


class PackageCreate(msgspec.Struct):
    name: LocalizedName
    branch_id: UUID
    items: PackageParts
    price: NonNegativeMoney
    offer_price: NonNegativeMoney | None = None
    offer_from: CalendarDate | None = None
    offer_until: CalendarDate | None = None
    tax_class_id: UUID | None = None
    description: LocalizedText | None = None
    sku: ArticleCode | None = None
    status: bool | None = True


class PackageUpdate(msgspec.Struct):
    """Omitted fields keep their values; null clears an optional field."""

    name: LocalizedName | UnsetType = UNSET
    items: PackageParts | UnsetType = UNSET
    price: NonNegativeMoney | UnsetType = UNSET
    offer_price: NonNegativeMoney | UnsetType | None = UNSET
    offer_from: CalendarDate | UnsetType | None = UNSET
    offer_until: CalendarDate | UnsetType | None = UNSET
    tax_class_id: UUID | UnsetType | None = UNSET
    description: LocalizedText | UnsetType | None = UNSET
    sku: ArticleCode | UnsetType | None = UNSET
    status: bool | UnsetType = UNSET
    version: Version | None = None


_FIELDS = {"contents": "items"}


@operations.post(
    "/packages",
    scope=Scope.ITEMS_WRITE,
    response=DataResponse[Package],
    status=201,
    creates="package",
    fields=_FIELDS,
    errors=[Code.VALIDATION_ERROR],
)
def create_package(body: PackageCreate) -> SavePackage:
    """Create a package of items of one branch."""
    price = PriceEntry(
        body.price,
        body.offer_price,
        body.offer_from.day if body.offer_from else None,
        body.offer_until.day if body.offer_until else None,
    )
    return SavePackage(
        PackageEntry(
            id=uuid7(),
            version=None,
            branch_id=body.branch_id,
            name=texts(body.name),
            description=texts(body.description),
            price=price,
            contents=_parts(body.items),
            tax_class_id=body.tax_class_id,
            sku=body.sku,
            status=given(body.status, otherwise=True),
        )
    )


@operations.patch(
    "/packages/{uuid}",
    scope=Scope.ITEMS_WRITE,
    response=DataResponse[Package],
    fields=_FIELDS,
    errors=[Code.NOT_FOUND, Code.VALIDATION_ERROR, Code.VERSION_CONFLICT],
)
def update_package(uuid: UUID, body: PackageUpdate) -> ChangePackage:
    """Update a package; omitted fields keep their values.

    `items` replaces what it contains. `status` false takes it off sale.
    """
    changes = entered(body, without=("version", "items"))
    if body.items is not UNSET:
        changes["contents"] = _parts(body.items)
    return ChangePackage(uuid, changes, body.version)


@operations.delete(
    "/packages/{uuid}", scope=Scope.ITEMS_WRITE, status=204, errors=[Code.NOT_FOUND, Code.VALIDATION_ERROR]
)
def delete_package(uuid: UUID) -> DeletePackage:
    """Delete a package that no order contains. Others can be taken off sale."""
    return DeletePackage(uuid)


def _parts(items: list[PackagePart]) -> tuple[PartEntry, ...]:
    return tuple(PartEntry(part.item_id, part.quantity) for part in items)
