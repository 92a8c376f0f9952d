"""Metrics and health checks on a separate port (FRONTDESK_METRICS), for a service or a worker.

The server is a thread of the parent process. It aggregates the metrics of all server processes, and it responds even if
their event loops are busy.
"""

import asyncio
import json
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from prometheus_client import CONTENT_TYPE_LATEST, REGISTRY, CollectorRegistry, Metric, generate_latest, multiprocess
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from frontdesk import __version__
from frontdesk.config import Settings
from frontdesk.http.tenant_load import LOAD
from frontdesk.net.listener import bind
from frontdesk.postgres.health import ReadyCheck
from frontdesk.server.database_metrics import DatabaseMetrics
from frontdesk.server.readiness import failing_of_all, ready_status
from frontdesk.version import commit, schema_number


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


class MetricsSource:
    """Everything that a scrape shows: of the server processes, of the database, and of the program itself."""

    def __init__(self, dsn: str, folder: str | None = None) -> None:
        self._folder = folder
        self._shared = CollectorRegistry()
        self._shared.register(DatabaseMetrics(dsn))
        self._shared.register(_ProgramMetrics(folder))

    def read(self) -> bytes:
        return generate_latest(_registry(self._folder)) + generate_latest(self._shared)


class _ProgramMetrics(Collector):
    def __init__(self, folder: str | None) -> None:
        self._folder = folder
        build = {"version": __version__, "commit": commit() or "unknown", "schema": str(schema_number())}
        self._build = GaugeMetricFamily("frontdesk_build_info", "Which program this is", labels=list(build))
        self._build.add_metric(list(build.values()), 1)

    def collect(self) -> Iterator[Metric]:
        yield self._build
        requests = GaugeMetricFamily(
            "frontdesk_tenant_requests", "Requests in the last minute of the ten busiest tenants", labels=["tenant"]
        )
        seconds = GaugeMetricFamily("frontdesk_tenant_seconds", "Time to answer them", labels=["tenant"])
        for tenant, load in LOAD.of_last_minute(time.time(), self._folder).items():
            requests.add_metric([tenant], load.requests)
            seconds.add_metric([tenant], load.seconds)
        yield requests
        yield seconds


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
        self.source = MetricsSource(dsn, folder)


class _Handler(BaseHTTPRequestHandler):
    server: _Server
    timeout = 10  # seconds until an idle connection is closed

    def do_GET(self) -> None:
        if self.path == "/metrics":
            self._send(HTTPStatus.OK, CONTENT_TYPE_LATEST, self.server.source.read())
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
