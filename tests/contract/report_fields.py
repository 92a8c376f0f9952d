"""What happened to a request."""

from tests.contract.kinds import (
    BOOLEAN,
    DATE,
    INTEGER,
    NAME,
    NUMBER,
    STRING,
    TIMESTAMP,
    URL,
    UUID_,
    Array,
    Fields,
    Keyed,
    Nullable,
    Record,
    one_of,
)

REQUEST_REPORT: Fields = {
    "state": one_of("in_progress", "completed", "failed"),
    "request_id": Nullable(NAME),
    "idempotency_key": Nullable(NAME),
    "operation": Nullable(NAME),
    "path": Nullable(NAME),
    "received_at": Nullable(TIMESTAMP),
    "status": Nullable(INTEGER),
    "error": Nullable(
        Record(
            {
                "code": NAME,
                "message": Nullable(NAME),
                "field": Nullable(STRING),
                "errors": Keyed(STRING, Array(NAME), may_be_empty=True),
                "doc_url": URL,
            }
        )
    ),
    "created": Array(Record({"type": NAME, "id": UUID_, "url": Nullable(URL)})),
    "replayed": BOOLEAN,
    "dry_run": BOOLEAN,
    "timing": Record({"total_ms": Nullable(NUMBER), "database_ms": Nullable(NUMBER), "statements": Nullable(INTEGER)}),
    "attempts": Array(
        Record({"request_id": NAME, "received_at": TIMESTAMP, "status": Nullable(INTEGER), "replayed": BOOLEAN})
    ),
}

CONFORMANCE_REPORT: Fields = {
    "kit": NAME,
    "passed": INTEGER,
    "failed": INTEGER,
    "skipped": INTEGER,
    "scenarios": Array(
        Record(
            {
                "id": NAME,
                "group": one_of("receiver", "flow"),
                "outcome": one_of("passed", "failed", "skipped"),
                "title": NAME,
                "expected": NAME,
                "message": Nullable(NAME),
            }
        )
    ),
    "created_at": TIMESTAMP,
}

CHANGELOG_ENTRY: Fields = {
    "id": NAME,
    "date": DATE,
    "title": NAME,
    "breaking": BOOLEAN,
    "changes": Array(
        Record(
            {
                "where": NAME,
                "text": NAME,
                "kind": one_of("addition", "modification", "removal"),
                "breaking": BOOLEAN,
                "uses": Array(NAME),
            }
        )
    ),
}
