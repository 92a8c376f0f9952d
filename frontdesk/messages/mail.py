"""A letter as a mail: text, HTML and the invitation for calendars. Its Message-ID is the same at every attempt."""

import re
from datetime import datetime, timedelta
from email.errors import HeaderParseError
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime

from frontdesk.icalendar.event import Event, Person
from frontdesk.icalendar.write import write_calendar
from frontdesk.messages.html_mail import write_html
from frontdesk.messages.letter import Letter
from frontdesk.messages.plain_text import write_text
from frontdesk.messages.types import Content
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


def write_mail(content: Content, letter: Letter, *, sender: str, now: datetime) -> EmailMessage:
    message = content.message
    recipient = parse_address(message.name or "", message.email)
    mail = EmailMessage(SMTP)
    mail["Subject"] = _in_header(letter.subject)
    mail["From"] = parse_address(letter.sender, sender)
    mail["To"] = recipient
    mail["Date"] = format_datetime(now)
    mail["Message-ID"] = f"<{message.id}@{sender.rpartition('@')[2]}>"
    mail["Content-Language"] = letter.language
    mail["Auto-Submitted"] = "auto-generated"
    if letter.stop_url:
        mail["List-Unsubscribe"] = f"<{letter.stop_url}>"
        mail["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    mail.set_content(write_text(letter), cte="quoted-printable")
    html = write_html(letter, is_canceled=message.kind == "cancellation")
    mail.add_alternative(html, subtype="html", cte="quoted-printable")
    calendar = invitation(content, letter, sender=sender, recipient=recipient.addr_spec)
    if calendar:
        mail.add_alternative(calendar.decode(), subtype="calendar", cte="base64")
        part = mail.get_payload()[-1]  # type: ignore[index]
        part.set_param("method", _INVITATIONS[message.kind])  # type: ignore[union-attr]
        part.set_param("name", "invite.ics")  # type: ignore[union-attr]
    return mail


def invitation(content: Content, letter: Letter, *, sender: str, recipient: str) -> bytes | None:
    """Calendar programs keep one entry per booking, and replace it by the version with the highest number."""
    appointment, business, method = content.appointment, content.business, _INVITATIONS.get(content.message.kind)
    if not (appointment and appointment.starts_at and business and method and content.message.order_id):
        return None
    services = [line for line in letter.ticket.lines if line] if letter.ticket else []
    event = Event(
        uid=f"{content.message.order_id}@frontdesk",
        sequence=appointment.version,
        starts_at=appointment.starts_at,
        ends_at=appointment.ends_at or appointment.starts_at + timedelta(minutes=30),
        zone=get_zone(business.timezone),
        summary=f"{business.name}: {services[0]}" if services else business.name,
        changed_at=appointment.changed_at,
        description="\n".join([*services, *(button.url for button in letter.buttons[:1])]),
        location=appointment.address or appointment.branch,
        status="CANCELLED" if method == "CANCEL" else "CONFIRMED",
        organizer=Person(business.name, sender),
        attendee=Person(content.message.name or recipient, recipient),
        url=letter.buttons[0].url if letter.buttons else None,
    )
    return write_calendar([event], "CANCEL" if method == "CANCEL" else "REQUEST")
