"""`python -m examples.accounting`: books, receives webhooks and reconciles its journal, in a few seconds."""

import argparse
import json
import os
import sys
from typing import Any

from examples.accounting.desk import Desk
from examples.accounting.journal import EVENT_TYPES, Journal
from examples.accounting.receiver import Inbox, receiving
from examples.accounting.reconciliation import list_events, reconcile
from frontdesk_client import Client, FrontdeskError

_DELIVERY_TIMEOUT = 90.0


def work(client: Client, inbox: Inbox, url: str, bookings: int) -> dict[str, Any]:
    """A ping before and a ping after the orders delimit the events that must arrive."""
    webhook = client.webhooks.create(url=url, events=EVENT_TYPES)
    inbox.secrets = (webhook.secret,)
    try:
        first = client.webhooks.ping(webhook.id).event.sequence
        sold = Desk(client).sell(bookings)
        last = client.webhooks.ping(webhook.id).event.sequence
        listed = list_events(client, webhook.id, first, last)
        inbox.wait_for({event.id for event in listed}, _DELIVERY_TIMEOUT)
    finally:
        client.webhooks.delete(webhook.id)
    received = [event for event in inbox.events() if first <= event.sequence <= last]
    result = reconcile(listed, received, client)
    return {
        "complete": result.is_complete,
        **result._asdict(),
        "bookings": [str(booking.order_id) for booking in sold],
        "received": [event.sequence for event in received],
        "repeated": inbox.repeated,
        "rejected": inbox.rejected,
        "accounts": {name: str(amount) for name, amount in sorted(Journal(received).balances.items())},
    }


def main() -> int:
    parser = argparse.ArgumentParser(prog="examples.accounting", description=__doc__)
    env = os.environ.get
    parser.add_argument("--base-url", default=env("FRONTDESK_BASE_URL", "http://127.0.0.1:8000/open-api/v1"))
    parser.add_argument("--client-id", default=env("FRONTDESK_CLIENT_ID"), help="or FRONTDESK_CLIENT_ID")
    parser.add_argument("--client-secret", default=env("FRONTDESK_CLIENT_SECRET"), help="or FRONTDESK_CLIENT_SECRET")
    parser.add_argument("--port", type=int, default=0, help="port for webhooks; default: any free port")
    parser.add_argument("--public-url", help="URL of that port as the server reaches it, if it is on another machine")
    parser.add_argument("--bookings", type=int, default=3)
    options = parser.parse_args()
    inbox = Inbox()
    try:
        with (
            receiving(inbox, options.port) as port,
            Client(options.base_url, options.client_id, options.client_secret) as client,
        ):
            report = work(client, inbox, options.public_url or f"http://127.0.0.1:{port}/", options.bookings)
    except (FrontdeskError, ValueError) as error:
        sys.stderr.write(f"{error}\n")
        return 1
    sys.stdout.write(json.dumps(report) + "\n")
    return 0 if report["complete"] else 1


if __name__ == "__main__":
    sys.exit(main())
