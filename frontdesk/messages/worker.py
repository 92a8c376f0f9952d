"""Sends messages in a loop: queues reminders, claims what is due, and hands it over. Workers share one queue."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from email.message import EmailMessage
from functools import partial
from uuid import UUID, uuid4

import asyncpg
import msgspec
import structlog
from prometheus_client import Counter

from frontdesk.config import SmtpServer
from frontdesk.messages.account_queue_queries import AccountQueue
from frontdesk.messages.compose import compose
from frontdesk.messages.daily_limit import has_room
from frontdesk.messages.mail import UnusableAddress, write_mail
from frontdesk.messages.member_queue_queries import MemberQueue
from frontdesk.messages.offers import Offer, end_offer, offer_to_applications
from frontdesk.messages.queue_queries import ClaimedMessage, CustomerQueue, Queue
from frontdesk.messages.reminder_queries import CHECK_SECONDS, queue_reminders, queue_reminders_of
from frontdesk.messages.smtp import NoAnswer, NotReached, Refused, SmtpConnection
from frontdesk.messages.types import Content
from frontdesk.postgres.failures import trace
from frontdesk.postgres.pool import Connection, ConnectionLost, Pool
from frontdesk.postgres.sending import SendingCheck
from frontdesk.postgres.worker_loop import LOST, WorkerLoop, drain
from frontdesk.security.encryption import SecretBox
from frontdesk.tenants.moved_clock_queries import MovedClocks
from frontdesk.values.clock import clock_ahead, context_with_clock, current_time
from frontdesk.values.ids import uuid7

LANES = 4  # mails that are sent at the same time
PAUSES = (30.0, 120.0, 600.0, 3600.0, 14400.0)  # seconds before each further attempt
MAX_ATTEMPTS = len(PAUSES) + 1
_POLL = 1.0
_UNREACHABLE_PAUSE = 15.0
_IDLE_CLOSE = 20.0  # seconds after which an unused connection to the mail server is closed
_RECORD_SECONDS = 60.0  # for which the result of a hand-over is written again if the database is lost
_log = structlog.get_logger("frontdesk.messages")
_sent = Counter("frontdesk_messages_total", "Messages by what became of an attempt", ["outcome"])


class MailSettings(msgspec.Struct, frozen=True):
    server: SmtpServer | None  # without one, messages are kept
    sender: str  # an address
    origin: str  # of the links


class MessageWorker:
    def __init__(
        self,
        database: Pool,
        secret_box: SecretBox,
        settings: MailSettings,
        *more: Queue,
        by_tenant: bool = False,
    ) -> None:
        self._database = database
        self._secret_box = secret_box
        self._settings = settings
        self._queues: tuple[Queue, ...] = (
            CustomerQueue(by_tenant=by_tenant),
            AccountQueue(),
            MemberQueue(has_server=settings.server is not None, by_tenant=by_tenant),
            *more,
        )
        self._idle: list[SmtpConnection] = []
        self._in_flight: set[asyncio.Task[None]] = set()
        self._loop = WorkerLoop("messages", self._take_turn, poll=_POLL)
        self._claim_after = 0.0
        self._remind_after = 0.0
        self._used_at = 0.0
        self._sending = SendingCheck()
        self._moved = MovedClocks()

    def start(self) -> None:
        self._loop.start()

    async def stop(self, seconds: float) -> None:
        """Waits for mails that are being sent. Those that do not end in time are sent by another worker later."""
        await self._loop.stop()
        await drain(self._in_flight, seconds)
        await self._close_idle()

    async def _take_turn(self) -> None:
        async with self._database.connection() as conn:
            if await self._sending.is_held(conn):
                return
            await self._remind(conn)
            if not self._in_flight and time.monotonic() - self._used_at > _IDLE_CLOSE:
                await self._close_idle()
            for queue in self._queues:
                await self._claim(conn, queue, None)
            moved = await self._moved.read(conn)
        for clock in moved:
            with clock_ahead(clock.seconds):
                await self._take_turn_of(clock.tenant_id)

    async def _take_turn_of(self, tenant_id: UUID) -> None:
        """Of a sandbox whose clock was moved, at its time."""
        async with self._database.connection() as conn:
            await queue_reminders_of(conn, tenant_id)
            for queue in self._queues:
                await self._claim(conn, queue, tenant_id)

    async def _claim(self, conn: Connection, queue: Queue, tenant_id: UUID | None) -> None:
        free = LANES - len(self._in_flight)
        if self._loop.is_stopping or not free or time.monotonic() < self._claim_after:
            return
        for message in await queue.claim(conn, uuid7(), free, tenant_id):
            # In a context of its own: the connection that is held here is not the task's.
            task = asyncio.create_task(self._process(queue, message), context=context_with_clock())
            self._in_flight.add(task)
            task.add_done_callback(self._on_done)

    async def _remind(self, conn: Connection) -> None:
        if time.monotonic() < self._remind_after:
            return
        checked = 0
        with suppress(asyncpg.PostgresConnectionError):  # a node does not answer; messages of the others are sent
            checked = await queue_reminders(conn)
        if not checked:
            self._remind_after = time.monotonic() + CHECK_SECONDS / 3

    def _on_done(self, task: "asyncio.Task[None]") -> None:
        self._in_flight.discard(task)
        self._loop.wake()

    async def _process(self, queue: Queue, message: ClaimedMessage) -> None:
        """A message that cannot be processed is claimed again when its lease has ended."""
        try:
            async with self._database.connection() as conn:
                content = await self._read(conn, queue, message)
            if content is None:
                return
            if content.draw is not None:
                content = msgspec.structs.replace(content, attachment=await content.draw())
            async with self._database.connection() as conn:
                await self._send(conn, queue, message, content)
        except LOST as lost:
            _log.warning("message waits", message=str(message.id), reason=type(lost).__name__)
        except Exception as failure:  # noqa: BLE001 - one message that cannot be written must not stop the others
            _log.error("message failed here", message=str(message.id), trace=trace(failure))
            await self._record(partial(queue.finish, message=message, state="failed", answer="internal error"))

    async def _read(self, conn: Connection, queue: Queue, message: ClaimedMessage) -> Content | None:
        """None: it is not sent."""
        if message.tenant_id and message.reason:
            if await end_offer(conn, message.tenant_id, message) is Offer.NONE:
                await queue.finish(conn, message, "dropped", message.reason)
            return None
        content = await queue.content(conn, self._secret_box, message)
        if content is None:
            await queue.finish(conn, message, "dropped", "erased")
        return content

    async def _send(self, conn: Connection, queue: Queue, message: ClaimedMessage, content: Content) -> None:
        now = current_time()
        composed = compose(content, self._settings.origin, now)
        if not await queue.prepare(conn, message, composed):
            return
        offer = await offer_to_applications(conn, message, composed)
        if offer is Offer.HANDLED:
            _sent.labels("handled").inc()
        elif offer is Offer.NONE and content.message.email is None:
            await queue.finish(conn, message, "dropped", "not_taken")
        elif offer is Offer.NONE and await has_room(conn, message):
            try:
                mail = write_mail(content, composed, sender=self._settings.sender, now=now)
            except UnusableAddress:
                await queue.finish(conn, message, "failed", "address")
                return
            await self._hand_over(conn, queue, message, mail)

    async def _hand_over(self, conn: Connection, queue: Queue, message: ClaimedMessage, mail: EmailMessage) -> None:
        server = self._settings.server
        if server is None:
            await queue.finish(conn, message, "kept", None)
            return
        connection = self._take_connection(server)
        # The statement is prepared on this connection, so that the real call is a single packet.
        await queue.hand_over(conn, msgspec.structs.replace(message, id=uuid4()))
        try:
            answer = await connection.send(mail, partial(_mark, conn, queue, message))
        except NoAnswer:
            finish = partial(queue.finish, message=message, state="sent", answer=None)
        except NotReached as error:
            self._claim_after = time.monotonic() + _UNREACHABLE_PAUSE
            _log.warning("the mail server is not reached", reason=str(error))
            finish = partial(
                queue.postpone, message=message, seconds=_UNREACHABLE_PAUSE, answer=str(error), counts=False
            )
        except Refused as error:
            if error.is_permanent or message.attempts + 1 >= MAX_ATTEMPTS:
                finish = partial(queue.finish, message=message, state="failed", answer=str(error))
            else:
                pause = PAUSES[message.attempts]
                finish = partial(queue.postpone, message=message, seconds=pause, answer=str(error), counts=True)
        else:
            _sent.labels("sent").inc()
            finish = partial(queue.finish, message=message, state="sent", answer=answer)
        finally:
            self._give_back(connection)
        await self._record(finish)

    async def _record(self, write: Callable[[Connection], Awaitable[None]]) -> None:
        """The mail is out: what became of it is written even if the database is lost for a moment."""
        until = time.monotonic() + _RECORD_SECONDS
        while True:
            try:
                async with self._database.connection() as conn:
                    await write(conn)
            except LOST:
                if time.monotonic() > until:
                    raise
                await asyncio.sleep(_POLL)
            else:
                return

    def _take_connection(self, server: SmtpServer) -> SmtpConnection:
        self._used_at = time.monotonic()
        return self._idle.pop() if self._idle else SmtpConnection(server, self._settings.sender.rpartition("@")[2])

    def _give_back(self, connection: SmtpConnection) -> None:
        self._used_at = time.monotonic()
        self._idle.append(connection)

    async def _close_idle(self) -> None:
        idle, self._idle = self._idle, []
        for connection in idle:
            await connection.close()


def _mark(conn: Connection, queue: Queue, message: ClaimedMessage) -> Awaitable[None]:
    if conn.is_closed:
        raise ConnectionLost  # the message would go out unmarked, and once more later
    return queue.hand_over(conn, message)
