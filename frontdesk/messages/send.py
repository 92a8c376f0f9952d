"""Messages sent by hand: a sample to oneself, a repeated message, a receipt, an offer of a free time."""

from datetime import datetime, timedelta
from uuid import UUID

import msgspec

from frontdesk.messages.problems import MessageProblem
from frontdesk.messages.settings_queries import SeenWaiting, find_message_state, find_stop_code, find_waiting, nothing
from frontdesk.messages.types import Appointment
from frontdesk.postgres.act import FunctionCall, Lock
from frontdesk.postgres.write import Look
from frontdesk.problems import Problem, not_found

_MAX_AHEAD = timedelta(days=2 * 366)
_LOCK = Lock("SELECT FROM tenants WHERE id = $1 FOR NO KEY UPDATE", ())


def look_at_nothing() -> Look[None]:
    return Look(nothing(), _LOCK)


def plan_sample(kind: str, sample: Appointment, *, email: str, name: str, language: str) -> FunctionCall:
    """To the user who requests it, about an appointment that does not exist."""
    data = msgspec.to_builtins(sample)
    return FunctionCall(
        "queue_message",
        {"kind": kind, "email": email, "name": name, "language": language, "data": {**data, "link": "/"}}
        if kind == "receipt"
        else {"kind": kind, "email": email, "name": name, "language": language, "data": data},
    )


def look_at_waiting_customer(entry_id: UUID, staff_id: UUID) -> Look[SeenWaiting]:
    return Look(find_waiting(entry_id, staff_id), _LOCK)


def plan_time_offer(
    seen: SeenWaiting, entry_id: UUID, *, starts_at: datetime, ends_at: datetime, staff_id: UUID, now: datetime
) -> FunctionCall:
    """A free time for a customer on the waiting list."""
    if seen.email is None:
        raise Problem(MessageProblem.NO_EMAIL)
    if starts_at <= now or ends_at <= starts_at:
        raise Problem(MessageProblem.TIME_IS_PAST)
    if ends_at > now + _MAX_AHEAD:
        raise Problem(MessageProblem.TOO_FAR_AHEAD)
    if not seen.performs:
        raise Problem(MessageProblem.STAFF_DOES_NOT_PERFORM, "staff")
    return FunctionCall(
        "offer_waiting_time",
        {"entry_id": entry_id, "starts_at": starts_at, "ends_at": ends_at, "staff_id": staff_id},
    )


def look_at_message(message_id: UUID) -> Look[str | None]:
    return Look(find_message_state(message_id), _LOCK)


def plan_send_again(state: str | None, message_id: UUID) -> FunctionCall:
    """A message that waits is not sent a second time."""
    if state is None:
        raise not_found("message")
    return FunctionCall(None if state == "due" else "send_message_again", {"id": message_id})


def look_at_stop_code(code: str) -> Look[bool | None]:
    """Whether the customer of the link gets no reminders; None if the link leads nowhere."""
    return Look(find_stop_code(code), _LOCK)


def plan_stop(seen: bool | None, code: str, *, again: bool) -> FunctionCall:
    if seen is None:
        raise not_found("page")
    return FunctionCall("stop_reminders", {"code": code, "again": again})
