"""The field tables of webhooks, their deliveries and events, which the specification leaves open."""

from tests.contract.fields import STAMPS
from tests.contract.kinds import (
    BOOLEAN,
    INTEGER,
    NAME,
    STRING,
    TIMESTAMP,
    URL,
    UUID_,
    Array,
    Fields,
    Nullable,
    Record,
    one_of,
)

KIND = one_of(
    "order.created",
    "order.status_changed",
    "order.rescheduled",
    "order.updated",
    "order.payment_status_changed",
    "transaction.created",
    "customer.created",
    "customer.updated",
    "customer.deleted",
    "item.stock_changed",
    "item.created",
    "item.updated",
    "item.deleted",
    "category.created",
    "category.updated",
    "category.deleted",
    "package.created",
    "package.updated",
    "package.deleted",
    "staff.created",
    "staff.updated",
    "staff.deleted",
    "working_hours.updated",
    "hour_exception.created",
    "hour_exception.updated",
    "hour_exception.deleted",
    "time_off.created",
    "time_off.updated",
    "time_off.deleted",
    "closed_days.updated",
    "branch.created",
    "branch.updated",
    "payment_method.created",
    "payment_method.updated",
    "payment_method.deleted",
    "tax_class.created",
    "tax_class.updated",
    "tax_class.deleted",
    "settings.updated",
    "booking_page.updated",
    "drawer_settings.updated",
    "message_settings.updated",
    "message.due",
    "app.installed",
    "app.scopes_changed",
    "app.disconnected",
    "webhook.ping",
)

WEBHOOK: Fields = {
    "id": UUID_,
    "url": URL,
    "events": Array(KIND),
    "branches": Array(UUID_),
    "changed_fields": Array(NAME),
    "payload": one_of("full", "thin"),
    "active": BOOLEAN,
    "disabled_at": Nullable(TIMESTAMP),
    "disabled_reason": Nullable(NAME),
    "failing_since": Nullable(TIMESTAMP),
    "previous_secret_until": Nullable(TIMESTAMP),
    **STAMPS,
}
WEBHOOK_WITH_SECRET: Fields = {**WEBHOOK, "secret": NAME}

SANDBOX_CLOCK: Fields = {"now": TIMESTAMP, "seconds_ahead": INTEGER}

SANDBOX_FAULT: Fields = {
    "id": UUID_,
    "kind": NAME,
    "status": Nullable(INTEGER),
    "code": Nullable(NAME),
    "route": Nullable(NAME),
    "seconds": Nullable(INTEGER),
    "times": INTEGER,
    "remaining": INTEGER,
    "created_at": TIMESTAMP,
}

SANDBOX_SNAPSHOT: Fields = {"id": UUID_, "name": NAME, "orders_count": INTEGER, "created_at": TIMESTAMP}

DELIVERY: Fields = {
    "id": UUID_,
    "webhook_id": UUID_,
    "event": Record({"id": UUID_, "type": KIND, "sequence": INTEGER}),
    "state": one_of("due", "delivered", "dead"),
    "due_at": Nullable(TIMESTAMP),
    "attempts": Array(
        Record(
            {
                "attempted_at": TIMESTAMP,
                "milliseconds": INTEGER,
                "status": Nullable(INTEGER),
                "answer": Nullable(STRING),
                "error": Nullable(STRING),
            }
        )
    ),
    "created_at": TIMESTAMP,
}

DELETION: Fields = {
    "id": UUID_,
    "resource": one_of(
        "customer",
        "item",
        "category",
        "package",
        "staff",
        "hour_exception",
        "time_off",
        "payment_method",
        "tax_class",
        "waiting_list_entry",
    ),
    "deleted": BOOLEAN,
    "deleted_at": TIMESTAMP,
    "merged_into": Nullable(UUID_),
}

EVENT: Fields = {
    "id": UUID_,
    "type": KIND,
    "timestamp": TIMESTAMP,
    "api_version": one_of("v1"),
    "tenant_id": UUID_,
    "sequence": INTEGER,
    "data": Record({}, complete=False),
}
