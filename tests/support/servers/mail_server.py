"""A real SMTP server on loopback, and what it received, read with the parsers of other people."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from typing import Any

import icalendar
from aiosmtpd.smtp import SMTP, Envelope

from frontdesk.config import SmtpServer
from tests.support.programs.commands import free_port

Answer = Callable[[str], str]


class MailServer:
    """Keeps everything; `answer` decides by the address what a recipient gets."""

    def __init__(self) -> None:
        self.port = free_port()
        self.received: list[EmailMessage] = []
        self.envelopes: list[Envelope] = []
        self.answer: Answer = lambda _email: "250 OK"
        self.answer_to_data = "250 kept"
        self.delay = 0.0

    @property
    def settings(self) -> SmtpServer:
        return SmtpServer("127.0.0.1", self.port, is_tls=False)

    @property
    def url(self) -> str:
        return f"smtp://127.0.0.1:{self.port}"

    async def handle_RCPT(self, _server: Any, _session: Any, envelope: Envelope, address: str, _options: Any) -> str:  # noqa: N802 - of aiosmtpd
        answer = self.answer(address)
        if answer.startswith("2"):
            envelope.rcpt_tos.append(address)
        return answer

    async def handle_DATA(self, _server: Any, _session: Any, envelope: Envelope) -> str:  # noqa: N802
        if self.answer_to_data.startswith("2"):
            self.envelopes.append(envelope)
            content = envelope.content
            assert isinstance(content, bytes)
            parsed = message_from_bytes(content, policy=default)
            assert isinstance(parsed, EmailMessage)
            self.received.append(parsed)
        await asyncio.sleep(self.delay)
        return self.answer_to_data

    def to(self, email: str) -> list[EmailMessage]:
        return [mail for mail in self.received if mail["To"].addresses[0].addr_spec == email]


@asynccontextmanager
async def mail_server() -> AsyncIterator[MailServer]:
    kept = MailServer()
    loop = asyncio.get_running_loop()
    server = await loop.create_server(
        lambda: SMTP(kept, hostname="mail.test", enable_SMTPUTF8=False), "127.0.0.1", kept.port
    )
    async with server:
        yield kept


def part(mail: EmailMessage, subtype: str) -> str:
    (found,) = [each for each in mail.walk() if each.get_content_subtype() == subtype]
    text = found.get_content()
    return text if isinstance(text, str) else text.decode()


def calendar_event(mail: EmailMessage) -> tuple[str, icalendar.Event]:
    """The method of the invitation, and its only event."""
    calendar = icalendar.Calendar.from_ical(part(mail, "calendar"))
    (event,) = calendar.walk("VEVENT")
    assert isinstance(event, icalendar.Event)
    return str(calendar["METHOD"]), event
