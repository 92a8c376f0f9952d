"""Metrics and health checks on a separate port (FRONTDESK_METRICS), for a service or a worker.

The server is a thread of the parent process. It aggregates the metrics of all server processes, and it responds even if
their event loops are busy.
"""

import asyncio
import json
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import asyncpg
from prometheus_client import CONTENT_TYPE_LATEST, REGISTRY, CollectorRegistry, Metric, generate_latest, multiprocess
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from frontdesk.config import Settings
from frontdesk.net.listener import bind
from frontdesk.postgres.health import ReadyCheck
from frontdesk.postgres.pool import Connection, connect
from frontdesk.postgres.sending import held_since
from frontdesk.runtime.time_limits import time_limit
from frontdesk.server.readiness import failing_of_all, ready_status
from frontdesk.webhooks.delivery_queries import count_due

_UNAVAILABLE_ERRORS = (OSError, TimeoutError, asyncpg.PostgresError, asyncpg.InterfaceError)
_DATABASE_TIMEOUT = 5.0


def bind_metrics(settings: Settings) -> socket.socket | None:
    return bind(*settings.metrics, "FRONTDESK_METRICS to another host:port") if settings.metrics else None


@contextmanager
def serving_metrics(listening: socket.socket | None, dsn: str, folder: str | None = None) -> Iterator[None]:
    """`folder` is where several server processes write their metrics; None if there is only one."""
    if listening is None:
        yield
        return
    listening.listen()
    server = _Server(listening, dsn, folder)
    thread = threading.Thread(target=server.serve_forever, name="metrics", daemon=True)
    thread.start()
    try:
        yield
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def read_metrics(dsn: str, folder: str | None = None) -> bytes:
    return generate_latest(_registry(folder)) + generate_latest(asyncio.run(_queue_metrics(dsn)))


def _registry(folder: str | None) -> CollectorRegistry:
    if folder is None:
        return REGISTRY
    registry = CollectorRegistry()
    multiprocess.MultiProcessCollector(registry, path=folder)  # type: ignore[no-untyped-call]
    return registry


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, listening: socket.socket, dsn: str, folder: str | None) -> None:
        super().__init__(listening.getsockname()[:2], _Handler, bind_and_activate=False)
        self.socket.close()
        self.socket = listening
        self.dsn = dsn
        self.folder = folder


class _Handler(BaseHTTPRequestHandler):
    server: _Server
    timeout = 10  # seconds until an idle connection is closed

    def do_GET(self) -> None:
        if self.path == "/metrics":
            self._send(HTTPStatus.OK, CONTENT_TYPE_LATEST, read_metrics(self.server.dsn, self.server.folder))
        elif self.path == "/health/live":
            self._send_status(HTTPStatus.OK, {"status": "ok"})
        elif self.path == "/health/ready":
            self._send_status(*asyncio.run(_readiness(self.server.dsn, self.server.folder)))
        else:
            text = "this listener answers /metrics, /health/live and /health/ready"
            self._send_status(HTTPStatus.NOT_FOUND, {"status": text})

    def do_HEAD(self) -> None:
        self.do_GET()

    def _send_status(self, status: HTTPStatus, answer: dict[str, Any]) -> None:
        self._send(status, "application/json", json.dumps(answer).encode())

    def _send(self, status: HTTPStatus, content_type: str, body: bytes) -> None:
        self.send_response(status)
        self.send_header("content-type", content_type)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Scrapes are not logged."""


async def _readiness(dsn: str, folder: str | None) -> tuple[HTTPStatus, dict[str, Any]]:
    check = ReadyCheck(dsn)
    failure = await check.failure()
    check.close()
    if failure is not None:
        return HTTPStatus.SERVICE_UNAVAILABLE, {"status": failure}
    return HTTPStatus.OK, ready_status(failing_of_all(_registry(folder)))


async def _queue_metrics(dsn: str) -> CollectorRegistry:
    """Read at each scrape, because it is the same for all processes. Empty while the database is unavailable."""
    registry = CollectorRegistry()
    try:
        raw = await connect(dsn, wait=_DATABASE_TIMEOUT)
        try:
            with time_limit(_DATABASE_TIMEOUT):
                due, oldest = await count_due(Connection(raw))
                is_held = await held_since(Connection(raw)) is not None
        finally:
            raw.terminate()
    except _UNAVAILABLE_ERRORS:
        return registry
    registry.register(_Queue(due, oldest, is_held=is_held))
    return registry


class _Queue(Collector):
    def __init__(self, due: int, oldest: float, *, is_held: bool) -> None:
        self._due = due
        self._is_held = is_held
        self._oldest = oldest

    def collect(self) -> Iterator[Metric]:
        yield GaugeMetricFamily("frontdesk_deliveries_due", "Webhook deliveries that are due", self._due)
        age = "Seconds since the oldest of them became due"
        yield GaugeMetricFamily("frontdesk_deliveries_oldest_seconds", age, self._oldest)
        held = "1 while mail and webhooks are not sent, as in a restored copy"
        yield GaugeMetricFamily("frontdesk_sending_held", held, int(self._is_held))
