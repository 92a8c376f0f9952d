"""A log that cannot be written, because its disk is full: the caller goes on."""

import subprocess
import sys
from pathlib import Path

PROGRAM = """
import os
import structlog
from datetime import UTC, datetime
from frontdesk.runtime.log_setup import RequestLine, configure_logs, write_request_lines
from frontdesk.server.database import print_status
configure_logs("json")
for _ in range(100):  # more than is buffered
    write_request_lines([RequestLine("abc" * 100, None, None, "GET /orders", 200, 3.14, 1, datetime.now(UTC))])
    structlog.get_logger().error("failed")
    print_status("the database stopped; restarting it")
os._exit(7)
"""


def test_a_full_disk_of_the_log_stops_nobody() -> None:
    with Path("/dev/full").open("wb") as full:
        assert subprocess.run([sys.executable, "-c", PROGRAM], stdout=full, stderr=full, check=False).returncode == 7
