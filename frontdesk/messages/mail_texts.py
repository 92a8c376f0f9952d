"""The texts of the messages. {name} is a placeholder: a business may use some of them in texts of its own."""

from typing import Final

from frontdesk.i18n.texts import N_, NP_, translate
from frontdesk.messages.types import API_CHANGES_KIND, BIRTHDAY_KIND, MEMBER_KINDS, REPORT_KIND, MailTexts

_PLACEHOLDERS: Final = ("name", "business")
_OF_BOOKINGS: Final = ("branch", "service", "provider", "day", "date", "weekday", "time", "when", "number")

_TEXTS: Final = {
    "confirmation": MailTexts(
        N_("Your booking at {business}, {day} {time}"),
        N_("See you on {weekday}, {name}"),
        N_("Your booking is confirmed."),
        N_("{service} with {provider}, {branch}."),
    ),
    "reminder": MailTexts(
        N_("{when}: {business}"),
        N_("{when}, {name}"),
        N_("A short reminder of your booking. If the time no longer suits, please tell us today."),
        N_("{service} with {provider}, {branch}."),
    ),
    "change": MailTexts(
        N_("Your booking at {business} has changed: {day} {time}"),
        N_("See you on {weekday}, {name}"),
        N_("Your booking has changed. This is how it is now."),
        N_("{service} with {provider}, {branch}."),
    ),
    "cancellation": MailTexts(
        N_("Canceled: your booking at {business}, {day} {time}"),
        N_("Your booking is canceled, {name}"),
        N_("This booking will not take place. We would be glad to see you another time."),
        N_("{service} with {provider}, {branch}."),
    ),
    "waiting_list_offer": MailTexts(
        N_("A time is free at {business}: {day} {time}"),
        N_("A time is free, {name}"),
        N_("You are on our waiting list. This time is free now. The first to book it gets it."),
        N_("{service}, {day} {time}."),
    ),
    BIRTHDAY_KIND: MailTexts(
        N_("Happy birthday from {business}"),
        N_("Happy birthday, {name}"),
        N_("All of us wish you a wonderful day and a happy year."),
        N_("All of us wish you a wonderful day."),
    ),
    "receipt": MailTexts(
        N_("Your receipt from {business}"),
        N_("Thank you, {name}"),
        N_("This is the receipt of your visit."),
        N_("Receipt {number}."),
    ),
    "contact_code": MailTexts(
        N_("Your code for {business}"),
        N_("Your code"),
        N_("Enter this code on the booking page. It is valid for a short time."),
        N_("Enter this code on the booking page."),
        N_("If nobody booked with this address, nothing needs to be done."),
    ),
    "bookings_link": MailTexts(
        N_("Your bookings at {business}"),
        N_("Your bookings"),
        N_("This link shows all coming bookings with this address."),
        N_("All coming bookings with this address."),
        N_("Anyone who has the link can see and change the bookings. If you did not ask for it, ignore this message."),
    ),
    "password_reset": MailTexts(
        N_("Set a new password"),
        N_("Set a new password"),
        N_("We received a request to set a new password for this address. The link works once, for a short time."),
        N_("The link works once."),
        N_("If it was not you, nothing needs to be done: the password stays as it is."),
    ),
    "email_verification": MailTexts(
        N_("Confirm your address"),
        N_("Confirm your address"),
        N_("This address was entered for an account. Please confirm that it is yours."),
        N_("Please confirm that this address is yours."),
        N_("If it was not you, nothing needs to be done."),
    ),
    "sign_up": MailTexts(
        N_("Go on with your sign-up"),
        N_("Go on with your sign-up"),
        N_("A sign-up was requested with this address. Choose a password with the link. It works for a day."),
        N_("Choose a password with the link."),
        N_("If it was not you, nothing needs to be done: there is no account until the link is used."),
    ),
    "account_exists": MailTexts(
        N_("You have an account already"),
        N_("You have an account already"),
        N_(
            "A sign-up was requested with this address, which has an account already. Sign in with it. “Forgot "
            "your password?” on the sign-in page sends a link for a new password."
        ),
        N_("Sign in with the account that you have."),
        N_("If it was not you, nothing needs to be done: nothing has changed."),
    ),
    "invitation": MailTexts(
        N_("{business} invites you"),
        N_("{business} invites you"),
        N_("You can sign in there as {role}. The link creates your account, or adds the business to it."),
        N_("Accept with the link."),
        N_("If you do not expect this, nothing needs to be done."),
    ),
    "password_changed": MailTexts(
        N_("Your password has changed"),
        N_("Your password has changed"),
        N_("A new password was set for your account. Your other devices are signed out."),
        N_("A new password was set for your account."),
        N_("If it was not you, choose a new password with “Forgot your password?” on the sign-in page now."),
    ),
    "email_changed": MailTexts(
        N_("The address of your account has changed"),
        N_("Your address has changed"),
        N_("Another address was confirmed for your account. This one no longer signs in."),
        N_("Another address was confirmed for your account."),
        N_("If it was not you, tell the owner of your business or the operator of this service now."),
    ),
    "new_device": MailTexts(
        N_("New sign-in to your account"),
        N_("New sign-in"),
        NP_("mail", "Your account was used to sign in on a new device."),
        N_("On a device that was not used before."),
        N_("If it was not you, sign that device out with the button, and choose a new password."),
    ),
    "second_factor_changed": MailTexts(
        N_("The second factor of your account has changed"),
        N_("Your second factor"),
        "{change}",
        "{change}",
        N_("If it was not you, choose a new password now, and look at the page of your account."),
    ),
    "budget_used_up": MailTexts(
        N_("{application} has used up what it may read today at {business}"),
        N_("{application} was stopped"),
        N_(
            "{application} wanted more than the {allowed} records that {business} lets it read in a day with the "
            "permission {scope}. Until the next day such requests are refused. Everything else goes on."
        ),
        N_("Until the next day it reads no more with {scope}."),
        N_("An owner or a manager can allow more for today, or disconnect it."),
    ),
    API_CHANGES_KIND: MailTexts(
        N_("Changes of the API concern {application}"),
        N_("Changes of the API"),
        N_(
            "This service has published a new description of its API. These changes concern calls and events of "
            "{application}."
        ),
        N_("First what breaks calls, then what will be removed later."),
        N_(
            "The developer of the program has to change it for what is breaking, and later for what is deprecated. "
            "What is compatible needs nothing."
        ),
    ),
    REPORT_KIND: MailTexts(
        N_("{month} at {business}"),
        N_("{month} at {business}"),
        "{summary}",
        N_("Your monthly report."),
        N_("The attached PDF also has the tables of your favourite reports."),
    ),
    "booking_new": MailTexts(
        N_("New booking: {customer}, {day} {time}"),
        N_("New booking: {customer}"),
        N_("A booking was made at {business}."),
        N_("{service} with {provider}, {branch}."),
    ),
    "booking_moved": MailTexts(
        N_("Changed: {customer}, now {day} {time}"),
        N_("Changed booking: {customer}"),
        N_("A booking at {business} has changed. This is how it is now."),
        N_("{service} with {provider}, {branch}."),
    ),
    "booking_canceled": MailTexts(
        N_("Canceled: {customer}, {day} {time}"),
        N_("Canceled booking: {customer}"),
        N_("A booking at {business} was canceled. Its time is free again."),
        N_("{service} with {provider}, {branch}."),
    ),
    "booking_reassigned": MailTexts(
        N_("No longer with you: {day} {time}"),
        N_("A booking is no longer with you"),
        N_("A booking at {business} that was with you is now with another provider. Your time is free again."),
        N_("{day} {time}, {branch}."),
    ),
}
# Why the reader gets a mail that is not about a booking of the reader.
REASONS: Final = {
    "reminder": N_("You get this reminder because of your booking."),
    "contact_code": N_(
        "You get this mail because this address was entered on our booking page. It holds no advertising."
    ),
    "bookings_link": N_(
        "You get this mail because this link was asked for on our booking page. It holds no advertising."
    ),
    "waiting_list_offer": N_("You get this mail because you are on our waiting list. It holds no advertising."),
    BIRTHDAY_KIND: N_("You get this mail because you agreed to receive news from us."),
    "receipt": N_("You get this mail because you asked for the receipt. It holds no advertising."),
    "invitation": N_("You get this mail because you were invited. It holds no advertising."),
    REPORT_KIND: N_("You get this mail because you chose it on the page of reports."),
    **dict.fromkeys(MEMBER_KINDS, N_("You get this mail because you are a member of this business.")),
}
BOOKING_REASON: Final = N_("You get this mail because a booking was made with this address. It holds no advertising.")
ACCOUNT_REASON: Final = N_("You get this mail because of your account. It holds no advertising.")
# The button of messages that are about a link.
LINK_LABELS: Final = {
    "waiting_list_offer": N_("Book this time"),
    "receipt": N_("Open the receipt"),
    "bookings_link": N_("See my bookings"),
    "password_reset": N_("Set a new password"),
    "email_verification": N_("Confirm the address"),
    "sign_up": N_("Choose a password"),
    "account_exists": N_("Sign in"),
    "invitation": N_("Accept the invitation"),
    "new_device": N_("See it, or sign it out"),
    "budget_used_up": N_("See what it reads"),
    API_CHANGES_KIND: N_("See the changes"),
    REPORT_KIND: N_("Open the reports"),
}
ROLES: Final = {
    "owner": N_("owner"),
    "manager": N_("manager"),
    "receptionist": N_("receptionist"),
    "cashier": N_("cashier"),
    "provider": NP_("mail", "provider"),
}
FACTOR_CHANGES: Final = {
    "added": N_("A second factor was added to your account."),
    "removed": N_("A second factor was removed from your account."),
    "removed_by_operator": N_("The operator of this service removed the second factor of your account."),
    "recovery_codes": N_("New recovery codes were made for your account. The earlier ones no longer work."),
    "recovery_code_used": N_("A recovery code was used to sign in to your account."),
}
# Who made or changed a booking.
ACTORS: Final = {
    "customer": N_("the customer, online"),
    "app": N_("an application"),
    "key": N_("the till"),
    "user": N_("a person at the desk"),
    "system": N_("the service"),
}


def placeholders_of(kind: str) -> tuple[str, ...]:
    return _PLACEHOLDERS if kind == BIRTHDAY_KIND else (*_PLACEHOLDERS, *_OF_BOOKINGS)


def mail_texts(kind: str, language: str) -> MailTexts:
    return MailTexts(*(translate(language, text) if text else "" for text in _TEXTS[kind]))
