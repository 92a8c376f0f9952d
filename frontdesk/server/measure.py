"""Measures every other second what would cost too much to count with each request."""

import asyncio
import os
import time

from frontdesk.http.tenant_load import LOAD
from frontdesk.postgres.pool_metrics import measure_pools
from frontdesk.postgres.supervise import record_success

METRICS_FOLDER = "PROMETHEUS_MULTIPROC_DIR"  # set if there are several server processes
_SECONDS = 2.0


async def measure_loop() -> None:
    while True:
        measure_pools()
        LOAD.end_minute(time.time(), os.environ.get(METRICS_FOLDER))
        record_success()
        await asyncio.sleep(_SECONDS)
