"""The rules of the tests themselves. CONTRIBUTING.md has them in words."""

import re
from pathlib import Path

TESTS = Path(__file__).parent.parent
# A sleep of nothing only lets other tasks run.
SLEEP = re.compile(r"\bsleep\((?!0\))")
# What may let time pass: a load, or a peer that is slow. It is never how a test waits for something.
SLEEPS = {
    "apis/open/test_database_outage.py": "callers who are refused leave the machine to the server that starts",
    "deploy/test_high_availability.py": "callers who are refused leave the machine to the servers that start",
    "faults/faults.py": "how long a fault lasts",
    "faults/installation.py": "what has ended is started again after a moment",
    "faults/load.py": "the pace of the load",
    "messages/test_kills.py": "processes are killed at any moment",
    "races/load.py": "the pace of the load",
    "races/settings.py": "the pace of the load",
    "support/servers/faulty_proxy.py": "a network that is slow",
    "support/servers/mail_server.py": "a mail server that is slow",
    "support/waiting.py": "waits for a condition, for all other tests",
    "runtime/test_slow_work.py": "a limit passes that ends nothing",
    "runtime/test_time_limits.py": "a limit passes that ends nothing",
    "webhooks/test_deliver.py": "a receiver that sends a byte a second",
    "webhooks/test_failing_webhooks.py": "a receiver that is slow",
    "webhooks/test_kills.py": "the pace of the load, and processes that are killed at any moment",
    "webhooks/test_throughput.py": "PostgreSQL publishes what a session has read once a second",
}
# Rows come from tests/factories/. In these files the statement itself is what is tested.
INSERTS = {
    "apis/open/callers/test_rate_limit.py": "the statement of the guard, with a window that belongs to nobody",
    "architecture/test_migrations.py": "the text of migrations",
    "postgres/test_embedded.py": "a statement that is running when the server is stopped",
    "postgres/schema/test_migrate.py": "the text of migrations",
    "postgres/schema/test_migrate_under_load.py": "the text of migrations",
    "support/damage.py": "the damage that a rule must find",
}


def test_no_test_sleeps_to_wait_for_something() -> None:
    found = {name for name, text in sources().items() if SLEEP.search(re.sub(r"pg_sleep\(", "", text))}
    assert found == set(SLEEPS)


def test_rows_are_inserted_by_factories() -> None:
    found = {name for name, text in sources().items() if "INSERT INTO" in text and not name.startswith("factories/")}
    assert found == set(INSERTS)


def sources() -> dict[str, str]:
    files = {path.relative_to(TESTS).as_posix(): path.read_text("utf-8") for path in TESTS.rglob("*.py")}
    return {name: text for name, text in files.items() if name != "architecture/test_tests.py"}
