"""The values of a recorded change as text, with the labels of their fields."""

from collections.abc import Iterator, Mapping
from datetime import datetime
from decimal import Decimal
from typing import Any

from frontdesk.activity.types import Entry
from frontdesk.ui.shell.formatting import Formatter
from frontdesk.ui.shell.i18n import N_, translate

FIELDS: Mapping[str, str] = {
    "about": N_("About the business"),
    "accent": N_("Colour"),
    "active": N_("Active"),
    "address": N_("Address"),
    "all_time": N_("Day and night, every day"),
    "amount": N_("Amount"),
    "arrived_at": N_("Arrived"),
    "asks_for_code": N_("Ask for a code that proves the e-mail address"),
    "barcode": N_("Barcode"),
    "blocked": N_("Blocked"),
    "blocked_reason": N_("Reason for the block"),
    "branch_id": N_("Branch"),
    "buffer_after": N_("Minutes after"),
    "buffer_before": N_("Minutes before"),
    "cancellation": N_("Canceled"),
    "cancellation_hours": N_("Cancel free of charge, hours before"),
    "category_id": N_("Category"),
    "change": N_("Moved"),
    "changed": N_("Changed"),
    "city": N_("City"),
    "close_number": N_("Number"),
    "code": N_("Code"),
    "columns": N_("Columns"),
    "confirmation": N_("Confirmation"),
    "consent": N_("Agreed to marketing"),
    "contents": N_("Contents"),
    "cost": N_("Cost"),
    "supplier": N_("Supplier"),
    "counted": N_("Counted"),
    "country": N_("Country"),
    "currency": N_("Currency"),
    "customer_id": N_("Customer"),
    "customers_cancel": N_("Customers cancel their bookings themselves"),
    "customers_move": N_("Customers move their bookings themselves"),
    "day": N_("Day"),
    "days": N_("Days"),
    "customer_names": N_("Names of customers"),
    "deposit_percent": N_("Deposit, percent"),
    "description": N_("Description"),
    "duration": N_("Duration"),
    "email": N_("E-mail"),
    "embedding_origins": N_("Sites that may show the page"),
    "erased": N_("Erased"),
    "ends_at": N_("Ends"),
    "events": N_("Events"),
    "expected": N_("Expected"),
    "first_day": N_("First day"),
    "first_name": N_("First name"),
    "float_amount": N_("Float"),
    "for_applications": N_("Also confirm bookings that applications made"),
    "format": N_("File"),
    "friday": N_("Friday"),
    "grid_minutes": N_("Times start every, minutes"),
    "host": N_("Server"),
    "horizon_days": N_("Book at most, days ahead"),
    "how": N_("How"),
    "invoice_note": N_("Note on invoices"),
    "invoice_number": N_("Number"),
    "is_active": N_("Active"),
    "is_default": N_("Default"),
    "is_warning": N_("Warning"),
    "item": N_("Item"),
    "kept": N_("Kept"),
    "kind": N_("Kind"),
    "language": N_("Language"),
    "languages": N_("Languages"),
    "last_day": N_("Last day"),
    "last_name": N_("Last name"),
    "lines": N_("Lines"),
    "list": N_("List"),
    "merged": N_("Merged record"),
    "latitude": N_("Latitude"),
    "location": N_("Map link"),
    "longitude": N_("Longitude"),
    "method": N_("Payment method"),
    "monday": N_("Monday"),
    "name": N_("Name"),
    "new": N_("New"),
    "note": N_("Note"),
    "notify": N_("Message to the customer"),
    "notice_hours": N_("Book at least, hours before"),
    "low_stock": N_("Low at"),
    "offer_from": N_("Offer from"),
    "offer_price": N_("Offer price"),
    "offer_until": N_("Offer until"),
    "options": N_("Options"),
    "part_of_day": N_("Part of the day"),
    "payment_instructions": N_("How to pay"),
    "performers": N_("Who performs it"),
    "orders_moved": N_("Orders moved"),
    "phone": N_("Phone"),
    "phone_country": N_("Country of the phone"),
    "plan": N_("Plan"),
    "price": N_("Price"),
    "prices_include_tax": N_("Prices include the tax"),
    "public_name": N_("Name in web addresses"),
    "quantity": N_("Quantity"),
    "quiet_from": N_("Quiet from"),
    "quiet_until": N_("Quiet until"),
    "percent": N_("Rate, percent"),
    "rates": N_("Rates"),
    "reason": N_("Reason"),
    "rows": N_("Rows"),
    "deliveries": N_("Deliveries"),
    "is_filtered": N_("With filters"),
    "frontdesk": N_("Version"),
    "refused": N_("Refused"),
    "reminder": N_("Reminder"),
    "reminder_hours": N_("Reminder, hours before"),
    "removed": N_("Removed"),
    "restored": N_("Restored"),
    "requires_second_factor": N_("Second factor"),
    "role": N_("Role"),
    "same": N_("Same"),
    "saturday": N_("Saturday"),
    "scopes": N_("Scopes"),
    "service": N_("Service"),
    "services": N_("Services"),
    "shown": N_("Show the booking page"),
    "signs_in_as": N_("Signs in as"),
    "sku": N_("SKU"),
    "slug": N_("Name in web addresses"),
    "sort_order": N_("Position"),
    "staff": N_("Staff"),
    "starts_on": N_("From"),
    "starts_at": N_("Starts"),
    "status": N_("Status"),
    "stock": N_("Stock"),
    "tag": N_("Tag"),
    "text": N_("Note"),
    "texts": N_("Texts"),
    "sunday": N_("Sunday"),
    "tax_registration_number": N_("Tax number"),
    "thursday": N_("Thursday"),
    "times": N_("Hours"),
    "timezone": N_("Time zone"),
    "total": N_("Total"),
    "tuesday": N_("Tuesday"),
    "type": N_("Type"),
    "url": N_("Address"),
    "wednesday": N_("Wednesday"),
}
_IMPORTED: Mapping[str, str] = {  # fields that columns of an imported table become, beside those above
    "category": N_("Category"),
    "description_ar": N_("Description in Arabic"),
    "description_en": N_("Description in English"),
    "full_name": N_("First and last name"),
    "name_ar": N_("Name in Arabic"),
    "name_en": N_("Name in English"),
    "tags": N_("Tags, split at commas"),
    "tax_class": N_("Tax class"),
}
_AMOUNTS = frozenset({"amount", "cost", "counted", "expected", "float_amount", "offer_price", "price", "total"})
_TIMES = frozenset({"ends_at", "starts_at"})
_MINUTES = frozenset({"quiet_from", "quiet_until"})  # of the day
WORDS: Mapping[str, str] = {  # of columns whose values are words of the database
    "activity": N_("Activity"),
    "afternoon": N_("Afternoon"),
    "any": N_("Any time of the day"),
    "approved": N_("Approved"),
    "branches": N_("Branches"),
    "canceled": N_("Canceled"),
    "card": N_("Card"),
    "cash": N_("Cash"),
    "cashier": N_("Cashier"),
    "cashiers": N_("Cashiers"),
    "commission-rates": N_("Commission rates"),
    "company": N_("Company"),
    "completed": N_("Completed"),
    "confirmed": N_("Confirmed"),
    "credit-notes": N_("Credit notes"),
    "customers": N_("Customers"),
    "day-closes": N_("Closed days"),
    "declined": N_("Declined"),
    "draft": N_("Draft"),
    "drawer": N_("Cash in and out of the drawer"),
    "evening": N_("Evening"),
    "in-progress": N_("In progress"),
    "individual": N_("Person"),
    "invitations": N_("Invited people"),
    "invoices": N_("Invoices"),
    "items": N_("Services and products"),
    "manager": N_("Manager"),
    "members": N_("Members"),
    "messages": N_("Messages to customers"),
    "morning": N_("Morning"),
    "orders": N_("Orders"),
    "owner": N_("Owner"),
    "packages": N_("Packages"),
    "payment-methods": N_("Payment methods"),
    "product": N_("Product"),
    "professional": N_("Professional"),
    "provider": N_("Provider"),
    "receptionist": N_("Receptionist"),
    "requested": N_("Requested"),
    "service": N_("Service"),
    "staff": N_("Staff"),
    "starter": N_("Starter"),
    "stock": N_("Stock"),
    "tax-classes": N_("Tax classes"),
    "transactions": N_("Payments and refunds"),
    "waiting-list": N_("Waiting list"),
}
_WORD_FIELDS = frozenset({"kind", "list", "part_of_day", "plan", "role", "status", "type"})
_IDENTIFIERS = ("_id", "_ids")  # columns that hold ids say nothing to a person


def changed_values(entry: Entry, language: str, format_: Formatter) -> list[tuple[str, str | None, str | None]]:
    """Label, old and new text of each field; None where there was or is no value."""
    before, after = entry.before or {}, entry.after or {}
    return [
        (_label(name, language), *_both(name, before, after, language, format_))
        for name in sorted({*before, *after}, key=lambda name: _label(name, language))
        if not name.endswith(_IDENTIFIERS)
    ]


def _both(
    name: str, before: Mapping[str, Any], after: Mapping[str, Any], language: str, format_: Formatter
) -> tuple[str | None, str | None]:
    """A text that differs only in the other language is shown in both."""
    old, new = (_value(name, values, language, format_) for values in (before, after))
    if old == new and isinstance(before.get(name), dict) and isinstance(after.get(name), dict):
        old, new = (_text(list(values[name].values()), language, format_) for values in (before, after))
    return old, new


def _label(name: str, language: str) -> str:
    label = FIELDS.get(name) or _IMPORTED.get(name)
    return translate(language, label) if label else name.replace("_", " ").capitalize()


def _value(  # noqa: PLR0911 - one row a kind
    name: str, values: Mapping[str, Any], language: str, format_: Formatter
) -> str | None:
    value = values.get(name)
    if name in _AMOUNTS and value is not None:
        return format_.amount(Decimal(str(value)))
    if name in _TIMES and value is not None:
        moment = datetime.fromisoformat(value)
        return f"{format_.short_date(moment)} {format_.time(moment)}"
    if name in _MINUTES and value is not None:
        return f"{value // 60:02}:{value % 60:02}"
    if name == "texts" and isinstance(value, dict):
        return _text(list(_leaves(value)), language, format_)
    if name == "columns" and isinstance(value, list):
        return _columns(value, language)
    if name == "timezone" and isinstance(value, str):
        return format_.zone(value)
    if name in _WORD_FIELDS and isinstance(value, str) and value in WORDS:
        return translate(language, WORDS[value])
    return _text(value, language, format_)


def _leaves(value: Mapping[str, Any]) -> Iterator[str]:
    """The texts of messages, by kind, language and part."""
    for each in value.values():
        if isinstance(each, dict):
            yield from _leaves(each)
        else:
            yield str(each)


def _columns(pairs: list[list[str]], language: str) -> str | None:
    """Columns of an imported table, each with the field that it becomes."""
    left_out = translate(language, N_("Leave out"))
    shown = [f"{name}: {_label(field, language) if field else left_out}" for name, field in pairs]
    return translate(language, N_(", ")).join(shown) or None


def _text(value: Any, language: str, format_: Formatter) -> str | None:  # noqa: ANN401 - any JSON
    match value:
        case None | "" | []:
            return None
        case bool():
            return translate(language, N_("Yes") if value else N_("No"))
        case list():
            return translate(language, N_(", ")).join(filter(None, (_text(each, language, format_) for each in value)))
        case dict():
            return format_.localized({name: str(text) for name, text in value.items()})
        case _:
            return str(value)
