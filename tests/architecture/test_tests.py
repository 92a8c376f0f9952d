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
    "developer_tools/integrator.py": "a receiver that is slow",
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
# Rows come from tests/factories/, and so do their changes. In these files the statement itself is what is tested.
WRITE = re.compile(r"\b(?:INSERT INTO|DELETE FROM|UPDATE) [a-z{]")
STATEMENTS = {
    "apis/open/callers/test_rate_limit.py": "the statement of the guard, with a window that belongs to nobody",
    "apis/open/changes/test_changes.py": "a change that another transaction has not committed",
    "apis/open/test_idempotency.py": "a lock that another transaction holds",
    "architecture/test_migrations.py": "the text of migrations",
    "cli/test_backup_verify.py": "the damage that a check must find",
    "cli/test_check.py": "the damage that a check must find",
    "day_close/test_day_close.py": "a closed day does not change",
    "apis/open/changes/test_custom_data.py": "a thousand rows, of which a filter reads one",
    "demo_data/rules.py": "the damage that a rule must find",
    "invoices/test_stored_invoices.py": "an issued invoice does not change",
    "postgres/schema/test_migrate.py": "the text of migrations",
    "postgres/schema/test_migrate_under_load.py": "the text of migrations",
    "postgres/test_embedded.py": "a statement that is running when the server is stopped",
    "postgres/test_slow_statements.py": "the tables of a statement",
    "postgres/test_time_zones.py": "rules of an earlier release",
    "races/settings.py": "a lock that another transaction holds",
    "races/test_deleted_items.py": "a lock that another transaction holds",
    "races/test_events.py": "a lock that another transaction holds",
    "races/test_first_sale.py": "a lock that another transaction holds",
    "races/test_lock_order.py": "a lock that another transaction holds",
    "races/test_locks_of_deliveries.py": "a lock that another transaction holds",
    "races/test_old_versions.py": "a lock that another transaction holds",
    "races/test_slots.py": "what a constraint refuses",
    "server/test_doctor.py": "the damage that a check must find",
    "server/test_start.py": "what the role of the service may not do",
    "support/damage.py": "the damage that a rule must find",
    "ui/activity/test_activity.py": "the activity does not change",
    "ui/operator/test_operator_acts.py": "the acts of operators do not change",
}
# Changes that have no factory yet. The numbers only become smaller.
LEFT = {
    "apis/open/callers/test_authentication.py": 1,
    "apis/open/callers/test_oauth.py": 1,
    "apis/open/orders/test_stored_documents.py": 2,
    "apis/open/test_customers.py": 1,
    "apis/pos/test_authentication.py": 1,
    "apis/pos/test_orders.py": 1,
    "applications/test_install.py": 1,
    "contract/errors.py": 1,
    "contract/test_contract.py": 1,
    "messages/conftest.py": 3,
    "messages/test_kills.py": 1,
    "messages/test_other_mail.py": 1,
    "messages/test_reminders.py": 2,
    "reports/days.py": 4,
    "security/test_stored_secrets.py": 1,
    "support/pages/opened_pages.py": 2,
    "support/pages/second_factor.py": 1,
    "ui/business/test_business_in_a_browser.py": 1,
    "ui/day_close/test_day_close_page.py": 2,
    "ui/day_close/test_shifts_of_a_day.py": 1,
    "ui/operator/test_operator.py": 2,
    "ui/orders/test_order_list.py": 1,
    "ui/overview/test_overview.py": 2,
    "ui/reports/test_reports_in_a_browser.py": 1,
    "ui/test_every_page_in_a_browser.py": 3,
    "ui/till/test_waiting_to_pay.py": 1,
    "webhooks/fixture.py": 1,
    "webhooks/test_failing_webhooks.py": 1,
    "webhooks/test_stopping.py": 6,
}


def test_no_test_sleeps_to_wait_for_something() -> None:
    found = {name for name, text in sources().items() if SLEEP.search(re.sub(r"pg_sleep\(", "", text))}
    assert found == set(SLEEPS)


def test_rows_are_written_by_factories() -> None:
    counts = {name: len(WRITE.findall(text)) for name, text in sources().items() if not name.startswith("factories/")}
    found = {name: count for name, count in counts.items() if count}
    assert STATEMENTS.keys() <= found.keys()
    assert {name: count for name, count in found.items() if name not in STATEMENTS} == LEFT


def sources() -> dict[str, str]:
    files = {path.relative_to(TESTS).as_posix(): path.read_text("utf-8") for path in TESTS.rglob("*.py")}
    return {name: text for name, text in files.items() if name != "architecture/test_tests.py"}
