"""Typed client for the Frontdesk Open API, synchronous and asynchronous.

with Client(base_url, client_id, client_secret) as client:
    for order in client.orders.list(status="confirmed"):
        ...
"""

from frontdesk_client.client import AsyncClient, Client
from frontdesk_client.errors import ApiError, ConnectionFailed, FrontdeskError, InvalidResponse, InvalidSignature
from frontdesk_client.models import InlinePayment, OrderItemCreate, StaffAssignment
from frontdesk_client.retry import RetryPolicy
from frontdesk_client.webhook_signature import sign_webhook, verify_webhook

__version__ = "0.1.0"
__all__ = [
    "ApiError",
    "AsyncClient",
    "Client",
    "ConnectionFailed",
    "FrontdeskError",
    "InlinePayment",
    "InvalidResponse",
    "InvalidSignature",
    "OrderItemCreate",
    "RetryPolicy",
    "StaffAssignment",
    "sign_webhook",
    "verify_webhook",
]
