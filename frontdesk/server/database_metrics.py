"""The metrics that are read from the database. A scrape never waits long for it: then it shows the last ones, and how
old they are.
"""

import asyncio
import threading
import time
from collections.abc import Iterator, Mapping
from typing import NamedTuple

import asyncpg
from prometheus_client import Metric
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from frontdesk.imports.queries import count_waiting
from frontdesk.messages.monitoring_queries import count_due as count_due_messages
from frontdesk.postgres.health import Replication, count_connections, get_replication
from frontdesk.postgres.pool import Connection, connect
from frontdesk.postgres.sending import held_since
from frontdesk.runtime.time_limits import time_limit
from frontdesk.webhooks.delivery_queries import count_due, count_late

SCRAPE_WAIT_SECONDS = 1.0
_READ_SECONDS = 5.0
_UNAVAILABLE_ERRORS = (OSError, TimeoutError, asyncpg.PostgresError, asyncpg.InterfaceError)


class Reading(NamedTuple):
    at: float  # of time.monotonic()
    deliveries: tuple[int, float]  # also of disabled webhooks
    queues: Mapping[str, tuple[int, float]]  # how many are due, and the age of the oldest
    is_held: bool
    connections: tuple[int, int]
    replication: Replication


class DatabaseMetrics(Collector):
    """Read by a thread of its own at each scrape; scrapes at the same time share one reading."""

    def __init__(self, dsn: str) -> None:
        self._dsn = dsn
        self._starting = threading.Lock()
        self._reading: threading.Thread | None = None
        self._last: Reading | None = None
        self._is_up = False

    def collect(self) -> Iterator[Metric]:
        with self._starting:
            if self._reading is None or not self._reading.is_alive():
                self._reading = threading.Thread(target=self._read, name="database metrics", daemon=True)
                self._reading.start()
            reading = self._reading
        reading.join(SCRAPE_WAIT_SECONDS)
        is_up = self._is_up and not reading.is_alive()
        yield _gauge("frontdesk_database_up", "1 if the database answered this scrape in time", is_up)
        if self._last is not None:
            yield from _families(self._last)

    def _read(self) -> None:
        try:
            self._last = asyncio.run(_read(self._dsn))
            self._is_up = True
        except _UNAVAILABLE_ERRORS:
            self._is_up = False


async def _read(dsn: str) -> Reading:
    with time_limit(_READ_SECONDS):
        raw = await connect(dsn, wait=_READ_SECONDS)
        try:
            conn = Connection(raw)
            return Reading(
                time.monotonic(),
                await count_due(conn),
                {
                    "webhooks": await count_late(conn),
                    "messages": await count_due_messages(conn),
                    "imports": await count_waiting(conn),
                },
                await held_since(conn) is not None,
                await count_connections(conn),
                await get_replication(conn),
            )
        finally:
            raw.terminate()


def _families(last: Reading) -> Iterator[Metric]:
    age = "Seconds since the numbers that are read from the database were read"
    yield _gauge("frontdesk_database_metrics_age_seconds", age, time.monotonic() - last.at)
    count, oldest = last.deliveries
    yield _gauge("frontdesk_deliveries_due", "Webhook deliveries that are due, also of disabled webhooks", count)
    yield _gauge("frontdesk_deliveries_oldest_seconds", "Seconds since the oldest of them became due", oldest)
    due = GaugeMetricFamily("frontdesk_queue_due", "What is due and not done yet", labels=["queue"])
    age_of = GaugeMetricFamily(
        "frontdesk_queue_oldest_seconds", "Seconds since the oldest became due", labels=["queue"]
    )
    for queue, (count, oldest) in last.queues.items():
        due.add_metric([queue], count)
        age_of.add_metric([queue], oldest)
    yield due
    yield age_of
    held = "1 while mail and webhooks are not sent, as in a restored copy"
    yield _gauge("frontdesk_sending_held", held, last.is_held)
    used, most = last.connections
    yield _gauge("frontdesk_database_connections", "Connections to the database server, of all programs", used)
    yield _gauge("frontdesk_database_max_connections", "How many there may be", most)
    replicas, lag_seconds, lag_bytes = last.replication
    yield _gauge("frontdesk_replicas", "Replicas that follow the database", replicas)
    if lag_seconds is not None and lag_bytes is not None:
        yield _gauge("frontdesk_replication_lag_seconds", "By how much the last replica is behind", lag_seconds)
        yield _gauge("frontdesk_replication_lag_bytes", "The same in bytes of the log", lag_bytes)


def _gauge(name: str, text: str, value: float) -> GaugeMetricFamily:
    return GaugeMetricFamily(name, text, float(value))
