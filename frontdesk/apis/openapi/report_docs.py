"""Fields of what the APIs say about requests and programs."""

from frontdesk.apis.openapi.field_docs import FieldDoc

_KEY = "order-7731-a"
_RECEIVED_AT = "2026-11-19T10:14:02.118301Z"
_REQUEST_ID = "5b0c6f9a3d1e4c7f8a2b6d0e9f1c3a57"
_KIT, _TITLE = "frontdesk 1.0.0", "The order is made, and the answer is lost"
_EXPECTED = "sends the same request with the same key again, and ends with one order"
_HAPPENED = "made 2 orders instead of one"

REPORT_DOCS = {
    "RequestKeyQuery.idempotency_key": FieldDoc("The key that the request had, without quotes around it.", _KEY),
    "RequestReport.state": FieldDoc(
        "`completed`: it was done, even if its response did not arrive. `in_progress`: it is running; ask again before "
        "you send anything. `failed`: nothing was saved; a request without a key that ended with a status of 500 and "
        "more may have been.",
        "completed",
    ),
    "RequestReport.request_id": FieldDoc("Id of the request; null if only what it saved is known.", _REQUEST_ID),
    "RequestReport.idempotency_key": FieldDoc("Key that it had; null if it had none.", _KEY),
    "RequestReport.operation": FieldDoc("Method and path of the operation.", "POST /orders"),
    "RequestReport.path": FieldDoc("Path with the ids of records, without the query.", "/open-api/v1/orders"),
    "RequestReport.received_at": FieldDoc("When it arrived, in UTC.", _RECEIVED_AT),
    "RequestReport.status": FieldDoc("HTTP status of its response; null while it is running.", 201),
    "RequestReport.error": FieldDoc("The error of a request that failed; null otherwise."),
    "RequestReport.created": FieldDoc("What it created, or what the request created whose response it repeats."),
    "RequestReport.replayed": FieldDoc("Whether its response was that of an earlier request.", example=False),
    "RequestReport.dry_run": FieldDoc("Whether it was a dry run.", example=False),
    "RequestReport.timing": FieldDoc("Where its time went, as far as it is known."),
    "RequestReport.attempts": FieldDoc("Requests with the same key, newest first, at most 20. Empty without a key."),
    "RequestError.code": FieldDoc("Error code.", "timeslot_unavailable"),
    "RequestError.message": FieldDoc("Message of the response; null if it is not known.", "The time is not available."),
    "RequestError.field": FieldDoc("First field that was refused; null if the error is about no field.", "start"),
    "RequestError.errors": FieldDoc("Messages by field, of at most 10 fields.", {"start": ["is in the past"]}),
    "RequestError.doc_url": FieldDoc(
        "Page about the code.", "https://book.example.com/docs/errors/timeslot_unavailable"
    ),
    "CreatedRecord.type": FieldDoc("Type of the record.", "order"),
    "CreatedRecord.id": FieldDoc("Identifier of the record.", "018f3c1e-7d2a-7b1c-9a40-5f6e7d8c9b0a"),
    "CreatedRecord.url": FieldDoc(
        "Where it is read; null if records of this type are not read one by one.",
        "https://book.example.com/open-api/v1/orders/018f3c1e-7d2a-7b1c-9a40-5f6e7d8c9b0a",
    ),
    "total_ms": FieldDoc("Milliseconds until the response was sent.", 131.2),
    "database_ms": FieldDoc("Milliseconds in which the database worked on it.", 96.4),
    "statements": FieldDoc("Statements that the database ran for it.", 2),
    "ClientChangelogQuery.since": FieldDoc("Only entries of this day and later.", "2026-11-01"),
    "ClientChangelogEntry.id": FieldDoc("Id of the entry, as at `/changelog`.", "2026-11-17-open-api"),
    "ClientChangelogEntry.date": FieldDoc("Day of the publication.", "2026-11-17"),
    "ClientChangelogEntry.title": FieldDoc("How many changes it has for all clients.", "1 modification"),
    "ClientChangelogEntry.breaking": FieldDoc("Whether a change that concerns this client is breaking.", example=False),
    "ClientChangelogEntry.changes": FieldDoc("The changes that concern this client."),
    "ClientChange.where": FieldDoc(
        "What changed: an operation, a part of it, an event, or a field of a record.", "GET /orders ?updated_since"
    ),
    "ClientChange.text": FieldDoc("How it changed.", "is a new parameter"),
    "ClientChange.kind": FieldDoc("Kind of change.", "addition"),
    "ClientChange.breaking": FieldDoc("Whether a program may have to change.", example=False),
    "ClientChange.uses": FieldDoc(
        "Operations and events of this client that it concerns. Empty if it concerns every client.", ["GET /orders"]
    ),
    "ConformanceReportCreate.kit": FieldDoc("Program that tried the scenarios, with its version.", _KIT),
    "ConformanceReportCreate.scenarios": FieldDoc("The scenarios in the order in which they were tried."),
    "ConformanceScenarioCreate.id": FieldDoc("Id of the scenario.", "lost-answer"),
    "ConformanceScenarioCreate.group": FieldDoc("What it is about: a receiver of webhooks, or calls.", "flow"),
    "ConformanceScenarioCreate.outcome": FieldDoc("How it ended.", "failed"),
    "ConformanceScenarioCreate.title": FieldDoc("What was done.", _TITLE),
    "ConformanceScenarioCreate.expected": FieldDoc("What was expected.", _EXPECTED),
    "ConformanceScenarioCreate.message": FieldDoc("What happened instead, or why it was skipped.", _HAPPENED),
    "ConformanceReport.kit": FieldDoc("Program that tried the scenarios, with its version.", _KIT),
    "ConformanceReport.passed": FieldDoc("How many scenarios passed.", 111),
    "ConformanceReport.failed": FieldDoc("How many failed.", 1),
    "ConformanceReport.skipped": FieldDoc("How many could not be tried.", 0),
    "ConformanceReport.scenarios": FieldDoc("The scenarios in the order in which they were tried."),
    "ConformanceReport.created_at": FieldDoc(
        "When it was stored, in UTC. The real time, not that of the sandbox.", _RECEIVED_AT
    ),
    "ConformanceScenario.id": FieldDoc("Id of the scenario.", "lost-answer"),
    "ConformanceScenario.group": FieldDoc("What it is about: a receiver of webhooks, or calls.", "flow"),
    "ConformanceScenario.outcome": FieldDoc("How it ended.", "failed"),
    "ConformanceScenario.title": FieldDoc("What was done.", _TITLE),
    "ConformanceScenario.expected": FieldDoc("What was expected.", _EXPECTED),
    "ConformanceScenario.message": FieldDoc(
        "What happened instead, or why it was skipped; null if it passed.", _HAPPENED
    ),
    "RequestAttempt.request_id": FieldDoc("Id of the request.", _REQUEST_ID),
    "RequestAttempt.received_at": FieldDoc("When it arrived, in UTC.", _RECEIVED_AT),
    "RequestAttempt.status": FieldDoc("HTTP status of its response; null while it is running.", 201),
    "RequestAttempt.replayed": FieldDoc("Whether its response was that of an earlier request.", example=False),
}
