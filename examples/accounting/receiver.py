"""Receives webhooks: verifies each, stores its event once, and responds at once."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from uuid import UUID

from frontdesk_client import InvalidSignature, verify_webhook
from frontdesk_client.models import Event

_MAX_BYTES = 1 << 20  # a longer body is truncated, so its signature does not match


class Inbox:
    """In production a database table, written before the response is sent."""

    def __init__(self) -> None:
        self.secrets: tuple[str, ...] = ()
        self.repeated = self.rejected = 0
        self._events: dict[UUID, Event] = {}
        self._changed = threading.Condition()

    def add(self, event: Event) -> None:
        with self._changed:
            self.repeated += event.id in self._events
            self._events[event.id] = event
            self._changed.notify_all()

    def reject(self) -> None:
        with self._changed:
            self.rejected += 1

    def events(self) -> list[Event]:
        """Ordered by sequence. Deliveries can arrive in another order."""
        with self._changed:
            return sorted(self._events.values(), key=lambda event: event.sequence)

    def wait_for(self, ids: set[UUID], seconds: float) -> set[UUID]:
        """Waits for these events and returns those that did not arrive in time."""
        with self._changed:
            self._changed.wait_for(lambda: ids <= self._events.keys(), seconds)
            return ids - self._events.keys()


@contextmanager
def receiving(inbox: Inbox, port: int) -> Iterator[int]:
    """Listens on the loopback interface and yields the port. In production, run it behind a TLS proxy."""

    class Receiver(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(min(int(self.headers.get("content-length", 0)), _MAX_BYTES))
            try:
                inbox.add(verify_webhook(body, self.headers, *inbox.secrets))
                self.send_response(204)
            except InvalidSignature:
                inbox.reject()
                self.send_response(401)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """The inbox is the log."""

    server = ThreadingHTTPServer(("127.0.0.1", port), Receiver)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield server.server_port
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
