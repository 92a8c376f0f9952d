"""Fields of POS API requests and responses."""

from frontdesk.apis.openapi.field_docs import FieldDoc

_ID = "018f3c1e-7d2a-7b1c-9a40-5f6e7d8c9b0a"

POS_DOCS = {
    # checkout calculation
    "CheckoutRequest.items": FieldDoc("Items to sell."),
    "item_id": FieldDoc("Identifier of the service or product.", _ID),
    "applyDiscount": FieldDoc("Whether the discount of the sale applies to this line.", example=True),
    "CheckoutLine.price": FieldDoc("Unit price. Overrides the catalog price.", 120.0),
    "CheckoutLine.staff_id": FieldDoc("Staff member who performs the service.", _ID),
    "option_id": FieldDoc("The selected option, in a list of at most one.", []),
    "discount": FieldDoc("Discount on the whole sale."),
    "DiscountRequest.amount": FieldDoc("Percentage, at most 100, or fixed amount, depending on `type`.", 10),
    "DiscountRequest.type": FieldDoc("Whether `amount` is a percentage or a fixed amount.", "percentage"),
    "apply_all": FieldDoc("Whether the discount applies to every line, regardless of `applyDiscount`.", example=False),
    "CheckoutCalculation.sub_total": FieldDoc("Sum of the lines before the discount, as a decimal string.", "120.00"),
    "CheckoutCalculation.discount_amount": FieldDoc("Discount, as a decimal string.", "12.00"),
    "CheckoutCalculation.total": FieldDoc("Amount to pay, as a decimal string.", "108.00"),
    "CheckoutCalculation.items": FieldDoc("Lines, in the order of the request."),
    "AppliedDiscount.amount": FieldDoc("Amount from the request.", 10),
    "AppliedDiscount.type": FieldDoc("Whether `amount` is a percentage or a fixed amount.", "percentage"),
    "unit_amount": FieldDoc("Unit price.", 120.0),
    "total_amount": FieldDoc("`unit_amount` × `quantity`, before the discount.", 120.0),
    "CheckoutCalculationLine.discount_amount": FieldDoc("Share of the discount that applies to this line.", 12.0),
    "net_amount": FieldDoc("Amount of the line after the discount.", 108.0),
    # creating an order
    "PosOrderCreate.total": FieldDoc("Total calculated by the till, as a decimal string.", "108.00"),
    "sub_total": FieldDoc("Sum of the lines before the discount.", 120.0),
    "PosOrderCreate.sub_total": FieldDoc(
        "Sum of the lines before the discount, calculated by the till, as a decimal string.", "120.00"
    ),
    "services": FieldDoc("Services, products and packages to sell."),
    "PosOrderCreate.start": FieldDoc("Start of the appointment. If omitted, services are sold without a booking."),
    "cashier": FieldDoc("Name of the cashier.", "Huda"),
    "cashier_code": FieldDoc("Code of the cashier.", "7"),
    "isDraft": FieldDoc(
        "Whether to save a draft, which reserves no time and no stock and takes no payment.", example=False
    ),
    "PosOrderCreate.customer_id": FieldDoc("Customer of the order; null for a walk-in sale."),
    "PosOrderCreate.payment_methods": FieldDoc("Payments. Several payment methods can share the total."),
    "PosOrderItemCreate.id": FieldDoc("Identifier of the service, product or package.", _ID),
    "PosOrderItemCreate.type": FieldDoc("Type of the item.", "service"),
    "PosOrderItemCreate.price": FieldDoc(
        "Unit price. Overrides the catalog price. Must equal `unit_amount` if both are sent.", 120.0
    ),
    "staffId": FieldDoc("Staff member who performs the service.", _ID),
    "PosOrderItemCreate.total_amount": FieldDoc(
        "`unit_amount` × `quantity`, calculated by the till. The service verifies it.", 120.0
    ),
    "PosInlinePayment.id": FieldDoc("Identifier of the payment method.", _ID),
    "PosInlinePayment.amount": FieldDoc("Part of the total to pay with this method.", 108.0),
    "PosInlinePayment.total_amount": FieldDoc(
        "Amount tendered by the customer. The difference to `amount` is the change.", 110.0
    ),
    "change_due": FieldDoc("Change to return to the customer.", 2.0),
    # status, payments and refunds
    "PosOrderStatusUpdate.status": FieldDoc("New status of the order.", "confirmed"),
    "note_for_status": FieldDoc("Note stored with the status change.", "The customer called"),
    "PosPaymentCreate.id": FieldDoc("Identifier of the payment method.", _ID),
    "PosPaymentCreate.amount": FieldDoc("Amount to pay, at most the remaining amount.", 20.0),
    "PosPaymentCreate.total_amount": FieldDoc(
        "Amount tendered by the customer. The difference to `amount` is the change.", 50.0
    ),
    "lines": FieldDoc("Lines to refund, at the amounts charged. Send exactly one of `lines`, `amount` and `whole`."),
    "RefundCreate.amount": FieldDoc("Amount to refund. No products are returned.", 25.0),
    "whole": FieldDoc("Refund everything that was paid and not yet refunded, such as a deposit.", example=True),
    "RefundCreate.payment_method_id": FieldDoc(
        "Payment method of the refund. By default, the methods of the payments are used, newest payment first.", _ID
    ),
    "restock": FieldDoc("Return the refunded products to stock.", example=False),
    "cancel_order": FieldDoc(
        "Also cancel an upcoming appointment: the order is canceled, its time slots are released and its products "
        "return to stock. An order with an invoice gets a credit note for what is left of it, paid or not.",
        example=False,
    ),
    "RefundCreate.reason": FieldDoc("Reason for the refund.", "Did not fit"),
    "RefundLineCreate.quantity": FieldDoc("Quantity to refund.", 1),
    # day close
    "CloseQuery.team_id": FieldDoc("Branch of the day.", _ID),
    "CloseQuery.date": FieldDoc("Day, in the business's time zone.", "2026-11-15"),
    "DayClose.date": FieldDoc("Day, in the business's time zone.", "2026-11-15"),
    "DayCloseCreate.team_id": FieldDoc("Branch of the day.", _ID),
    "DayCloseCreate.date": FieldDoc("Day, in the business's time zone. It must not be in the future.", "2026-11-15"),
    "close_number": FieldDoc(
        "Number of the last close of the day, sequential per business without gaps; null while something of the day is "
        "not closed.",
        31,
    ),
    "closed_at": FieldDoc(
        "Time of the last close of the day, in UTC; null while something of the day is not closed.",
        "2026-11-15T18:30:00.000000Z",
    ),
    "cancellations": FieldDoc(
        "Number of sales of earlier days, or of earlier closes of this day, that were canceled on this day.", 0
    ),
    "canceled": FieldDoc("Total of these canceled sales; negative.", 0.0),
    "DayClose.cashiers": FieldDoc("Totals by cashier. Orders without a cashier come last."),
    "CashierTotals.cashier": FieldDoc("Name of the cashier; null for orders without one.", "Huda"),
    "sales": FieldDoc("Number of sales.", 12),
    "sold": FieldDoc("Total of the sales.", 1440.0),
    "refunds": FieldDoc("Number of refunds.", 1),
    "refunded": FieldDoc("Total of the refunds; negative.", -120.0),
    "change": FieldDoc("Change returned to customers.", 35.0),
    "expected_cash": FieldDoc("Cash that should be in the drawer.", 800.0),
    "methods": FieldDoc("Totals by payment method."),
    "payment_method_id": FieldDoc("Identifier of the payment method.", _ID),
    "PaymentMethodTotals.type": FieldDoc("Type of the payment method.", "cash"),
    "paid": FieldDoc("Total of the payments.", 920.0),
    # invoices
    "invoice_number": FieldDoc("Invoice number, sequential per business without gaps.", 7),
    "credit_note_number": FieldDoc("Credit note number, sequential per business without gaps.", 3),
    "CreditNote.invoice_number": FieldDoc("Number of the invoice that the credit note corrects.", 7),
    "CreditNote.order_id": FieldDoc("Order of the refund.", _ID),
    "order_id": FieldDoc("Order the invoice belongs to.", _ID),
    "tax_rate": FieldDoc(
        "Tax rate in percent; of several rates the one that most of the total has. Tax is included in the total.", 15.0
    ),
    "qr": FieldDoc("Content of the printed QR code, in base64.", "AQVTYWxvbg=="),
    "issued_at": FieldDoc("Time of issue, in UTC.", "2026-11-15T08:30:00.000000Z"),
    "format": FieldDoc("Response format: JSON, a printable HTML page, or a PDF.", "json"),
    "language": FieldDoc("Language of the HTML page or PDF.", "en"),
    # branch metadata
    "BranchMetadata.branch": FieldDoc("The branch."),
    "currency_decimals": FieldDoc("Number of decimals of amounts.", 2),
    "timezone": FieldDoc("Time zone of the business, as an IANA name.", "Asia/Riyadh"),
    "languages": FieldDoc("Languages of the business. The first is its default language.", ["ar", "en"]),
    "BranchMetadata.payment_methods": FieldDoc("Active payment methods."),
    "categories": FieldDoc("Categories of the branch."),
    "BranchMetadata.tags": FieldDoc("Customer tags."),
    "working_hour": FieldDoc("Opening hours of the branch; null if none are set."),
    "BranchMetadata.cashiers": FieldDoc("Cashiers of the branch."),
    "limits": FieldDoc("Limits that apply to this key."),
    "server_time": FieldDoc("Current time of the service, in UTC.", "2026-11-15T08:30:00.000000Z"),
    "PosCategory.name": FieldDoc("Name, keyed by language.", {"en": "Hair"}),
    "Cashier.name": FieldDoc("Name of the cashier.", "Huda"),
    "code": FieldDoc("Code of the cashier.", "7"),
    "requests_per_minute": FieldDoc("Maximum number of requests in any 60 seconds.", 120),
    "ApiLimits.per_page": FieldDoc("Maximum number of records per page.", 100),
    "order_lines": FieldDoc("Maximum number of lines per order.", 100),
    "ApiLimits.payment_methods": FieldDoc("Maximum number of payments per order.", 20),
    # lookups
    "number": FieldDoc("Return only the order with this number.", 42),
    "PosOrderQuery.day": FieldDoc("Return only orders of this day, in the business's time zone.", "2026-11-15"),
    "PosOrderQuery.customer_id": FieldDoc("Return only orders of this customer.", _ID),
    "PosOrderQuery.cashier": FieldDoc("Part of the cashier's name, case-insensitive.", "Huda"),
    "PosOrderQuery.status": FieldDoc("Return only orders with this status.", "confirmed"),
    "team_id": FieldDoc("Branch.", _ID),
    "category_id": FieldDoc("Return only items of this category.", _ID),
    "PosItemQuery.sku": FieldDoc("Part of the SKU.", "CUT"),
    "FindQuery.phone": FieldDoc(
        "International phone number. Only digits are compared. Send either `phone` or `email`.", "+966501234567"
    ),
    "FindQuery.email": FieldDoc(
        "E-mail address, case-insensitive. Send either `phone` or `email`.", "sara@example.com"
    ),
    "TagCreate.name": FieldDoc("Name of the tag, unique per business, case-insensitive.", "VIP"),
    "TagQuery.model": FieldDoc("Model the tags apply to.", "customers"),
    "ModelQuery.model": FieldDoc("Model the tag applies to.", "customers"),
}
