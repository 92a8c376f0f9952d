"""The rules of the tests themselves. CONTRIBUTING.md has them in words."""

import re
from pathlib import Path

TESTS = Path(__file__).parent.parent
# A sleep of nothing only lets other tasks run.
SLEEP = re.compile(r"\bsleep\((?!0\))")
# What may let time pass: a load, or a peer that is slow. It is never how a test waits for something.
SLEEPS = {
    "apis/open/test_database_outage.py": "callers who are refused leave the machine to the server that starts",
    "messages/test_kills.py": "processes are killed at any moment",
    "races/load.py": "the pace of the load",
    "races/settings.py": "the pace of the load",
    "support/faulty_proxy.py": "a network that is slow",
    "support/mail_server.py": "a mail server that is slow",
    "support/waiting.py": "waits for a condition, for all other tests",
    "runtime/test_slow_work.py": "a limit passes that ends nothing",
    "runtime/test_time_limits.py": "a limit passes that ends nothing",
    "webhooks/test_deliver.py": "a receiver that sends a byte a second",
    "webhooks/test_failing_webhooks.py": "a receiver that is slow",
    "webhooks/test_kills.py": "the pace of the load, and processes that are killed at any moment",
    "webhooks/test_throughput.py": "PostgreSQL publishes what a session has read once a second",
}
# Rows come from tests/factories/. These files still insert some themselves: a count may only become smaller.
INSERTS = {
    "apis/open/test_availability.py": 1,
    "apis/open/test_categories.py": 1,
    "apis/open/test_items.py": 2,
    "apis/open/test_rate_limit.py": 1,
    "apis/open/test_staff.py": 2,
    "apis/open/test_times_without_services.py": 1,
    "apis/open/test_token_limits.py": 1,
    "apis/open/test_webhooks.py": 1,
    "apis/pos/test_branch_keys.py": 2,
    "applications/test_consent.py": 1,
    "cli/test_commands.py": 2,
    "contract/errors.py": 1,
    "exports/test_archive.py": 1,
    "exports/test_damaged_archives.py": 1,
    "imports/test_rows_read.py": 2,
    "live/test_stream.py": 1,
    "messages/conftest.py": 1,
    "messages/test_kills.py": 1,
    "messages/test_other_mail.py": 1,
    "messages/test_reminders.py": 2,
    "messages/test_sending.py": 1,
    "orders/calendars.py": 2,
    "orders/ledger.py": 1,
    "orders/test_offered_starts_book.py": 1,
    "postgres/test_embedded.py": 1,
    "postgres/test_migrate.py": 2,
    "postgres/test_time_zones.py": 1,
    "races/test_lock_order.py": 1,
    "races/test_locks_of_deliveries.py": 1,
    "races/test_locks_of_imports.py": 2,
    "races/test_money.py": 1,
    "reports/days.py": 1,
    "reports/test_ranges.py": 3,
    "security/test_stored_secrets.py": 1,
    "server/test_restored_copy.py": 1,
    "server/test_start.py": 1,
    "ui/test_a_day.py": 1,
    "ui/test_attention.py": 2,
    "ui/test_booking_page.py": 2,
    "ui/test_booking_page_guards.py": 2,
    "ui/test_booking_page_menu.py": 1,
    "ui/test_booking_page_proof.py": 1,
    "ui/test_csrf.py": 1,
    "ui/test_customers.py": 1,
    "ui/test_drawer.py": 1,
    "ui/test_earlier_names.py": 1,
    "ui/test_export.py": 1,
    "ui/test_export_of_every_list.py": 1,
    "ui/test_import.py": 3,
    "ui/test_import_hours_and_options.py": 2,
    "ui/test_limits.py": 6,
    "ui/test_operator.py": 1,
    "ui/test_outside_calendars.py": 1,
    "ui/test_own_booking.py": 1,
    "ui/test_own_booking_in_a_browser.py": 1,
    "ui/test_own_booking_list.py": 1,
    "ui/test_payment_methods.py": 1,
    "ui/test_reports.py": 1,
    "ui/test_request_log.py": 2,
    "ui/test_sign_in.py": 1,
    "ui/test_sign_up.py": 1,
    "ui/test_webhook_pages.py": 1,
    "webhooks/fixture.py": 3,
    "webhooks/test_parked.py": 2,
    "webhooks/test_payloads.py": 1,
}


def test_no_test_sleeps_to_wait_for_something() -> None:
    found = {name for name, text in sources().items() if SLEEP.search(re.sub(r"pg_sleep\(", "", text))}
    assert found == set(SLEEPS)


def test_rows_are_inserted_by_factories() -> None:
    counts = {name: text.count("INSERT INTO") for name, text in sources().items()}
    elsewhere = {
        name: count for name, count in counts.items() if count and not name.startswith(("factories/", "support/"))
    }
    assert elsewhere == INSERTS


def sources() -> dict[str, str]:
    files = {path.relative_to(TESTS).as_posix(): path.read_text("utf-8") for path in TESTS.rglob("*.py")}
    return {name: text for name, text in files.items() if name != "architecture/test_tests.py"}
