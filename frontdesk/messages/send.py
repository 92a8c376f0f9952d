"""Messages sent by hand: a sample to oneself, a repeated message, an offer of a free time; and ending reminders."""

from datetime import datetime, timedelta
from uuid import UUID

import msgspec

from frontdesk.messages.problems import MessageProblem
from frontdesk.messages.settings_queries import (
    UnsubscribeLink,
    WaitingCustomer,
    find_message_state,
    find_unsubscribe_token,
    find_waiting,
)
from frontdesk.messages.types import Appointment
from frontdesk.postgres.act import Act, ActWithoutLoad, Context, FunctionCall, ResponseDocument
from frontdesk.postgres.query import Lock, Query
from frontdesk.problems import Problem
from frontdesk.values.clock import current_time

_MAX_AHEAD = timedelta(days=2 * 366)
_MAX_OFFERS = 5  # to one customer in 24 hours
_LOCK = Lock("SELECT FROM tenants WHERE id = $1 FOR NO KEY UPDATE", ())
_LOCK_WAITING = """SELECT FROM customers WHERE tenant_id = $1
    AND id = (SELECT customer_id FROM waiting_list WHERE tenant_id = $1 AND id = $2) FOR NO KEY UPDATE"""


class QueueMessage(ActWithoutLoad, frozen=True):
    """To the user who requests it, about an appointment that does not exist."""

    kind: str
    sample: Appointment | None  # None: the message is not about an appointment
    email: str
    name: str
    language: str

    def decide(self, context: Context[None]) -> FunctionCall:
        data = msgspec.to_builtins(self.sample) if self.sample else {}
        if self.kind == "receipt":
            data["link"] = "/"
        argument = {"kind": self.kind, "email": self.email, "name": self.name, "language": self.language, "data": data}
        return FunctionCall("queue_message", argument)


class OfferWaitingTime(Act[WaitingCustomer], frozen=True):
    """A free time for a customer on the waiting list."""

    entry_id: UUID
    staff_id: UUID
    starts_at: datetime  # without an offset: in the time zone of the business
    ends_at: datetime | None = None  # None: as long as the services take

    def load(self) -> Query[WaitingCustomer]:
        return find_waiting(self.entry_id, self.staff_id).locking(Lock(_LOCK_WAITING, (self.entry_id,)))

    def decide(self, context: Context[WaitingCustomer]) -> FunctionCall:
        now = current_time()
        if context.loaded.email is None:
            raise Problem(MessageProblem.NO_EMAIL)
        start = context.tenant.to_utc(self.starts_at, "starts_at")
        end = self.ends_at or start + timedelta(minutes=context.loaded.minutes)
        if start <= now or end <= start:
            raise Problem(MessageProblem.TIME_IS_PAST, "starts_at")
        if end > now + _MAX_AHEAD:
            raise Problem(MessageProblem.TOO_FAR_AHEAD, "starts_at")
        if not context.loaded.performs:
            raise Problem(MessageProblem.STAFF_DOES_NOT_PERFORM, "staff")
        if context.loaded.offers >= _MAX_OFFERS and start not in context.loaded.offered:
            raise Problem(MessageProblem.TOO_MANY_OFFERS, most=_MAX_OFFERS)
        argument = {
            "entry_id": self.entry_id,
            "staff_id": self.staff_id,
            "starts_at": start,
            "ends_at": end,
            "offers": context.loaded.offers,
        }
        return FunctionCall("offer_waiting_time", argument, ResponseDocument("waiting_entry_document", self.entry_id))


class SendMessageAgain(Act[str], frozen=True):
    """A message that waits is not sent a second time."""

    message_id: UUID

    def load(self) -> Query[str]:
        return find_message_state(self.message_id).locking(_LOCK)

    def decide(self, context: Context[str]) -> FunctionCall:
        is_due = context.loaded == "due"
        return FunctionCall(None if is_due else "send_message_again", {"id": self.message_id})


class StopReminders(Act[UnsubscribeLink], frozen=True):
    """Or news, if the link is that of a greeting."""

    code: str
    again: bool  # they begin again

    def load(self) -> Query[UnsubscribeLink]:
        return find_unsubscribe_token(self.code).locking(_LOCK)

    def decide(self, context: Context[UnsubscribeLink]) -> FunctionCall:
        return FunctionCall("stop_reminders", {"code": self.code, "again": self.again})
