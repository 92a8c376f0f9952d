"""In which order the end of a mail and the mark that it was sent leave the process."""

import threading
from email.message import EmailMessage
from email.policy import SMTP
from typing import Any

from aiosmtpd.controller import Controller

from frontdesk.config import SmtpServer
from frontdesk.messages.smtp import SmtpConnection
from tests.support.programs.commands import free_port
from tests.support.waiting import PATIENCE_SECONDS


class Arrival:
    def __init__(self) -> None:
        self.arrived = threading.Event()

    async def handle_DATA(self, _server: Any, _session: Any, _envelope: Any) -> str:  # noqa: N802 - of aiosmtpd
        self.arrived.set()
        return "250 kept"


async def test_the_end_of_a_mail_leaves_before_the_mark_so_that_a_kill_in_between_loses_nothing() -> None:
    arrival, port = Arrival(), free_port()
    # In a thread of its own.
    server = Controller(arrival, hostname="127.0.0.1", port=port, ready_timeout=PATIENCE_SECONDS)
    was_there = []

    async def mark() -> None:
        was_there.append(arrival.arrived.wait(PATIENCE_SECONDS))  # this process sends nothing more meanwhile

    mail = EmailMessage(policy=SMTP)
    mail["From"], mail["To"] = "desk@desk.test", "sara@customer.test"
    mail.set_content("Tomorrow at 10:00")
    server.start()
    try:
        connection = SmtpConnection(SmtpServer("127.0.0.1", port, is_tls=False), "desk.test")
        assert await connection.send(mail, mark) == "250 kept"
        await connection.close()
    finally:
        server.stop()
    assert was_there == [True]
