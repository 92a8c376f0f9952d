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

import asyncpg
from prometheus_client import CONTENT_TYPE_LATEST, REGISTRY, CollectorRegistry, Metric, generate_latest, multiprocess
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from frontdesk.config import Settings
from frontdesk.net.listener import bind
from frontdesk.postgres.pool import Connection, connect
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
    registry = REGISTRY
    if folder:
        registry = CollectorRegistry()
        multiprocess.MultiProcessCollector(registry, path=folder)  # type: ignore[no-untyped-call]
    return generate_latest(registry) + generate_latest(asyncio.run(_queue_metrics(dsn)))


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
            self._send_status(HTTPStatus.OK, "ok")
        elif self.path == "/health/ready":
            self._send_status(*asyncio.run(_readiness(self.server.dsn)))
        else:
            self._send_status(HTTPStatus.NOT_FOUND, "this listener answers /metrics, /health/live and /health/ready")

    def do_HEAD(self) -> None:
        self.do_GET()

    def _send_status(self, status: HTTPStatus, text: str) -> None:
        self._send(status, "application/json", json.dumps({"status": text}).encode())

    def _send(self, status: HTTPStatus, content_type: str, body: bytes) -> None:
        self.send_response(status)
        self.send_header("content-type", content_type)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Scrapes are not logged."""


async def _readiness(dsn: str) -> tuple[HTTPStatus, str]:
    try:
        raw = await connect(dsn, wait=_DATABASE_TIMEOUT)
        await raw.close(timeout=_DATABASE_TIMEOUT)
    except _UNAVAILABLE_ERRORS:
        return HTTPStatus.SERVICE_UNAVAILABLE, "the database does not answer"
    return HTTPStatus.OK, "ok"


async def _queue_metrics(dsn: str) -> CollectorRegistry:
    """Read at each scrape, because it is the same for all processes. Empty while the database is unavailable."""
    registry = CollectorRegistry()
    try:
        raw = await connect(dsn, wait=_DATABASE_TIMEOUT)
        try:
            due, oldest = await count_due(Connection(raw))
        finally:
            await raw.close(timeout=_DATABASE_TIMEOUT)
    except _UNAVAILABLE_ERRORS:
        return registry
    registry.register(_Queue(due, oldest))
    return registry


class _Queue(Collector):
    def __init__(self, due: int, oldest: float) -> None:
        self._due = due
        self._oldest = oldest

    def collect(self) -> Iterator[Metric]:
        yield GaugeMetricFamily("frontdesk_deliveries_due", "Webhook deliveries that are due", self._due)
        age = "Seconds since the oldest of them became due"
        yield GaugeMetricFamily("frontdesk_deliveries_oldest_seconds", age, self._oldest)
