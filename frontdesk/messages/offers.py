"""Offers a message to the applications of the business before it is sent by mail: the event `message.due`.

A webhook answers it with `{"handled": true}` if its application sends the message itself. Otherwise, or if no
application has answered within a minute, the message is sent by mail; one to a customer without an e-mail address is
dropped. First the offer ends: deliveries that still wait are withdrawn, and the answer to one that is being sent is
waited for. So a message goes out once, and none about a booking that was canceled meanwhile is offered.
"""

from datetime import datetime, timedelta
from enum import Enum
from uuid import UUID

import msgspec

from frontdesk.messages.composed_mail import ComposedMail
from frontdesk.messages.offer_queries import (
    finish_handled,
    list_answers,
    offer_message,
    wait_for_answer,
    withdraw_offer,
)
from frontdesk.messages.plain_text import write_text
from frontdesk.messages.queue_queries import ClaimedMessage
from frontdesk.messages.types import BIRTHDAY_KIND, MEMBER_KINDS, REPORT_KIND, SECRET_KINDS
from frontdesk.postgres.pool import Connection
from frontdesk.values.clock import current_time

WAIT = timedelta(seconds=60)
_RECHECK_SECONDS = 2.0


class Offer(Enum):
    NONE = "none"  # no application takes it: it is sent by mail
    WAITING = "waiting"
    HANDLED = "handled"


class _Answer(msgspec.Struct, frozen=True):
    handled: bool = False


async def offer_to_applications(conn: Connection, message: ClaimedMessage, composed: ComposedMail) -> Offer:
    if message.tenant_id is None or message.kind in (*SECRET_KINDS, *MEMBER_KINDS, REPORT_KIND, BIRTHDAY_KIND):
        return Offer.NONE
    if message.offered_at is None:
        return await _offer(conn, message.tenant_id, message, composed)
    return await _read_answers(conn, message.tenant_id, message, message.offered_at)


async def _offer(conn: Connection, tenant_id: UUID, message: ClaimedMessage, composed: ComposedMail) -> Offer:
    details = {
        "id": message.id,
        "lease": message.lease,
        "seconds": _RECHECK_SECONDS,
        "expires_at": current_time() + WAIT,
        "language": composed.language,
        "subject": composed.subject,
        "text": write_text(composed),
        "link": composed.buttons[0].url if composed.buttons else None,
    }
    return Offer.WAITING if await offer_message(conn, tenant_id, details) else Offer.NONE


async def _read_answers(conn: Connection, tenant_id: UUID, message: ClaimedMessage, offered_at: datetime) -> Offer:
    answers = await list_answers(conn, tenant_id, message.id)
    is_open = any(answer.state == "due" and not answer.attempts for answer in answers)
    is_taken = any(answer.body and _is_handled(answer.body) for answer in answers)
    if is_open and not is_taken and current_time() - offered_at <= WAIT:
        await wait_for_answer(conn, tenant_id, message, _RECHECK_SECONDS)
        return Offer.WAITING
    return await end_offer(conn, tenant_id, message)


async def end_offer(conn: Connection, tenant_id: UUID, message: ClaimedMessage) -> Offer:
    """The answers are read after the deliveries were withdrawn: none can begin in between."""
    await withdraw_offer(conn, tenant_id, message.id)
    answers = await list_answers(conn, tenant_id, message.id)
    for answer in answers:
        if answer.body and _is_handled(answer.body):
            await finish_handled(conn, tenant_id, message, answer.application)
            return Offer.HANDLED
    if any(answer.is_sending for answer in answers):
        await wait_for_answer(conn, tenant_id, message, _RECHECK_SECONDS)
        return Offer.WAITING
    return Offer.NONE


def _is_handled(body: str) -> bool:
    try:
        return msgspec.json.decode(body, type=_Answer).handled
    except msgspec.DecodeError:
        return False
