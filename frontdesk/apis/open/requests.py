from frontdesk.apis.requests import RequestKeyQuery, RequestReport, answer_key, answer_request
from frontdesk.http.endpoints import Endpoints
from frontdesk.http.errors import Code
from frontdesk.http.pagination import DataResponse
from frontdesk.http.request import Request
from frontdesk.http.responses import Response

operations = Endpoints()

_ADDRESSES = {
    "customer": "/customers",
    "export": "/exports",
    "item": "/items",
    "order": "/orders",
    "package": "/packages",
    "payment_method": "/payment-methods",
    "staff_member": "/staff",
    "transaction": "/transactions",
    "webhook": "/webhooks",
}


@operations.get("/requests", response=DataResponse[RequestReport], errors=[Code.NOT_FOUND])
async def find_request(request: Request, query: RequestKeyQuery) -> Response:
    """Find out what became of the request with an Idempotency-Key.

    After a timeout it tells whether the record exists: `completed` with what it created, `in_progress`, or `failed`. It
    is right at once. 404 means that no request of this client had the key in the last 14 days, and that nothing was
    saved with it.
    """
    return await answer_key(request, query.idempotency_key, _ADDRESSES)


@operations.get("/requests/{id}", takes_text=True, response=DataResponse[RequestReport], errors=[Code.NOT_FOUND])
async def get_request(request: Request, request_id: str) -> Response:
    """Retrieve what happened to a request of this client in the last 14 days."""
    return await answer_request(request, request_id, _ADDRESSES)
