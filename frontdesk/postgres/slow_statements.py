"""The log of slow statements (FRONTDESK_SLOW_STATEMENT_MS): which request, which statement, how long.

PostgreSQL is not told the request: a comment would make every statement a new one, to be parsed and planned again, and
another way costs a round trip. The id of the server's process is logged instead, which PostgreSQL's own views and log
have too. docs/decisions/0093 has the measurements.
"""

import re

import asyncpg
import structlog
from asyncpg import Record
from prometheus_client import Counter

from frontdesk.runtime.current_work import about_current_work
from frontdesk.runtime.tracing import trace_statement

_NAME = re.compile(
    r"\b(?:FROM|JOIN|LATERAL|INTO|UPDATE)\s+(?!LATERAL\b)(\w+)"
    r"|\b(?:run|try)_act\(\$1, (?:'(\w+)'|NULL), (?:'(\w+)'|NULL)|\b(\w+)\(\$1\b"
)
_MAX_LENGTH = 200
_count = Counter("frontdesk_slow_statements_total", "Statements that took longer than they should", ["pool"])
_log = structlog.get_logger("frontdesk.database")


def report_statement(
    raw: "asyncpg.Connection[Record]", sql: str, seconds: float, slow_seconds: float, pool: str
) -> None:
    """Of every statement if there are traces, else of slow ones. One that was ended has been logged already."""
    trace_statement(statement_name(sql), seconds)
    if seconds > slow_seconds and not raw.is_closed():
        log_slow_statement(raw, sql, seconds, pool)


def log_slow_statement(raw: "asyncpg.Connection[Record]", sql: str, seconds: float, pool: str) -> None:
    _count.labels(pool).inc()
    _log.warning(
        "slow statement",
        **about_current_work(),
        statement=statement_name(sql),
        ms=round(seconds * 1000),
        pool=pool,
        pid=raw.get_server_pid(),
    )


def statement_name(sql: str) -> str:
    """The tables and functions that it names, in their order. Values are not part of a statement."""
    names = dict.fromkeys(name for found in _NAME.findall(sql) for name in found if name)
    return " ".join(names)[:_MAX_LENGTH] or " ".join(sql.split())[:_MAX_LENGTH]
