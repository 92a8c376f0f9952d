from uuid import UUID

import msgspec

from frontdesk.auth.scopes import Scope
from frontdesk.errors import Code
from frontdesk.http.endpoints import Operations
from frontdesk.http.field_types import ShortText
from frontdesk.http.pagination import DataOf, PageOf, PageQuery, list_answer
from frontdesk.http.request import Call
from frontdesk.http.responses import Answer, data_answer
from frontdesk.payments.create_method import create_method
from frontdesk.payments.documents import PaymentMethod
from frontdesk.payments.queries import get_payment_method, list_payment_methods
from frontdesk.payments.types import MethodType

operations = Operations()


class NewPaymentMethod(msgspec.Struct):
    name: ShortText
    type: MethodType
    status: bool | None = True


@operations.get("/payment-methods", scope=Scope.PAYMENT_METHODS_READ, answer=PageOf[PaymentMethod])
async def get_payment_methods(call: Call, query: PageQuery) -> Answer:
    """List the payment methods that can be used now."""
    async with call.connection() as conn:
        page = await list_payment_methods(conn, call.caller.tenant_id, query.request())
    return list_answer(call, query, page)


@operations.get(
    "/payment-methods/{id}",
    scope=Scope.PAYMENT_METHODS_READ,
    answer=DataOf[PaymentMethod],
    errors=[Code.NOT_FOUND],
)
async def get_one_payment_method(call: Call, uuid: UUID) -> Answer:
    """Read one payment method."""
    async with call.connection() as conn:
        return data_answer(await get_payment_method(conn, call.caller.tenant_id, uuid))


@operations.post(
    "/payment-methods",
    scope=Scope.PAYMENT_METHODS_WRITE,
    answer=DataOf[PaymentMethod],
    status=201,
    errors=[Code.VALIDATION_ERROR],
)
async def post_payment_method(call: Call, body: NewPaymentMethod) -> Answer:
    """Add a payment method of the types cash and other."""
    async with call.connection() as conn:
        document = await create_method(
            conn, call.caller.business, body.name, body.type, active=body.status is not False
        )
    return data_answer(document, 201)
