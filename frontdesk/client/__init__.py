"""A client of the Open API: typed, blocking or awaiting, and patient where that is safe.

with Client(base_url, client_id, client_secret) as client:
    for order in client.orders.list(status="confirmed"):
        ...
"""

from frontdesk.client.bodies import InlinePayment, LineToReschedule, OrderLine
from frontdesk.client.clients import AsyncClient, Client
from frontdesk.client.exchange import RetryPolicy
from frontdesk.client.failures import ApiError, ConnectionFailed, FrontdeskError, InvalidResponse, InvalidSignature
from frontdesk.client.receiving import verify_webhook

__all__ = [
    "ApiError",
    "AsyncClient",
    "Client",
    "ConnectionFailed",
    "FrontdeskError",
    "InlinePayment",
    "InvalidResponse",
    "InvalidSignature",
    "LineToReschedule",
    "OrderLine",
    "RetryPolicy",
    "verify_webhook",
]
