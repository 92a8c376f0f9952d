"""Where webhooks arrive: each is verified, noted once, and answered at once."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from uuid import UUID

from frontdesk.client import InvalidSignature, verify_webhook
from frontdesk.webhooks.documents import Event

_MOST = 1 << 20  # bytes; what is longer is cut, and then not genuine


class Inbox:
    """In earnest a table, written before the answer is given."""

    def __init__(self) -> None:
        self.secrets: tuple[str, ...] = ()
        self.repeated = self.refused = 0
        self._events: dict[UUID, Event] = {}
        self._changed = threading.Condition()

    def take(self, event: Event) -> None:
        with self._changed:
            self.repeated += event.id in self._events
            self._events[event.id] = event
            self._changed.notify_all()

    def refuse(self) -> None:
        with self._changed:
            self.refused += 1

    def events(self) -> list[Event]:
        """In the order in which they happened, which is not always that in which they came."""
        with self._changed:
            return sorted(self._events.values(), key=lambda event: event.sequence)

    def wait_for(self, ids: set[UUID], seconds: float) -> set[UUID]:
        """Those of them that have not come in that time."""
        with self._changed:
            self._changed.wait_for(lambda: ids <= self._events.keys(), seconds)
            return ids - self._events.keys()


@contextmanager
def receiving(inbox: Inbox, port: int) -> Iterator[int]:
    """Listens on the machine itself; in earnest behind a proxy that speaks TLS. Gives the port."""

    class Receiver(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(min(int(self.headers.get("content-length", 0)), _MOST))
            try:
                inbox.take(verify_webhook(body, self.headers, *inbox.secrets))
                self.send_response(204)
            except InvalidSignature:
                inbox.refuse()
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
