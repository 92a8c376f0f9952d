"""No act is left out of the activity: every function and statement that writes what belongs to a business records it.

Read from the text of the database functions and of the package. What need not be recorded is listed with the reason.
"""

import ast
import re
from collections.abc import Iterator

from frontdesk.ui.activity.labels import ACTIONS, GROUPS
from tests.architecture.python_files import PACKAGE, files_of_package

_COMMENT = re.compile(r"--[^\n]*")
_WRITE = re.compile(r"\b(?:INSERT\s+INTO|(?<!FOR )(?<!KEY )UPDATE|DELETE\s+FROM)\s+([a-z_]+)")
_CALLED = re.compile(r"""(?<=["'(\s])\w+(?=["'(])""")  # in Python
_TABLE = re.compile(r"CREATE (?:UNLOGGED )?TABLE (\w+) \((.*?)\n\)", re.DOTALL)

# Tables whose rows nobody decides about: copies and sums, queues, logs, credentials in use, and what ends by itself.
TECHNICAL = {
    *(
        "events",
        "deleted_records",
        "custom_data",  # save_custom_data records a change; elsewhere rows go with their record
        "webhook_deliveries",
        "webhook_attempts",
        "messages",
        "account_messages",
        "reminder_progress",
    ),
    *("notifications", "report_mails"),
    *("tenant_counters", "customer_sums", "item_sums", "method_sums", "source_sums", "sale_changes", "staff_busy_days"),
    *(
        "order_documents",
        "last_writes",
        "idempotency_records",
        "rate_windows",
        "request_log",
        "scope_usage",
        "used_operations",
        "customer_reads",
        "throttles",
    ),
    *("access_tokens", "authorization_codes", "sessions", "pending_sign_ins", "contact_codes", "holds"),
    *(
        "booking_links",
        "booking_list_links",
        "import_rows",
        "import_outcomes",
        "time_zone_offsets",
        "tenant_erasures",
    ),
    "objects_to_check",
    *("record_exports", "record_export_parts"),
}
# Functions that write other tables and record nothing.
UNRECORDED = {
    "delete_old_activity": "removes entries after 400 days",
    "erase_tenant_batch": "delete_tenant records the deletion, which it goes on with",
    "import_customers": "finish_import records the run, in the same transaction",
    "import_items": "finish_import records the run",
    "import_stock": "finish_import records the run",
    "create_import_tags_and_categories": "finish_import records the run",
    "save_calendar_view": "how one member sees the calendar",
    "save_report_settings": "what one member reads first, and gets by mail to their own address",
    "queue_report_mail": "a mail that the member has chosen",
    "rebuild_list_items": "copies, written again by a migration",
    "store_external_busy": "busy times that a calendar elsewhere says, fetched every few minutes",
    "empty_sandbox": "restore_sandbox_snapshot and sandbox/reset.py record it",
    "settle_sandbox": "sandbox/reset.py records the reset",
    "take_sandbox_fault": "a fault that was set befalls a request or a delivery",
    "undo_imported_customers": "finish_import_undo records it",
    "undo_imported_items": "finish_import_undo records it",
    "undo_imported_stock": "finish_import_undo records it",
}
# Acts of a person that write technical tables only, and are recorded all the same.
RECORDED_ALL_THE_SAME = {"ping_webhook", "retry_delivery", "retry_failed_deliveries", "send_message_again"}
# Statements in Python that write other tables, and the acts that record them.
RECORDED_BY = {
    "applications/queries/installs.py": ("applications/install.py", "applications/disconnect.py"),
    "applications/queries/reviews.py": ("applications/review.py",),
    "auth/client_queries.py": ("auth/clients.py",),
    "auth/install_queries.py": ("applications/install.py", "applications/change_scopes.py"),
    "accounts/member_queries.py": ("accounts/members.py", "accounts/accept_invitation.py"),
    "accounts/user_queries.py": ("accounts/members.py", "accounts/users.py", "accounts/accept_invitation.py"),
    "exports/archive_queries.py": ("exports/restore.py",),
    "imports/queries.py": ("imports/upload.py", "imports/decide.py"),
    "tenants/queries.py": ("tenants/administration.py", "tenants/second_factor_rule.py"),
    # an act that records the change of the record which has the picture
    "pictures/queries.py": ("postgres/functions/save_item.sql", "postgres/functions/save_staff_member.sql"),
    # changed by the application's developer, who cannot change what the business approved
    "webhooks/application_queries.py": ("applications/change_scopes.py",),
}
# Written by the service itself, while it works, or not worth an entry.
BY_ITSELF = {
    "calendar_sync/feed_queries.py",
    "calendar_sync/external_calendar_queries.py",
    "demo_data/create.py",
    "pictures/bucket_queries.py",
    "postgres/time_zones.py",
    "webhooks/receiver_queries.py",
}


def _functions() -> dict[str, str]:
    files = (PACKAGE / "postgres/functions").glob("*.sql")
    return {file.stem: _COMMENT.sub("", file.read_text("utf-8")) for file in files}


def _reached(name: str, calls: dict[str, set[str]]) -> set[str]:
    found, waiting = set(), [name]
    while waiting:
        function = waiting.pop()
        if function not in found:
            found.add(function)
            waiting += calls[function]
    return found


def _tables() -> set[str]:
    """Those of a tenant, and `tenants` itself."""
    migrations = "\n".join(file.read_text("utf-8") for file in (PACKAGE / "postgres/migrations").glob("*.sql"))
    renamed = dict(re.findall(r"^ALTER TABLE (\w+) RENAME TO (\w+)", migrations, re.MULTILINE))
    of_tenants = {name for name, columns in _TABLE.findall(migrations) if "tenant_id" in columns}
    return {renamed.get(name, name) for name in of_tenants} | {"tenants"}


def _python() -> Iterator[tuple[str, str]]:
    for file in files_of_package():
        yield file.name, file.text


def test_every_database_function_that_writes_records_the_activity() -> None:
    texts = _functions()
    words = {name: set(re.findall(r"\b([a-z_]+)\s*\(", text)) for name, text in texts.items()}
    calls = {name: found & texts.keys() - {name} for name, found in words.items()}
    called = {name for _, text in _python() for name in _CALLED.findall(text)}
    tables = _tables() - TECHNICAL
    writes = {name: tables.intersection(_WRITE.findall(text)) for name, text in texts.items()}
    missing = set()
    for name in texts.keys() & called:
        reached = _reached(name, calls)
        is_act = name in RECORDED_ALL_THE_SAME or any(writes[function] for function in reached)
        if is_act and "record_activity" not in reached:
            missing.add(name)
    assert missing == UNRECORDED.keys()


def test_every_statement_in_python_that_writes_is_recorded() -> None:
    tables = _tables() - TECHNICAL
    writing = {path for path, text in _python() if set(_WRITE.findall(text)) & tables}
    assert writing == RECORDED_BY.keys() | BY_ITSELF
    for acts in RECORDED_BY.values():
        for act in acts:
            assert "record_activity" in (PACKAGE / act).read_text("utf-8"), act


def _parameters(function: ast.FunctionDef | ast.AsyncFunctionDef) -> tuple[list[str], list[str]]:
    return [a.arg for a in function.args.args], [a.arg for a in function.args.kwonlyargs]


def test_pages_and_commands_say_who_acts() -> None:
    """The service itself is the actor where none is given, which is right for neither of them."""
    trees = {
        file.name: file.nodes
        for file in files_of_package()
        if "actor" in file.text or file.name.startswith(("ui/", "cli/"))
    }
    places: dict[str, int | None] = {}  # of the parameter `actor` of each function, None if it is named
    for path, nodes in trees.items():
        for node in nodes:
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and not path.startswith(("ui/", "cli/")):
                by_place, by_name = _parameters(node)
                is_runner = node.name in ("run", "write")  # their actor is required
                if "actor" in by_place + by_name and not is_runner and not node.name.startswith("_"):
                    places[node.name] = by_place.index("actor") if "actor" in by_place else None
    silent = [
        f"{path} calls {node.func.id}"
        for path, nodes in trees.items()
        if path.startswith(("ui/", "cli/")) and not path.startswith("ui/developer/")  # of no business
        for node in nodes
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id in places
        and not any(keyword.arg == "actor" for keyword in node.keywords)
        and (places[node.func.id] is None or len(node.args) <= (places[node.func.id] or 0))
    ]
    assert silent == []


def test_every_action_is_in_one_group_of_the_filter() -> None:
    grouped = [noun for _, nouns in GROUPS.values() for noun in nouns]
    assert len(grouped) == len(set(grouped))
    assert {action.partition(".")[0] for action in ACTIONS} == set(grouped)
