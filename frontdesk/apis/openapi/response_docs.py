"""Fields of responses."""

from frontdesk.apis.openapi.field_docs import FieldDoc

_ID = "018f3c1e-7d2a-7b1c-9a40-5f6e7d8c9b0a"
_OTHER_ID = "018f3c1e-8a11-7c55-8d02-1b2c3d4e5f60"
_UTC = "2026-11-15T08:30:00.000000Z"
_LOCAL = "2026-11-16T10:00:00+03:00"
_NAMES = {"ar": "قص شعر", "en": "Haircut"}

RESPONSE_DOCS = {
    # every record
    "id": FieldDoc("Unique identifier.", _ID),
    "dry_run": FieldDoc("Present if the request was a dry run, after which nothing is left."),
    "DryRunReport.events": FieldDoc("Events that the request would emit, in their order."),
    "PlannedEvent.type": FieldDoc("Type of the event.", "order.created"),
    "PlannedEvent.data": FieldDoc("Data of the event; null if the token lacks the scope of the event type."),
    "affected_bookings": FieldDoc(
        "Coming bookings that were within the hours before and no longer are, in a dry run those that would not be. "
        "Absent if there are none. They stay as they are."
    ),
    "AffectedBookings.total": FieldDoc("How many there are.", 1),
    "AffectedBookings.bookings": FieldDoc("The first 100, by their start."),
    "AffectedBooking.order_id": FieldDoc("Order that has the booking.", _ID),
    "AffectedBooking.order_number": FieldDoc("Number of the order, as people read it.", "1042"),
    "AffectedBooking.staff_id": FieldDoc("Who is booked.", _OTHER_ID),
    "AffectedBooking.start": FieldDoc("Start of the booking, in the time zone of the business.", _LOCAL),
    "AffectedBooking.end": FieldDoc("End of the booking.", "2026-11-16T10:45:00+03:00"),
    "created_at": FieldDoc("Time of creation, in UTC.", _UTC),
    "updated_at": FieldDoc("Time of the last change, in UTC.", _UTC),
    "currency": FieldDoc("ISO 4217 currency code.", "SAR"),
    "slug": FieldDoc("URL-safe name.", "haircut"),
    "status": FieldDoc("Whether it is active."),
    "phone": FieldDoc("Phone number in international format.", "+966501234567"),
    "phone_country": FieldDoc("ISO 3166-1 alpha-2 country code of the phone number.", "SA"),
    "email": FieldDoc("E-mail address.", "sara@example.com"),
    "branch": FieldDoc("The branch it belongs to."),
    "price": FieldDoc("What the customer is charged, with tax, with the decimals of the currency.", 120.0),
    "offer_price": FieldDoc("Discounted price, with tax; null if there is no offer.", 99.0),
    "tax": FieldDoc("Tax in the price."),
    "BranchMetadata.tax": FieldDoc("Tax of items without a tax class of their own."),
    "rate": FieldDoc("Rate in percent.", 15.0),
    "included": FieldDoc(
        "Whether the business enters its prices with tax. Published prices contain it in both cases.", example=True
    ),
    "duration": FieldDoc("Duration in minutes.", 45),
    "image": FieldDoc("URL of the picture.", "https://salon.example/static/avatars/1.svg"),
    "note": FieldDoc("Free text.", "Prefers mornings"),
    # envelopes of lists and records
    "data": FieldDoc("The requested record or records."),
    "links": FieldDoc("URLs of the first, last, previous and next page. They repeat the filters of the request."),
    "meta": FieldDoc("Pagination details."),
    "first": FieldDoc("URL of the first page.", "https://salon.example/open-api/v1/orders?page=1&per_page=25"),
    "last": FieldDoc("URL of the last page.", "https://salon.example/open-api/v1/orders?page=6&per_page=25"),
    "prev": FieldDoc("URL of the previous page; null on the first page."),
    "next": FieldDoc(
        "URL of the next page; null on the last page.", "https://salon.example/open-api/v1/orders?page=2&per_page=25"
    ),
    "current_page": FieldDoc("Number of this page.", 1),
    "last_page": FieldDoc("Number of the last page, at least 1.", 6),
    "PaginationMeta.per_page": FieldDoc("Number of records per page.", 25),
    "PaginationMeta.total": FieldDoc("Number of records in the whole list.", 128),
    "PaginationMeta.next_since": FieldDoc(
        "On the first page of what has changed or was deleted since a time: the time to ask with the next time. Every "
        "change that this list does not have yet happens at or after it.",
        "2026-11-15T08:29:58.114205Z",
    ),
    # deletions
    "Deletion.id": FieldDoc("Identifier of the record that is gone."),
    "Deletion.resource": FieldDoc("Kind of the record.", "customer"),
    "Deletion.deleted": FieldDoc("Always true.", example=True),
    "Deletion.deleted_at": FieldDoc("When the record was deleted, merged or erased.", _UTC),
    "Deletion.merged_into": FieldDoc(
        "The record of the same kind that has everything of this one; null if it was not merged."
    ),
    # sandboxes
    "SandboxClock.now": FieldDoc("Time of the business, in UTC. It goes on by itself.", _UTC),
    "seconds_ahead": FieldDoc("How many seconds it is ahead of the real time.", 86400),
    "SandboxFault.kind": FieldDoc("What goes wrong.", "error"),
    "SandboxFault.status": FieldDoc("HTTP status of an `error`.", 502),
    "SandboxFault.code": FieldDoc("Error code of an `error`.", "availability_check_failed"),
    "SandboxFault.route": FieldDoc("The operation that it befalls; null: any.", "POST /orders"),
    "SandboxFault.seconds": FieldDoc("How slow or late; null for other kinds."),
    "SandboxFault.times": FieldDoc("How many requests or deliveries it befalls.", 1),
    "remaining": FieldDoc("How many of them are left.", 1),
    "SandboxSnapshot.name": FieldDoc("Name of the snapshot.", "Before the refunds"),
    "SandboxSnapshot.orders_count": FieldDoc("How many orders it has.", 41),
    # limits and search
    "Limits.rate": FieldDoc("How many requests the client may send, over all its tokens."),
    "Limits.quotas": FieldDoc("What the plan of the business allows, and how much of it the business uses."),
    "Limits.budgets": FieldDoc(
        "How many records a day the business lets this client read with a scope; empty if it has set none."
    ),
    "Limits.fixed": FieldDoc("Limits that are the same for everybody."),
    "RateLimit.limit": FieldDoc("Requests in each window.", 60),
    "RateLimit.remaining": FieldDoc("Requests that are left, as in `X-RateLimit-Remaining`.", 41),
    "RateLimit.reset": FieldDoc("Seconds until the next request becomes available, as in `X-RateLimit-Reset`.", 12),
    "RateLimit.window": FieldDoc("Length of the window in seconds.", 60),
    "QuotaUsage.quota": FieldDoc(
        "What counts: members of the team, open invitations and imports, messages to customers in 24 hours, API "
        "clients and keys, webhooks.",
        "webhooks",
    ),
    "QuotaUsage.used": FieldDoc("How many the business has.", 3),
    "QuotaUsage.limit": FieldDoc("How many its plan allows.", 2000),
    "ScopeBudgetUsage.scope": FieldDoc("The scope whose records count.", "customers:read"),
    "per_day": FieldDoc("Records a day.", 200),
    "extra": FieldDoc("Records that the business allows in addition today.", 0),
    "ScopeBudgetUsage.used": FieldDoc("Records that were read today.", 25),
    "stopped_at": FieldDoc("Time of the first refusal of today, in UTC; null if none was refused."),
    "FixedLimits.per_page": FieldDoc("Records in one page of a list.", 100),
    "body_bytes": FieldDoc("Bytes in the body of a request.", 1048576),
    "order_items": FieldDoc("Items in one order.", 100),
    "idempotency_hours": FieldDoc("Hours for which the response to an `Idempotency-Key` is stored.", 24),
    "FixedLimits.webhooks": FieldDoc("Webhooks of one client.", 20),
    "FixedLimits.holds": FieldDoc("Bounds of `POST /holds`."),
    "HoldLimits.minutes": FieldDoc("Minutes for which a time is held.", 8),
    "at_once": FieldDoc("Times that one client holds at once.", 10),
    "minutes_in_an_hour": FieldDoc("Minutes that one client holds together within an hour.", 240),
    "longest_minutes": FieldDoc("Minutes of the longest appointment that is held, with its buffers.", 240),
    "FixedLimits.exports": FieldDoc("Bounds of `POST /exports`, of a business."),
    "ExportLimits.open": FieldDoc("Exports that wait or are written at once.", 2),
    "ExportLimits.stored": FieldDoc("Exports that are kept at once.", 20),
    "ExportLimits.hours": FieldDoc("Hours for which an export is kept.", 24),
    "SearchResults.customers": FieldDoc("Newest first, as in `GET /customers`; null without `customers:read`."),
    "SearchResults.orders": FieldDoc("The order with this number, as in `GET /orders`; null without `orders:read`."),
    "SearchResults.items": FieldDoc("Items and packages, those on sale first; null without `items:read`."),
    "SearchResults.staff": FieldDoc("Staff members, the active ones first; null without `staff:read`."),
    "FoundItem.type": FieldDoc("What it is. A `package` is read from `/packages/{uuid}`.", "service"),
    "FoundItem.name": FieldDoc("Name, keyed by language.", _NAMES),
    "FoundStaffMember.name": FieldDoc("Full name.", "Noura"),
    # tokens
    "TokenResponse.token_type": FieldDoc("Type of the token.", "Bearer"),
    "TokenResponse.client_id": FieldDoc("Client id of the install. Only in the answer to a code."),
    "TokenResponse.client_secret": FieldDoc(
        "Client secret of the install, to request further tokens with. Only in the answer to a code; store it."
    ),
    "TokenResponse.tenant_id": FieldDoc(
        "Identifier of the business, as in `tenant_id` of its events. Only in the answer to a code."
    ),
    "TokenResponse.install_id": FieldDoc("Identifier of the install. Only in the answer to a code."),
    "expires_in": FieldDoc("Lifetime in seconds.", 31536000),
    "access_token": FieldDoc("The access token, to send in the `Authorization` header.", "fdt_…"),
    "scope": FieldDoc("Scopes of the token, separated by spaces.", "orders:read orders:write"),
    "active": FieldDoc("Whether it is active.", example=True),
    "TokenIntrospection.active": FieldDoc(
        "Whether the token can be used. If false, the other fields are omitted.", example=True
    ),
    "TokenIntrospection.client_id": FieldDoc("Identifier of the client that the token was issued to.", "fdc_…"),
    "TokenIntrospection.token_type": FieldDoc("Type of the token.", "Bearer"),
    "TokenIntrospection.tenant_id": FieldDoc("Identifier of the business, as in `tenant_id` of its events."),
    "exp": FieldDoc("Time of expiry, in seconds since the Unix epoch.", 1826262000),
    "iat": FieldDoc("Time of issue, in seconds since the Unix epoch.", 1794726000),
    # branches, categories, items
    "Branch.name": FieldDoc("Name of the branch.", "Olaya"),
    "Branch.slug": FieldDoc("URL-safe name.", "olaya"),
    "BranchReference.name": FieldDoc("Name of the branch.", "Olaya"),
    "address": FieldDoc("Postal address.", "Olaya Street 12"),
    "latitude": FieldDoc("Latitude in degrees.", 24.6912),
    "longitude": FieldDoc("Longitude in degrees.", 46.685),
    "location": FieldDoc("Map link or directions.", "https://maps.example/olaya"),
    "Category.name": FieldDoc("Name, keyed by language.", _NAMES),
    "CategoryReference.name": FieldDoc("Name, keyed by language.", _NAMES),
    "description": FieldDoc("Description, keyed by language.", {"ar": "قص وتصفيف", "en": "Cut and styling"}),
    "html_description": FieldDoc("Description as HTML, keyed by language.", {"en": "<p>Cut and styling</p>"}),
    "sort_order": FieldDoc("Position in the list, ascending.", 1),
    "Item.type": FieldDoc("`service` for what is booked, `product` for what is sold from stock.", "service"),
    "ItemDetail.type": FieldDoc("`service` for what is booked, `product` for what is sold from stock.", "service"),
    "sku": FieldDoc("Stock keeping unit, the business's own article number.", "CUT-01"),
    "Item.name": FieldDoc("Name, keyed by language.", _NAMES),
    "ItemDetail.name": FieldDoc("Name, keyed by language.", _NAMES),
    "Package.name": FieldDoc("Name, keyed by language.", {"en": "Bridal package"}),
    "Package.items": FieldDoc("Items of the package."),
    "PackageItem.name": FieldDoc("Name, keyed by language.", _NAMES),
    "PackageItem.type": FieldDoc("Type of the item.", "service"),
    "options": FieldDoc("Variants with their own prices. A line has at most one."),
    "base_sellable": FieldDoc("Whether the item can be ordered without one of its options.", example=True),
    "category": FieldDoc("Category of the item; null if it has none."),
    "cost": FieldDoc("Cost price. Products only.", 40.0),
    "stock": FieldDoc("Quantity in stock; 0 for a product that is not counted (`stock_counted`). Products only.", 20),
    "stock_counted": FieldDoc(
        "Whether the stock is counted. A product that is not counted is never sold out. Products only.", example=True
    ),
    "ItemDetail.staff": FieldDoc("Staff members who perform the service. Services only."),
    "ItemOption.name": FieldDoc("Name of the variant.", "Long hair"),
    "is_active": FieldDoc("Whether the variant can be sold.", example=True),
    "values": FieldDoc("Option values that define the variant."),
    "ItemOption.quantity": FieldDoc(
        "Quantity in stock; 0 for an option that is not counted (`quantity_counted`). Products only.", 12
    ),
    "quantity_counted": FieldDoc(
        "Whether the option has a stock of its own. Without one it shares that of the product. Products only.",
        example=True,
    ),
    "option_value_id": FieldDoc("Identifier of the option value.", _ID),
    "option_name": FieldDoc("Name of the option.", "Length"),
    "value": FieldDoc("Value of the option.", "Long"),
    "ServiceStaffMember.name": FieldDoc("Name of the staff member.", "Noura"),
    "PosServiceStaffMember.name": FieldDoc("Name of the staff member.", "Noura"),
    # staff
    "StaffMember.name": FieldDoc("Full name.", "Noura"),
    "StaffMember.services": FieldDoc("Services the staff member performs, with their own price and duration."),
    "StaffService.name": FieldDoc("Name of the service, keyed by language.", _NAMES),
    "WorkingHour.source": FieldDoc("`staff` for the staff member's own hours, `branch` if they have none.", "staff"),
    "all_time": FieldDoc("Whether the hours are around the clock. If true, the intervals are ignored.", example=False),
    "intervals": FieldDoc("Working intervals, in the business's time zone."),
    "day": FieldDoc("Day of the week.", "sun"),
    "WorkingInterval.from": FieldDoc("Start time, HH:mm.", "09:00"),
    "WorkingInterval.to": FieldDoc(
        "End time, HH:mm. If it is not after `from`, the interval ends on the next day.", "17:00"
    ),
    # exports
    "RecordExport.status": FieldDoc("`queued`, `running`, `done` or `failed`.", "done"),
    "RecordExport.resources": FieldDoc("What is exported, in the order of the file.", ["customers", "orders"]),
    "RecordExport.sequence": FieldDoc(
        "The last event whose change the file has. Go on with `GET /events?after=` this number. Until the export runs, "
        "that of the request.",
        118,
    ),
    "records": FieldDoc("Number of records written so far.", 1204),
    "RecordExport.url": FieldDoc(
        "Address of the file, for the same client.",
        "https://desk.example.com/open-api/v1/exports/01920000-0000-7000-8000-000000000001/records",
    ),
    "finished_at": FieldDoc("When the file was finished; null until then.", "2026-11-15T08:00:05.000000Z"),
    "RecordExport.expires_at": FieldDoc("When the file is deleted.", "2026-11-16T08:00:05.000000Z"),
    # customers and tags
    "first_name": FieldDoc("First name.", "Sara"),
    "last_name": FieldDoc("Last name.", "Alharbi"),
    "city": FieldDoc("City.", "Riyadh"),
    "CustomerSummary.type": FieldDoc("`individual` or `company`.", "individual"),
    "CustomerDetail.type": FieldDoc("`individual` or `company`.", "individual"),
    "blocked": FieldDoc("Whether the customer is blocked from booking.", example=False),
    "tax_registration_number": FieldDoc("Tax registration number, 15 digits.", "310123456700003"),
    "CustomerDetail.tags": FieldDoc("Tags of the customer."),
    "Tag.name": FieldDoc("Name of the tag.", "VIP"),
    "TagReference.name": FieldDoc("Name of the tag.", "VIP"),
    "model": FieldDoc("Model the tag applies to.", "customers"),
    "customers_count": FieldDoc("Number of customers with this tag.", 4),
    # payment methods and transactions
    "PaymentMethod.name": FieldDoc("Name, keyed by language.", {"ar": "نقد", "en": "Cash"}),
    "PaymentMethod.slug": FieldDoc("URL-safe name.", "cash"),
    "PaymentMethod.type": FieldDoc("Type of the payment method."),
    "PaymentMethodType.name": FieldDoc("Name of the type.", "Cash"),
    "PaymentMethodType.slug": FieldDoc(
        "`cash`, `card`, `bank_transfer`, `other`, `third-party` or `voucher`. Use it as `payment_method_type`.", "cash"
    ),
    "PaymentMethodReference.name": FieldDoc("Name, keyed by language.", {"ar": "نقد", "en": "Cash"}),
    "PaymentMethodReference.slug": FieldDoc("URL-safe name.", "cash"),
    "amount": FieldDoc("Amount as a decimal string; negative for a refund.", "120.00"),
    "OrderTransaction.status": FieldDoc("Status of the transaction.", "confirmed"),
    "Transaction.status": FieldDoc("Status of the transaction.", "confirmed"),
    "reference_number": FieldDoc("External reference, such as a card terminal's receipt number.", "TERM-4711"),
    "date": FieldDoc("Time of payment, with the UTC offset of the business.", _LOCAL),
    "transaction_no": FieldDoc("Transaction number, sequential per business without gaps.", 57),
    "is_deposit": FieldDoc(
        "Whether the payment is a deposit: paid before the appointment, without settling the order.", example=False
    ),
    "payment_method": FieldDoc("Payment method used."),
    "order": FieldDoc("Order the transaction belongs to."),
    "OrderReference.order_number": FieldDoc(
        "Number of the order, here as an integer; the order itself has it as a string.", 42
    ),
    "booking": FieldDoc("First booking of the order; null if it has none."),
    # orders
    "order_number": FieldDoc(
        "Order number, sequential per business without gaps. In `order` of a transaction it is an integer.", "42"
    ),
    "parent_id": FieldDoc("For a refund, the order it refunds; otherwise null."),
    "PosOrderSummary.status": FieldDoc("Status of the order.", "confirmed"),
    "PosOrderSummary.source": FieldDoc("Where the order was created.", "pos"),
    "PosOrderSummary.items": FieldDoc("Items of the order."),
    "PosOrderDetail.status": FieldDoc("Status of the order.", "confirmed"),
    "PosOrderDetail.source": FieldDoc("Where the order was created.", "pos"),
    "PosOrderDetail.items": FieldDoc("Items of the order, each with its `line_id`."),
    "OrderSummary.status": FieldDoc("Status of the order.", "confirmed"),
    "OrderDetail.status": FieldDoc("Status of the order.", "confirmed"),
    "CreatedOrder.status": FieldDoc("Status of the order.", "confirmed"),
    "PosOrder.status": FieldDoc("Status of the order.", "confirmed"),
    "BookingReference.status": FieldDoc("Status of the order the booking belongs to.", "confirmed"),
    "payment_status": FieldDoc("Payment status of the order.", "paid"),
    "OrderSummary.source": FieldDoc("Where the order was created.", "api"),
    "OrderDetail.source": FieldDoc("Where the order was created.", "api"),
    "customer": FieldDoc("Customer of the order; null for a walk-in sale."),
    "OrderSummary.items": FieldDoc("Items of the order."),
    "OrderDetail.items": FieldDoc("Items of the order, each with its `staff_id` and `line_id`."),
    "PosOrder.items": FieldDoc("Items of the order, each with its `line_id`."),
    "total": FieldDoc("Total, after discounts.", 120.0),
    "discount_amount": FieldDoc("Discount, already deducted from the total.", 0.0),
    "OrderItem.id": FieldDoc("Identifier of the service, product or package.", _OTHER_ID),
    "OrderItem.name": FieldDoc("Name in the business's first language at the time of the order.", "قص شعر"),
    "OrderItem.type": FieldDoc("Type of the item.", "service"),
    "OrderItem.price": FieldDoc("Unit price charged.", 120.0),
    "OrderItem.total": FieldDoc("`price` × `quantity` − `discount_amount`.", 120.0),
    "OrderItemDetail.id": FieldDoc("Identifier of the service, product or package.", _OTHER_ID),
    "OrderItemDetail.name": FieldDoc("Name in the business's first language at the time of the order.", "قص شعر"),
    "OrderItemDetail.type": FieldDoc("Type of the item.", "service"),
    "OrderItemDetail.price": FieldDoc("Unit price charged.", 120.0),
    "OrderItemDetail.total": FieldDoc("`price` × `quantity` − `discount_amount`.", 120.0),
    "quantity": FieldDoc("Quantity.", 1),
    "option": FieldDoc("Option that was sold; null if the line has none."),
    "SoldOption.id": FieldDoc("Identifier of the option.", _ID),
    "SoldOption.name": FieldDoc("Name of the option when it was sold.", "Long"),
    "tax_amount": FieldDoc("Tax included in the total.", 15.65),
    "staff_id": FieldDoc("Staff member who performs the service; null if there is none.", _OTHER_ID),
    "line_id": FieldDoc("Identifier of the line, used to refund or reschedule it.", _ID),
    "paid_amount": FieldDoc("Sum of the confirmed payments.", 120.0),
    "refunded_amount": FieldDoc("Amount refunded.", 0.0),
    "remaining_amount": FieldDoc("Amount still to be paid.", 0.0),
    "start": FieldDoc("Start time, with the UTC offset of the business.", _LOCAL),
    "end": FieldDoc("End time, with the UTC offset of the business.", "2026-11-16T10:45:00+03:00"),
    "reference": FieldDoc("Human-readable booking reference.", "BK-000042"),
    "service_id": FieldDoc("Service booked.", _OTHER_ID),
    "refund_ids": FieldDoc("Orders that refund this order.", []),
    "bookings": FieldDoc("Bookings, one per service line."),
    "status_history": FieldDoc("Status changes and reschedules, oldest first."),
    "transactions": FieldDoc("Payments and refunds of the order."),
    "transaction": FieldDoc("Transaction of the inline payment; null if there was none."),
    "OrderStatusChange.from": FieldDoc("Previous status; null for a new order."),
    "OrderStatusChange.to": FieldDoc("New status; equal to `from` for a reschedule.", "confirmed"),
    "previous_start": FieldDoc("Start time before a reschedule; null for a status change."),
    "new_start": FieldDoc("Start time after a reschedule; null for a status change."),
    "changed_by": FieldDoc("Who made the change."),
    # holds
    "Hold.service_id": FieldDoc("Service to book.", _OTHER_ID),
    "Hold.staff_id": FieldDoc("Staff member whose time is held.", _OTHER_ID),
    "Hold.expires_at": FieldDoc("When the time slot is offered to others again.", "2026-11-15T08:38:00.000000Z"),
    # availability
    "slots": FieldDoc(
        "Available start times, HH:mm, keyed by date. Every day of the window has an entry.",
        {"2026-11-16": ["10:00", "10:15"]},
    ),
    "explain": FieldDoc("Why the other start times are unavailable, by staff member. Present if `explain` was true."),
    "days": FieldDoc("Explanations, keyed by date.", {"2026-11-16": {"reason": None, "refused": []}}),
    "DayAvailabilityExplanation.reason": FieldDoc(
        "Why the whole day is unavailable; null if the staff member works on that day."
    ),
    "refused": FieldDoc("Ranges of unavailable start times."),
    "UnavailableRange.reason": FieldDoc("Why the start times are unavailable.", "booked"),
    "UnavailableRange.from": FieldDoc("First unavailable start time, HH:mm.", "11:00"),
    "UnavailableRange.to": FieldDoc("Last unavailable start time, HH:mm.", "11:45"),
}
