"""Commission rates, and the cashiers of the till."""

from typing import Annotated
from uuid import UUID

import msgspec
from msgspec import UNSET, Meta, UnsetType

from frontdesk.apis.open.entered_fields import Version, entered
from frontdesk.auth.scopes import Scope
from frontdesk.http.endpoints import Endpoints
from frontdesk.http.errors import Code
from frontdesk.http.field_types import CalendarDate, Percent, ShortText
from frontdesk.http.pagination import DataResponse, PageQuery, PageResponse, list_response
from frontdesk.http.request import Request
from frontdesk.http.responses import Response
from frontdesk.payments.cashier_queries import published_cashiers
from frontdesk.payments.cashiers import MAX_CODE_LENGTH, ChangeCashier, SaveCashier
from frontdesk.payments.documents import CashierOfBusiness
from frontdesk.reports.commission_queries import published_rates
from frontdesk.reports.documents import CommissionRateDocument
from frontdesk.reports.rates import ChangeCommissionRate, CreateCommissionRate, DeleteCommissionRate
from frontdesk.values.ids import uuid7

operations = Endpoints()

_CashierCode = Annotated[str, Meta(min_length=1, max_length=MAX_CODE_LENGTH)]


class CommissionRateCreate(msgspec.Struct):
    percent: Percent
    starts_on: CalendarDate
    staff_id: UUID | None = None
    item_id: UUID | None = None


class CommissionRateUpdate(msgspec.Struct):
    """Omitted fields keep their values. Whom and what it is for stays."""

    percent: Percent | None = None
    starts_on: CalendarDate | None = None
    version: Version | None = None


class CashierCreate(msgspec.Struct):
    name: ShortText
    code: _CashierCode
    branch_id: UUID


class CashierUpdate(msgspec.Struct):
    """Omitted fields keep their values."""

    name: ShortText | UnsetType = UNSET
    code: _CashierCode | UnsetType = UNSET
    branch_id: UUID | UnsetType = UNSET
    status: bool | UnsetType = UNSET
    version: Version | None = None


@operations.get("/commission-rates", scope=Scope.STAFF_WRITE, response=PageResponse[CommissionRateDocument])
async def list_commission_rates(request: Request, query: PageQuery) -> Response:
    """List the commission rates: those for all staff first, then by staff member and item, the newest first.

    What people earn is shown to applications that change the staff, not to those that only read it.
    """
    return list_response(request, query, await request.fetch(published_rates(query.request())))


@operations.post(
    "/commission-rates",
    scope=Scope.STAFF_WRITE,
    response=DataResponse[CommissionRateDocument],
    status=201,
    fields={"staff": "staff_id", "item": "item_id"},
    errors=[Code.VALIDATION_ERROR],
)
def create_commission_rate(body: CommissionRateCreate) -> CreateCommissionRate:
    """Create a commission rate from a day on, of a staff member or all, for an item or all."""
    return CreateCommissionRate(uuid7(), body.staff_id, body.item_id, body.starts_on.day, body.percent)


@operations.patch(
    "/commission-rates/{uuid}",
    scope=Scope.STAFF_WRITE,
    response=DataResponse[CommissionRateDocument],
    errors=[Code.NOT_FOUND, Code.VALIDATION_ERROR, Code.VERSION_CONFLICT],
)
def update_commission_rate(uuid: UUID, body: CommissionRateUpdate) -> ChangeCommissionRate:
    """Change the percentage of a commission rate, or its first day; omitted fields keep their values."""
    return ChangeCommissionRate(uuid, body.starts_on.day if body.starts_on else None, body.percent, body.version)


@operations.delete("/commission-rates/{uuid}", scope=Scope.STAFF_WRITE, status=204, errors=[Code.NOT_FOUND])
def delete_commission_rate(uuid: UUID) -> DeleteCommissionRate:
    """Delete a commission rate. The one before it, or the one for all, counts again on its days."""
    return DeleteCommissionRate(uuid)


@operations.get("/cashiers", scope=Scope.STAFF_READ, response=PageResponse[CashierOfBusiness])
async def list_cashiers(request: Request, query: PageQuery) -> Response:
    """List the cashiers of all branches by name, those who left last."""
    return list_response(request, query, await request.fetch(published_cashiers(query.request())))


@operations.post(
    "/cashiers",
    scope=Scope.STAFF_WRITE,
    response=DataResponse[CashierOfBusiness],
    status=201,
    fields={"branch": "branch_id"},
    errors=[Code.VALIDATION_ERROR],
)
def create_cashier(body: CashierCreate) -> SaveCashier:
    """Create a cashier of a branch, with a code that no other cashier has."""
    return SaveCashier(uuid7(), body.name, body.code, body.branch_id)


@operations.patch(
    "/cashiers/{uuid}",
    scope=Scope.STAFF_WRITE,
    response=DataResponse[CashierOfBusiness],
    fields={"branch": "branch_id"},
    errors=[Code.NOT_FOUND, Code.VALIDATION_ERROR, Code.VERSION_CONFLICT],
)
def update_cashier(uuid: UUID, body: CashierUpdate) -> ChangeCashier:
    """Update a cashier; omitted fields keep their values. `status` false for who leaves: sales keep the name."""
    changes = entered(body, without=("version", "status"))
    if body.status is not UNSET:
        changes["active"] = body.status
    return ChangeCashier(uuid, changes, body.version)
