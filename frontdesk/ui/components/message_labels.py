"""The words of the pages about messages."""

from frontdesk.i18n.texts import N_
from frontdesk.messages.daily_limit import OVER_LIMIT
from frontdesk.messages.log_queries import LoggedMessage
from frontdesk.messages.worker import MAX_ATTEMPTS
from frontdesk.ui.shell.context import PageContext
from frontdesk.values.clock import current_time

KINDS = {
    "confirmation": N_("Confirmation"),
    "reminder": N_("Reminder"),
    "change": N_("Moved"),
    "cancellation": N_("Canceled"),
    "waiting_list_offer": N_("Offer from the waiting list"),
    "receipt": N_("Receipt"),
    "birthday": N_("Birthday"),
    "contact_code": N_("Code for the booking page"),
    "bookings_link": N_("Link to all bookings"),
    "password_reset": N_("New password"),
    "password_changed": N_("Password changed"),
    "email_verification": N_("Address to confirm"),
    "email_changed": N_("Address changed"),
    "sign_up": N_("Link to sign up"),
    "account_exists": N_("Sign-up with an account"),
    "invitation": N_("Invitation"),
    "new_device": N_("New device"),
    "second_factor_changed": N_("Second factor changed"),
    "budget_used_up": N_("An application has read its limit"),
    "api_changes": N_("Changes of the API"),
}
_DROPPED = {
    "expired": N_("Not sent: too late"),
    "canceled": N_("Not sent: the booking was canceled"),
    "confirmed": N_("Not sent: the booking is confirmed again"),
    "moved": N_("Not sent: the booking has changed"),
    "undone": N_("Not sent: the move was undone"),
    "stopped": N_("Not sent: no reminders wanted"),
    "no_consent": N_("Not sent: the customer does not want news"),
    "suspended": N_("Not sent: the business is suspended"),
    "erased": N_("Not sent: the customer was erased"),
    "not_taken": N_("Not sent: no e-mail address, and no application sent it"),
}
# The placeholders of the texts, and what stands for them.
PLACEHOLDER_LABELS = {
    "name": N_("name"),
    "business": N_("business"),
    "branch": N_("branch"),
    "service": N_("service"),
    "provider": N_("provider"),
    "day": N_("day, short"),
    "date": N_("day"),
    "weekday": N_("weekday"),
    "time": N_("time"),
    "when": N_("today, tomorrow or the day, with the time"),
    "number": N_("booking number"),
}


_ENDED = {
    "sent": ("status-completed", "check", N_("Sent")),
    "kept": ("status-draft", "minus", N_("Not sent: no mail server")),
    "dropped": ("status-draft", "minus", N_("Not sent")),
}


def state_of(context: PageContext, message: LoggedMessage) -> tuple[str, str, str]:
    """The class, the icon and the words of the state."""
    text = context.translate
    if message.state == "due":
        look, drawing = ("status-unpaid", "alert") if message.answer else ("status-in-progress", "clock")
        return look, drawing, _waiting(context, message)
    if message.state == "handled":
        return "status-completed", "check", text(N_("Sent by %(name)s")) % {"name": message.handled_by}
    if message.state == "failed":
        reason = text(N_("the address cannot be used")) if message.answer == "address" else message.answer or ""
        return "status-unpaid", "x", text(N_("Refused: %(reason)s")) % {"reason": reason}
    look, drawing, words = _ENDED[message.state]
    if message.state == "dropped":
        words = _DROPPED.get(message.answer or "", words)
    elif message.state == "sent" and not message.answer:
        words = N_("Sent, without an answer of the mail server")
    return look, drawing, text(words)


def _waiting(context: PageContext, message: LoggedMessage) -> str:
    if message.attempts:
        tries = {"try": message.attempts + 1, "tries": MAX_ATTEMPTS}
        return context.translate(N_("On its way, try %(try)s of %(tries)s")) % tries
    if message.answer == OVER_LIMIT:
        return context.translate(N_("Waits: the limit of the day is reached"))
    if message.answer:
        return context.translate(N_("Waits for the mail server"))
    return context.translate(N_("Planned") if message.due_at > current_time() else N_("On its way"))
