"""One address takes webhooks and tasks: both are signed with the same secret."""

import json
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

from examples.tasks.desk import Desk
from frontdesk_client import FrontdeskError, InvalidSignature, verify_webhook
from frontdesk_client.models import Event

_TASK = "conformance.task"
_MAX_BYTES = 4 << 20
_BACKLOG = 128  # deliveries that arrive at the same moment
Json = dict[str, Any]


class Application(ThreadingHTTPServer):
    request_queue_size = _BACKLOG
    daemon_threads = True

    def __init__(self, desk: Desk, secret: str, port: int) -> None:
        super().__init__(("127.0.0.1", port), Visitor)
        self.desk, self.secret = desk, secret
        self._events: set[str] = set()  # in production a table with a unique key
        self._lock = threading.Lock()

    def take(self, event: Event) -> tuple[int, Json | None]:
        """Status and body. A task is answered when it is done; a webhook at once."""
        if event.type != _TASK:
            with self._lock:
                self._events.add(str(event.id))
            return 204, None
        try:
            done = self.desk.do(event.data)
        except (FrontdeskError, LookupError) as error:
            return 422, {"message": str(error)}
        return (501, {"message": "no such task"}) if done is None else (200, done)

    def times(self, event_id: str) -> int:
        """How often it acted on an event: an event that it has is not acted on again."""
        with self._lock:
            return int(event_id in self._events)


class Visitor(BaseHTTPRequestHandler):
    server: Application

    def do_POST(self) -> None:
        body = self.rfile.read(min(int(self.headers.get("content-length", 0)), _MAX_BYTES))
        try:
            event = verify_webhook(body, self.headers, self.server.secret)
        except InvalidSignature:
            self._answer(401, None)
        except FrontdeskError:
            self._answer(400, None)
        else:
            self._answer(*self.server.take(event))

    def do_GET(self) -> None:
        asked = parse_qs(urlsplit(self.path).query).get("event_id")
        if asked:
            self._answer(200, {"times": self.server.times(asked[0])})
        else:
            self._answer(405, None)

    def do_HEAD(self) -> None:
        self._answer(405, None)

    def _answer(self, status: int, document: Json | None) -> None:
        body = b"" if document is None else json.dumps(document).encode()
        self.send_response(status)
        if status != 204:
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name of the base class
        """What it does is in the answers."""


@contextmanager
def running(application: Application) -> Iterator[str]:
    """Its URL."""
    thread = threading.Thread(target=application.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{application.server_port}/"
    finally:
        application.shutdown()
        thread.join()
        application.server_close()


def serve(application: Application) -> int:
    sys.stderr.write(f"takes webhooks and tasks at http://127.0.0.1:{application.server_port}/\n")
    sys.stderr.flush()
    try:
        application.serve_forever()
    except KeyboardInterrupt:
        return 0
    return 0
