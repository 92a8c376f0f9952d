"""Hands mail over to an SMTP server, and says at which moment the server may have accepted it."""

import asyncio
import re
import ssl
from collections.abc import Awaitable, Callable
from contextlib import suppress
from email.message import EmailMessage
from email.policy import SMTP

import aiosmtplib

from frontdesk.config import SmtpServer
from frontdesk.runtime.time_limits import time_limit

_TIMEOUT = 30.0  # seconds for each answer
_ANSWER_TIMEOUT = 300.0  # after the end of the mail, as RFC 5321 recommends
_FLUSH_SECONDS = 0.001
_LONE_PERIOD = re.compile(rb"(?m)^\.")


class NotReached(Exception):
    """The server cannot be reached, or does not let us in: it says nothing about the message."""


class Refused(Exception):
    """The server refused the message."""

    def __init__(self, answer: str, *, is_permanent: bool) -> None:
        super().__init__(answer)
        self.is_permanent = is_permanent


class NoAnswer(Exception):
    """The server got the whole mail and did not answer: it may have accepted it."""


class SmtpConnection:
    """One connection, which is kept for the next mail."""

    def __init__(self, server: SmtpServer, domain: str) -> None:
        self._server = server
        self._domain = domain  # that we call ourselves
        self._client: aiosmtplib.SMTP | None = None

    async def send(self, mail: EmailMessage, at_the_end: Callable[[], Awaitable[None]]) -> str:
        """Returns the server's answer. `at_the_end` runs in the moment in which the end of the mail is written.

        The end and the statement of `at_the_end` leave the process in the same turn of the event loop, the end first.
        If the process is killed, either both of them were sent or none, except for the moment between two system calls.
        A kill in it sends the mail twice and never loses it. If `at_the_end` raises when it is called, the server gets
        no end and accepts nothing.
        """
        client = await self._connect()
        sender, recipient = mail["From"].addresses[0].addr_spec, mail["To"].addresses[0].addr_spec
        body = mail.as_bytes(policy=SMTP)
        try:
            await client.mail(sender, timeout=_TIMEOUT)
            await client.rcpt(recipient, timeout=_TIMEOUT)
            started = await client.execute_command(b"DATA", timeout=_TIMEOUT)
            if started.code != aiosmtplib.SMTPStatus.start_input:
                raise aiosmtplib.SMTPDataError(started.code, started.message)
        except aiosmtplib.SMTPResponseException as error:
            await self._reset()
            raise _refused(error.code, error.message) from error
        except (aiosmtplib.SMTPException, OSError) as error:
            await self.close()
            raise NotReached(_reason(error)) from error
        return await self._finish(client, body, at_the_end)

    async def _finish(self, client: aiosmtplib.SMTP, body: bytes, at_the_end: Callable[[], Awaitable[None]]) -> str:
        if client.protocol is None:
            raise NotReached("the connection was closed")
        try:
            client.protocol.write(_LONE_PERIOD.sub(b"..", body).rstrip(b"\r\n") + b"\r\n")
            await _leave(client)
            marking = at_the_end()
        except (aiosmtplib.SMTPException, TimeoutError) as error:
            await self.close()
            raise NotReached(_reason(error)) from error
        except BaseException:
            await self.close()
            raise
        answered, marked = await asyncio.gather(
            client.execute_command(b".", timeout=_ANSWER_TIMEOUT), marking, return_exceptions=True
        )
        if isinstance(answered, BaseException):
            await self.close()
            if isinstance(answered, aiosmtplib.SMTPException | OSError):
                raise NoAnswer(_reason(answered)) from answered
            raise answered
        if isinstance(marked, BaseException) and not isinstance(marked, Exception):
            raise marked
        if answered.code != aiosmtplib.SMTPStatus.completed:
            raise _refused(answered.code, answered.message)
        return f"{answered.code} {answered.message}"

    async def close(self) -> None:
        if self._client is not None:
            self._client.close()
            self._client = None

    async def _connect(self) -> aiosmtplib.SMTP:
        if self._client is not None and self._client.is_connected:
            with suppress(aiosmtplib.SMTPException, OSError):
                await self._client.rset(timeout=_TIMEOUT)
                return self._client
        await self.close()
        server = self._server
        client = aiosmtplib.SMTP(
            hostname=server.host,
            port=server.port,
            use_tls=server.is_tls,
            local_hostname=self._domain,
            username=server.user,
            password=server.password,
            timeout=_TIMEOUT,
            tls_context=ssl.create_default_context(),
        )
        try:
            await client.connect()
        except (aiosmtplib.SMTPException, OSError, ValueError) as error:
            client.close()
            raise NotReached(_reason(error)) from error
        self._client = client
        return client

    async def _reset(self) -> None:
        if self._client is not None:
            try:
                await self._client.rset(timeout=_TIMEOUT)
            except (aiosmtplib.SMTPException, OSError):
                await self.close()


async def _leave(client: aiosmtplib.SMTP) -> None:
    """Until the kernel has all of the mail: what waits in this process would be lost if it is killed."""
    with time_limit(_TIMEOUT):
        while client.transport is not None and client.transport.get_write_buffer_size():  # type: ignore[attr-defined]  # noqa: ASYNC110 - no event tells it
            await asyncio.sleep(_FLUSH_SECONDS)


def _refused(code: int, message: str) -> Refused:
    return Refused(f"{code} {message}", is_permanent=code >= 500)


def _reason(error: BaseException) -> str:
    """Without addresses of machines or passwords: the text of the answer, else the kind of the error."""
    if isinstance(error, aiosmtplib.SMTPResponseException):
        return f"{error.code} {error.message}"
    return type(error).__name__
