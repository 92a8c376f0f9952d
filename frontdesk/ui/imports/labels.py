"""The words of imports: kinds, fields, states, and the reasons for which rows are refused."""

from frontdesk.i18n.texts import N_
from frontdesk.imports.types import ImportKind, ImportStatus, Outcome

KINDS = {
    ImportKind.CUSTOMERS: N_("Customers"),
    ImportKind.ITEMS: N_("Services and products"),
    ImportKind.STAFF: N_("Staff"),
    ImportKind.STOCK: N_("Opening stock"),
}
TITLES = {
    ImportKind.CUSTOMERS: N_("Import customers"),
    ImportKind.ITEMS: N_("Import services and products"),
    ImportKind.STAFF: N_("Import staff"),
    ImportKind.STOCK: N_("Import opening stock"),
}
FIELDS = {
    "full_name": N_("First and last name"),
    "first_name": N_("First name"),
    "last_name": N_("Last name"),
    "name": N_("Name"),
    "name_en": N_("Name in English"),
    "name_ar": N_("Name in Arabic"),
    "phone": N_("Phone"),
    "phone_country": N_("Country of the phone, two letters"),
    "email": N_("E-mail"),
    "type": N_("Type"),
    "city": N_("City"),
    "address": N_("Address"),
    "note": N_("Note"),
    "tax_registration_number": N_("Tax registration number"),
    "birthday": N_("Birthday, such as 21/03/1990 or 21/03"),
    "allergies": N_("Allergies"),
    "favorite_provider": N_("Favourite provider"),
    "tags": N_("Tags, split at commas"),
    "category": N_("Category"),
    "sku": N_("SKU"),
    "barcode": N_("Barcode"),
    "price": N_("Price"),
    "offer_price": N_("Offer price"),
    "duration": N_("Duration, minutes"),
    "buffer_before": N_("Get ready, min"),
    "buffer_after": N_("Clean up, min"),
    "tax_class": N_("Tax class"),
    "cost": N_("Cost"),
    "stock": N_("Stock"),
    "low_stock": N_("Low at"),
    "description": N_("Description"),
    "description_en": N_("Description in English"),
    "description_ar": N_("Description in Arabic"),
    "status": N_("Active"),
    "active": N_("Active"),
    "services": N_("Services, split at commas"),
    "options": N_("Options, such as Short: 250; Long: 400"),
    "base_sellable": N_("Sold without an option"),
    "sunday": N_("Sunday, such as 09:00-17:00"),
    "monday": N_("Monday, times"),
    "tuesday": N_("Tuesday, times"),
    "wednesday": N_("Wednesday, times"),
    "thursday": N_("Thursday, times"),
    "friday": N_("Friday, times"),
    "saturday": N_("Saturday, times"),
}
SHORT_FIELDS = {
    **FIELDS,
    "birthday": N_("Birthday"),
    "tags": N_("Tags"),
    "duration": N_("Duration"),
    "services": N_("Services"),
    "options": N_("Options"),
    "sunday": N_("Sunday"),
    "monday": N_("Monday"),
    "tuesday": N_("Tuesday"),
    "wednesday": N_("Wednesday"),
    "thursday": N_("Thursday"),
    "friday": N_("Friday"),
    "saturday": N_("Saturday"),
}
OUTCOMES = {
    Outcome.NEW: (N_("New"), "plus", "confirmed"),
    Outcome.CHANGED: (N_("Changed"), "edit", "in-progress"),
    Outcome.REFUSED: (N_("Refused"), "x", "unpaid"),
    Outcome.SAME: (N_("Same"), "check", "draft"),
}
STATUSES = {
    ImportStatus.CHECKING: N_("Being checked"),
    ImportStatus.CHECKED: N_("Checked; nothing is saved yet"),
    ImportStatus.RUNNING: N_("Being imported"),
    ImportStatus.DONE: N_("Imported"),
    ImportStatus.FAILED: N_("Failed; nothing was saved"),
    ImportStatus.UNDOING: N_("Being undone"),
    ImportStatus.UNDONE: N_("Undone"),
}
WRONG_VALUES = {"no": N_("Refuse the row"), "yes": N_("Take the row and leave the value out")}
KEPT = {
    "used": N_("It is in use, so it stays."),
    "changed": N_("It was changed after the import, so it stays as it is."),
}
