from uuid import UUID

from frontdesk.apis.refunds import OrderRefundCreate, refund_request
from frontdesk.auth.scopes import Scope
from frontdesk.http.endpoints import Endpoints
from frontdesk.http.errors import Code
from frontdesk.http.pagination import DataResponse
from frontdesk.orders.documents import OrderDetail
from frontdesk.refunds.refund import RefundOrder

operations = Endpoints()


@operations.post(
    "/orders/{uuid}/refunds",
    scope=Scope.REFUNDS_WRITE,
    response=DataResponse[OrderDetail],
    status=201,
    creates="order",
    errors=[
        Code.NOT_FOUND,
        Code.VALIDATION_ERROR,
        Code.ORDER_IS_DRAFT,
        Code.PAYMENT_METHOD_NOT_FOUND,
        Code.PAYMENT_METHOD_UNAVAILABLE,
    ],
)
def refund_order(uuid: UUID, body: OrderRefundCreate) -> RefundOrder:
    """Refund an order by line, by amount or in full.

    The response is the refund, which is an order of its own with negative amounts.
    """
    return RefundOrder(uuid, refund_request(body), document="order_document")
