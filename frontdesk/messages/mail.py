"""A composed mail as MIME: text, HTML and the invitation for calendars. Its Message-ID is the same at every attempt."""

import re
from datetime import datetime, timedelta
from email.errors import HeaderParseError
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime

from frontdesk.i18n.texts import N_, translate
from frontdesk.icalendar.event import Event, Person
from frontdesk.icalendar.write import write_calendar
from frontdesk.messages.composed_mail import ComposedMail
from frontdesk.messages.html_mail import write_html
from frontdesk.messages.plain_text import write_text
from frontdesk.messages.types import Content, OtherDate
from frontdesk.values.time import get_zone

_CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+")
# The library loses the quotes around them where it breaks a long line: what follows would be another address.
_SPECIALS = re.compile(r'[()<>\[\]:;@\\,."]+')
_INVITATIONS = {"confirmation": "REQUEST", "change": "REQUEST", "cancellation": "CANCEL"}
_NAMED = 200  # characters of a name in a header


class UnusableAddress(Exception):
    """No mail can be sent to it."""


def parse_address(name: str, email: str) -> Address:
    """An international domain is written in ASCII; a name before the @ that is not ASCII cannot be."""
    local, _, domain = email.strip().rpartition("@")
    if not local or not domain or not local.isascii() or _CONTROLS.search(email):
        raise UnusableAddress
    try:
        shown = " ".join(_SPECIALS.sub(" ", _in_header(name)).split())
        return Address(shown[:_NAMED].strip(), addr_spec=f"{local}@{domain.encode('idna').decode()}")
    except (HeaderParseError, ValueError, IndexError) as error:  # UnicodeError is a ValueError
        raise UnusableAddress from error


def _in_header(text: str) -> str:
    """The library decodes what looks like an encoded word (RFC 2047), and writes the line ends in it as they are."""
    return _CONTROLS.sub(" ", text).replace("=?", "= ?")


def write_mail(content: Content, composed: ComposedMail, *, sender: str, now: datetime) -> EmailMessage:
    message = content.message
    recipient = parse_address(message.name or "", message.email or "")
    mail = EmailMessage(SMTP)
    mail["Subject"] = _in_header(composed.subject)
    mail["From"] = parse_address(composed.sender, sender)
    mail["To"] = recipient
    mail["Date"] = format_datetime(now)
    mail["Message-ID"] = f"<{message.id}@{sender.rpartition('@')[2]}>"
    mail["Auto-Submitted"] = "auto-generated"
    if composed.stop_url:
        mail["List-Unsubscribe"] = f"<{composed.stop_url}>"
    if composed.stop_url and message.unsubscribe_token:  # a member signs in first
        mail["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    mail.set_content(write_text(composed), cte="quoted-printable")
    html = write_html(composed, is_canceled=message.kind in ("cancellation", "booking_canceled"))
    mail.add_alternative(html, subtype="html", cte="quoted-printable")
    calendars = invitations(content, composed, sender=sender, recipient=recipient.addr_spec)
    for number, calendar in enumerate(calendars, 1):
        name = f"invite-{number}.ics"
        if number == 1:
            mail.add_alternative(calendar.decode(), subtype="calendar", cte="base64")
        else:  # one object has one UID (RFC 5546), so each date of a booking that repeats has its own
            mail.add_attachment(calendar.decode(), subtype="calendar", cte="base64", filename=name)
        part = mail.get_payload()[-1]  # type: ignore[index]
        part.set_param("method", _INVITATIONS[message.kind])  # type: ignore[union-attr]
        part.set_param("name", name)  # type: ignore[union-attr]
    if content.attachment:
        kept = content.attachment
        mail.add_attachment(kept.body, maintype="application", subtype=kept.subtype, filename=kept.name)
    mail["Content-Language"] = composed.language  # setting the content before would remove it
    return mail


def invitations(content: Content, composed: ComposedMail, *, sender: str, recipient: str) -> list[bytes]:
    """One for each order. Calendar programs keep one entry per booking, and replace it by the highest version."""
    appointment, business, method = content.appointment, content.business, _INVITATIONS.get(content.message.kind)
    if not (appointment and appointment.starts_at and business and method and content.message.order_id):
        return []
    ticket = composed.ticket
    names = [service.name for service in ticket.services] if ticket else []
    separator = translate(composed.language, N_(", "))
    page = composed.buttons[0].url if composed.buttons else ""
    dates = [
        OtherDate(
            content.message.order_id,
            appointment.version,
            appointment.changed_at,
            appointment.starts_at,
            appointment.ends_at,
            appointment.code or "",
        ),
        *appointment.also,
    ]

    def event(date: OtherDate) -> Event:
        url = page.replace(f"/{appointment.code}", f"/{date.code}") if appointment.code else page
        return Event(
            uid=f"{date.order_id}@frontdesk",
            sequence=date.version,
            starts_at=date.starts_at,
            ends_at=date.ends_at or date.starts_at + timedelta(minutes=30),
            zone=get_zone(business.timezone),
            summary=f"{business.name}: {separator.join(names)}" if names else business.name,
            changed_at=date.changed_at,
            description="\n".join([*(ticket.lines if ticket else ()), *([url] if url else [])]),
            location=appointment.address or appointment.branch,
            status="CANCELLED" if method == "CANCEL" else "CONFIRMED",
            organizer=Person(business.name, sender),
            attendee=Person(content.message.name or recipient, recipient),
            url=url or None,
        )

    return [write_calendar([event(date)], "CANCEL" if method == "CANCEL" else "REQUEST") for date in dates]
