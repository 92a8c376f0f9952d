"""The activity in words: what was done, and where its record is shown."""

from collections.abc import Mapping

from frontdesk.activity.types import ActivityEntry
from frontdesk.i18n.texts import N_, translate
from frontdesk.ui.shell.changed_values import shown_day, subject_name
from frontdesk.ui.shell.formatting import Formatter

# Each sentence continues the name of who did it. %(subject)s is the name of the record.
ACTIONS: Mapping[str, str] = {
    "api_client.created": N_("created the API client %(subject)s"),
    "api_client.updated": N_("changed the API client %(subject)s"),
    "api_client.secret_rotated": N_("replaced the secret of the API client %(subject)s"),
    "api_client.deleted": N_("deleted the API client %(subject)s"),
    "api_key.created": N_("created the API key %(subject)s"),
    "api_key.revoked": N_("revoked the API key %(subject)s"),
    "application.installed": N_("installed the application %(subject)s"),
    "application.updated": N_("changed what the application %(subject)s may do"),
    "application.secret_rotated": N_("replaced the secret of the application %(subject)s"),
    "application.connected": N_("connected the application %(subject)s: it fetched its credentials"),
    "application.credentials_revoked": N_(
        "revoked the credentials of the application %(subject)s: its code was used twice"
    ),
    "application.suspended": N_("suspended the application %(subject)s"),
    "application.resumed": N_("let the application %(subject)s work again"),
    "application.disconnected": N_("disconnected the application %(subject)s"),
    "customer.created": N_("added the customer %(subject)s"),
    "customer.updated": N_("changed the customer %(subject)s"),
    "customer.blocked": N_("blocked %(subject)s"),
    "customer.unblocked": N_("unblocked %(subject)s"),
    "customer.tagged": N_("tagged %(subject)s"),
    "customer.untagged": N_("removed a tag from %(subject)s"),
    "customer.note_added": N_("wrote a note about %(subject)s"),
    "customer.note_changed": N_("changed a note about %(subject)s"),
    "customer.note_deleted": N_("deleted a note about %(subject)s"),
    "customer.consent_given": N_("recorded that %(subject)s agreed to marketing"),
    "customer.consent_withdrawn": N_("recorded that %(subject)s no longer agrees to marketing"),
    "order.receipt_mailed": N_("mailed the receipt of order %(subject)s"),
    "customer.time_offered": N_("offered %(subject)s a free time by mail"),
    "messages.settings_changed": N_("changed the notices to customers"),
    "messages.retried": N_("tried again to send messages that waited"),
    "messages.sent_again": N_("sent a message to %(subject)s again"),
    "customer.reminders_stopped": N_("stopped the reminders of %(subject)s"),
    "customer.reminders_started": N_("started the reminders of %(subject)s again"),
    "customer.waiting_added": N_("put %(subject)s on the waiting list"),
    "customer.waiting_changed": N_("changed what %(subject)s waits for"),
    "customer.waiting_removed": N_("took %(subject)s off the waiting list"),
    "customer.merged": N_("merged two records of %(subject)s"),
    "customer.separated": N_("marked %(subject)s as different from a similar customer"),
    "customer.erased": N_("erased the personal data of a customer"),
    "category.created": N_("added the category %(subject)s"),
    "category.updated": N_("changed the category %(subject)s"),
    "category.deleted": N_("deleted the category %(subject)s"),
    "commission_rate.created": N_("added the commission rate %(subject)s"),
    "commission_rate.updated": N_("changed the commission rate %(subject)s"),
    "commission_rate.deleted": N_("deleted the commission rate %(subject)s"),
    "booking_page.updated": N_("changed the booking page of %(subject)s"),
    "branch.created": N_("added the branch %(subject)s"),
    "branch.updated": N_("changed the branch %(subject)s"),
    "branch.feed_created": N_("made an address for the calendar of %(subject)s"),
    "branch.feed_replaced": N_("replaced the address of the calendar of %(subject)s"),
    "branch.feed_removed": N_("switched off the address of the calendar of %(subject)s"),
    "calendar_settings.updated": N_("changed what calendar programs show"),
    "closed_day.created": N_("closed %(subject)s on some days"),
    "closed_day.deleted": N_("opened %(subject)s again on a closed day"),
    "business.created": N_("opened the business %(subject)s"),
    "business.deleted": N_("deleted the business %(subject)s"),
    "business.resumed": N_("let the business %(subject)s work again"),
    "business.set_up": N_("finished the set-up of %(subject)s"),
    "business.setup_hidden": N_("hid the set-up list of %(subject)s"),
    "business.suspended": N_("suspended the business %(subject)s"),
    "business.restored": N_("made the business %(subject)s from an archive"),
    "business.updated": N_("changed the settings of %(subject)s"),
    "cashier.created": N_("added the cashier %(subject)s"),
    "cashier.updated": N_("changed the cashier %(subject)s"),
    "export.downloaded": N_("exported data"),
    "import.uploaded": N_("uploaded %(subject)s"),
    "import.finished": N_("imported %(subject)s"),
    "import.columns_changed": N_("changed what the columns of %(subject)s become"),
    "import.stopped": N_("stopped the import of %(subject)s"),
    "import.undone": N_("undid the import of %(subject)s"),
    "payment_method.created": N_("added the payment method %(subject)s"),
    "payment_method.deleted": N_("deleted the payment method %(subject)s"),
    "payment_method.updated": N_("changed the payment method %(subject)s"),
    "tax_class.created": N_("added the tax class %(subject)s"),
    "tax_class.deleted": N_("deleted the tax class %(subject)s"),
    "tax_class.updated": N_("changed the tax class %(subject)s"),
    "commission_basis.updated": N_("changed what earns a commission"),
    "day.closed": N_("closed the day %(subject)s"),
    "day.reopened": N_("reopened the day %(subject)s"),
    "drawer.opened": N_("opened the drawer of %(subject)s"),
    "drawer.in": N_("put cash into the drawer of %(subject)s"),
    "drawer.out": N_("took cash out of the drawer of %(subject)s"),
    "drawer.safe": N_("took cash to the safe from the drawer of %(subject)s"),
    "drawer.count": N_("counted the drawer of %(subject)s"),
    "hour_exception.created": N_("added a day with other hours for %(subject)s"),
    "hour_exception.updated": N_("changed a day with other hours for %(subject)s"),
    "hour_exception.deleted": N_("removed a day with other hours for %(subject)s"),
    "hours.updated": N_("changed the weekly hours of %(subject)s"),
    "invitation.created": N_("invited %(subject)s"),
    "invitation.withdrawn": N_("withdrew the invitation of %(subject)s"),
    "item.created": N_("added %(subject)s to the catalogue"),
    "item.updated": N_("changed %(subject)s in the catalogue"),
    "item.deleted": N_("deleted %(subject)s from the catalogue"),
    "item.stock_changed": N_("changed the stock of %(subject)s"),
    "item.uncounted": N_("stopped counting the stock of %(subject)s"),
    "item.oversold": N_("sold more of %(subject)s than there was in stock"),
    "member.added": N_("made %(subject)s a member"),
    "member.joined": N_("joined as %(subject)s"),
    "member.updated": N_("changed the role of %(subject)s"),
    "member.notifications_chosen": N_("changed the notifications of %(subject)s"),
    "member.disabled": N_("disabled the account of %(subject)s"),
    "member.enabled": N_("enabled the account of %(subject)s again"),
    "member.password_link_created": N_("created a link with which %(subject)s sets a new password"),
    "member.password_set": N_("set a new password of %(subject)s"),
    "member.second_factor_removed": N_("removed the second factor of %(subject)s"),
    "member.deleted": N_("removed %(subject)s"),
    "order.created": N_("created order %(subject)s"),
    "order.updated": N_("changed draft %(subject)s"),
    "order.edited": N_("changed the lines of order %(subject)s"),
    "order.status_changed": N_("changed the status of order %(subject)s"),
    "order.customer_arrived": N_("checked in the customer of order %(subject)s"),
    "order.arrival_undone": N_("took back the check-in of order %(subject)s"),
    "order_view.created": N_("saved the view %(subject)s of orders"),
    "order_view.updated": N_("changed the view %(subject)s of orders"),
    "order_view.deleted": N_("deleted the view %(subject)s of orders"),
    "order.rescheduled": N_("moved order %(subject)s"),
    "order.paid": N_("recorded a payment of order %(subject)s"),
    "order.tipped": N_("recorded a tip of order %(subject)s"),
    "order.link_made": N_("made a link to the booking of order %(subject)s"),
    "order.receipt_shared": N_("made a link to the receipt of order %(subject)s"),
    "order.refunded": N_("refunded order %(subject)s"),
    "order.invoiced": N_("issued the invoice of order %(subject)s"),
    "package.created": N_("added the package %(subject)s"),
    "package.updated": N_("changed the package %(subject)s"),
    "package.deleted": N_("deleted the package %(subject)s"),
    "staff_member.feed_created": N_("made an address for the calendar of %(subject)s"),
    "staff_member.feed_replaced": N_("replaced the address of the calendar of %(subject)s"),
    "staff_member.feed_removed": N_("switched off the address of the calendar of %(subject)s"),
    "staff_member.outside_calendar_set": N_("connected another calendar of %(subject)s"),
    "staff_member.outside_calendar_removed": N_("removed the other calendar of %(subject)s"),
    "staff_member.created": N_("added the staff member %(subject)s"),
    "staff_member.updated": N_("changed the staff member %(subject)s"),
    "staff_member.services_changed": N_("changed the services of %(subject)s"),
    "tag.created": N_("created the tag %(subject)s"),
    "tag.deleted": N_("deleted the tag %(subject)s"),
    "time_off.created": N_("added time off of %(subject)s"),
    "time_off.approved": N_("approved time off of %(subject)s"),
    "time_off.declined": N_("declined time off of %(subject)s"),
    "time_off.deleted": N_("removed time off of %(subject)s"),
    "webhook.created": N_("created the webhook %(subject)s"),
    "webhook.updated": N_("changed the webhook %(subject)s"),
    "webhook.pinged": N_("sent a ping to the webhook %(subject)s"),
    "webhook.sent_again": N_("sent to the webhook %(subject)s again"),
    "webhook.secret_rotated": N_("replaced the secret of the webhook %(subject)s"),
    "webhook.deleted": N_("deleted the webhook %(subject)s"),
}
_ERASED = N_("a record that was erased")

# What the filter offers: a label, and the nouns of its actions. Every noun is in one of them.
GROUPS: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "order": (N_("Orders"), ("order", "order_view")),
    "customer": (N_("Customers"), ("customer", "tag")),
    "drawer": (N_("Drawer and day close"), ("drawer", "day", "cashier")),
    "item": (N_("Catalogue"), ("item", "package", "category")),
    "staff_member": (
        N_("Staff"),
        ("staff_member", "hours", "hour_exception", "time_off", "commission_rate", "commission_basis"),
    ),
    "branch": (N_("Branches"), ("branch", "closed_day")),
    "business": (
        N_("Settings"),
        ("business", "payment_method", "tax_class", "booking_page", "calendar_settings", "messages"),
    ),
    "member": (N_("Members"), ("member", "invitation")),
    "application": (N_("Applications and API"), ("application", "api_client", "api_key", "webhook")),
    "import": (N_("Import and export"), ("import", "export")),
}
_PAGES = {
    "order": "/orders/",
    "customer": "/customers/",
    "day": "/day-close/",
    "item": "/catalogue/",
    "package": "/catalogue/",
    "staff_member": "/staff/",
}


def sentence(entry: ActivityEntry, language: str, format_: Formatter) -> str:
    return action_sentence(entry.action, subject_name(entry, format_), language)


def action_sentence(action: str, subject: str | None, language: str) -> str:
    subject = shown_day(subject, language) if subject else translate(language, _ERASED)
    text = ACTIONS.get(action)
    return translate(language, text) % {"subject": subject} if text else f"{action} {subject}"


def page_of(entry: ActivityEntry) -> str | None:
    """Where the record is shown, if it has a page and was not deleted."""
    noun, _, verb = entry.action.partition(".")
    path = _PAGES.get(noun)
    return None if path is None or verb == "deleted" else f"{path}{entry.subject_id}"
