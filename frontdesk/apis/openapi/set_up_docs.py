"""Fields with which an application sets up a business: in requests, and what records have for it."""

from frontdesk.apis.openapi.field_docs import FieldDoc

_ID = "018f3c1e-7d2a-7b1c-9a40-5f6e7d8c9b0a"
_NAMES = {"en": "Haircut", "ar": "قص شعر"}
_VERSION = FieldDoc("The `version` that was read. If the record has another one meanwhile, nothing changes (409).")
_PRICE = FieldDoc("Price as the business enters it: without tax if `tax.included` is false.", 120.0)
_OFFER = FieldDoc("Offer price, as the price is entered; below it.", 99.0)

_OF_QUERY = {
    f"{query}.{name}": doc
    for query in ("CustomerQuery", "ItemQuery", "OrderQuery", "StaffQuery")
    for name, doc in {
        "external_id": FieldDoc(
            "Only the record that has this `external_id` of the application that asks.", "INV-2041"
        ),
        "metadata": FieldDoc(
            "Only records with which the application that asks has stored exactly this text under this key: "
            "`metadata[key]=text`. Several must all match."
        ),
    }.items()
}

SET_UP_DOCS = {
    # what an application stores with records
    "external_id": FieldDoc(
        "Id of the record in the system of the application that asks. It belongs to that application: others neither "
        "see nor change it. No two records of a kind have the same. Null for none.",
        "INV-2041",
    ),
    "metadata": FieldDoc(
        "Texts by key that the application that asks stores with the record. They belong to it: others neither see nor "
        "change them. In a request only the given keys change; an empty text or null removes a key, and null in place "
        "of the object removes all. A record has at most 50 keys.",
        {"loyalty_level": "gold"},
    ),
    **_OF_QUERY,
    "version": FieldDoc("Number of the record's state. It grows with each change of what is set up.", 3),
    "en": FieldDoc("In English.", "Haircut"),
    "ar": FieldDoc("In Arabic.", "قص شعر"),
    "names": FieldDoc("Name, keyed by language.", {"en": "Long hair", "ar": "شعر طويل"}),
    "barcode": FieldDoc("Barcode that the till reads.", "6281000000017"),
    "entered_price": FieldDoc("Price as the business enters it: without tax if `tax.included` is false.", 120.0),
    "entered_offer_price": FieldDoc("Offer price as it is entered, also on days without the offer.", 99.0),
    "offer_from": FieldDoc("First day of the offer, also of the options' offers; null: at once.", "2026-12-01"),
    "offer_until": FieldDoc("Last day of the offer; null: without an end.", "2026-12-31"),
    "tax_class_id": FieldDoc("Tax class; null for the default class."),
    "buffer_before": FieldDoc("Minutes that the provider needs before. Services only.", 0),
    "buffer_after": FieldDoc("Minutes that the provider needs afterwards. Services only.", 5),
    "supplier": FieldDoc("Who delivers it. Products only.", "Noor Trading"),
    "low_stock": FieldDoc("The stock is reported as low at this quantity and below. Products only.", 5),
    **{f"{name}.version": _VERSION for name in ("ItemUpdate", "OptionUpdate", "PackageUpdate", "CategoryUpdate")},
    **{f"{name}.name": FieldDoc("Name by language.", _NAMES) for name in ("ItemCreate", "ItemUpdate")},
    **{f"{name}.name": FieldDoc("Name by language.") for name in ("OptionCreate", "OptionUpdate")},
    **{f"{name}.name": FieldDoc("Name by language.") for name in ("PackageCreate", "PackageUpdate")},
    **{f"{name}.name": FieldDoc("Name by language.") for name in ("CategoryCreate", "CategoryUpdate")},
    **{f"{name}.price": _PRICE for name in ("ItemCreate", "ItemUpdate", "OptionCreate", "OptionUpdate")},
    **{f"{name}.price": _PRICE for name in ("PackageCreate", "PackageUpdate")},
    **{f"{name}.offer_price": _OFFER for name in ("ItemCreate", "ItemUpdate", "OptionCreate", "OptionUpdate")},
    **{f"{name}.offer_price": _OFFER for name in ("PackageCreate", "PackageUpdate")},
    "ItemCreate.type": FieldDoc("`service` for what is booked, `product` for what is sold from stock.", "service"),
    **{f"{name}.version": _VERSION for name in ("BranchHours", "StaffHours", "StaffUpdate")},
    **{f"{name}.name": FieldDoc("Name.", "Noura") for name in ("StaffCreate", "StaffUpdate")},
    "service_ids": FieldDoc("Services of the branch that they perform, at the price and in the time of the service."),
    **{
        f"{name}.names": FieldDoc("Name that customers read instead, keyed by language.", example)
        for name, example in (("StaffMember", {"ar": "نورة"}), ("Branch", {"ar": "العليا"}))
    },
    **{
        f"{name}.names": FieldDoc("Name that customers read instead, by language. Without one they read `name`.")
        for name in ("StaffCreate", "StaffUpdate", "BranchCreate", "BranchUpdate")
    },
    "StaffMember.title": FieldDoc("What they are, by language; customers who choose read it.", {"en": "Stylist"}),
    **{
        f"{name}.title": FieldDoc("What they are, by language; customers who choose read it.")
        for name in ("StaffCreate", "StaffUpdate")
    },
    "StaffUpdate.phone": FieldDoc("Phone number. Null clears it."),
    "StaffUpdate.phone_country": FieldDoc(
        "ISO 3166-1 alpha-2 country code of the phone number. Required with `phone`."
    ),
    "StaffUpdate.email": FieldDoc("E-mail address. Its domain must exist in DNS. Null clears it."),
    "StaffUpdate.branch_id": FieldDoc("Branch where they work. It cannot change while they have coming bookings.", _ID),
    "StaffUpdate.service_ids": FieldDoc(
        "Services of the branch that they perform. Not together with `services`.", [_ID]
    ),
    "StaffUpdate.services": FieldDoc("Services of the branch that they perform, with what is their own."),
    "StaffUpdate.status": FieldDoc("Whether they work here. Who has coming bookings cannot leave.", example=True),
    "StaffServiceTerms.service_id": FieldDoc("Identifier of the service.", _ID),
    "StaffServiceTerms.price": FieldDoc("Their own price, as the price of the service is entered.", 150.0),
    "StaffServiceTerms.duration": FieldDoc("Their own duration in minutes.", 60),
    "own_price": FieldDoc("Their own price as it is entered; null if they have that of the service.", 150.0),
    "own_duration": FieldDoc("Their own duration in minutes; null if they have that of the service.", 60),
    "StaffCreate.phone": FieldDoc("Phone number."),
    "StaffCreate.phone_country": FieldDoc(
        "ISO 3166-1 alpha-2 country code of the phone number. Required with `phone`."
    ),
    "StaffCreate.email": FieldDoc("E-mail address. Its domain must exist in DNS."),
    "BranchCreate.name": FieldDoc("Name, unique per business.", "Olaya"),
    "BranchUpdate.name": FieldDoc("Name, unique per business.", "Olaya"),
    "BranchCreate.slug": FieldDoc("Name in URLs. By default it is made of the name."),
    "BranchCreate.phone": FieldDoc("Phone number."),
    "BranchUpdate.phone": FieldDoc("Phone number. Null clears it."),
    "BranchCreate.phone_country": FieldDoc(
        "ISO 3166-1 alpha-2 country code of the phone number. Required with `phone`."
    ),
    "BranchUpdate.phone_country": FieldDoc(
        "ISO 3166-1 alpha-2 country code of the phone number. Required with `phone`."
    ),
    "BranchUpdate.status": FieldDoc("Whether it is open for bookings. The only open branch stays so.", example=True),
    **{
        f"{name}.name": FieldDoc("Name by language.", {"en": "Reduced"})
        for name in ("TaxClassCreate", "TaxClassUpdate")
    },
    **{
        f"{name}.rates": FieldDoc("The rates, each from a day on until the next.")
        for name in ("TaxClassCreate", "TaxClassUpdate")
    },
    **{
        f"{name}.is_default": FieldDoc("Whether items without a class have it.", example=False)
        for name in ("TaxClassCreate", "TaxClassUpdate")
    },
    "TaxClassUpdate.version": _VERSION,
    "CategoryMove.before": FieldDoc("The category that it comes before; null for the end.", _ID),
    "Move.before": FieldDoc("The record of the same list that it comes before; null for the end.", _ID),
    "PinnedItem.type": FieldDoc("`service`, `product` or `package`.", "product"),
    "PinnedItem.name": FieldDoc("Name, keyed by language.", _NAMES),
    "pinned_at": FieldDoc("Time at which it was pinned, in UTC.", "2026-11-19T09:30:00.000000Z"),
    "HoursOfDay.day": FieldDoc("The day.", "2026-12-02"),
    "HoursOfDay.intervals": FieldDoc("The hours of that day; an empty list for none."),
    "HoursOfDay.note": FieldDoc("Why the hours differ.", "Inventory"),
    "HoursOfDay.version": _VERSION,
    "HoursIntervalEntry.from": FieldDoc("Start, in the business's time zone.", "10:00"),
    "HoursIntervalEntry.to": FieldDoc("End; one that is not after the start is on the next day.", "14:00"),
    "ClosedDaysCreate.from": FieldDoc("The first closed day.", "2026-12-25"),
    "ClosedDaysCreate.to": FieldDoc("The last closed day, at most 61 days later; by default only `from`."),
    "ClosedDaysCreate.note": FieldDoc("Why it is closed.", "Public holiday"),
    "TimeOffCreate.start": FieldDoc("First moment; without an offset in the business's time zone.", "2026-12-06T00:00"),
    "TimeOffCreate.end": FieldDoc("Moment after the time off.", "2026-12-09T00:00"),
    "TimeOffCreate.note": FieldDoc("For the team only; no answer and no event has it."),
    "TimeOffCreate.status": FieldDoc("`requested`: it takes no time before it is approved.", "approved"),
    "TimeOffDecision.version": _VERSION,
    "TaxRateEntry.starts_on": FieldDoc("The first day of the rate, in the business's time zone.", "2026-01-01"),
    "TaxRateEntry.rate": FieldDoc("Rate in percent, with at most two decimals.", 5.0),
    "BranchHours.all_time": FieldDoc("Open day and night.", example=False),
    "StaffHours.all_time": FieldDoc("At work day and night.", example=False),
    "BranchHours.intervals": FieldDoc("When it is open. On a day without an interval it is closed."),
    "StaffHours.intervals": FieldDoc("When they work. On a day without an interval they do not."),
    "StaffHours.source": FieldDoc("`branch`: they have the hours of the branch, and no others.", "staff"),
    "WorkingIntervalEntry.day": FieldDoc("Weekday.", "sun"),
    "WorkingIntervalEntry.from": FieldDoc("Start, in the business's time zone.", "09:00"),
    "WorkingIntervalEntry.to": FieldDoc("End; one that is not after the start is on the next day.", "17:00"),
    "branch_id": FieldDoc("Branch that it belongs to.", _ID),
    "ItemCreate.category_id": FieldDoc("Category of the same branch; null for none."),
    "ItemUpdate.category_id": FieldDoc("Category of the same branch; null for none."),
    "ItemCreate.duration": FieldDoc("Duration in minutes. Required for a service.", 45),
    "staff_ids": FieldDoc("Staff members who perform the service.", [_ID]),
    "ItemCreate.stock": FieldDoc("Quantity in stock, which is counted from now on. Products only."),
    "ItemUpdate.stock": FieldDoc("Quantity in stock of a product that is not counted yet. Products only."),
    "ItemCreate.options": FieldDoc("Variants with their own prices."),
    "ItemCreate.status": FieldDoc("Whether it is on sale.", example=True),
    "ItemUpdate.status": FieldDoc("Whether it is on sale.", example=True),
    "OptionCreate.quantity": FieldDoc("Quantity in stock of the option, which is counted from now on. Products only."),
    "StockMovementCreate.reason": FieldDoc("Why the stock changes.", "delivery"),
    "StockMovementCreate.quantity": FieldDoc("Units that arrive or are lost; or all that were counted.", 12),
    "StockMovementCreate.option_id": FieldDoc("The option, if the options of the product are counted."),
    "PackageCreate.items": FieldDoc("What the package contains. All items are of its branch."),
    "PackageUpdate.items": FieldDoc("What the package contains. All items are of its branch."),
    "PackagePart.item_id": FieldDoc("Identifier of the item.", _ID),
    "PackagePart.quantity": FieldDoc("How many of it.", 1),
}
