"""Fifty people at the desks of one business, each of whom clicks once a second: how long they wait, against one alone.

Two of them always want the same time, so that one is refused. No time may be sold twice.
"""

import asyncio
import random
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import timedelta
from itertools import count
from statistics import median, quantiles
from typing import NamedTuple

from bench import bounds, requests
from bench.processes import Server
from bench.report import progress
from bench.results import Check, Result
from bench.run import Run
from bench.tenants import SLOT_MINUTES, BookableTenant, add_member, make_bookable_sandbox
from bench.usage import cpu_seconds, waited_seconds
from frontdesk.postgres.pool import Connection
from frontdesk.ui.shell.csrf import CSRF_FIELD, csrf_token
from frontdesk.values.ids import uuid7

_PEOPLE = 50
_SECONDS = 60
_SECONDS_ALONE = 30

Waits = dict[str, list[float]]


class Use(NamedTuple):
    """Seconds."""

    service: float
    database: float
    waited: float  # ready to run while other programs had the cores: what that adds is not the service's
    seconds: float


def measure(run: Run) -> Result:
    async def make(conn: Connection) -> tuple[BookableTenant, list[str]]:
        tenant = await make_bookable_sandbox(conn)
        return tenant, [await add_member(conn, tenant.access.tenant_id, "receptionist") for _ in range(_PEOPLE)]

    tenant, sessions = run.prepare(make)
    desk = Desk(tenant)
    with run.service() as service:
        alone, _ = _clicks(run, service, desk, sessions[:1], _SECONDS_ALONE)
        together, use = _clicks(run, service, desk, sessions, _SECONDS)
    progress(
        f"{_PEOPLE} people for {use.seconds:.0f} s: CPU time of the service {use.service:.1f} s, of the database "
        f"{use.database:.1f} s; the service waited {use.waited:.1f} s for a free core"
    )
    for name, waits in together.items():
        progress(f"{name:<10} {_words(waits)}; alone {_words(alone[name])}")
    more = {name: _late(waits) - _late(alone[name]) for name, waits in together.items()}
    slowest = max(more, key=lambda name: more[name])
    sold_twice = run.query(lambda conn: _sold_twice(conn, tenant))
    return Result(
        checks=[
            Check(
                f"seconds that 99 of 100 clicks wait longer than alone ({slowest})",
                more[slowest],
                bounds.PEOPLE_MORE_SECONDS,
            ),
            Check("times that were sold twice", sold_twice, bounds.PEOPLE_SOLD_TWICE),
            Check("times that two people wanted and one got", desk.refused, bounds.PEOPLE_REFUSED),
        ]
    )


def _words(waits: Sequence[float]) -> str:
    milliseconds = [wait * 1000 for wait in (median(waits), _late(waits), max(waits))]
    return f"{len(waits)} times, median {{:.0f}} ms, 99 % {{:.0f}} ms, longest {{:.0f}} ms".format(*milliseconds)


def _late(waits: Sequence[float]) -> float:
    return quantiles(waits, n=100)[98] if len(waits) > 1 else waits[0]


async def _sold_twice(conn: Connection, tenant: BookableTenant) -> int:
    found: int = await conn.fetchval(
        """
        SELECT count(*) FROM bookings a JOIN bookings b ON b.tenant_id = $1 AND b.staff_id = a.staff_id
            AND b.id > a.id AND b.during && a.during AND b.is_active
        WHERE a.tenant_id = $1 AND a.is_active
        """,
        tenant.access.tenant_id,
    )
    return found


def _clicks(run: Run, service: Server, desk: "Desk", sessions: Sequence[str], seconds: int) -> tuple[Waits, Use]:
    def used() -> list[float]:
        return [cpu_seconds(service.pid), cpu_seconds(run.postmaster), waited_seconds(service.pid), time.monotonic()]

    before = used()
    waits = asyncio.run(_all(service.port, desk, sessions, seconds))
    return waits, Use(*(now - then for now, then in zip(used(), before, strict=True)))


async def _all(port: int, desk: "Desk", sessions: Sequence[str], seconds: int) -> Waits:
    waits: Waits = {}
    people = [_Person(port, desk, session, place) for place, session in enumerate(sessions)]
    await asyncio.gather(*(person.click(seconds, waits) for person in people))
    return waits


class Desk:
    """What the people share: the times that they want, two of them always the same one."""

    def __init__(self, tenant: BookableTenant) -> None:
        self.tenant = tenant
        self.refused = 0
        self._wanted = count()
        self._spare = count(10_000)

    def next_time(self) -> tuple[str, str, str]:
        return self._time(next(self._wanted) // 2)

    def spare_time(self) -> tuple[str, str, str]:
        """That nobody else wants."""
        return self._time(next(self._spare))

    def _time(self, number: int) -> tuple[str, str, str]:
        """A day, a time and a provider."""
        staff_ids = self.tenant.staff_ids
        staff_id, slot = staff_ids[number % len(staff_ids)], number // len(staff_ids)
        per_day = 24 * 60 // SLOT_MINUTES
        day, minute = slot // per_day, slot % per_day * SLOT_MINUTES
        return (
            str(self.tenant.first_day + timedelta(days=day)),
            f"{minute // 60:02}:{minute % 60:02}",
            str(staff_id),
        )


class _Person:
    def __init__(self, port: int, desk: Desk, session: str, place: int) -> None:
        self._port = port
        self._desk = desk
        self._cookie = f"frontdesk_session={session}"
        self._token = csrf_token(session, desk.tenant.access.tenant_id)
        self._random = random.Random(place)
        self._order: str | None = None
        self._day = str(desk.tenant.first_day)
        self._acts: Iterator[tuple[str, Callable[[], bytes]]] = self._all_acts()

    async def click(self, seconds: int, waits: Waits) -> None:
        self._reader, self._writer = await asyncio.open_connection("127.0.0.1", self._port)
        began = time.perf_counter() + self._random.random()
        for second in range(seconds):
            await asyncio.sleep(max(0.0, began + second - time.perf_counter()))
            name, request = next(self._acts)
            sent = time.perf_counter()
            status, head = await self._send(request())
            waits.setdefault(name, []).append(time.perf_counter() - sent)
            self._look_at(name, status, head)
        self._writer.close()

    def _look_at(self, name: str, status: int, head: bytes) -> None:
        if name == "book":
            self._order = None
            if status == 303:
                location = next(line for line in head.split(b"\r\n") if line.lower().startswith(b"location:"))
                self._order = location.decode().rpartition("order=")[2].partition("&")[0].strip()
            else:
                self._desk.refused += 1
        elif status >= 500 or (status >= 400 and name not in ("move", "pay")):
            raise SystemExit(f"bench: {name} was answered with {status}")

    def _all_acts(self) -> Iterator[tuple[str, Callable[[], bytes]]]:
        while True:
            yield "calendar", lambda: self._page(f"/calendar?date={self._day}")
            yield "book", self._book
            yield "till", lambda: self._page("/till")
            if self._order is not None:
                yield "blocks", lambda: self._page(f"/calendar/blocks?date={self._day}&orders={self._order}")
                yield "move", self._move
                yield "pay", self._pay

    def _page(self, path: str) -> bytes:
        return requests.page(path, self._cookie)

    def _form(self, path: str, **fields: object) -> bytes:
        sent = {name: str(value) for name, value in fields.items()}
        return requests.form(path, self._cookie, {**sent, CSRF_FIELD: self._token})

    def _book(self) -> bytes:
        tenant = self._desk.tenant
        self._day, at, staff_id = self._desk.next_time()
        return self._form(
            "/calendar/new",
            id=uuid7(),
            act="book",
            branch=tenant.branch_id,
            date=self._day,
            time=at,
            customer=self._random.choice(tenant.customer_ids),
            service=tenant.service_id,
            option="",
            provider=staff_id,
            price="",
        )

    def _move(self) -> bytes:
        self._day, at, staff_id = self._desk.spare_time()
        return self._form(f"/orders/{self._order}/move", date=self._day, time=at, staff=staff_id)

    def _pay(self) -> bytes:
        method = self._desk.tenant.method_id
        return self._form(f"/orders/{self._order}/pay", id=uuid7(), method=method, amount="50")

    async def _send(self, request: bytes) -> tuple[int, bytes]:
        self._writer.write(request)
        async with asyncio.timeout(30):
            head = await self._reader.readuntil(b"\r\n\r\n")
            length = next((int(h[15:]) for h in head.split(b"\r\n") if h.lower().startswith(b"content-length:")), 0)
            await self._reader.readexactly(length)
        return int(head[9:12]), head
