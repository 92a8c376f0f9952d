"""Tax classes and their rates."""

from typing import Annotated
from uuid import UUID

import msgspec
from msgspec import UNSET, Meta, UnsetType

from frontdesk.apis.changes import ChangesQuery, read_list
from frontdesk.apis.open.entered_fields import LocalizedName, Version, entered, given, texts
from frontdesk.auth.scopes import Scope
from frontdesk.http.endpoints import Endpoints
from frontdesk.http.errors import Code
from frontdesk.http.field_types import CalendarDate, Percent
from frontdesk.http.pagination import DataResponse, PageResponse
from frontdesk.http.request import Request
from frontdesk.http.responses import Response
from frontdesk.tenants.documents import TaxClass
from frontdesk.tenants.tax_class_queries import DatedRate, published_tax_classes
from frontdesk.tenants.tax_classes import MAX_RATES, ChangeTaxClass, DeleteTaxClass, SaveTaxClass
from frontdesk.values.ids import uuid7

operations = Endpoints()

_FIELDS = {"starts_on": "rates"}


class TaxRateEntry(msgspec.Struct):
    """A rate in percent, from a day on."""

    starts_on: CalendarDate
    rate: Percent


Rates = Annotated[list[TaxRateEntry], Meta(min_length=1, max_length=MAX_RATES)]


class TaxClassCreate(msgspec.Struct):
    name: LocalizedName
    rates: Rates
    is_default: bool | None = False


class TaxClassUpdate(msgspec.Struct):
    """Omitted fields keep their values."""

    name: LocalizedName | UnsetType = UNSET
    rates: Rates | UnsetType = UNSET
    is_default: bool | UnsetType = UNSET
    version: Version | None = None


@operations.get("/tax-classes", scope=Scope.ITEMS_READ, response=PageResponse[TaxClass], takes_fields=True)
async def list_tax_classes(request: Request, query: ChangesQuery) -> Response:
    """List the tax classes with their rates, the default class first."""
    return await read_list(request, query, lambda since: published_tax_classes(query.request(), since))


@operations.post(
    "/tax-classes",
    scope=Scope.SETTINGS_WRITE,
    response=DataResponse[TaxClass],
    status=201,
    fields=_FIELDS,
    errors=[Code.VALIDATION_ERROR],
)
def create_tax_class(body: TaxClassCreate) -> SaveTaxClass:
    """Create a tax class. The first one is the default, and a new default takes the place of the one before."""
    return SaveTaxClass(uuid7(), texts(body.name), given(body.is_default, otherwise=False), _rates(body.rates))


@operations.patch(
    "/tax-classes/{uuid}",
    scope=Scope.SETTINGS_WRITE,
    response=DataResponse[TaxClass],
    fields=_FIELDS,
    errors=[Code.NOT_FOUND, Code.VALIDATION_ERROR, Code.VERSION_CONFLICT],
)
def update_tax_class(uuid: UUID, body: TaxClassUpdate) -> ChangeTaxClass:
    """Update a tax class; omitted fields keep their values. Sales keep the rate they were made with."""
    changes = entered(body, without=("version", "rates"))
    if body.rates is not UNSET:
        changes["rates"] = _rates(body.rates)
    return ChangeTaxClass(uuid, changes, body.version)


@operations.delete(
    "/tax-classes/{uuid}", scope=Scope.SETTINGS_WRITE, status=204, errors=[Code.NOT_FOUND, Code.VALIDATION_ERROR]
)
def delete_tax_class(uuid: UUID) -> DeleteTaxClass:
    """Delete a tax class that no item and no package has. The default stays."""
    return DeleteTaxClass(uuid)


def _rates(entries: list[TaxRateEntry]) -> list[DatedRate]:
    """In the order in which they were sent, so that an error names the right one."""
    return [DatedRate(entry.starts_on.day, entry.rate) for entry in entries]
