"""The fields of events, webhooks and their deliveries."""

from frontdesk.apis.openapi.field_docs import FieldDoc

_ID = "018f3c1e-7d2a-7b1c-9a40-5f6e7d8c9b0a"
_UTC = "2026-11-15T08:30:00.000000Z"

EVENT_DOCS = {
    # what every event has
    "Event.id": FieldDoc("The event; the same on every attempt and in GET /events.", _ID),
    "Event.type": FieldDoc("The kind.", "order.created"),
    "timestamp": FieldDoc("When it happened, in UTC.", _UTC),
    "api_version": FieldDoc("Version of the data.", "v1"),
    "tenant_id": FieldDoc("The business.", _ID),
    "sequence": FieldDoc(
        "Counts all events of the business without gaps. A webhook receives the kinds it subscribed to.",
        118,
    ),
    "Event.data": FieldDoc("What happened, and to what; the form depends on the type.", {}),
    # what happened
    "OrderCreatedData.order": FieldDoc("The order, as GET /orders/{uuid} shows it."),
    "OrderStatusChangedData.order": FieldDoc("The order after the change, as GET /orders/{uuid} shows it."),
    "OrderRescheduledData.order": FieldDoc("The order after the change, as GET /orders/{uuid} shows it."),
    "OrderRescheduledData.previous_start": FieldDoc(
        "When the appointment was to begin before.", "2026-11-16T10:00:00+03:00"
    ),
    "OrderRescheduledData.start": FieldDoc("When it begins now.", "2026-11-17T14:30:00+03:00"),
    "OrderPaymentStatusChangedData.order": FieldDoc("The order after the change, as GET /orders/{uuid} shows it."),
    "previous_status": FieldDoc("The status before.", "confirmed"),
    "OrderStatusChangedData.status": FieldDoc("The status after.", "completed"),
    "previous_payment_status": FieldDoc("How much of it was paid before.", "unpaid"),
    "ChangedBy.type": FieldDoc("A program, a person or the service itself.", "app"),
    "ChangedBy.id": FieldDoc("Which one; null for the service itself.", _ID),
    "TransactionCreatedData.transaction": FieldDoc("The payment or refund, as GET /transactions/{id} shows it."),
    "CustomerEventData.customer": FieldDoc("The customer, as GET /customers/{uuid} shows it."),
    "EventOrder.status": FieldDoc("How far along it is.", "confirmed"),
    "EventOrder.source": FieldDoc("Where it came from.", "api"),
    "EventOrder.items": FieldDoc("The lines, with who performs them."),
    "EventCustomer.type": FieldDoc("A person or a company.", "individual"),
    "EventCustomer.tags": FieldDoc("The tags the business gave them."),
    "ItemStockChangedData.item": FieldDoc("The product."),
    "previous_stock": FieldDoc("How many pieces there were.", 20),
    "ItemStockChangedData.stock": FieldDoc("How many pieces there are.", 19),
    "ItemStockChangedData.options": FieldDoc("Its variants whose own number changed.", []),
    "ItemReference.name": FieldDoc("Name, by language.", {"en": "Shampoo"}),
    "ItemReference.branch_id": FieldDoc("The branch it belongs to.", _ID),
    "previous_quantity": FieldDoc("How many pieces there were.", 12),
    "application_id": FieldDoc("The application.", _ID),
    "install_id": FieldDoc("This business's installation of it.", _ID),
    "AppEventData.client_id": FieldDoc("The API client it calls with.", _ID),
    "AppScopesChangedData.client_id": FieldDoc("The API client it calls with.", _ID),
    "AppEventData.name": FieldDoc("The application's name.", "Books"),
    "AppScopesChangedData.name": FieldDoc("The application's name.", "Books"),
    "scopes": FieldDoc("What it may do from now on.", ["orders:read"]),
    "previous_scopes": FieldDoc("What it could do before.", ["orders:read", "customers:read"]),
    "webhook_id": FieldDoc("The webhook.", _ID),
    # webhooks
    "url": FieldDoc("Where to send to.", "https://books.example/hooks"),
    "events": FieldDoc("The kinds to send.", ["order.created", "order.status_changed"]),
    "Webhook.active": FieldDoc("Whether anything is sent.", example=True),
    "WebhookWithSecret.active": FieldDoc("Whether anything is sent.", example=True),
    "WebhookCreate.active": FieldDoc("Whether anything is sent.", example=True),
    "WebhookUpdate.active": FieldDoc("Whether anything is sent.", example=True),
    "disabled_at": FieldDoc("When it was switched off; null while it is on."),
    "disabled_reason": FieldDoc("Why it was switched off."),
    "failing_since": FieldDoc("Nothing has arrived since then; null while all is well."),
    "previous_secret_until": FieldDoc("After a rotation, until when the earlier secret signs too."),
    "secret": FieldDoc("Signs what is sent; told this once.", "whsec_…"),
    # deliveries
    "event": FieldDoc("What is sent."),
    "EventReference.type": FieldDoc("The kind.", "order.created"),
    "state": FieldDoc("Waiting for its next attempt, arrived, or given up.", "delivered"),
    "due_at": FieldDoc("When the next attempt is made; null when there is none."),
    "attempts": FieldDoc("Every attempt, oldest first."),
    "attempted_at": FieldDoc("When, in UTC.", _UTC),
    "milliseconds": FieldDoc("How long the receiver took.", 42),
    "WebhookDeliveryAttempt.status": FieldDoc("The receiver's HTTP status; null when no answer came.", 200),
    "answer": FieldDoc("The first kilobyte of the receiver's answer.", "ok"),
    "WebhookDeliveryAttempt.error": FieldDoc("Why no answer came."),
    # GET /events
    "after": FieldDoc("Only events with a greater sequence.", 117),
    "EventQuery.type": FieldDoc("Only of this kind.", "order.created"),
}
