"""`python -m examples.tasks`: waits for webhooks and tasks, until Ctrl-C."""

import argparse
import os
import sys
from contextlib import closing

from examples.tasks.desk import Desk
from examples.tasks.server import Application, serve
from frontdesk_client import Client


def main() -> int:
    parser = argparse.ArgumentParser(prog="examples.tasks", description=__doc__)
    env = os.environ.get
    parser.add_argument("--base-url", default="http://127.0.0.1:8899/open-api/v1", help="as the kit prints it")
    parser.add_argument("--client-id", default=env("FRONTDESK_CLIENT_ID"), help="or FRONTDESK_CLIENT_ID")
    parser.add_argument("--client-secret", default=env("FRONTDESK_CLIENT_SECRET"), help="or FRONTDESK_CLIENT_SECRET")
    parser.add_argument("--secret", default=env("FRONTDESK_WEBHOOK_SECRET"), help="or FRONTDESK_WEBHOOK_SECRET")
    parser.add_argument("--port", type=int, default=3000)
    options = parser.parse_args()
    if not options.secret:
        parser.error("no signing secret: set FRONTDESK_WEBHOOK_SECRET")
    with (
        closing(Desk(Client(options.base_url, options.client_id, options.client_secret))) as desk,
        Application(desk, options.secret, options.port) as application,
    ):
        return serve(application)


if __name__ == "__main__":
    sys.exit(main())
