"""The log for people: one line for each request and event, and a trace below it."""

import subprocess
import sys

from frontdesk.config import read_settings

PROGRAM = """
from datetime import UTC, datetime
from uuid import UUID
import structlog
from frontdesk.runtime.log_setup import RequestLine, configure_logs, write_request_lines
configure_logs("text")
at = datetime(2026, 11, 18, 8, 1, 2, tzinfo=UTC)
write_request_lines([RequestLine("abc", UUID(int=7), None, "GET /orders", 200, 3.14, 1, at)])
structlog.get_logger().error("failed", request_id="abc", reason="two\\nlines", trace=["LookupError", "  find x.py:7"])
"""


def test_a_request_is_a_line_and_a_trace_is_below_its_event() -> None:
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True)
    request, event, *trace = done.stdout.splitlines()
    tenant = "00000000-0000-0000-0000-000000000007"
    assert request == f"2026-11-18 08:01:02 200     GET /orders, 3 ms, 1 statement request_id=abc tenant={tenant}"
    assert event.partition(" error   ")[2] == "failed request_id=abc reason=two lines"
    assert trace == ["    LookupError", "      find x.py:7"]


def test_the_settings_of_the_log() -> None:
    assert read_settings({}).log_format is None
    assert read_settings({"FRONTDESK_LOG_FORMAT": "text"}).log_format == "text"
    assert read_settings({"FRONTDESK_SLOW_STATEMENT_MS": "250"}).slow_seconds == 0.25
    assert read_settings({"FRONTDESK_SLOW_STATEMENT_MS": "0"}).slow_seconds == float("inf")
