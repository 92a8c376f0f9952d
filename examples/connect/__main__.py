"""`python -m examples.connect`: a web application that a business connects by approving it."""

import argparse
import html
import json
import os
import secrets
import sys
from http.cookies import SimpleCookie
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, urlsplit

from examples.connect.flow import Attempt, Rejected, authorization_url, begin, find_service, finish
from frontdesk_client import Client

_COOKIE = "visit"


class Application(ThreadingHTTPServer):
    """Attempts are kept in memory, by the cookie of the visitor."""

    def __init__(self, origin: str, client_id: str, port: int) -> None:
        super().__init__(("127.0.0.1", port), Visitor)
        self.service = find_service(origin)
        self.base_url = f"{origin}/open-api/v1"
        self.client_id = client_id
        self.redirect_uri = f"http://127.0.0.1:{self.server_port}/connected"
        self.attempts: dict[str, Attempt] = {}

    def connect(self, attempt: Attempt | None, received: dict[str, str]) -> str:
        """Stores the credentials (here: prints them) and uses them, as on every later day."""
        issued = finish(self.service, self.client_id, self.redirect_uri, attempt, received)
        sys.stdout.write(json.dumps(issued) + "\n")
        sys.stdout.flush()
        with Client(self.base_url, issued["client_id"], issued["client_secret"]) as client:
            names = ", ".join(html.escape(branch.name) for branch in client.branches.list())
        return f"<h1>Connected</h1><p>Its branches: {names}</p>"


class Visitor(BaseHTTPRequestHandler):
    server: Application

    def do_GET(self) -> None:
        path = urlsplit(self.path).path
        if path == "/":
            self._answer(200, '<h1>Books</h1><p><a href="/connect">Connect my business</a></p>')
        elif path == "/connect":
            self._send_away()
        elif path == "/connected":
            self._come_back()
        else:
            self._answer(404, "<h1>Not found</h1>")

    def _send_away(self) -> None:
        visit, attempt = secrets.token_urlsafe(24), begin()
        self.server.attempts[visit] = attempt
        self.send_response(303)
        url = authorization_url(self.server.service, self.server.client_id, self.server.redirect_uri, attempt)
        self.send_header("Location", url)
        self.send_header("Set-Cookie", f"{_COOKIE}={visit}; HttpOnly; SameSite=Lax; Path=/")
        self.end_headers()

    def _come_back(self) -> None:
        visit = SimpleCookie(self.headers.get("Cookie", "")).get(_COOKIE)
        attempt = self.server.attempts.pop(visit.value, None) if visit else None
        received = dict(parse_qsl(urlsplit(self.path).query))
        try:
            self._answer(200, self.server.connect(attempt, received))
        except Rejected as error:
            self._answer(400, f"<h1>Not connected</h1><p>{html.escape(str(error))}</p>")

    def _answer(self, status: int, body: str) -> None:
        page = f'<!doctype html><html lang="en"><meta charset="utf-8"><title>Books</title>{body}</html>'.encode()
        self.send_response(status)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(page)))
        self.end_headers()
        self.wfile.write(page)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name of the base class
        """Logs nothing: the address of the answer contains a code."""


def main() -> int:
    parser = argparse.ArgumentParser(prog="examples.connect", description=__doc__)
    parser.add_argument("--origin", default=os.environ.get("FRONTDESK_ORIGIN", "http://127.0.0.1:8000"))
    parser.add_argument("--client-id", required=True, help="client ID of the application, fda_…")
    parser.add_argument("--port", type=int, default=8765)
    options = parser.parse_args()
    with Application(options.origin, options.client_id, options.port) as application:
        sys.stderr.write(f"open http://127.0.0.1:{application.server_port}/\n")
        sys.stderr.flush()
        try:
            application.serve_forever()
        except KeyboardInterrupt:
            return 0
    return 0


if __name__ == "__main__":
    sys.exit(main())
