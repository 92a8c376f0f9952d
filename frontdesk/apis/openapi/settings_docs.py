"""Fields of the settings of a business: as they are, and as an application changes them."""

from frontdesk.apis.openapi.field_docs import FieldDoc

_VERSION = FieldDoc("The `version` that was read. If the record has another one meanwhile, nothing changes (409).")
_ID = "018f3c1e-7d2a-7b1c-9a40-5f6e7d8c9b0a"
_SETTINGS = {
    "name": FieldDoc("Name of the business.", "Layan Studio"),
    "names": FieldDoc("Name that customers read instead, keyed by language.", {"en": "Layan"}),
    "slug": FieldDoc("Name in the addresses of its public pages.", "layan"),
    "country": FieldDoc("Country of the business, ISO 3166.", "SA"),
    "timezone": FieldDoc("Time zone of the business.", "Asia/Riyadh"),
    "currency": FieldDoc("Currency of all amounts, ISO 4217. It changes only before the first sale.", "SAR"),
    "languages": FieldDoc("Languages of the business, the first one first.", ["ar", "en"]),
    "prices_include_tax": FieldDoc("Whether the business enters its prices with the tax.", example=True),
    "charges_no_tax": FieldDoc("Whether the business has said that it charges no tax.", example=False),
    "tax_registration_number": FieldDoc("Number of 15 digits that invoices show.", "310123456700003"),
    "invoice_note": FieldDoc("Text at the end of invoices, keyed by language.", {"en": "Thank you."}),
    "accent": FieldDoc("Colour of the public pages and mails; null for the usual one.", "#7a4b2f"),
    "cancel_reasons": FieldDoc(
        "Reasons for cancelling from which people choose, keyed by language; null for those of Frontdesk.",
        [{"en": "The customer is ill"}],
    ),
    "commission_basis": FieldDoc("What earns a commission: what is `done`, or all that is `booked`.", "done"),
    "grid_minutes": FieldDoc("Minutes between two offered times.", 15),
    "notice_hours": FieldDoc("Hours before an appointment in which it cannot be booked online.", 2),
    "horizon_days": FieldDoc("Days ahead that can be booked online.", 60),
    "cancellation_hours": FieldDoc("Hours before an appointment until which customers can cancel it.", 24),
    "deposit_percent": FieldDoc("Share of the price that is paid with a booking.", 0),
}

_PAGE = {
    "shown": FieldDoc("Whether customers can open the page.", example=True),
    "about": FieldDoc("What the page says about the business, keyed by language.", {"en": "Hair and nails in Olaya."}),
    "asks_for_code": FieldDoc("Whether a code verifies the e-mail address of who books.", example=False),
    "customers_move": FieldDoc("Whether customers move their bookings.", example=True),
    "customers_cancel": FieldDoc("Whether customers cancel their bookings.", example=True),
    "payment_instructions": FieldDoc("How customers pay a deposit, keyed by language.", {"en": "Pay by transfer."}),
    "embedding_origins": FieldDoc("Sites that may show the page in a frame.", ["https://www.layan.example"]),
}
_DRAWERS = {
    "own_shifts": FieldDoc("Whether each cashier opens and counts a shift of their own.", example=False),
    "blind_count": FieldDoc("Whether what is expected is shown only after the count.", example=False),
    "branches": FieldDoc("How many drawers each branch has."),
}

_MESSAGES = {
    "reminder_hours": FieldDoc("Hours before the appointment at which the reminder is sent.", 24),
    "quiet_from": FieldDoc("The time at which reminders stop for the night, in the business's time zone.", "21:00"),
    "quiet_until": FieldDoc(
        "The time at which reminders are sent again; a time before `quiet_from` is on the next day.", "08:00"
    ),
    "for_applications": FieldDoc(
        "Whether messages are also sent about bookings that applications make; reminders always are.", example=False
    ),
    "messages": FieldDoc("Each message to customers: whether it is sent, and its own words."),
}
_KINDS = {
    "confirmation": FieldDoc("After a booking."),
    "reminder": FieldDoc("Before the appointment."),
    "change": FieldDoc("When a booking moves."),
    "cancellation": FieldDoc("When a booking is canceled."),
    "birthday": FieldDoc("On the birthday of those who have agreed to news."),
    "waiting_list_offer": FieldDoc("When a time becomes free for a customer who waits."),
    "receipt": FieldDoc("With the receipt of a sale."),
}
_WORDS = {
    "subject": FieldDoc("Subject. Placeholders such as `{name}` are filled in.", "See you soon"),
    "opening": FieldDoc("First paragraph.", "Dear {name},"),
    "words": FieldDoc("A paragraph of its own.", ""),
}

SETTINGS_DOCS = {
    **{f"{kind}.{name}": doc for kind in ("PublishedSettings", "SettingsUpdate") for name, doc in _SETTINGS.items()},
    "PublishedSettings.tenant_id": FieldDoc("Identifier of the business, as in `tenant_id` of its events.", _ID),
    "SettingsUpdate.currency": FieldDoc("The currency that the business has; another one is refused.", "SAR"),
    "SettingsUpdate.move_times": FieldDoc(
        "Whether coming bookings may be shown at other times of the day, because the time zone changes.", example=False
    ),
    "SettingsUpdate.version": _VERSION,
    **{f"{kind}.{name}": doc for kind in ("PublishedBookingPage", "BookingPageUpdate") for name, doc in _PAGE.items()},
    "BookingPageUpdate.version": _VERSION,
    **{
        f"{kind}.{name}": doc
        for kind in ("PublishedDrawerSettings", "DrawerSettingsUpdate")
        for name, doc in _DRAWERS.items()
    },
    **{
        f"{kind}.{name}": doc
        for kind in ("PublishedMessageSettings", "MessageSettingsUpdate")
        for name, doc in _MESSAGES.items()
    },
    "MessageSettingsUpdate.version": _VERSION,
    **{f"{kind}.{name}": doc for kind in ("MessagesOfBusiness", "MessagesUpdate") for name, doc in _KINDS.items()},
    **{f"{kind}.{name}": doc for kind in ("OwnWords", "OwnWordsEntry") for name, doc in _WORDS.items()},
    "on": FieldDoc("Whether it is sent.", example=True),
    "texts": FieldDoc("Its own words by language; without any it is in those of Frontdesk."),
    "OwnWordsByLanguage.en": FieldDoc("In English."),
    "OwnWordsByLanguage.ar": FieldDoc("In Arabic."),
    "DrawersOfBranch.branch_id": FieldDoc("The branch.", _ID),
    "DrawersEntry.branch_id": FieldDoc("The branch.", _ID),
    "DrawersOfBranch.drawers": FieldDoc("How many drawers it has.", 1),
    "DrawersEntry.drawers": FieldDoc("How many drawers it has, up to 20.", 1),
}
