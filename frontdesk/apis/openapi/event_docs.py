"""Fields of events, webhooks and deliveries."""

from frontdesk.apis.openapi.field_docs import FieldDoc

_ID = "018f3c1e-7d2a-7b1c-9a40-5f6e7d8c9b0a"
_UTC = "2026-11-15T08:30:00.000000Z"
_OWN = "`external_id` and `metadata`, which are each application's own."

EVENT_DOCS = {
    # every event
    "Event.id": FieldDoc(
        "Identifier of the event. It is the same on every delivery attempt and in `GET /events`.", _ID
    ),
    "Event.type": FieldDoc("Event type.", "order.created"),
    "timestamp": FieldDoc("Time of the event, in UTC.", _UTC),
    "api_version": FieldDoc("API version of the data.", "v1"),
    "tenant_id": FieldDoc("Business the event belongs to.", _ID),
    "sequence": FieldDoc(
        "Sequence number of the event, counted over all events of the business without gaps. A webhook receives only "
        "the types it subscribes to.",
        118,
    ),
    "Event.data": FieldDoc("Event data. Its form depends on the type.", {}),
    # event data
    "OrderCreatedData.order": FieldDoc("The order, as returned by `GET /orders/{uuid}`, without " + _OWN),
    "OrderStatusChangedData.order": FieldDoc(
        "The order after the change, as returned by `GET /orders/{uuid}`, without " + _OWN
    ),
    "OrderRescheduledData.order": FieldDoc(
        "The order after the change, as returned by `GET /orders/{uuid}`, without " + _OWN
    ),
    "OrderRescheduledData.previous_start": FieldDoc("Previous start of the appointment.", "2026-11-16T10:00:00+03:00"),
    "OrderRescheduledData.start": FieldDoc("New start of the appointment.", "2026-11-17T14:30:00+03:00"),
    "OrderUpdatedData.order": FieldDoc(
        "The order after the change, as returned by `GET /orders/{uuid}`, without " + _OWN
    ),
    "OrderUpdatedData.previous_total": FieldDoc("Total before the change.", 485.0),
    "OrderPaymentStatusChangedData.order": FieldDoc(
        "The order after the change, as returned by `GET /orders/{uuid}`, without " + _OWN
    ),
    "previous_status": FieldDoc("Previous status.", "confirmed"),
    "OrderStatusChangedData.status": FieldDoc("New status.", "completed"),
    "previous_payment_status": FieldDoc("Previous payment status.", "unpaid"),
    "ChangedBy.type": FieldDoc(
        "`app` for an API client or key, `user` for a dashboard user, `system` for the service itself.", "app"
    ),
    "ChangedBy.id": FieldDoc("Identifier of the API client, key or user; null for the service itself.", _ID),
    "TransactionCreatedData.transaction": FieldDoc("The payment or refund, as returned by `GET /transactions/{id}`."),
    "CustomerEventData.customer": FieldDoc("The customer, as returned by `GET /customers/{uuid}`, without " + _OWN),
    "changed": FieldDoc("Names of the fields that differ from before.", ["name"]),
    "CustomerUpdatedData.customer": FieldDoc(
        "The customer after the change, as returned by `GET /customers/{uuid}`, without " + _OWN
    ),
    "CustomerDeletedData.customer": FieldDoc("The customer as it was last."),
    "merged_into": FieldDoc("The customer who got everything of this one; absent if an import was taken back.", _ID),
    "item": FieldDoc("The item as it is, or was last, as returned by `GET /items/{uuid}`, without " + _OWN),
    "CategoryEventData.category": FieldDoc("The category as it is, or was last, as listed by `GET /categories`."),
    "CategoryUpdatedData.category": FieldDoc("The category as it is, or was last, as listed by `GET /categories`."),
    "package": FieldDoc("The package as it is, or was last, as returned by `GET /packages/{uuid}`."),
    "staff": FieldDoc(
        "The staff member as they are, or were last, as returned by `GET /staff/{uuid}`, without " + _OWN
    ),
    "WorkingHoursUpdatedData.branch_id": FieldDoc("The branch, or that of the staff member.", _ID),
    "WorkingHoursUpdatedData.staff_id": FieldDoc("The staff member; null for the hours of the branch itself.", _ID),
    "WorkingHoursUpdatedData.working_hour": FieldDoc(
        "The hours, as returned by `GET /staff/{uuid}/working-hour`; null if there are none any more."
    ),
    "hour_exception": FieldDoc("The other hours as they are, or were last."),
    "HourException.branch_id": FieldDoc("The branch, or that of the staff member.", _ID),
    "HourException.staff_id": FieldDoc("The staff member; null for the hours of the branch itself.", _ID),
    "HourException.day": FieldDoc("The day with other hours.", "2026-12-02"),
    "HourException.intervals": FieldDoc("Hours of that day, in the business's time zone; empty if it is free."),
    "HourException.note": FieldDoc("Why the hours differ.", "Inventory"),
    "HoursInterval.from": FieldDoc("Start time, HH:mm.", "10:00"),
    "HoursInterval.to": FieldDoc(
        "End time, HH:mm. If it is not after `from`, the interval ends on the next day.", "14:00"
    ),
    "time_off": FieldDoc("The time off as it is, or was last."),
    "TimeOff.branch_id": FieldDoc("Branch of the staff member.", _ID),
    "TimeOff.staff_id": FieldDoc("Staff member who is away.", _ID),
    "TimeOff.start": FieldDoc("First moment of the time off.", "2026-12-06T00:00:00+03:00"),
    "TimeOff.end": FieldDoc("Moment after the time off.", "2026-12-09T00:00:00+03:00"),
    "TimeOff.status": FieldDoc("Only approved time off takes time.", "approved"),
    "closed_days": FieldDoc("All days from today on on which the branch is closed."),
    "ClosedDays.branch_id": FieldDoc("The branch.", _ID),
    "ClosedDays.days": FieldDoc("The closed days."),
    "ClosedDay.day": FieldDoc("A day on which the branch is closed.", "2026-12-25"),
    "ClosedDay.note": FieldDoc("Why it is closed.", "Public holiday"),
    "BranchEventData.branch": FieldDoc("The branch, as listed by `GET /branches`."),
    "BranchUpdatedData.branch": FieldDoc("The branch after the change, as listed by `GET /branches`."),
    "PaymentMethodEventData.payment_method": FieldDoc(
        "The payment method as it is, or was last, as returned by `GET /payment-methods/{id}`."
    ),
    "PaymentMethodUpdatedData.payment_method": FieldDoc(
        "The payment method as it is, or was last, as returned by `GET /payment-methods/{id}`."
    ),
    "tax_class": FieldDoc("The tax class as it is, or was last."),
    "TaxClass.name": FieldDoc("Name, keyed by language.", {"en": "Standard rate"}),
    "is_default": FieldDoc("Whether it applies to items and packages without a class of their own.", example=True),
    "rates": FieldDoc("The rate from each day on."),
    "starts_on": FieldDoc("First day of the rate.", "2026-01-01"),
    "settings": FieldDoc("The settings after the change."),
    "booking_page": FieldDoc("The settings of the booking page after the change."),
    "drawer_settings": FieldDoc("The settings of drawers after the change."),
    "message_settings": FieldDoc("The settings of messages after the change."),
    "EventOrder.status": FieldDoc("Status of the order.", "confirmed"),
    "EventOrder.source": FieldDoc("Where the order was created.", "api"),
    "EventOrder.items": FieldDoc("Items of the order, each with its `staff_id` and `line_id`."),
    "EventCustomer.type": FieldDoc("`individual` or `company`.", "individual"),
    "EventCustomer.tags": FieldDoc("Tags of the customer."),
    "ItemStockChangedData.item": FieldDoc("The product."),
    "previous_stock": FieldDoc("Previous quantity in stock.", 20),
    "ItemStockChangedData.stock": FieldDoc("New quantity in stock; 0 if it is no longer counted.", 19),
    "ItemStockChangedData.stock_counted": FieldDoc("Whether the stock is counted from now on.", example=True),
    "ItemStockChangedData.options": FieldDoc("Variants whose own quantity changed.", []),
    "ItemReference.name": FieldDoc("Name, keyed by language.", {"en": "Shampoo"}),
    "ItemReference.branch_id": FieldDoc("Branch of the product.", _ID),
    "MessageDueData.message": FieldDoc("The message."),
    "DueMessage.id": FieldDoc("Identifier of the message. It is the same if the event is sent again.", _ID),
    "DueMessage.kind": FieldDoc("What the message is about.", "reminder"),
    "DueMessage.order_id": FieldDoc("The order that it is about, if there is one.", _ID),
    "DueMessage.language": FieldDoc("Language of the message: `en` or `ar`.", "en"),
    "DueMessage.subject": FieldDoc("Subject of the mail: what it says in one line.", "Tomorrow at 16:15: Layan Studio"),
    "DueMessage.text": FieldDoc("The whole message as plain text.", "Tomorrow at 16:15, Sara.\n"),
    "DueMessage.link": FieldDoc(
        "Page of the booking or of the receipt.", "https://desk.example.com/book/layan/7QM2XV9K"
    ),
    "DueMessage.recipient": FieldDoc("Whom it is for."),
    "DueMessage.expires_at": FieldDoc(
        "When the message is sent by mail if no application has taken it over.", "2026-11-16T16:16:00+03:00"
    ),
    "MessageRecipient.customer_id": FieldDoc("Identifier of the customer.", _ID),
    "MessageRecipient.name": FieldDoc("Name of the customer.", "Sara Al-Otaibi"),
    "MessageRecipient.email": FieldDoc("E-mail address that the mail would be sent to.", "sara@example.com"),
    "MessageRecipient.phone": FieldDoc("Phone number of the customer.", "+966501234567"),
    "previous_quantity": FieldDoc("Previous quantity in stock.", 12),
    "application_id": FieldDoc("Identifier of the application.", _ID),
    "install_id": FieldDoc("Identifier of the install at this business.", _ID),
    "AppEventData.client_id": FieldDoc("Identifier of the API client of the install.", _ID),
    "AppScopesChangedData.client_id": FieldDoc("Identifier of the API client of the install.", _ID),
    "AppEventData.name": FieldDoc("Name of the application.", "Books"),
    "AppScopesChangedData.name": FieldDoc("Name of the application.", "Books"),
    "scopes": FieldDoc("Scopes from now on.", ["orders:read"]),
    "previous_scopes": FieldDoc("Previous scopes.", ["orders:read", "customers:read"]),
    "webhook_id": FieldDoc("Identifier of the webhook.", _ID),
    # webhooks
    "url": FieldDoc("URL that receives the events.", "https://books.example/hooks"),
    "events": FieldDoc("Event types to deliver.", ["order.created", "order.status_changed"]),
    "branches": FieldDoc(
        "Only events of these branches are delivered. Events that belong to no branch, such as those of customers, are "
        "delivered too. Empty: of all branches.",
        [_ID],
    ),
    "changed_fields": FieldDoc(
        "Events with `changed` are delivered only if it names one of these fields. Empty: whatever has changed.",
        ["price", "name"],
    ),
    "payload": FieldDoc(
        "`full`: deliveries contain the record. `thin`: they contain its id only; read it when you need it.", "full"
    ),
    "Webhook.active": FieldDoc("Whether events are delivered.", example=True),
    "WebhookWithSecret.active": FieldDoc("Whether events are delivered.", example=True),
    "WebhookCreate.active": FieldDoc("Whether events are delivered.", example=True),
    "WebhookUpdate.active": FieldDoc("Whether events are delivered.", example=True),
    "disabled_at": FieldDoc("Time the webhook was disabled; null while it is active."),
    "disabled_reason": FieldDoc("Why the webhook was disabled."),
    "failing_since": FieldDoc("Time since which no delivery has succeeded; null while deliveries succeed."),
    "previous_secret_until": FieldDoc("Time until which the previous secret also signs deliveries, after a rotation."),
    "secret": FieldDoc("Signing secret. Returned in this response only.", "whsec_…"),
    # deliveries
    "event": FieldDoc("The event to deliver."),
    "EventReference.type": FieldDoc("Event type.", "order.created"),
    "state": FieldDoc(
        "`due` while an attempt is pending, `delivered` after success, `dead` after the last attempt failed.",
        "delivered",
    ),
    "due_at": FieldDoc("Time of the next attempt; null if there is none."),
    "attempts": FieldDoc("Delivery attempts, oldest first."),
    "attempted_at": FieldDoc("Time of the attempt, in UTC.", _UTC),
    "milliseconds": FieldDoc("Duration of the attempt in milliseconds.", 42),
    "WebhookDeliveryAttempt.status": FieldDoc("HTTP status of the response; null if there was no response.", 200),
    "answer": FieldDoc("First kilobyte of the response body.", "ok"),
    "WebhookDeliveryAttempt.error": FieldDoc("Why there was no response."),
    # GET /events
    "EventQuery.after": FieldDoc("Return only events with a greater sequence number.", 117),
    "EventQuery.type": FieldDoc("Return only events of this type.", "order.created"),
}
