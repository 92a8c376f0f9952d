"""Opens connections to PostgreSQL: the settings of a session, the options of its socket, and which host is tried."""

import socket
import time
from collections.abc import Mapping
from urllib.parse import parse_qs, quote, urlencode, urlsplit, urlunsplit

import asyncpg
from asyncpg import Record

from frontdesk.runtime.time_limits import time_limit

# JIT compilation never pays off for statements this short. Timeouts end statements that wait for a lock or run for
# seconds. Statements have a generic plan, because planning a page of orders for each tenant costs more than reading it.
# The planner does not see the parameters, so a statement contains only the conditions that apply, and a LIMIT where it
# returns few rows. Pages are in memory or on an SSD. A plan that is made while a table is small would read the whole
# table and be kept while the table grows, so it uses an index wherever there is one: every statement has the tenant.
_SESSION = {
    "application_name": "frontdesk",
    "jit": "off",
    "plan_cache_mode": "force_generic_plan",
    "random_page_cost": "1.1",
    "enable_seqscan": "off",
    "timezone": "UTC",
    "statement_timeout": "10s",
    "lock_timeout": "3s",
    "idle_in_transaction_session_timeout": "60s",
}
# Citus plans a statement for the node of its tenant, so it must see the values. A transaction may change a table and
# another one that it refers to, which Citus allows in sequential mode only. Hiding shards from the catalogs would make
# asyncpg's look-up of array types take seconds.
_CITUS_SESSION = {
    "plan_cache_mode": "auto",
    "citus.multi_shard_modify_mode": "sequential",
    "citus.override_table_visibility": "off",
}
# A host that is gone does not say so. An idle connection asks after 10 seconds whether it is there, and what was sent
# must be acknowledged within 5 seconds. Not every system has each option.
_SOCKET_OPTIONS = {
    "TCP_KEEPIDLE": 10,
    "TCP_KEEPINTVL": 3,
    "TCP_KEEPCNT": 3,
    "TCP_USER_TIMEOUT": 5000,  # milliseconds
}
# This host is not there, or does not accept writes; another one may.
_UNUSABLE = (OSError, TimeoutError, asyncpg.CannotConnectNowError, asyncpg.TargetServerAttributeNotMatched)


class Hosts:
    """The hosts of one address, `postgresql://user@first:5432,second:5432/name`. The last one that worked is first."""

    def __init__(self, dsn: str) -> None:
        self._addresses = split_hosts(dsn)

    async def connect(
        self, wait: float, settings: Mapping[str, str] | None = None
    ) -> tuple["asyncpg.Connection[Record]", str]:
        """A connection, and the address of its host. Each host gets an equal part of the time that is left."""
        until = time.monotonic() + wait
        failure: BaseException | None = None
        for left, address in zip(range(len(self._addresses), 0, -1), list(self._addresses), strict=True):
            try:
                with time_limit((until - time.monotonic()) / left):
                    return await _connect(address, settings), address
            except _UNUSABLE as error:
                failure = error
                self.suspect(address)
        if isinstance(failure, asyncpg.TargetServerAttributeNotMatched):
            raise ConnectionError("no host accepts writes") from failure
        raise failure or ConnectionError("the address names no host")

    def suspect(self, address: str) -> None:
        """It is tried last."""
        self._addresses.remove(address)
        self._addresses.append(address)


async def connect(
    dsn: str, wait: float = 10.0, settings: Mapping[str, str] | None = None
) -> "asyncpg.Connection[Record]":
    raw, _ = await Hosts(dsn).connect(wait, settings)
    return raw


async def _connect(dsn: str, settings: Mapping[str, str] | None) -> "asyncpg.Connection[Record]":
    """Settings in the `options` of the address replace the defaults."""
    options = str(parse_qs(urlsplit(dsn).query).get("options", ""))
    defaults = {name: value for name, value in _SESSION.items() if f"{name}=" not in options}
    raw = await asyncpg.connect(
        dsn,
        statement_cache_size=512,
        max_cacheable_statement_size=0,  # the statement of the till is longer than 15 KiB, and takes long to plan
        server_settings={**defaults, **(settings or {})},
    )
    _set_socket_options(raw)
    return raw


def _set_socket_options(raw: "asyncpg.Connection[Record]") -> None:
    link: socket.socket = raw._transport.get_extra_info("socket")  # type: ignore[attr-defined] # there is no other way
    if link.family not in (socket.AF_INET, socket.AF_INET6):
        return
    link.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for name, value in _SOCKET_OPTIONS.items():
        if hasattr(socket, name):
            link.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)


def split_hosts(dsn: str) -> list[str]:
    """One address for each host."""
    parts = urlsplit(primary_address(dsn))
    user, at, hosts = parts.netloc.rpartition("@")
    if "," not in hosts:
        return [dsn]
    return [urlunsplit(parts._replace(netloc=f"{user}{at}{host}")) for host in hosts.split(",")]


def primary_address(dsn: str) -> str:
    """With several hosts, only one that accepts writes is wanted, unless the address says else."""
    parts = urlsplit(dsn)
    if "," not in parts.netloc.rpartition("@")[2] or "target_session_attrs" in parse_qs(parts.query):
        return dsn
    query = "&".join(filter(None, [parts.query, "target_session_attrs=read-write"]))
    return urlunsplit(parts._replace(query=query))


def citus_address(dsn: str) -> str:
    """The address with the session settings that a Citus coordinator needs."""
    parts = urlsplit(dsn)
    query = parse_qs(parts.query)
    options = [*query.get("options", []), *(f"-c {name}={value}" for name, value in _CITUS_SESSION.items())]
    return urlunsplit(
        parts._replace(query=urlencode({**query, "options": " ".join(options)}, doseq=True, quote_via=quote))
    )
