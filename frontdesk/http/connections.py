"""Which connections a server process keeps when there are too many of them.

One address has a share. Where its share or the whole process is full, the connection that has waited longest for the
head of a request goes first, then one that is idle between two requests, then one that still sends a body. A new one
has a second to send its head before it goes: a client that sends its request at once always gets in. If all of them are
at work, a few are accepted for health checks.

Connections leave some descriptors for the rest of the process. If they run out all the same, the log says so: the event
loop would end new connections without a word.
"""

import ipaddress
import math
import resource
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from enum import Enum
from itertools import chain, takewhile
from typing import Protocol

import structlog

from frontdesk.net.addresses import address_prefix

MAX_CONNECTIONS = 800  # of one process, below the usual limit of 1,024 open files
MAX_OF_ADDRESS = 200  # an office behind one router has a stream and some idle connections for each open page
HEAD_GRACE_SECONDS = 1.0
RESERVED = 20  # beyond the others, for health checks
OWN_DESCRIPTORS = 100  # for the database, deliveries and files
LAST_DESCRIPTORS = 20
_WARNING_SECONDS = 60.0  # between two lines of the log
_LOOPBACK = ("127.0.0.1", "::1")  # a proxy of the same machine

_log = structlog.get_logger("frontdesk.http")


def max_descriptors() -> int:
    limit, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return sys.maxsize if limit == resource.RLIM_INFINITY else limit


class Closable(Protocol):
    def give_way(self) -> None: ...


class Admission(Enum):
    OPEN = "open"
    HEALTH_ONLY = "health only"
    REFUSED = "refused"


class Connections:
    """Those of one server process. Each waits for a head, or is idle, or sends a body, or is at work."""

    def __init__(self, proxies: Iterable[str]) -> None:
        """All connections through a proxy come from its address, so those have no share."""
        self._proxies = [ipaddress.ip_network(proxy) for proxy in (*_LOOPBACK, *proxies)]
        self._descriptors = max_descriptors()
        self._warned_at = -math.inf
        self._address_of: dict[Closable, str | None] = {}
        self._counts: Counter[str] = Counter()
        # Since when, the oldest first.
        self._waiting: dict[Closable, float] = {}
        self._idle: dict[Closable, float] = {}
        self._sending: dict[Closable, float] = {}

    def add(self, connection: Closable, address: str, descriptor: int) -> Admission:
        """`descriptor` is that of its socket: all lower numbers are in use."""
        key = None if self._is_proxy(address) else address_prefix(address)
        self._address_of[connection] = key
        if key is not None:
            self._counts[key] += 1
            if self._counts[key] > MAX_OF_ADDRESS and not self._make_room(key):
                return Admission.REFUSED
        admission = Admission.OPEN
        most = min(MAX_CONNECTIONS, self._descriptors - OWN_DESCRIPTORS)
        is_short = descriptor >= self._descriptors - LAST_DESCRIPTORS
        if is_short:
            self._warn(descriptor)
        if (is_short or len(self._address_of) > most) and not self._make_room():
            is_beyond = len(self._address_of) > most + RESERVED
            admission = Admission.REFUSED if is_beyond else Admission.HEALTH_ONLY
        self.waits(connection)
        return admission

    def remove(self, connection: Closable) -> None:
        if connection not in self._address_of:
            return
        key = self._address_of.pop(connection)
        self.works(connection)
        if key is not None:
            self._counts[key] -= 1
            if not self._counts[key]:
                del self._counts[key]

    def waits(self, connection: Closable) -> None:
        """For the rest of a head. It keeps its place if it waits already."""
        self._move(connection, self._waiting)

    def idles(self, connection: Closable) -> None:
        self._move(connection, self._idle)

    def sends(self, connection: Closable) -> None:
        """The rest of a body."""
        self._move(connection, self._sending)

    def works(self, connection: Closable) -> None:
        for state in (self._waiting, self._idle, self._sending):
            state.pop(connection, None)

    def _move(self, connection: Closable, state: dict[Closable, float]) -> None:
        if connection in self._address_of and connection not in state:
            self.works(connection)
            state[connection] = time.monotonic()

    def _make_room(self, key: str | None = None) -> bool:
        """Ends one connection, of all or of an address. False: all of them are at work."""
        for connection in self._dispensable():
            if key is None or self._address_of[connection] == key:
                self.remove(connection)
                connection.give_way()
                return True
        return False

    def _dispensable(self) -> Iterator[Closable]:
        late = time.monotonic() - HEAD_GRACE_SECONDS
        yield from takewhile(lambda connection: self._waiting[connection] <= late, self._waiting)
        yield from chain(self._idle, self._sending, self._waiting)

    def _warn(self, descriptor: int) -> None:
        if time.monotonic() - self._warned_at >= _WARNING_SECONDS:
            self._warned_at = time.monotonic()
            _log.warning("out of descriptors", in_use=descriptor, limit=self._descriptors)

    def _is_proxy(self, address: str) -> bool:
        try:
            parsed = ipaddress.ip_address(address.partition("%")[0])
        except ValueError:
            return True  # a Unix socket, which only a proxy of the same machine can open
        return any(parsed in network for network in self._proxies)
