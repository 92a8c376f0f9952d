"""`python -m examples.accounting`: a day of an application that a business has installed, in some seconds."""

import argparse
import json
import os
import sys
from typing import Any

from examples.accounting.desk import Desk
from examples.accounting.journal import KINDS, Journal
from examples.accounting.proof import happened, prove
from examples.accounting.receiver import Inbox, receiving
from frontdesk.client import Client, FrontdeskError

_PATIENCE_SECONDS = 90.0


def work(client: Client, inbox: Inbox, url: str, bookings: int) -> dict[str, Any]:
    """A ping before and one after mark the stretch of events that must have been received."""
    hook = client.webhooks.subscribe(url=url, events=KINDS)
    inbox.secrets = (hook.secret,)
    try:
        first = client.webhooks.ping(hook.id).event.sequence
        sold = Desk(client).sell(bookings)
        last = client.webhooks.ping(hook.id).event.sequence
        listed = happened(client, hook.id, first, last)
        inbox.wait_for({event.id for event in listed}, _PATIENCE_SECONDS)
    finally:
        client.webhooks.delete(hook.id)
    received = [event for event in inbox.events() if first <= event.sequence <= last]
    proof = prove(listed, received, client)
    return {
        "whole": bool(proof),
        **proof._asdict(),
        "bookings": [str(one.order_id) for one in sold],
        "received": [event.sequence for event in received],
        "repeated": inbox.repeated,
        "refused": inbox.refused,
        "accounts": {name: str(amount) for name, amount in sorted(Journal(received).balances.items())},
    }


def main() -> int:
    parser = argparse.ArgumentParser(prog="examples.accounting", description=__doc__)
    known = os.environ.get
    parser.add_argument("--base-url", default=known("FRONTDESK_BASE_URL", "http://127.0.0.1:8000/open-api/v1"))
    parser.add_argument("--client-id", default=known("FRONTDESK_CLIENT_ID"), help="or FRONTDESK_CLIENT_ID")
    parser.add_argument("--client-secret", default=known("FRONTDESK_CLIENT_SECRET"), help="or FRONTDESK_CLIENT_SECRET")
    parser.add_argument("--port", type=int, default=0, help="where webhooks are received; any free one when not given")
    parser.add_argument("--public-url", help="how the service reaches that port, when it is on another machine")
    parser.add_argument("--bookings", type=int, default=3)
    options = parser.parse_args()
    inbox = Inbox()
    try:
        with (
            receiving(inbox, options.port) as port,
            Client(options.base_url, options.client_id, options.client_secret) as client,
        ):
            report = work(client, inbox, options.public_url or f"http://127.0.0.1:{port}/", options.bookings)
    except (FrontdeskError, ValueError) as failure:
        sys.stderr.write(f"{failure}\n")
        return 1
    sys.stdout.write(json.dumps(report) + "\n")
    return 0 if report["whole"] else 1


if __name__ == "__main__":
    sys.exit(main())
