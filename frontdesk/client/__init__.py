"""A client of the Open API: typed, blocking or awaiting, and patient where that is safe.

with Client(base_url, client_id, client_secret) as client:
    for order in client.orders.list(status="confirmed"):
        ...
"""

from frontdesk.client.bodies import InlinePayment, LineToReschedule, OrderLine
from frontdesk.client.clients import AsyncClient, Client
from frontdesk.client.exchange import Patience
from frontdesk.client.failures import Failure, NoAnswer, NotGenuine, Refused, Unreadable
from frontdesk.client.receiving import verify_webhook

__all__ = [
    "AsyncClient",
    "Client",
    "Failure",
    "InlinePayment",
    "LineToReschedule",
    "NoAnswer",
    "NotGenuine",
    "OrderLine",
    "Patience",
    "Refused",
    "Unreadable",
    "verify_webhook",
]
