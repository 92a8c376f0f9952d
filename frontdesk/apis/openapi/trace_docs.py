"""Fields of the trace of an order."""

from frontdesk.apis.openapi.field_docs import FieldDoc

_ID = "018f3c1e-7d2a-7b1c-9a40-5f6e7d8c9b0a"
_OTHER_ID = "018f3c1e-7d2a-7b1c-9a40-5f6e7d8c9b0b"

TRACE_DOCS = {
    "OrderTrace.order_id": FieldDoc("Identifier of the order.", _ID),
    "OrderTrace.created_by": FieldDoc("Who made the order. What names nobody else is by them."),
    "OrderTrace.source": FieldDoc("Where the order was made.", "online"),
    "OrderTrace.lines": FieldDoc("Lines in their order, each with the steps to its total."),
    "OrderTrace.discount": FieldDoc("Discount of the order that the lines share; null if there is none."),
    "OrderTrace.sub_total": FieldDoc("Sum of the lines before all discounts.", 120.0),
    "computed_total": FieldDoc("Total, computed again from the steps.", 120.0),
    "agrees": FieldDoc("Whether the computed amounts are those of the order.", example=True),
    "payments": FieldDoc("Payments and what each settles; null without the scope `transactions:read`."),
    "tips": FieldDoc("Money beside the total; null without the scope `transactions:read`.", []),
    "OrderTrace.refunds": FieldDoc("Refunds of the order, oldest first.", []),
    "TraceLine.line_id": FieldDoc("Identifier of the line.", _ID),
    "refunded_line_id": FieldDoc("Line of the sale that this line of a refund refunds; null otherwise."),
    "TraceLine.item_id": FieldDoc("Identifier of the service, product or package.", _OTHER_ID),
    "TraceLine.name": FieldDoc("Name in the business's first language at the time of the order.", "Haircut"),
    "TraceLine.type": FieldDoc("Type of the item.", "service"),
    "prices": FieldDoc(
        "Prices of one unit that applied when the line was priced, before tax on top. Null if they were not recorded: "
        "the order is older than the records, or this is a refund."
    ),
    "TracePrices.catalog": FieldDoc("Price in the catalog.", 120.0),
    "offer": FieldDoc("Offer price that applied; null if there was none."),
    "TracePrices.option": FieldDoc("Price of the option; null without an option."),
    "option_offer": FieldDoc("Offer price of the option; null if there was none."),
    "TracePrices.provider": FieldDoc("The staff member's own price; null if they have none."),
    "steps": FieldDoc("Steps to the total of the line. A step that changes nothing is left out."),
    "TraceStep.kind": FieldDoc(
        "`given` is a price in the request or by a person; `not_recorded` stands for all steps to the unit price; "
        "`discount_share` is the share of the order's discount.",
        "catalog",
    ),
    "TraceStep.amount": FieldDoc("What the step adds.", 120.0),
    "running": FieldDoc("The amount after the step.", 120.0),
    "priced": FieldDoc("Who changed the price after the order was made; null if nobody did."),
    "discounted": FieldDoc("Who changed the discount of the line after the order was made; null if nobody did."),
    "TraceProvider.changed": FieldDoc("Who changed it after the order was made; null if nobody did."),
    "TraceDiscount.changed": FieldDoc("Who changed it after the order was made; null if nobody did."),
    "at": FieldDoc("When it was changed.", "2026-11-15T10:58:00.000000Z"),
    "TraceLine.total": FieldDoc("Total of the line.", 120.0),
    "TraceLine.tax": FieldDoc("Tax contained in the total, rounded half up for each line."),
    "class_id": FieldDoc("Tax class; null for the default class, or if it was not recorded."),
    "TraceTax.rate": FieldDoc("Rate in percent.", 15.0),
    "TraceTax.amount": FieldDoc("Tax in the total of the line.", 15.65),
    "on_top": FieldDoc(
        "Whether the catalog's prices were without tax, so that it was added to each unit; null if not recorded.",
        example=False,
    ),
    "TraceLine.provider": FieldDoc(
        "The staff member who performs the line, and how they were chosen; null for a line without one."
    ),
    "TraceProvider.staff_id": FieldDoc("Staff member who performs the line.", _OTHER_ID),
    "rule": FieldDoc(
        "`requested`; `only`: nobody else could; `least_booked` of that day; `cheapest`; `on_purpose`: a person booked "
        "a time that was not free. Null if it was not recorded.",
        "least_booked",
    ),
    "booked_minutes": FieldDoc("Minutes of that day for which they were booked; null if they were not compared.", 90),
    "free_count": FieldDoc("How many were free then; null if they were not compared.", 2),
    "others": FieldDoc("The next ones by the rule, at most three, who were free too."),
    "TraceOtherProvider.staff_id": FieldDoc("Staff member who was free too.", _ID),
    "TraceOtherProvider.booked_minutes": FieldDoc("Minutes of that day for which they were booked.", 180),
    "TraceOtherProvider.price": FieldDoc("What they charge; null if prices did not matter."),
    "TraceLine.package": FieldDoc("Items of a package, each with its share; empty for other lines.", []),
    "TracePart.item_id": FieldDoc("Item that the package contains.", _ID),
    "TracePart.quantity": FieldDoc("Quantity in one package.", 1),
    "TracePart.price": FieldDoc("Price of the item alone.", 120.0),
    "share": FieldDoc("Its share of the line's total, by the prices of the items alone.", 100.0),
    "TraceDiscount.kind": FieldDoc("Whether `value` is a percentage or a fixed amount.", "percentage"),
    "TraceDiscount.value": FieldDoc("Percentage or fixed amount, as entered.", 10.0),
    "TraceDiscount.apply_all": FieldDoc(
        "Whether it applies to every line, or only to those that allow it.", example=False
    ),
    "base": FieldDoc("Sum of the lines that it applies to, after their own discounts.", 120.0),
    "TraceDiscount.amount": FieldDoc("Amount that the lines share, by the largest remainder.", 12.0),
    "TracePayment.id": FieldDoc("Identifier of the transaction.", _ID),
    "TracePayment.amount": FieldDoc("Amount of the payment.", 120.0),
    "returned_order_id": FieldDoc("Earlier sale whose returned lines pay this one, in an exchange; null otherwise."),
    "settles": FieldDoc("What the payment settles: payments settle the lines in their order."),
    "TraceSettled.line_id": FieldDoc("Line that is settled.", _ID),
    "TraceSettled.amount": FieldDoc("Part of the line's total that the payment settles.", 120.0),
    "TraceTip.amount": FieldDoc("Amount of the tip.", 10.0),
    "TraceTip.staff_id": FieldDoc("Staff member whom it is for; null: for all.", _OTHER_ID),
    "TraceRefund.order_id": FieldDoc("Order that is the refund.", _OTHER_ID),
    "TraceRefund.amount": FieldDoc("Amount refunded.", 120.0),
    "TraceRefund.reason": FieldDoc("Why it was refunded; null if nobody said."),
    "TraceRefund.lines": FieldDoc("What was refunded of each line."),
    "TraceRefundLine.line_id": FieldDoc("Line of this order.", _ID),
    "TraceRefundLine.quantity": FieldDoc("Units returned; 0 if only money was refunded.", 1),
    "TraceRefundLine.amount": FieldDoc("Amount refunded of the line.", 120.0),
    "TraceRefundLine.tax_amount": FieldDoc("Tax in that amount.", 15.65),
}
