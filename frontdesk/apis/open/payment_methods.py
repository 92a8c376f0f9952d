from uuid import UUID

import msgspec
from msgspec import UNSET, UnsetType

from frontdesk.apis.changes import ChangesQuery, read_list
from frontdesk.apis.open.entered_fields import LocalizedName, Version, texts
from frontdesk.auth.scopes import Scope
from frontdesk.http.endpoints import Endpoints
from frontdesk.http.errors import Code
from frontdesk.http.field_types import ShortText
from frontdesk.http.pagination import DataResponse, PageResponse
from frontdesk.http.request import Request
from frontdesk.http.responses import Response, data_response
from frontdesk.payments import queries
from frontdesk.payments.create_method import CreatePaymentMethod
from frontdesk.payments.documents import PaymentMethod
from frontdesk.payments.settings import ChangePaymentMethod, DeletePaymentMethod
from frontdesk.payments.types import MethodType

operations = Endpoints()


class PaymentMethodUpdate(msgspec.Struct):
    """Omitted fields keep their values."""

    name: LocalizedName | UnsetType = UNSET
    status: bool | UnsetType = UNSET
    version: Version | None = None


class PaymentMethodCreate(msgspec.Struct):
    name: ShortText
    type: MethodType
    status: bool | None = True


@operations.get(
    "/payment-methods", scope=Scope.PAYMENT_METHODS_READ, response=PageResponse[PaymentMethod], takes_fields=True
)
async def list_payment_methods(request: Request, query: ChangesQuery) -> Response:
    """List the payment methods that can be used; with `updated_since` also those that no longer can."""
    return await read_list(request, query, lambda since: queries.list_payment_methods(query.request(), since))


@operations.get(
    "/payment-methods/{id}",
    scope=Scope.PAYMENT_METHODS_READ,
    response=DataResponse[PaymentMethod],
    takes_fields=True,
    errors=[Code.NOT_FOUND],
)
async def get_payment_method(request: Request, uuid: UUID) -> Response:
    """Retrieve a payment method."""
    return data_response(await request.fetch(queries.get_payment_method(uuid)))


@operations.post(
    "/payment-methods",
    scope=Scope.PAYMENT_METHODS_WRITE,
    response=DataResponse[PaymentMethod],
    status=201,
    creates="payment_method",
    errors=[Code.VALIDATION_ERROR],
)
def create_payment_method(body: PaymentMethodCreate) -> CreatePaymentMethod:
    """Create a payment method of type `cash` or `other`.

    Two payment methods of a business have different names.
    """
    return CreatePaymentMethod(body.name, body.type, body.status is not False)


@operations.patch(
    "/payment-methods/{id}",
    scope=Scope.PAYMENT_METHODS_WRITE,
    response=DataResponse[PaymentMethod],
    errors=[Code.NOT_FOUND, Code.VALIDATION_ERROR, Code.VERSION_CONFLICT],
)
def update_payment_method(uuid: UUID, body: PaymentMethodUpdate) -> ChangePaymentMethod:
    """Rename a payment method, or set whether it can be used; omitted fields keep their values.

    A payment method of an application keeps the name that the application gives it.
    """
    name = None if body.name is UNSET else texts(body.name)
    return ChangePaymentMethod(uuid, name, None if body.status is UNSET else body.status, body.version)


@operations.delete(
    "/payment-methods/{id}",
    scope=Scope.PAYMENT_METHODS_WRITE,
    status=204,
    errors=[Code.NOT_FOUND, Code.VALIDATION_ERROR],
)
def delete_payment_method(uuid: UUID) -> DeletePaymentMethod:
    """Delete a payment method that has no payments. Others can be switched off."""
    return DeletePaymentMethod(uuid)
